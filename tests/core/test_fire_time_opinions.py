"""Fire times against second opinions: a replay of cron's own loop minute by minute, and cronsim."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import CronExpression, Refused, parse_cron
from ridgeline_desktop.core.fire_plans import descending, plan_of
from ridgeline_desktop.core.fire_times import fire_times, latest_fire, next_fire
from ridgeline_desktop.core.schedules import CronRule, Schedule, wall_patterns

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def cron(text: str) -> Schedule:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused), answer
    return Schedule(rule=CronRule(expression=answer.expression))


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def replay(expression: CronExpression, zone: ZoneInfo, start: datetime, minutes: int) -> list[datetime]:
    """What Debian's main loop starts, minute by minute, its virtual clock in step before `start`."""

    def clock(now: datetime) -> datetime:
        return now.astimezone(zone).replace(tzinfo=UTC, fold=0)

    def is_due(wall: datetime, kinds: tuple[bool, ...]) -> bool:
        return (
            wall.minute in expression.minutes
            and wall.hour in expression.hours
            and expression.runs_on(wall.date())
            and expression.is_wild in kinds
        )

    found, virtual = [], clock(start)
    for number in range(1, minutes + 1):
        now = start + number * MINUTE
        running = clock(now)
        ahead = (running - virtual) // MINUTE
        missed = [virtual + step * MINUTE for step in range(1, ahead + 1)]
        if 1 <= ahead <= 5:
            starts = any(is_due(wall, (True, False)) for wall in missed)
        elif 5 < ahead <= 180:
            starts = is_due(running, (True,)) or any(is_due(wall, (False,)) for wall in missed)
        elif -180 < ahead <= 0:
            starts = is_due(running, (True,))
        else:
            starts = is_due(running, (True, False))
        if ahead > 0 or ahead <= -180:
            virtual = running
        if starts:
            found.append(now)
    return found


def field(low: int, high: int) -> st.SearchStrategy[str]:
    number = st.integers(low, high)
    span = st.tuples(number, number).map(lambda ends: f"{min(ends)}-{max(ends)}")
    step = st.integers(1, high).map(lambda each: f"*/{each}")
    listed = st.lists(st.one_of(number.map(str), span), min_size=1, max_size=3).map(",".join)
    return st.one_of(st.just("*"), number.map(str), step, listed)


HOURS = st.one_of(field(0, 23), field(0, 4))
expressions = st.tuples(field(0, 59), HOURS, field(1, 31), st.just("*"), field(0, 6)).map(" ".join)
CHANGES = [
    ("America/Toronto", "2026-03-07T12:00Z"),
    ("America/Toronto", "2026-10-31T12:00Z"),
    ("Europe/Berlin", "2026-03-28T12:00Z"),
    ("Europe/Berlin", "2026-10-24T12:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T00:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T00:00Z"),
    ("America/Havana", "2026-03-07T12:00Z"),
    ("America/Havana", "2025-11-01T12:00Z"),
    ("America/St_Johns", "2010-03-13T06:00Z"),
    ("America/St_Johns", "2010-11-06T06:00Z"),
    ("America/Scoresbysund", "2026-03-28T12:00Z"),
    ("America/Scoresbysund", "2026-10-24T12:00Z"),
    ("Pacific/Apia", "2011-12-29T12:00Z"),
    ("Pacific/Kwajalein", "1969-09-30T00:00Z"),
    ("Antarctica/Casey", "2018-03-10T00:00Z"),
    ("Antarctica/Casey", "2016-10-21T00:00Z"),
    ("America/Caracas", "2016-04-30T12:00Z"),
    ("Asia/Kathmandu", "1985-12-31T00:00Z"),
]


@pytest.mark.parametrize(("key", "start"), CHANGES)
def test_every_hour_around_a_clock_change_passes_as_in_a_replay(key: str, start: str) -> None:
    zone, after = ZoneInfo(key), instant(start)
    for minute in ("30", "*/30"):
        for hour in (22, 23, 0, 1, 2, 3):
            schedule = cron(f"{minute} {hour} * * *")
            (pattern,) = wall_patterns(schedule)
            found = takewhile_until(fire_times(schedule, zone=zone, after=after), after + 2 * DAY)
            assert list(found) == replay(pattern, zone, after, 2 * 24 * 60)


@pytest.mark.parametrize(("key", "start"), CHANGES)
@settings(max_examples=12, deadline=None)
@given(text=expressions)
def test_clock_changes_pass_as_in_a_replay_of_crons_loop(key: str, start: str, text: str) -> None:
    answer = parse_cron(text)
    if isinstance(answer, Refused):
        return
    zone, after = ZoneInfo(key), instant(start)
    schedule = Schedule(rule=CronRule(expression=answer.expression))
    expected = replay(answer.expression, zone, after, 2 * 24 * 60)
    until = after + 2 * DAY
    found = list(takewhile_until(fire_times(schedule, zone=zone, after=after), until))
    assert found == expected
    backwards, moment = [], until
    while (fire := latest_fire(schedule, zone=zone, at=moment)) and fire > after:
        backwards.append(fire)
        moment = fire - MINUTE
        if len(backwards) == 40:
            break
    assert backwards == expected[::-1][:40]


def takewhile_until(fires: Iterator[datetime], until: datetime) -> Iterator[datetime]:
    for fire in fires:
        if fire > until:
            return
        yield fire


def test_a_repeated_hour_around_midnight_brings_the_date_before_back() -> None:
    # 00:01 on 7 November became 23:01 on the 6th.
    zone = ZoneInfo("America/St_Johns")
    first_midnight = datetime(2010, 11, 7, tzinfo=zone).astimezone(UTC)
    second_pass = datetime(2010, 11, 6, 23, 15, tzinfo=zone, fold=1).astimezone(UTC)
    assert first_midnight < second_pass
    assert next_fire(cron("*/15 23 * * *"), zone=zone, after=first_midnight) == second_pass
    assert latest_fire(cron("0 0 * * *"), zone=zone, at=second_pass) == first_midnight


@pytest.mark.parametrize("text", ["30 2 * * *", "0,30 0-3 * * *", "*/20 * * * *", "45 23 * * *"])
def test_walking_back_gives_the_same_fire_times(text: str) -> None:
    schedule, after, until = cron(text), instant("2026-02-20T00:00Z"), instant("2026-11-20T00:00Z")
    for zone in map(ZoneInfo, ("America/Toronto", "Europe/Berlin", "Australia/Lord_Howe", "America/Nuuk")):
        forwards = list(takewhile_until(fire_times(schedule, zone=zone, after=after), until))
        backwards = list(islice(descending(plan_of(schedule), zone, until), len(forwards)))
        assert backwards == forwards[::-1]


@pytest.mark.parametrize(
    "key", ["UTC", "America/Toronto", "Europe/Berlin", "Africa/Casablanca", "Asia/Kolkata"]
)
@settings(max_examples=30, deadline=None)
@given(text=expressions, days=st.integers(0, 1500))
def test_cronsim_agrees(key: str, text: str, days: int) -> None:
    # Not Lord Howe (cronsim loses times after a half-hour change), nor 24-hour jumps.
    zone, schedule = ZoneInfo(key), parse_cron(text)
    if isinstance(schedule, Refused):
        return
    after = datetime(2023, 1, 1, 12, tzinfo=UTC) + days * DAY
    ours = islice(fire_times(cron(text), zone=zone, after=after), 30)
    theirs = islice(CronSim(text, after.astimezone(zone)), 30)
    assert [fire.isoformat() for fire in ours] == [fire.astimezone(UTC).isoformat() for fire in theirs]
