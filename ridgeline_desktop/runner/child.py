"""The job's process: forked, held at a gate until it is on record, then turned into the job's program."""

import errno
import fcntl
import os
import signal
from collections.abc import Mapping
from contextlib import suppress

from ridgeline_desktop.core.values import dataclass

GUARD_AT = 250  # high, where scripts seldom put descriptors of their own
PIPE_SIZE = 1 << 20
NO_PROGRAM = 127
READY = b"."
_DEFAULTS = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGPIPE,
    signal.SIGXFSZ,
    signal.SIGCHLD,
)
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What to start: `program` is the file, `argv` what it is told, `guard_fd` the lock it inherits."""

    program: str
    argv: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    guard_fd: int


class Child:
    """The job's own process. `status` is its wait status, None until it has been reaped."""

    def __init__(self, pid: int, *, output: int, gate: int, errors: int) -> None:
        self.pid = pid
        self.output = output
        self.status: int | None = None
        self._gate = gate
        self._errors = errors

    def await_session(self) -> None:
        """Return once the process is in its own session, which is part of what is put on record."""
        os.read(self._errors, 1)

    def start(self) -> str:
        """Open the gate; "" once the job's program runs, else why it does not (the process is over then)."""
        with suppress(BrokenPipeError):  # it died at the gate; its exit tells the rest
            os.write(self._gate, b"!")
        os.close(self._gate)
        with open(self._errors, "rb", buffering=0) as errors:
            said = errors.read(64)
        if not said:
            return ""
        self._bury()
        stage, _, number = said.decode("ascii").partition(":")
        return _explained(stage, int(number))

    def abandon(self) -> None:
        """Close the gate: the process ends without ever becoming the job."""
        os.close(self._gate)
        os.close(self._errors)
        self._bury()

    def _bury(self) -> None:
        os.close(self.output)
        self.status = os.waitpid(self.pid, 0)[1]


def fork_child(launch: Launch) -> Child:
    """A process that waits at its gate, in a session of its own and without a terminal.

    Must be called in a process with one thread. OSError where there is no room for another process.
    """
    output, out = os.pipe()
    _widen(output)
    opened, gate = os.pipe()
    errors, failed = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        for descriptor in (output, out, opened, gate, errors, failed):
            os.close(descriptor)
        raise
    if pid == 0:
        _become(launch, out=out, gate=opened, errors=failed)
    for descriptor in (out, opened, failed):
        os.close(descriptor)
    return Child(pid, output=output, gate=gate, errors=errors)


def adopt_orphans() -> bool:
    """Make this process the parent of every descendant that loses its own; False where that is impossible.

    Without it a process that left its session and its parent could no longer be found and ended.
    """
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _widen(pipe: int) -> None:
    with suppress(OSError):  # the user's share of pipe memory is used up: slower, not wrong
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_SIZE)


def _become(launch: Launch, *, out: int, gate: int, errors: int) -> None:
    """Never returns: the process becomes the job, or says on `errors` why it cannot and ends."""
    stage = "setup"
    try:
        os.setsid()
        os.write(errors, READY)
        _forget_signals()
        gate, errors = _arrange(out=out, gate=gate, errors=errors, guard=launch.guard_fd)
        if not os.read(gate, 1):
            os._exit(NO_PROGRAM)
        stage = "folder"
        os.chdir(launch.folder)
        stage = "program"
        os.execve(launch.program, launch.argv, launch.environment)
    except OSError as error:
        os.write(errors, f"{stage}:{error.errno or errno.EIO}".encode())
    except ValueError:
        os.write(errors, f"{stage}:{errno.EINVAL}".encode())
    finally:
        os._exit(NO_PROGRAM)


def _forget_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in _DEFAULTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _arrange(*, out: int, gate: int, errors: int, guard: int) -> tuple[int, int]:
    """Give the job its three streams and the guard, and close what else it might have inherited."""
    kept_guard = _moved(guard, fcntl.F_DUPFD)
    gate = _moved(gate, fcntl.F_DUPFD_CLOEXEC)
    errors = _moved(errors, fcntl.F_DUPFD_CLOEXEC)
    out = _moved(out, fcntl.F_DUPFD_CLOEXEC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    null = _moved(os.open(os.devnull, os.O_RDONLY), fcntl.F_DUPFD_CLOEXEC)
    os.dup2(null, 0)
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and int(name) not in (kept_guard, gate, errors):
            _close_if_open(int(name))
    return gate, errors


def _close_if_open(descriptor: int) -> None:
    with suppress(OSError):  # the one that read the list is closed already
        os.close(descriptor)


def _moved(descriptor: int, how: int) -> int:
    try:
        return fcntl.fcntl(descriptor, how, GUARD_AT)
    except OSError:  # fewer descriptors are allowed than that
        return fcntl.fcntl(descriptor, how, 3)


def _explained(stage: str, number: int) -> str:
    words = os.strerror(number).lower()
    if stage == "folder":
        return f"the job's folder cannot be entered: {words}"
    if stage == "setup":
        return f"its process could not be set up: {words}"
    if number == errno.ENOENT:
        return "the program cannot be run: the interpreter named in its first line does not exist"
    if number == errno.ENOEXEC:
        return "the program cannot be run: it is neither a binary nor a script that begins with #!"
    return f"the program cannot be run: {words}"
