"""The process table of a Linux computer: who a process is, whether it lives, what belongs to a run."""

import os
import time
from collections.abc import Callable, Collection

from ridgeline_desktop.core.locks import Liveness, ProcessFinding, ProcessIdentity
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.host.machine import Machine, this_machine

# A table that still shows new processes after so many looks is not standing still for us.
ROUNDS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLine:
    """What /proc/PID/stat says of one process; `start` counts clock ticks since boot."""

    pid: int
    program: str
    state: str
    parent: int
    session: int
    threads: int
    start: str

    @property
    def is_living(self) -> bool:
        """False for a zombie, except that one whose first thread alone has ended works on."""
        return self.state not in "ZXx" or self.threads > 1


class LinuxProcesses:
    """The processes this user can see. One that runs as another user, left the session of its run and
    gave up the lock's descriptor is not recognised as part of it.
    """

    def __init__(self, machine: Machine | None = None) -> None:
        self.machine = machine or this_machine()

    def identity(self, pid: int) -> ProcessIdentity | None:
        """Who process `pid` is, or None where there is none or it may not be seen."""
        line = _read_line(pid)
        if line is None:
            return None
        return ProcessIdentity(
            machine_id=self.machine.machine_id,
            boot_id=self.machine.boot_id,
            pid_namespace=self.machine.pid_namespace,
            time_namespace=self.machine.time_namespace,
            pid=pid,
            start=line.start,
        )

    def examine(self, identity: ProcessIdentity) -> ProcessFinding:
        """Whether the recorded process still lives. It must be of this machine, boot and pid namespace.

        Only the kernel's "no such process" proves it gone: /proc may hide what is there.
        """
        pid = identity.pid
        if not _exists(pid):
            return _found(pid, Liveness.GONE, "no such process")
        line = _read_line(pid)
        if line is None:
            if not _exists(pid):
                return _found(pid, Liveness.GONE, "no such process")
            return _found(pid, Liveness.UNREADABLE, "/proc does not show its start")
        leader = _leader_of(pid)
        if leader != pid:
            return _found(pid, Liveness.REUSED, f"the number now belongs to a thread of process {leader}")
        if identity.time_namespace != self.machine.time_namespace:
            return _found(
                pid, Liveness.UNREADABLE, "its start was recorded under another clock of this computer"
            )
        if line.start != identity.start:
            return _found(pid, Liveness.REUSED, f"the number now belongs to {_described(line)}")
        if not line.is_living:
            return _found(pid, Liveness.EXITED, "it has ended and waits for its parent to notice")
        return _found(pid, Liveness.ALIVE, _described(line))

    def survivors(
        self, *, session: int, run_id: str, exclude: Collection[int] = ()
    ) -> tuple[int, ...] | None:
        """The living processes in `session` (0 = it had none) or with the run's id in their environment.

        None where they cannot be ruled out: /proc hides other users' processes, or never stands still.
        """
        if _read_line(1) is None:
            return None
        found: set[int] = set()

        def look(line: ProcessLine) -> None:
            if line.is_living and (0 < session == line.session or _carries(line.pid, run_id)):
                found.add(line.pid)

        if not _each_process(look):
            return None
        return tuple(sorted(found.difference(exclude)))

    def tree(self, run_id: str, root: int) -> tuple[int, ...]:
        """The living processes of a run: descendants of this, the session of `root`, the run id's bearers.

        The session counts only while `root` is a child of this process that nobody has waited for:
        after that the kernel may give its number to a stranger. One look at a moving table: ask until
        nothing is left.
        """
        lines: dict[int, ProcessLine] = {}
        bearers: set[int] = set()

        def look(line: ProcessLine) -> None:
            lines[line.pid] = line
            if _carries(line.pid, run_id):
                bearers.add(line.pid)

        _each_process(look)
        me = os.getpid()
        found = _descendants(lines, me) | bearers
        if root in lines and lines[root].parent == me:
            found |= {line.pid for line in lines.values() if line.session == root}
        return tuple(sorted(pid for pid in found if pid != me and lines[pid].is_living))

    def lock_holders(self, device: int, inode: int) -> tuple[int, ...]:
        """The visible processes with an exclusive lock on this file, inherited ones among them."""
        return tuple(pid for pid in _pids() if _holds_lock(pid, device, inode))


def _found(pid: int, liveness: Liveness, proof: str) -> ProcessFinding:
    return ProcessFinding(pid=pid, liveness=liveness, proof=proof)


def _exists(pid: int) -> bool:
    """Whether the kernel knows the number. "Not permitted" is an answer about a process that is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _read_line(pid: int) -> ProcessLine | None:
    content = _read(f"/proc/{pid}/stat")
    head, parenthesis, rest = content.rpartition(b")")
    if not parenthesis:
        return None
    program = head.partition(b"(")[2].decode("utf-8", "replace")
    fields = rest.decode("ascii").split()
    return ProcessLine(
        pid=pid,
        program="".join(char if char.isprintable() else "?" for char in program),
        state=fields[0],
        parent=int(fields[1]),
        session=int(fields[3]),
        threads=int(fields[17]),
        start=fields[19],
    )


def _leader_of(pid: int) -> int:
    """The process that thread `pid` is part of; `pid` itself for a process."""
    for line in _read(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"Tgid:"):
            return int(line[5:])
    return pid


def _described(line: ProcessLine) -> str:
    return f"{line.program}, started {_start_instant(int(line.start))}"


def _start_instant(ticks: int) -> str:
    """For eyes only: it moves when the clock is set."""
    for line in _read("/proc/stat").splitlines():
        if line.startswith(b"btime "):
            seconds = int(line[6:]) + ticks // os.sysconf("SC_CLK_TCK")
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    return f"{ticks} ticks after the computer"


def _carries(pid: int, run_id: str) -> bool:
    return f"RIDGELINE_RUN_ID={run_id}".encode() in _read(f"/proc/{pid}/environ").split(b"\0")


def _each_process(look: Callable[[ProcessLine], None]) -> bool:
    """Show every process to `look` once; False where new ones kept appearing.

    A process can start another and end between being listed and being read. Looking again until a list
    holds no new number finds that other one.
    """
    seen: set[int] = set()
    for _ in range(ROUNDS):
        new = _pids() - seen
        if not new:
            return True
        seen |= new
        for pid in sorted(new):
            line = _read_line(pid)
            if line is not None:
                look(line)
    return False


def _descendants(lines: dict[int, ProcessLine], ancestor: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for line in lines.values():
        children.setdefault(line.parent, []).append(line.pid)
    found: set[int] = set()
    left = [ancestor]
    while left:
        born = [pid for pid in children.get(left.pop(), ()) if pid not in found]
        found.update(born)
        left += born
    return found


def _pids() -> set[int]:
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def _holds_lock(pid: int, device: int, inode: int) -> bool:
    folder = f"/proc/{pid}/fd"
    try:
        numbers = os.listdir(folder)
    except OSError:
        return False
    return any(_is_locked(pid, number, device, inode) for number in numbers)


def _is_locked(pid: int, number: str, device: int, inode: int) -> bool:
    try:
        file = os.stat(f"/proc/{pid}/fd/{number}")
    except OSError:
        return False
    if (file.st_dev, file.st_ino) != (device, inode):
        return False
    lines = _read(f"/proc/{pid}/fdinfo/{number}").splitlines()
    return any(line.startswith(b"lock:") and b"FLOCK" in line and b"WRITE" in line for line in lines)


def _read(path: str) -> bytes:
    """The whole of a /proc file; empty where it vanished or is not for our eyes."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
