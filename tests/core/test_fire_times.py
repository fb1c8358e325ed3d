"""Fire times against verified answers, a minute-by-minute replay of cron's loop, and cronsim."""

import json
from datetime import UTC, date, datetime, time, timedelta
from importlib import resources
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
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
