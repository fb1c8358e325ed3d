"""Run records: one execution of a job, its status, and which of them counts as a heartbeat."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from ridgeline_desktop.core.values import dataclass

FUTURE_TOLERANCE = timedelta(minutes=5)


class Trigger(StrEnum):
    """Why a run began."""

    SCHEDULE = "schedule"
    MANUAL = "manual"
    CATCH_UP = "catch-up"
    ARRIVAL = "arrival"
    EVENT = "event"


_STARTED_HOW = {
    Trigger.SCHEDULE.value: "by the schedule",
    Trigger.MANUAL.value: "by hand",
    Trigger.CATCH_UP.value: "to make up for a missed start",
    Trigger.ARRIVAL.value: "because a file arrived",
    Trigger.EVENT.value: "by an event",
}


def started_how(trigger: str) -> str:
    """What goes on after "started": "by hand"; "" for a word that is no trigger."""
    return _STARTED_HOW.get(trigger, "")


class RunStatus(StrEnum):
    """How a run stands or ended; only COMPLETED is a heartbeat."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    TIMED_OUT = "timed-out"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"


class Reason(StrEnum):
    """The machine's word for why a run ended or did not start; `RunRecord.reason` has the sentence."""

    NONE = ""
    LOCK_HELD = "lock-held"
    LOCK_UNCLEAR = "lock-unclear"
    PAUSED = "paused"
    DUPLICATE = "duplicate"
    MISSED = "missed"
    NOT_SAFE = "not-safe-to-rerun"
    COULD_NOT_START = "could-not-start"
    EXIT_CODE = "exit-code"
    SIGNAL = "signal"
    SUCCESS_RULE = "success-rule"
    DEADLINE = "deadline"
    STOPPED_BY = "stopped-by"
    RUNNER_DIED = "runner-died"
    RUNNER_SIGNALLED = "runner-signalled"
    REPORTED = "reported"


EXIT_REFUSED = 75
EXIT_TIMED_OUT = 124
EXIT_STOPPED = 143
EXIT_NOT_RECORDED = 70

# Between a run's id and the number of a piece of its output's end, while the run is not over.
TAIL = ".tail-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who asked for something: a name, the computer, and the door used (cli, schedule, gui …)."""

    name: str
    host: str
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run. Instants are aware UTC; `duration` is seconds on a clock that never jumps.

    `scheduled_for` is the fire time served (None by hand, on arrival, on event). `finished_at` is
    None while running, and when the end was never seen. `count` above 1 means that many equal
    refusals in a row. `exit_code` is the job's own, None where it never ended by itself.
    """

    run_id: str
    host_id: str
    job_id: str
    trigger: Trigger
    status: RunStatus
    started_at: datetime
    actor: Actor
    scheduled_for: datetime | None = None
    finished_at: datetime | None = None
    recorded_at: datetime | None = None
    duration: float | None = None
    exit_code: int | None = None
    attempt: int = 1
    reason_code: Reason = Reason.NONE
    reason: str = ""
    event_key: str = ""
    fence: int | None = None
    definition: str = ""
    identity: str = ""
    count: int = 1


def newest_success(records: Iterable[RunRecord], *, now: datetime) -> RunRecord | None:
    """The completed run with the latest anchor, whatever the order of `records`; None if there is none.

    A record finished more than five minutes after `now` is no heartbeat: some clock was wrong.
    """
    honest = [
        record
        for record in records
        if record.status is RunStatus.COMPLETED
        and record.finished_at is not None
        and record.finished_at <= now + FUTURE_TOLERANCE
    ]
    return max(honest, key=anchor_of, default=None)


def is_from_the_future(record: RunRecord, *, now: datetime) -> bool:
    """Whether the record says it finished later than any honest clock could have."""
    return (record.finished_at or record.started_at) > now + FUTURE_TOLERANCE


def anchor_of(record: RunRecord) -> datetime:
    """The instant a run speaks for: the later of the fire time it served and its end."""
    ended = record.finished_at or record.started_at
    return ended if record.scheduled_for is None else max(record.scheduled_for, ended)


def usual_duration(records: Iterable[RunRecord]) -> timedelta | None:
    """The median time of the completed ones; None where fewer than two say how long they took."""
    took = sorted(
        record.duration
        for record in records
        if record.status is RunStatus.COMPLETED and record.duration is not None
    )
    if len(took) < 2:
        return None
    return timedelta(seconds=(took[(len(took) - 1) // 2] + took[len(took) // 2]) / 2)


def left_out(count: int) -> bytes:
    """The line that stands in a log in the place of `count` bytes that were not kept; empty for none."""
    return f"\n--- {count} bytes left out ---\n".encode() if count else b""


def exit_code_of(record: RunRecord) -> int:
    """What `ridgeline run` exits with for this record; 75 stays free to mean "did not start".

    128 + n stands for the signal that interrupted the runner, 143 for a stop somebody asked for.
    """
    if record.status is RunStatus.COMPLETED:
        return 0
    if record.status is RunStatus.REFUSED:
        return EXIT_REFUSED
    if record.status is RunStatus.TIMED_OUT:
        return EXIT_TIMED_OUT
    if record.status is RunStatus.STOPPED:
        return EXIT_STOPPED
    code = record.exit_code
    if code is None or code in (0, EXIT_REFUSED) or record.reason_code is Reason.SUCCESS_RULE:
        return 1
    return code
