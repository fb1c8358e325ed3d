"""The sample shop's past: runs that leave one job overdue, one late, one never succeeded and the rest OK.

Which job carries which light never changes: order-sync is overdue, nightly-invoices late, arrivals-check has
never succeeded, stock-count and (but for its own Monday minutes) weekly-report are OK.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import JobState, new_state, zone_of
from ridgeline_desktop.core.fire_times import latest_fire
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.ports import Store
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.demo.shop_api import FIRST_ORDER, order_details
from ridgeline_desktop.host.folders import make_private
from ridgeline_desktop.host.run_files import new_run_id

LAST_SYNCED = 5047
BROKEN_LINE = "the shop API answered 503"
_RUNS = 20
_FAILED_SYNCS = 4
_FIRST_SHIPMENT = 9001
# A run must have ended by now, and a late job be late for longer than the 90 s that a light takes to show it.
_SETTLED = timedelta(minutes=3)
_STARTED_AFTER = timedelta(seconds=1)
_STEP = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """One seeded run and what it printed."""

    record: RunRecord
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """How one run went, before it has an id. `started` and `fire` in UTC; `fire` None = by hand."""

    started: datetime
    seconds: float
    output: str
    fire: datetime | None = None
    status: RunStatus = RunStatus.COMPLETED
    exit_code: int | None = 0
    code: Reason = Reason.NONE
    reason: str = ""


def seed(
    store: Store,
    jobs: Sequence[Job],
    *,
    zone: ZoneInfo,
    now: datetime,
    actor: Actor,
    log_path: Callable[[str, str], str],
    checkpoint: str,
) -> None:
    """Write the past of the sample shop's jobs into a store that knows nothing of them yet.

    `zone` is the shop's, `actor` the person at the desk. `log_path` says where the output of (job id, run id)
    is kept, `checkpoint` where order-sync's checkpoint is: it goes on after order 5047.
    """
    runs = past_runs(jobs, zone=zone, now=now, host_id=store.host_id(), actor=actor)
    for state in past_states(jobs, runs):
        store.save_job_state(state)
    for run in runs:
        store.add_run(run.record)
        _write_private(Path(log_path(run.record.job_id, run.record.run_id)), run.output)
    _write_private(Path(checkpoint), json.dumps(LAST_SYNCED))


def past_runs(
    jobs: Sequence[Job], *, zone: ZoneInfo, now: datetime, host_id: str, actor: Actor
) -> tuple[PastRun, ...]:
    """The seeded runs of these jobs, oldest first for each; jobs that are not the sample shop's have none."""
    return tuple(
        _recorded(job, told, fence=number, host_id=host_id, actor=actor)
        for job in jobs
        if job.job_id in _PASTS
        for number, told in enumerate(_PASTS[job.job_id](job, zone_of(job.schedule, zone), now), start=1)
    )


def past_states(jobs: Sequence[Job], runs: Sequence[PastRun]) -> tuple[JobState, ...]:
    """What is remembered of the jobs: each was first seen shortly before its first run was to start."""
    oldest = {run.record.job_id: run.record.started_at for run in reversed(runs)}
    return tuple(
        new_state(job, now=oldest[job.job_id] - timedelta(minutes=10)) for job in jobs if job.job_id in oldest
    )


def _recorded(job: Job, told: _Told, *, fence: int, host_id: str, actor: Actor) -> PastRun:
    by_hand = told.fire is None
    seen_to_end = told.status is not RunStatus.INTERRUPTED
    ended = told.started + timedelta(seconds=told.seconds)
    record = RunRecord(
        run_id=new_run_id(told.started),
        host_id=host_id,
        job_id=job.job_id,
        trigger=Trigger.MANUAL if by_hand else Trigger.SCHEDULE,
        status=told.status,
        started_at=told.started,
        actor=actor if by_hand else replace(actor, name="the schedule", via="schedule"),
        scheduled_for=told.fire,
        finished_at=ended if seen_to_end else None,
        recorded_at=ended,
        duration=told.seconds if seen_to_end else None,
        exit_code=told.exit_code,
        reason_code=told.code,
        reason=told.reason,
        fence=fence,
        definition=job.definition,
    )
    return PastRun(record=record, output=told.output)


