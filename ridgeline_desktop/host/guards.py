"""The guard of a job: one permanent file whose kernel lock is the fact "held"."""

import errno
import fcntl
import os
import select
import stat

from ridgeline_desktop.core.locks import GuardState
from ridgeline_desktop.core.values import dataclass

# A look takes a shared lock for an instant: a start that meets one tries again, for 0.3 s in all.
PAUSES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.14)
REPLACED = 10
COUNTER_DIGITS = 20
FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardAnswer:
    """What the guard said. `fd` is its locked descriptor where it was taken, else -1; `detail` says why."""

    state: GuardState
    detail: str = ""
    fd: int = -1


def take(path: str) -> GuardAnswer:
    """Lock the guard for this process and whoever inherits the descriptor; made where it is missing."""
    answer = GuardAnswer(state=GuardState.HELD)
    for pause in PAUSES:
        select.select((), (), (), pause)  # a plain wait, which libraries that move the clock leave alone
        answer = _lock(path, os.O_RDWR | os.O_CREAT, exclusive=True)
        if answer.state is not GuardState.HELD:
            break
    if answer.state is GuardState.FREE and answer.fd < 0:
        return _unopenable(f"the folder of {path} is gone")
    return answer


def probe(path: str) -> GuardAnswer:
    """Whether somebody holds the guard; a missing one is free. Writes nothing and keeps nothing."""
    answer = _lock(path, os.O_RDONLY, exclusive=False)
    if answer.fd >= 0:
        let_go(answer.fd)
    return GuardAnswer(state=answer.state, detail=answer.detail)


def let_go(fd: int) -> None:
    """Free the guard for everybody, processes that inherited the descriptor included."""
    fcntl.flock(fd, fcntl.LOCK_UN)
    os.close(fd)


def excludes(path: str) -> bool:
    """Whether locks have an effect here: while we hold the guard a second descriptor must be refused."""
    answer = _lock(path, os.O_RDONLY, exclusive=False)
    if answer.fd >= 0:
        os.close(answer.fd)
    return answer.state is GuardState.HELD


MOST_FENCES = 1 << 60  # more than any job can have had: somebody wrote over the guard


def read_counter(fd: int) -> int:
    """The number last written into the guard; 0 for a new or a damaged one."""
    text = os.pread(fd, COUNTER_DIGITS, 0)
    number = int(text) if len(text) == COUNTER_DIGITS and text.isdigit() else 0
    return number if number < MOST_FENCES else 0


def write_counter(fd: int, number: int) -> None:
    """Put the number into the guard, on disk."""
    os.pwrite(fd, b"%0*d\n" % (COUNTER_DIGITS, number), 0)
    os.fsync(fd)


def _lock(path: str, flags: int, *, exclusive: bool) -> GuardAnswer:
    try:
        for _ in range(REPLACED):
            fd = os.open(path, flags | FLAGS, 0o600)
            state = lock_opened(fd, path, exclusive=exclusive)
            if state is GuardState.FREE:
                return GuardAnswer(state=state, fd=fd)
            os.close(fd)
            if state is not None:
                return GuardAnswer(state=state)
    except FileNotFoundError:
        return GuardAnswer(state=GuardState.FREE)
    except OSError as error:
        reason = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror or error
        return _unopenable(f"{path}: {reason}")
    return _unopenable(f"{path} is replaced again and again")


def lock_opened(fd: int, path: str, *, exclusive: bool) -> GuardState | None:
    """FREE = locked by us now; None where the path names another file by now. OSError closes `fd`."""
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("it is not a regular file")
        if exclusive and stat.S_IMODE(found.st_mode) != 0o600:
            os.fchmod(fd, 0o600)
        fcntl.flock(fd, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        there = os.lstat(path)
    except BlockingIOError:
        return GuardState.HELD
    except FileNotFoundError:
        return None
    except OSError:
        os.close(fd)
        raise
    return GuardState.FREE if os.path.samestat(found, there) else None


def _unopenable(detail: str) -> GuardAnswer:
    return GuardAnswer(state=GuardState.UNOPENABLE, detail=detail)
