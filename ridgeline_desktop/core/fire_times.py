"""Fire times: the instants at which Debian's cron starts a schedule; and which start serves which."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.fire_plans import Plan, ascending, descending, plan_of
from ridgeline_desktop.core.schedules import Schedule

_INSTANT = timedelta(microseconds=1)
EARLIEST_START = timedelta(seconds=60)  # so long before its fire time
_SAMPLE_SPAN = timedelta(weeks=5)
_SAMPLE_LEAST, _SAMPLE_MOST = 3, 3000


def fire_times(schedule: Schedule, *, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the fire times strictly after an aware instant: UTC, ascending, distinct minutes.

    Rules of Debian cron 3.0pl1: in a gap of less than three hours fixed times start at its end, in a repeated
    hour at the first pass; lines whose minute or hour begins with `*` follow the clock. It ends with the
    schedule, or where the next 40 years hold none.
    """
    return ascending(plan_of(schedule), zone, after)


def next_fire(schedule: Schedule, *, zone: ZoneInfo, after: datetime) -> datetime | None:
    """Give the first fire time strictly after an instant; None where there is none."""
    return next(ascending(plan_of(schedule), zone, after), None)


def latest_fire(schedule: Schedule, *, zone: ZoneInfo, at: datetime) -> datetime | None:
    """Give the last fire time at or before an instant; None where there is none."""
    return next(descending(plan_of(schedule), zone, at), None)


def served_fire_time(schedule: Schedule, *, zone: ZoneInfo, start: datetime) -> datetime | None:
    """Give the fire time that a scheduled start serves; None where there is none.

    It is the latest one up to 60 s (or a quarter of the gap before it, where that is less) after the start: a
    start 5 s early serves the coming one, and a clock stepped back 2 s does not make it serve the one before.
    """
    return _served(plan_of(schedule), zone, start)


def is_no_fire_time(schedule: Schedule, *, zone: ZoneInfo, start: datetime) -> bool:
    """Whether a start belongs to a time that the cron lines had to include though the schedule has it not."""
    registered = _served(plan_of(schedule, as_registered=True), zone, start)
    return registered is not None and latest_fire(schedule, zone=zone, at=registered) != registered


def gap_at(schedule: Schedule, *, zone: ZoneInfo, fire: datetime) -> timedelta | None:
    """Give the time from a fire time to the following one, or else since the one before; None where alone."""
    following = next_fire(schedule, zone=zone, after=fire)
    if following:
        return following - fire
    before = latest_fire(schedule, zone=zone, at=fire - _INSTANT)
    return fire - before if before else None


def shortest_gap(schedule: Schedule, *, zone: ZoneInfo, around: datetime) -> timedelta | None:
    """Give the shortest time between fire times in the five weeks (or three fire times) after an instant.

    None where fewer than two follow. Clock changes may make a single gap shorter still.
    """
    plan = plan_of(schedule)
    shortest: timedelta | None = None
    previous: datetime | None = None
    for count, fire in enumerate(islice(ascending(plan, zone, around), _SAMPLE_MOST)):
        if count >= _SAMPLE_LEAST and fire - around > _SAMPLE_SPAN:
            break
        if previous:
            shortest = min(shortest or fire - previous, fire - previous)
            if shortest <= plan.least_gap:
                break
        previous = fire
    return shortest


def _served(plan: Plan, zone: ZoneInfo, start: datetime) -> datetime | None:
    before = next(descending(plan, zone, start), None)
    coming = next(ascending(plan, zone, start), None)
    if coming is None:
        return before
    early = min(EARLIEST_START, (coming - before) / 4) if before else EARLIEST_START
    return coming if coming - start <= early else before
