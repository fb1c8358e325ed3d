"""Which fire time a start serves, the gaps between fire times, and that all the answers agree."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.fire_times import (
    gap_at,
    is_no_fire_time,
    latest_fire,
    next_fire,
    served_fire_time,
    shortest_gap,
)
from ridgeline_desktop.core.schedules import (
    CronRule,
    Daily,
    Every,
    MonthlyDay,
    MonthlyNth,
    Schedule,
    Weekday,
    Weekly,
)

TORONTO, BERLIN, LORD_HOWE = (
    ZoneInfo(key) for key in ("America/Toronto", "Europe/Berlin", "Australia/Lord_Howe")
)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def cron(text: str) -> Schedule:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused), answer
    return Schedule(rule=CronRule(expression=answer.expression))


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def local(zone: ZoneInfo, text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def at(text: str) -> tuple[time, ...]:
    return tuple(time.fromisoformat(part) for part in text.split())


OPEN = (time(8, 10), time(18))
DAILY = Schedule(rule=Daily(times=at("05:30")))
RULES = st.sampled_from(
    [
        DAILY,
        cron("*/15 * * * *"),
        cron("30 2 * * *"),
        cron("0,30 0-3 * * *"),
        cron("0 9 13 * 5"),
        cron("45 23 * * *"),
        Schedule(rule=Every(interval=15 * MINUTE, between=OPEN, days=(Weekday.MON, Weekday.FRI))),
        Schedule(rule=MonthlyDay(day=None, times=at("02:30 06:00"))),
        Schedule(rule=MonthlyNth(nth=2, weekday=Weekday.SUN, times=at("02:30"))),
        Schedule(rule=Daily(times=at("01:30")), starts=date(2025, 6, 1), ends=date(2026, 11, 2)),
    ]
)
MOMENTS = st.integers(0, 3 * 365 * 24 * 3600).map(
    lambda seconds: datetime(2024, 6, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)


@settings(deadline=None)
@given(schedule=RULES, zone=st.sampled_from([TORONTO, BERLIN, LORD_HOWE]), now=MOMENTS)
def test_next_latest_gap_and_served_agree(schedule: Schedule, zone: ZoneInfo, now: datetime) -> None:
    coming, latest = next_fire(schedule, zone=zone, after=now), latest_fire(schedule, zone=zone, at=now)
    if coming:
        assert coming > now
        assert latest_fire(schedule, zone=zone, at=coming) == coming
        assert served_fire_time(schedule, zone=zone, start=coming) == coming
        assert not is_no_fire_time(schedule, zone=zone, start=coming)
    if latest:
        assert latest <= now
        assert next_fire(schedule, zone=zone, after=latest) == coming
        assert next_fire(schedule, zone=zone, after=latest - MINUTE) == latest
    if latest and coming:
        assert gap_at(schedule, zone=zone, fire=latest) == coming - latest
    assert served_fire_time(schedule, zone=zone, start=now) in (latest, coming)


@pytest.mark.parametrize(
    ("start", "served"),
    [
        ("2026-11-29 05:29:55", "2026-11-29 05:30"),
        ("2026-11-29 05:29:00", "2026-11-29 05:30"),
        ("2026-11-29 05:28:59", "2026-11-28 05:30"),
        ("2026-11-29 05:30:00", "2026-11-29 05:30"),
        ("2026-11-29 12:00:00", "2026-11-29 05:30"),
    ],
)
def test_a_start_serves_the_fire_time_it_is_nearest_to(start: str, served: str) -> None:
    found = served_fire_time(DAILY, zone=TORONTO, start=local(TORONTO, start))
    assert found == local(TORONTO, served)


def test_a_frequent_rule_allows_only_a_quarter_of_its_gap_before_a_fire_time() -> None:
    schedule = cron("* * * * *")
    for seconds, minute in ((44, 0), (45, 1), (59, 1)):
        found = served_fire_time(schedule, zone=TORONTO, start=instant(f"2026-01-01T00:00:{seconds}Z"))
        assert found == instant(f"2026-01-01T00:0{minute}Z")


def test_a_start_long_before_the_first_fire_time_serves_none() -> None:
    schedule = Schedule(rule=Daily(times=at("05:30")), starts=date(2026, 3, 1))
    first = local(TORONTO, "2026-03-01 05:30")
    assert served_fire_time(schedule, zone=TORONTO, start=first - timedelta(seconds=60)) == first
    assert served_fire_time(schedule, zone=TORONTO, start=first - timedelta(seconds=61)) is None


def test_a_start_after_the_last_fire_time_serves_the_last() -> None:
    schedule = Schedule(rule=Daily(times=at("05:30")), ends=date(2026, 3, 1))
    found = served_fire_time(schedule, zone=TORONTO, start=local(TORONTO, "2026-03-05 05:30"))
    assert found == local(TORONTO, "2026-03-01 05:30")


@pytest.mark.parametrize(
    ("schedule", "start", "is_none"),
    [
        (Schedule(rule=MonthlyDay(day=None, times=at("06:00"))), "2026-01-30 06:00:01", True),
        (Schedule(rule=MonthlyDay(day=None, times=at("06:00"))), "2026-01-31 05:59:55", False),
        (Schedule(rule=MonthlyNth(nth=2, weekday=Weekday.TUE, times=at("06:00"))), "2026-01-06 06:00", True),
        (Schedule(rule=MonthlyNth(nth=2, weekday=Weekday.TUE, times=at("06:00"))), "2026-01-13 06:00", False),
        (Schedule(rule=Daily(times=at("06:00")), starts=date(2026, 3, 1)), "2026-02-28 06:00", True),
        (Schedule(rule=Daily(times=at("06:00")), ends=date(2026, 3, 1)), "2026-03-02 06:00", True),
        (Schedule(rule=Daily(times=at("06:00")), ends=date(2026, 3, 1)), "2026-03-01 06:00", False),
        (DAILY, "2026-03-01 12:00", False),
    ],
)
def test_a_start_on_a_date_that_only_the_cron_line_has_is_no_fire_time(
    schedule: Schedule, start: str, is_none: bool
) -> None:
    assert is_no_fire_time(schedule, zone=TORONTO, start=local(TORONTO, start)) is is_none


def test_the_gap_follows_the_fire_time_or_else_comes_before_it() -> None:
    rule = Weekly(days=(Weekday.FRI, Weekday.SAT), times=at("06:00"))
    schedule = Schedule(rule=rule, ends=date(2026, 1, 3))
    friday, saturday = local(TORONTO, "2026-01-02 06:00"), local(TORONTO, "2026-01-03 06:00")
    assert gap_at(schedule, zone=TORONTO, fire=friday) == DAY
    assert gap_at(schedule, zone=TORONTO, fire=saturday) == DAY
    once = Schedule(rule=Daily(times=at("06:00")), starts=date(2026, 1, 3), ends=date(2026, 1, 3))
    assert gap_at(once, zone=TORONTO, fire=saturday) is None


def test_the_gap_over_a_clock_change_is_its_real_length() -> None:
    assert gap_at(DAILY, zone=TORONTO, fire=local(TORONTO, "2026-03-07 05:30")) == 23 * HOUR
    assert gap_at(DAILY, zone=TORONTO, fire=local(TORONTO, "2026-10-31 05:30")) == 25 * HOUR


@pytest.mark.parametrize(
    ("schedule", "hours"),
    [
        (cron("* * * * *"), 1 / 60),
        (DAILY, 24),
        (Schedule(rule=Daily(times=at("06:00 14:00"))), 8),
        (Schedule(rule=Weekly(days=(Weekday.MON, Weekday.THU), times=at("06:00"))), 72),
        (cron("0 0 1 1 *"), 365 * 24),
        (cron("0 9 * * 6,0"), 24),
    ],
)
def test_the_shortest_gap_is_that_of_the_coming_weeks(schedule: Schedule, hours: float) -> None:
    found = shortest_gap(schedule, zone=TORONTO, around=instant("2026-05-06T12:00Z"))
    assert found == timedelta(hours=hours)
