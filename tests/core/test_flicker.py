"""A simulated week of healthy jobs: the light that people see must not flicker."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.expectations import JobState, deadline_of, expectation_of, new_state, zone_of
from ridgeline_desktop.core.fire_times import fire_times, served_fire_time
from ridgeline_desktop.core.health import Health, RunInProgress, assess, shown
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger, anchor_of

TORONTO = ZoneInfo("America/Toronto")
WEEK = timedelta(days=7)
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
INSTANT = timedelta(microseconds=1)
STEPS = (-SECOND, -INSTANT, timedelta(0), INSTANT, SECOND, 89 * SECOND, 91 * SECOND)
# The second week has the missing hour, the third the repeated one.
MONDAYS = [
    datetime(2026, 6, 1, tzinfo=TORONTO).astimezone(UTC),
    datetime(2026, 3, 2, tzinfo=TORONTO).astimezone(UTC),
    datetime(2026, 10, 26, tzinfo=TORONTO).astimezone(UTC),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One simulated run that completes."""

    started_at: datetime
    finished_at: datetime
    anchor: datetime


def job(schedule: str, run: str = "") -> Job:
    text = f'command = ["true"]\n[schedule]\n{schedule}\n[run]\n{run}\n'
    found = read_job_file("steady.toml", text, shop_zone=TORONTO.key)
    assert found.job is not None, found.sentences()
    return found.job


def runs_of(
    job: Job, *, begin: datetime, late: timedelta, lasts: Callable[[Random], timedelta], rng: Random
) -> Iterator[Run]:
    """Each fire time's run, started `late`; a start while one is going on is refused."""
    zone, free_at = zone_of(job.schedule, TORONTO), begin
    for fire in fire_times(job.schedule, zone=zone, after=begin - INSTANT):
        if fire > begin + WEEK:
            return
        start = fire + late
        if start < free_at:
            continue
        served = served_fire_time(job.schedule, zone=zone, start=start)
        assert served == fire
        free_at = start + lasts(rng)
        record = RunRecord(
            run_id=fire.isoformat(),
            host_id="here",
            job_id=job.job_id,
            trigger=Trigger.SCHEDULE,
            status=RunStatus.COMPLETED,
            started_at=start,
            actor=Actor(name="cron", host="here", via="schedule"),
            scheduled_for=served,
            finished_at=free_at,
        )
        yield Run(started_at=start, finished_at=free_at, anchor=anchor_of(record))


def lights(job: Job, runs: list[Run]) -> set[Health]:
    """All lights shown from the first run's end to the last one's: each minute, and around every edge."""
    state = new_state(job, now=runs[0].started_at - WEEK)
    return {light for run, following in pairwise(runs) for light in _between(job, state, run, following)}


def _between(job: Job, state: JobState, run: Run, following: Run) -> Iterator[Health]:
    expected = expectation_of(job, state, anchor=run.anchor, resumed_at=None, zone=TORONTO)
    assert expected.due is not None
    allowed = deadline_of(job, around=following.started_at, zone=TORONTO)
    going_on = RunInProgress(started_at=following.started_at, deadline=allowed)
    start, end = run.finished_at, following.finished_at
    moments = {start + n * MINUTE for n in range((end - start) // MINUTE + 1)}
    edges = (expected.due, expected.due + expected.grace, following.started_at, going_on.ends_by(), end)
    moments |= {edge + step for edge in edges for step in STEPS}
    for now in moments:
        if start <= now < end:
            judged = assess(last_success=start, due=expected.due, grace=expected.grace, now=now)
            run_now = going_on if now >= following.started_at else None
            found = shown(judged, due=expected.due, grace=expected.grace, run=run_now, now=now)
            yield found.health


def seconds(low: float, high: float) -> Callable[[Random], timedelta]:
    return lambda rng: timedelta(seconds=rng.uniform(low, high))


HEALTHY = {
    "*/15, 7 s": ('cron = "*/15 * * * *"', seconds(7, 7)),
    "every 15 minutes, 0.5 to 6 minutes": ('every = "15 minutes"', seconds(30, 360)),
    "hourly by cron, 10 to 20 minutes": ('cron = "0 * * * *"', seconds(600, 1200)),
    "every hour, 10 to 20 minutes": ('every = "1 hour"', seconds(600, 1200)),
}


@pytest.mark.parametrize(("monday", "late"), [(0, -5), (0, 1), (0, 30), (0, 60), (1, 60), (2, 60)])
@pytest.mark.parametrize("case", HEALTHY)
def test_a_healthy_job_is_green_every_minute_of_a_week(case, late, monday):
    (schedule, lasts), begin = HEALTHY[case], MONDAYS[monday]
    steady = job(schedule)
    runs = list(runs_of(steady, begin=begin, late=late * SECOND, lasts=lasts, rng=Random(late)))
    assert len(runs) > 160
    assert lights(steady, runs) == {Health.OK}


@pytest.mark.parametrize("late", [1, 30, 60])
@pytest.mark.parametrize("schedule", ['cron = "*/15 * * * *"', 'every = "15 minutes"'])
def test_a_job_slower_than_its_rhythm_is_never_red(schedule, late):
    slow = job(schedule, 'overlap = "skip"\ndeadline = "45 minutes"')
    begin, lasts = MONDAYS[0], seconds(600, 2400)
    runs = list(runs_of(slow, begin=begin, late=late * SECOND, lasts=lasts, rng=Random(late)))
    assert 200 < len(runs) < 500
    assert lights(slow, runs) <= {Health.OK, Health.LATE}


def test_the_simulation_would_see_a_run_that_is_missing():
    steady = job('cron = "*/15 * * * *"')
    runs = list(runs_of(steady, begin=MONDAYS[0], late=SECOND, lasts=seconds(7, 7), rng=Random(1)))
    del runs[100]
    assert lights(steady, runs) == {Health.OK, Health.LATE, Health.OVERDUE}
