"""Which dates a clock change touches, what cron makes of them, and how it is said."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.clock_changes import ClockChangeKind, clock_changes, note_for, sentence, sentences
from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.fire_times import fire_times
from ridgeline_desktop.core.schedules import ByHand, CronRule, Every, MonthlyNth, Schedule, Weekday

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)


def cron(text: str) -> Schedule:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused), answer
    return Schedule(rule=CronRule(expression=answer.expression))


def said(schedule: Schedule, zone: str, start: datetime = JANUARY) -> list[str]:
    found = clock_changes(schedule, zone=ZoneInfo(zone), after=start, until=start + YEAR)
    return [sentence(change) for change in found]


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        (
            "America/Toronto",
            "30 2 * * *",
            ["Sun 8 Mar: the clocks go forward and 02:30 does not exist; it runs at 03:00 instead"],
        ),
        (
            "America/Toronto",
            "30 1 * * *",
            ["Sun 1 Nov: the clocks go back and 01:30 happens twice; it runs the first time"],
        ),
        ("America/Toronto", "30 6 * * *", []),
        ("America/Toronto", "30 2 * * 1", []),
        (
            "America/Toronto",
            "0,30 1-3 * * *",
            [
                "Sun 8 Mar: the clocks go forward and 02:00 and 02:30 do not exist; it runs at 03:00 instead",
                "Sun 1 Nov: the clocks go back and 01:00 and 01:30 happen twice; it runs the first time",
            ],
        ),
        (
            "America/Toronto",
            "*/15 * * * *",
            [
                "Sun 8 Mar: the clocks go forward and 02:00 to 02:45 do not exist; it does not run then",
                "Sun 1 Nov: the clocks go back and 01:00 to 01:45 happen twice; it runs both times",
            ],
        ),
        (
            "Europe/Berlin",
            "30 2 * * *",
            [
                "Sun 29 Mar: the clocks go forward and 02:30 does not exist; it runs at 03:00 instead",
                "Sun 25 Oct: the clocks go back and 02:30 happens twice; it runs the first time",
            ],
        ),
        (
            "Australia/Lord_Howe",
            "*/30 1-2 * * *",
            [
                "Sun 5 Apr: the clocks go back and 01:30 happens twice; it runs both times",
                "Sun 4 Oct: the clocks go forward and 02:00 does not exist; it does not run then",
            ],
        ),
        ("UTC", "30 2 * * *", []),
    ],
)
def test_each_date_is_named_with_what_cron_does(zone: str, text: str, expected: list[str]) -> None:
    assert said(cron(text), zone) == expected


def test_a_day_that_a_zone_leaves_out_has_no_start() -> None:
    found = said(cron("0 9 * * 5"), "Pacific/Apia", datetime(2011, 12, 1, tzinfo=UTC))
    assert found == ["Fri 30 Dec: the clocks go forward and 09:00 does not exist; it does not run then"]


def test_a_change_is_also_a_value() -> None:
    zone = ZoneInfo("America/Toronto")
    vanishes, repeats = clock_changes(cron("0,30 1,2 * * *"), zone=zone, after=JANUARY, until=JANUARY + YEAR)
    assert (vanishes.kind, vanishes.day) == (ClockChangeKind.VANISHES, date(2026, 3, 8))
    assert vanishes.times == (time(2), time(2, 30))
    assert vanishes.starts == (datetime(2026, 3, 8, 7, tzinfo=UTC),)
    assert (repeats.kind, repeats.day) == (ClockChangeKind.REPEATS, date(2026, 11, 1))
    assert repeats.starts == (datetime(2026, 11, 1, 5, tzinfo=UTC), datetime(2026, 11, 1, 5, 30, tzinfo=UTC))


def test_fixed_and_wild_lines_of_one_rule_are_told_apart() -> None:
    rule = Every(interval=timedelta(minutes=15), between=(time(0), time(1, 30)))
    found = [text for text in said(Schedule(rule=rule), "America/Toronto") if "Nov" in text]
    assert found == [
        "Sun 1 Nov: the clocks go back and 01:00, 01:15 and 01:30 happen twice; it runs the first time"
    ]
    rule = Every(interval=timedelta(minutes=15), between=(time(0), time(2, 0)))
    found = [text for text in said(Schedule(rule=rule), "America/Toronto") if "Nov" in text]
    assert found == ["Sun 1 Nov: the clocks go back and 01:00 to 01:45 happen twice; it runs both times"]


def test_only_the_dates_the_schedule_has_are_named() -> None:
    second = MonthlyNth(nth=2, weekday=Weekday.SUN, times=(time(2, 30),))
    assert len(said(Schedule(rule=second), "America/Toronto")) == 1
    third = MonthlyNth(nth=3, weekday=Weekday.SUN, times=(time(2, 30),))
    assert said(Schedule(rule=third), "America/Toronto") == []
    ended = Schedule(rule=cron("30 2 * * *").rule, ends=date(2026, 3, 7))
    assert said(ended, "America/Toronto") == []
    assert said(Schedule(rule=ByHand()), "America/Toronto") == []


def test_the_span_ends_on_its_last_date() -> None:
    zone, schedule = ZoneInfo("America/Toronto"), cron("30 2 * * *")
    change = datetime(2026, 3, 8, 7, tzinfo=UTC)
    assert clock_changes(schedule, zone=zone, after=JANUARY, until=change)
    assert not clock_changes(schedule, zone=zone, after=JANUARY, until=change - timedelta(days=1))
    assert not clock_changes(schedule, zone=zone, after=change + timedelta(days=1), until=change + YEAR / 2)


@pytest.mark.parametrize(
    ("zone", "text", "fire", "note"),
    [
        ("America/Toronto", "30 2 * * *", "2026-03-08T07:00Z", "instead of 02:30, which does not exist"),
        (
            "America/Toronto",
            "0,30 2,3 * * *",
            "2026-03-08T07:00Z",
            "also for 02:00 and 02:30, which do not exist",
        ),
        ("America/Toronto", "0,30 2,3 * * *", "2026-03-08T07:30Z", ""),
        ("America/Toronto", "30 2 * * *", "2026-03-09T06:30Z", ""),
        ("America/Toronto", "30 1 * * *", "2026-11-01T05:30Z", "01:30 happens twice; it runs the first time"),
        ("America/Toronto", "*/30 * * * *", "2026-11-01T05:30Z", "first of two times 01:30"),
        ("America/Toronto", "*/30 * * * *", "2026-11-01T06:30Z", "second of two times 01:30"),
        ("America/Toronto", "*/30 * * * *", "2026-11-01T07:00Z", ""),
        ("Africa/Cairo", "15 0 24 4 *", "2026-04-23T22:00Z", "instead of 00:15, which does not exist"),
        # Greenland's gap takes the last hour of the Saturday.
        ("America/Nuuk", "30 23 28 3 *", "2026-03-29T01:00Z", "instead of 23:30, which does not exist"),
    ],
)
def test_a_fire_time_has_a_note_where_it_is_odd(zone: str, text: str, fire: str, note: str) -> None:
    assert note_for(cron(text), zone=ZoneInfo(zone), fire=datetime.fromisoformat(fire)) == note


def test_every_start_named_for_a_change_is_a_fire_time() -> None:
    for text in ("30 2 * * *", "*/20 * * * *", "0,30 0-3 * * *", "45 23 * * *"):
        for key in ("America/Toronto", "Europe/Berlin", "Australia/Lord_Howe", "America/Nuuk"):
            schedule, zone = cron(text), ZoneInfo(key)
            for change in clock_changes(schedule, zone=zone, after=JANUARY, until=JANUARY + YEAR):
                for start in change.starts:
                    assert next(fire_times(schedule, zone=zone, after=start - timedelta(seconds=1))) == start
                    assert note_for(schedule, zone=zone, fire=start)


def told(schedule: Schedule, zone: str, years: int) -> tuple[str, ...]:
    return sentences(
        clock_changes(schedule, zone=ZoneInfo(zone), after=JANUARY, until=JANUARY + years * YEAR)
    )


def test_changes_that_differ_only_in_their_year_are_said_together_with_every_date() -> None:
    assert told(cron("30 1,2 * * *"), "America/Toronto", 3) == (
        "In March the clocks go forward and 02:30 does not exist; it runs at 03:00 instead "
        "(Sun 8 Mar 2026, Sun 14 Mar 2027, Sun 12 Mar 2028)",
        "In November the clocks go back and 01:30 happens twice; it runs the first time "
        "(Sun 1 Nov 2026, Sun 7 Nov 2027, Sun 5 Nov 2028)",
    )


def test_a_change_that_comes_once_is_said_with_its_one_date() -> None:
    assert told(cron("30 2 8 3 *"), "America/Toronto", 3) == (
        "In March the clocks go forward and 02:30 does not exist; it runs at 03:00 instead (Sun 8 Mar 2026)",
    )


def test_changes_in_different_months_are_said_apart() -> None:
    # Morocco's clocks follow Ramadan, which comes earlier each year.
    found = told(cron("30 2 * * *"), "Africa/Casablanca", 3)
    assert [(text.split(" ")[1], text.partition("(")[2]) for text in found] == [
        ("February", "Sun 15 Feb 2026, Sun 7 Feb 2027)"),
        ("March", "Sun 22 Mar 2026, Sun 14 Mar 2027, Sun 5 Mar 2028)"),
        ("January", "Sun 23 Jan 2028)"),
    ]