def _order_sync(job: Job, zone: ZoneInfo, now: datetime) -> Iterator[_Told]:
    """Every quarter of an hour; the shop API broke after order 5047, an hour ago."""
    fires = _fires(job, zone, before=now - _SETTLED, count=_RUNS)
    good = len(fires) - _FAILED_SYNCS
    synced = LAST_SYNCED - FIRST_ORDER + 1
    for index, fire in enumerate(fires):
        started = fire + _STARTED_AFTER
        if index >= good:
            failed, reason = RunStatus.FAILED, "exit code 1"
            yield _Told(
                started=started, seconds=_between(index, 4.1, 4.9), output=f"{BROKEN_LINE}\n", fire=fire,
                status=failed, exit_code=1, code=Reason.EXIT_CODE, reason=reason,
            )  # fmt: skip
            continue
        first, after = (FIRST_ORDER + synced * part // good for part in (index, index + 1))
        lines = [f"order {n}: shipment {n - FIRST_ORDER + _FIRST_SHIPMENT}" for n in range(first, after)]
        lines.append(f"{after - first} orders synced, the last is {after - 1}")
        yield _Told(started=started, seconds=_between(index, 6, 48), output=_text(lines), fire=fire)


def _weekly_report(job: Job, zone: ZoneInfo, now: datetime) -> Iterator[_Told]:
    for index, fire in enumerate(_fires(job, zone, before=now - _SETTLED, count=_RUNS)):
        orders = range(FIRST_ORDER, FIRST_ORDER + 20 + index * 7 % 13)
        value = sum(order_details(number)["total"] for number in orders) / 100
        lines = [
            f"shipments booked: {index * 31 % 40 + 60}",
            f"orders waiting: {len(orders)}, worth ${value:,.2f}",
            "report sent to theo@ridgelinecoffee.example",
        ]
        seconds = _between(index, 2, 9)
        yield _Told(started=fire + _STARTED_AFTER, seconds=seconds, output=_text(lines), fire=fire)


def _arrivals_check(job: Job, zone: ZoneInfo, now: datetime) -> Iterator[_Told]:
    """New here: the API was too slow on both of its mornings."""
    retry = "attempt {} of 5 failed (Read timed out. (read timeout=10.0)); trying again in {} s"
    output = _text(
        [retry.format(attempt, wait) for attempt, wait in enumerate((0.6, 1.2, 3.1, 5.4), start=1)]
    )
    for fire in _fires(job, zone, before=now - _SETTLED, count=2):
        yield _Told(
            started=fire + _STARTED_AFTER, seconds=60.4, output=output, fire=fire, status=RunStatus.TIMED_OUT,
            exit_code=None, code=Reason.DEADLINE, reason="not finished by its deadline",
        )  # fmt: skip


def _nightly_invoices(job: Job, zone: ZoneInfo, now: datetime) -> Iterator[_Told]:
    """Every night but the last, when the computer went off in the middle."""
    fires = _fires(job, zone, before=now - _SETTLED, count=_RUNS)
    for index, fire in enumerate(fires):
        number = 6 + index * 5 % 9
        lines = [f"invoice for order {FIRST_ORDER + index + line} sent" for line in range(number)]
        started = fire + _STARTED_AFTER
        if fire == fires[-1]:
            cut_short = RunStatus.INTERRUPTED
            reason = "its runner ended without a word: this computer has restarted since"
            yield _Told(
                started=started, seconds=41, output=_text(lines[:4]), fire=fire,
                status=cut_short, exit_code=None, code=Reason.RUNNER_DIED, reason=reason,
            )  # fmt: skip
            continue
        output = _text([*lines, f"{number} invoices sent"])
        yield _Told(started=started, seconds=_between(index, 50, 110), output=output, fire=fire)


def _stock_count(job: Job, zone: ZoneInfo, now: datetime) -> Iterator[_Told]:
    """By hand, some afternoons."""
    today = now.astimezone(zone).date()
    for index in range(_RUNS):
        day = today - timedelta(days=3 * (_RUNS - index))
        started = datetime.combine(day, time(14, index * 17 % 60), tzinfo=zone).astimezone(UTC)
        decaf, espresso = index % 6 + 4, index % 9 + 9
        lines = [f"Decaf: {decaf} bags", f"House Espresso: {espresso} bags"]
        lines.append(f"{decaf + espresso} bags to take from the shelf")
        yield _Told(started=started, seconds=_between(index, 1, 3), output=_text(lines))


_PASTS: Mapping[str, Callable[[Job, ZoneInfo, datetime], Iterator[_Told]]] = {
    "order-sync": _order_sync,
    "weekly-report": _weekly_report,
    "arrivals-check": _arrivals_check,
    "nightly-invoices": _nightly_invoices,
    "stock-count": _stock_count,
}


def _fires(job: Job, zone: ZoneInfo, *, before: datetime, count: int) -> list[datetime]:
    """The last fire times up to `before`, oldest first."""
    found: list[datetime] = []
    while len(found) < count and (fire := latest_fire(job.schedule, zone=zone, at=before)):
        found.insert(0, fire)
        before = fire - _STEP
    return found


def _between(index: int, least: float, most: float) -> float:
    """Seconds that differ from run to run, and are the same in every demo."""
    return round(least + (most - least) * (index * 7 % 20) / 19, 1)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _write_private(path: Path, text: str) -> None:
    make_private(str(path.parent))
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
