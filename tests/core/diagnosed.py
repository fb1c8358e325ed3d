"""Words that the tests of causes share: a job, runs before noon, and the reasons that facts give."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.diagnosis import diagnose
from ridgeline_desktop.core.expectations import Expectation
from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.job_facts import JobFacts
from ridgeline_desktop.core.jobs import Job, SafeToRerun
from ridgeline_desktop.core.locks import (
    GuardState,
    Liveness,
    LockEvidence,
    ProcessFinding,
    Verdict,
    VerdictKind,
    judge,
)
from ridgeline_desktop.core.registrations import (
    Finding,
    Found,
    ServiceState,
    compare,
)
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.schedules import BackendName, Daily, Schedule
from ridgeline_desktop.core.snapshots import ReasonLine

TORONTO = ZoneInfo("America/Toronto")
NOON = datetime(2026, 3, 4, 17, tzinfo=UTC)  # as Toronto's clock shows it
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
OVERDUE = Assessment(health=Health.OVERDUE)
OK = Assessment(health=Health.OK)
COMPLETED, FAILED, REFUSED = RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.REFUSED
TIMED_OUT, INTERRUPTED, STOPPED = RunStatus.TIMED_OUT, RunStatus.INTERRUPTED, RunStatus.STOPPED
RUNNING = RunStatus.RUNNING
THEO = Actor(name="Theo", host="till", via="cli")
DAILY = Schedule(rule=Daily(times=(time(5, 30),)))
JOB = Job(
    job_id="order-sync",
    title="Order sync",
    command=("true",),
    looked_after_by="Jordan",
    runbook="runbooks/order-sync.md",
    safe_to_rerun=SafeToRerun.YES,
    schedule=DAILY,
)
SAID = b"order 5046 done\nthe shop API answered 503\nbye\n"


def record(
    status: RunStatus, reason: str = "", code: Reason = Reason.NONE, *, minute: int = 0, **more: object
) -> RunRecord:
    """A run that started and ended so many minutes before noon."""
    at = NOON - minute * MINUTE
    values = {
        "run_id": f"{status}-{minute}",
        "host_id": "till",
        "job_id": "order-sync",
        "trigger": Trigger.SCHEDULE,
        "status": status,
        "started_at": at,
        "finished_at": None if status is RUNNING else at,
        "actor": THEO,
        "reason": reason,
        "reason_code": code,
    }
    return RunRecord(**(values | more))


def failure(code: int = 1, minute: int = 0, **more: object) -> RunRecord:
    return record(FAILED, f"exit code {code}", Reason.EXIT_CODE, minute=minute, exit_code=code, **more)


def records(*statuses: RunStatus) -> tuple[RunRecord, ...]:
    """Newest first, a minute apart."""
    return tuple(record(status, minute=number) for number, status in enumerate(statuses))


def facts(*history: RunRecord, **more: object) -> JobFacts:
    values = {
        "job": JOB,
        "assessment": OVERDUE,
        "expected": Expectation(due=NOON - 52 * MINUTE, grace=10 * MINUTE),
        "last_success": record(COMPLETED, minute=67),
        "records": history,
        "running": None,
        "finding": None,
        "verdict": None,
        "evidence": None,
        "zone": TORONTO,
        "now": NOON,
    }
    return JobFacts(**(values | more))


def told(*history: RunRecord, **more: object) -> ReasonLine:
    """The one reason that these facts give."""
    [line] = diagnose(facts(*history, **more))
    return line


def reasons(*history: RunRecord, **more: object) -> list[tuple[str, str]]:
    return [(line.code, line.text) for line in diagnose(facts(*history, **more))]


def steps(line: ReasonLine) -> list[tuple[str, str]]:
    return [(step.kind.value, step.text) for step in line.steps]


def kinds(line: ReasonLine) -> list[str]:
    return [step.kind.value for step in line.steps]


SUCCESS = "Last success today 10:53, 67 minutes ago; allowed 25 minutes"
QUIET = Assessment(health=Health.NEVER_SUCCEEDED, quiet=True)
NEVER = Assessment(health=Health.NEVER_SUCCEEDED)
LATE, UNKNOWN = Assessment(health=Health.LATE), Assessment(health=Health.UNKNOWN)


SERVICE = ServiceState(running=True, sentence="cron is running")


def finding_of(*, found: Found | None = None, **more: object) -> Finding:
    values = {"wanted": "30 5 * * * x", "registered": True, "service": SERVICE, "program_exists": True}
    return compare(
        job_id="order-sync",
        backend=more.pop("backend", BackendName.CRON),
        found=found,
        **(values | more),
    )


ENTRY = Found(name="order-sync", native="30 5 * * * x", program="/srv/x")
STOPPED_CRON = ServiceState(running=False, sentence="no cron program is running")


def process(liveness: Liveness, pid: int) -> ProcessFinding:
    return ProcessFinding(pid=pid, liveness=liveness, proof="as /proc says")


def lock(guard: GuardState = GuardState.FREE, **more: object) -> dict[str, object]:
    """Evidence of a lock taken at 03:10 by the schedule, with its verdict."""
    values = {
        "has_record": True,
        "run_id": "r1",
        "started_at": "2026-03-04T08:10:00+00:00",
        "trigger": "schedule",
        "runner": process(Liveness.GONE, 4711),
    }
    evidence = LockEvidence(job_id="order-sync", guard=guard, **(values | more))
    return {"evidence": evidence, "verdict": judge(evidence)}


HELD = Verdict(kind=VerdictKind.HELD, line=1, sentence="Process 4711 is running")
