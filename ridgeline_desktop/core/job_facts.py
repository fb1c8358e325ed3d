"""What is known of a job when its light is explained, and the questions its records answer."""

from datetime import datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.locks import LockEvidence, Verdict
from ridgeline_desktop.core.registrations import Finding
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.core.values import dataclass

BAD_ENDS = frozenset({RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.INTERRUPTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFacts:
    """What is known of one job at `now` (UTC); texts name times of `zone`, the shop's.

    `records` are newest first; `tail` is the end of the newest run's output. `usual` is how long its runs
    take, `deadline` how long one may. `pause` is one that still lasts. `checked_at` is when all jobs were
    checked last, None = never.
    """

    job: Job
    assessment: Assessment
    expected: Expectation
    last_success: RunRecord | None
    records: tuple[RunRecord, ...]
    running: RunRecord | None
    finding: Finding | None
    verdict: Verdict | None
    evidence: LockEvidence | None
    zone: ZoneInfo
    now: datetime
    usual: timedelta | None = None
    deadline: timedelta | None = None
    pause: Pause | None = None
    checked_at: datetime | None = None
    tail: bytes = b""
    clock_was_wrong: bool = False
    runner_is_gone: bool = False

    @property
    def is_silent(self) -> bool:
        """Whether the light itself is red, amber or grey."""
        return self.assessment.is_red or self.assessment.health in (Health.LATE, Health.UNKNOWN)

    @property
    def has_run(self) -> bool:
        """Whether a run is known; a start that was refused is none."""
        return self.last_success is not None or any(r.status is not RunStatus.REFUSED for r in self.records)


def last_ended(records: tuple[RunRecord, ...]) -> RunRecord | None:
    """The newest record that says something about the job's work: no running one, no mere refusal."""
    for record in records:
        refused = record.status is RunStatus.REFUSED and record.reason_code is not Reason.COULD_NOT_START
        if record.status is not RunStatus.RUNNING and not refused:
            return record
    return None


def did_not_work(record: RunRecord | None) -> bool:
    """Whether a run is a failure that somebody should look at; one stopped by a person is not."""
    if record is None:
        return False
    could_not_start = record.status is RunStatus.REFUSED and record.reason_code is Reason.COULD_NOT_START
    return record.status in BAD_ENDS or could_not_start


def failures_in_a_row(records: tuple[RunRecord, ...]) -> tuple[RunRecord, ...]:
    """The newest failures since a success; refusals and runs that a person stopped are passed over."""
    since = takewhile(lambda record: record.status is not RunStatus.COMPLETED, records)
    return tuple(record for record in since if record.status in BAD_ENDS)


def refused_by_lock(records: tuple[RunRecord, ...]) -> bool:
    """Whether the newest two starts were refused by a lock that no run has given back since."""
    refused = tuple(takewhile(_met_a_lock, records))
    if sum(record.count for record in refused) < 2:
        return False
    last = refused[0].finished_at or refused[0].started_at
    earlier = records[len(refused) :]
    return not any(record.finished_at is not None and record.finished_at >= last for record in earlier)


def _met_a_lock(record: RunRecord) -> bool:
    return record.status is RunStatus.REFUSED and record.reason_code in (
        Reason.LOCK_HELD,
        Reason.LOCK_UNCLEAR,
    )
