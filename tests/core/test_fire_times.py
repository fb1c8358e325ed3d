"""Fire times against verified answers, a minute-by-minute replay of cron's loop, and cronsim."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from importlib import resources
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import CronExpression, Refused, parse_cron
from ridgeline_desktop.core.fire_plans import descending, plan_of
from ridgeline_desktop.core.fire_times import (
    fire_times,
    gap_at,
    is_no_fire_time,
    latest_fire,
    next_fire,
    served_fire_time,
    shortest_gap,
)
from ridgeline_desktop.core.schedules import (
    ByHand,
    CronRule,
    Daily,
    Every,
    MonthlyDay,
    MonthlyNth,
    Schedule,
    Weekday,
    Weekly,
)

CASES = json.loads((Path(__file__).parent.parent / "data" / "cron_cases.json").read_text())
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


def shown(
    schedule: Schedule, zone: ZoneInfo, start: str, count: int, shape: str = "%Y-%m-%d %H:%M"
) -> list[str]:
    found = islice(fire_times(schedule, zone=zone, after=local(zone, start)), count)
    return [fire.astimezone(zone).strftime(shape) for fire in found]


def at(text: str) -> tuple[time, ...]:
    return tuple(time.fromisoformat(part) for part in text.split())


OPEN = (time(8, 10), time(18))
DAILY = Schedule(rule=Daily(times=at("05:30")))


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_the_verified_answers_for_debian_cron_hold(case: dict[str, Any]) -> None:
    zone, schedule = ZoneInfo(case["tz"]), cron(case["expr"])
    expected = [instant(text) for text in case["expected"]]
    found = list(islice(fire_times(schedule, zone=zone, after=instant(case["start"])), len(expected)))
    assert [fire.isoformat() for fire in found] == [fire.astimezone(UTC).isoformat() for fire in expected]


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_the_verified_answers_hold_backwards(case: dict[str, Any]) -> None:
    zone, schedule = ZoneInfo(case["tz"]), cron(case["expr"])
    expected = [instant(text) for text in case["expected"]]
    for before, fire in pairwise(expected):
        assert latest_fire(schedule, zone=zone, at=fire) == fire
        assert latest_fire(schedule, zone=zone, at=fire - timedelta(seconds=1)) == before


# Each zone of the cases that changed with the zone data: an instant and its offset (hours) by the older data.
OLDER_DATA = {
    "America/Vancouver": ("2026-12-15T12:00Z", -8),
    "America/Edmonton": ("2026-12-15T12:00Z", -7),
    "America/Havana": ("2026-12-15T12:00Z", -5),
    "Africa/Casablanca": ("2026-10-15T12:00Z", 1),
}


def packaged_zone(key: str) -> ZoneInfo:
    with resources.files("tzdata.zoneinfo").joinpath(*key.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=key)


@pytest.mark.parametrize("source", [ZoneInfo, packaged_zone], ids=["installed", "packaged"])
@pytest.mark.parametrize("case", CASES["tzdata_sensitive"], ids=lambda case: case["id"])
def test_fire_times_follow_the_zone_data_at_hand(case: dict[str, Any], source: Any) -> None:
    zone = source(case["tz"])
    probe, older_hours = OLDER_DATA[case["tz"]]
    is_older = instant(probe).astimezone(zone).utcoffset() == older_hours * HOUR
    expected = [instant(text) for text in case["expected_2025b" if is_older else "expected_2026f"]]
    after = local(zone, case["start_local"])
    assert list(islice(fire_times(cron(case["expr"]), zone=zone, after=after), len(expected))) == expected


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


@pytest.mark.parametrize("text", ["30 2 * * *", "0,30 0-3 * * *", "*/20 * * * *", "45 23 * * *"])
def test_walking_back_gives_the_same_fire_times(text: str) -> None:
    schedule, after, until = cron(text), instant("2026-02-20T00:00Z"), instant("2026-11-20T00:00Z")
    for zone in (TORONTO, BERLIN, LORD_HOWE, ZoneInfo("America/Nuuk")):
        forwards = list(takewhile_until(fire_times(schedule, zone=zone, after=after), until))
        backwards = list(islice(descending(plan_of(schedule), zone, until), len(forwards)))
        assert backwards == forwards[::-1]


def test_a_window_includes_both_its_ends_and_counts_from_midnight() -> None:
    rule = Every(interval=15 * MINUTE, between=OPEN, days=(Weekday.MON,))
    found = shown(Schedule(rule=rule), TORONTO, "2026-11-29 12:00", 41, "%a %H:%M")
    assert (found[0], found[39], found[40]) == ("Mon 08:15", "Mon 18:00", "Mon 08:15")


def test_several_times_a_day_come_in_order() -> None:
    schedule = Schedule(rule=Weekly(days=(Weekday.TUE,), times=at("06:30 12:00 18:30")))
    assert shown(schedule, TORONTO, "2026-11-29 12:00", 4, "%d %H:%M") == [
        "01 06:30",
        "01 12:00",
        "01 18:30",
        "08 06:30",
    ]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (MonthlyDay(day=None, times=at("06:00")), ["2026-01-31", "2026-02-28", "2026-03-31"]),
        (MonthlyDay(day=31, times=at("06:00")), ["2026-01-31", "2026-03-31", "2026-05-31"]),
        (
            MonthlyNth(nth=2, weekday=Weekday.TUE, times=at("06:00")),
            ["2026-01-13", "2026-02-10", "2026-03-10"],
        ),
        (
            MonthlyNth(nth=None, weekday=Weekday.FRI, times=at("06:00")),
            ["2026-01-30", "2026-02-27", "2026-03-27"],
        ),
    ],
)
def test_monthly_rules_keep_to_their_dates(rule: MonthlyDay | MonthlyNth, expected: list[str]) -> None:
    assert shown(Schedule(rule=rule), TORONTO, "2026-01-01 00:00", 3, "%Y-%m-%d") == expected


def test_start_and_end_dates_are_local_and_both_included() -> None:
    schedule = Schedule(rule=Daily(times=at("00:00 23:59")), starts=date(2026, 3, 8), ends=date(2026, 3, 9))
    expected = ["2026-03-08 00:00", "2026-03-08 23:59", "2026-03-09 00:00", "2026-03-09 23:59"]
    assert shown(schedule, TORONTO, "2026-01-01 00:00", 9) == expected
    assert next_fire(schedule, zone=TORONTO, after=instant("2027-01-01T00:00Z")) is None
    assert latest_fire(schedule, zone=TORONTO, at=instant("2026-03-08T04:59Z")) is None
    last = latest_fire(schedule, zone=TORONTO, at=instant("2030-01-01T00:00Z"))
    assert last == local(TORONTO, "2026-03-09 23:59")


def test_what_is_started_by_hand_has_no_fire_times() -> None:
    schedule, now = Schedule(rule=ByHand()), instant("2026-01-01T00:00Z")
    assert list(fire_times(schedule, zone=TORONTO, after=now)) == []
    assert latest_fire(schedule, zone=TORONTO, at=now) is None
    assert served_fire_time(schedule, zone=TORONTO, start=now) is None
    assert not is_no_fire_time(schedule, zone=TORONTO, start=now)
    assert gap_at(schedule, zone=TORONTO, fire=now) is None
    assert shortest_gap(schedule, zone=TORONTO, around=now) is None


def test_a_leap_day_is_found_across_a_century_without_one() -> None:
    found = fire_times(cron("0 0 29 2 *"), zone=ZoneInfo("UTC"), after=instant("2095-01-01T00:00Z"))
    assert [next(found).year, next(found).year] == [2096, 2104]


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
