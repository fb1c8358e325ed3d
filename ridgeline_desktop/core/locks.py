"""The verdict on a lock: facts in, HELD, DEAD or CANNOT TELL out. Age is no fact here.

The decision table is read top to bottom; the first line that applies is the answer.
"""

from enum import StrEnum

from ridgeline_desktop.core.values import dataclass


class VerdictKind(StrEnum):
    """FREE means that there is nothing to judge."""

    FREE = "free"
    HELD = "held"
    DEAD = "dead"
    CANNOT_TELL = "cannot-tell"


class Liveness(StrEnum):
    """What the operating system says about one recorded process."""

    GONE = "gone"
    REUSED = "reused"
    EXITED = "exited"
    ALIVE = "alive"
    UNREADABLE = "unreadable"


class GuardState(StrEnum):
    """What happened when the guard file was tried, without waiting."""

    FREE = "free"
    HELD = "held"
    UNOPENABLE = "unopenable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessIdentity:
    """One process, for ever: compared for equality only. `start` is the kernel's own start mark.

    On Linux `start` counts clock ticks since boot, and only means something inside the same boot
    and time namespace.
    """

    machine_id: str
    boot_id: str
    pid_namespace: str
    time_namespace: str
    pid: int
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessFinding:
    """A recorded process held against the process table: its liveness and a sentence of proof."""

    pid: int
    liveness: Liveness
    proof: str

    @property
    def is_dead(self) -> bool:
        """Whether the process that was recorded is proven to be over."""
        return self.liveness in (Liveness.GONE, Liveness.REUSED, Liveness.EXITED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LockEvidence:
    """All that could be learnt about one job's lock. `run_id` is "" where no record names one.

    `runner` and `child` are None where they were not recorded, or live where they cannot be examined.
    `survivors` are the ids of processes that still belong to the run: its session, its run id in their
    environment, or the guard in their hands.
    """

    job_id: str
    guard: GuardState
    guard_detail: str = ""
    local_disk: bool = True
    locks_work: bool = True
    has_record: bool = False
    record_readable: bool = True
    record_detail: str = ""
    run_id: str = ""
    recorded_host: str = ""
    machine_named: bool = True
    same_machine: bool = True
    same_state_folder: bool = True
    same_boot: bool = True
    same_pid_namespace: bool = True
    started_at: str = ""
    trigger: str = ""
    runner: ProcessFinding | None = None
    child_recorded: bool = False
    child_readable: bool = True
    child: ProcessFinding | None = None
    survivors: tuple[int, ...] = ()
    survivors_readable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement, the line of the table that gave it (0 = nothing to judge), and its sentence."""

    kind: VerdictKind
    line: int
    sentence: str


def judge(evidence: LockEvidence) -> Verdict:
    """The verdict by the decision table; a dead runner alone is not a dead lock, its job must be too."""
    return _examined(evidence) or _placed(evidence) or _runner(evidence) or _job(evidence)


def _examined(e: LockEvidence) -> Verdict | None:
    if e.guard is GuardState.HELD:
        return _held(1, _held_sentence(e))
    if e.guard is GuardState.UNOPENABLE:
        return _unknown(2, f"The lock cannot be examined: {e.guard_detail}")
    if not e.local_disk or not e.locks_work:
        return _unknown(3, "On this network folder other computers cannot be ruled out")
    if not e.has_record:
        return Verdict(kind=VerdictKind.FREE, line=0, sentence="No run holds this lock")
    if not e.record_readable:
        detail = f": {e.record_detail}" if e.record_detail else ""
        return _unknown(4, f"The lock record cannot be read{detail}")
    return None


def _placed(e: LockEvidence) -> Verdict | None:
    if not e.machine_named:
        return _unknown(5, "Taken before a restart, and this computer has no machine id to know itself by")
    if not e.same_machine:
        return _unknown(5, f"Taken on computer {e.recorded_host or '(unnamed)'}, not this one")
    if not e.same_state_folder:
        return _unknown(5, "Taken in another state folder than this one")
    if not e.same_boot:
        return _dead(6, "This computer has restarted since")
    if not e.same_pid_namespace:
        return _unknown(7, "Taken inside another container")
    return None


def _runner(e: LockEvidence) -> Verdict | None:
    if e.runner is None:
        return _unknown(4, "The lock record cannot be read")
    if e.runner.liveness is Liveness.UNREADABLE:
        return _unknown(9, f"Process {e.runner.pid} exists but may not be examined: {e.runner.proof}")
    if e.runner.liveness is Liveness.ALIVE:
        return _held(11, f"Runner process {e.runner.pid} is running ({e.runner.proof})")
    return None


def _job(e: LockEvidence) -> Verdict:
    if e.child_recorded and (not e.child_readable or e.child is None):
        return _unknown(12, "The runner is gone, but the record of its job cannot be read")
    if e.child is not None and e.child.liveness is Liveness.ALIVE:
        return _held(
            12, f"The runner is gone but its job, process {e.child.pid}, still runs ({e.child.proof})"
        )
    if e.child is not None and e.child.liveness is Liveness.UNREADABLE:
        text = f"The job's process {e.child.pid} exists but may not be examined: {e.child.proof}"
        return _unknown(12, text)
    if e.survivors:
        return _held(13, f"Still running of that run: {_listed(e.survivors)}")
    if not e.survivors_readable:
        return _unknown(13, "This computer's process table cannot rule out processes started by that run")
    if e.child is None:
        return _dead(14, "Its runner is gone and the job had not been started")
    runner = f"Runner process {e.runner.pid} and " if e.runner else ""
    return _dead(15, f"{runner}job process {e.child.pid} no longer exist")


def _held_sentence(e: LockEvidence) -> str:
    since = f" (run started {e.started_at})" if e.started_at else ""
    if e.runner is not None and e.runner.liveness is Liveness.ALIVE:
        who = f" by process {e.runner.pid} ({e.runner.proof})"
    elif e.child is not None and e.child.liveness is Liveness.ALIVE:
        who = f": the runner is gone but its job, process {e.child.pid}, still runs ({e.child.proof})"
    elif e.survivors:
        who = f" by {_listed(e.survivors)}{since}"
    else:
        who = since
    return f"The operating system reports the lock held{who}"


def _listed(pids: tuple[int, ...]) -> str:
    return f"process{'es' if len(pids) > 1 else ''} {', '.join(str(pid) for pid in pids)}"


def _held(line: int, sentence: str) -> Verdict:
    return Verdict(kind=VerdictKind.HELD, line=line, sentence=sentence)


def _dead(line: int, sentence: str) -> Verdict:
    return Verdict(kind=VerdictKind.DEAD, line=line, sentence=sentence)


def _unknown(line: int, sentence: str) -> Verdict:
    return Verdict(kind=VerdictKind.CANNOT_TELL, line=line, sentence=sentence)
