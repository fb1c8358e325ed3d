"""Rules as cron lines, dates and words; durations."""

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.schedules import (
    Arrives,
    ByHand,
    CronRule,
    Daily,
    Every,
    MonthlyDay,
    MonthlyNth,
    Rule,
    Schedule,
    Weekday,
    Weekly,
    allows,
    duration_in_words,
    every_problem,
    in_words,
    is_superset,
    parse_duration,
    wall_patterns,
)

WORKDAYS = (Weekday.MON, Weekday.TUE, Weekday.WED, Weekday.THU, Weekday.FRI)


def times(text: str) -> tuple[time, ...]:
    return tuple(time.fromisoformat(part) for part in text.split())


def every(interval: str, window: str = "", days: tuple[Weekday, ...] = ()) -> Every:
    first, _, last = window.partition("-")
    between = (time.fromisoformat(first), time.fromisoformat(last)) if window else None
    return Every(interval=parse_duration(interval), between=between, days=days)


def cron(text: str) -> CronRule:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused), answer
    return CronRule(expression=answer.expression)


RULES: list[tuple[Rule, list[str], str]] = [
    (every("15 minutes"), ["*/15 * * * *"], "every 15 minutes"),
    (every("1 minute"), ["* * * * *"], "every minute"),
    (every("60 minutes"), ["0 * * * *"], "every hour"),
    (every("2 hours"), ["0 */2 * * *"], "every 2 hours"),
    (every("1 day"), ["0 0 * * *"], "every day at 00:00"),
    (every("24 hours"), ["0 0 * * *"], "every day at 00:00"),
    (
        every("15 minutes", "08:00-18:00", WORKDAYS),
        ["*/15 8-17 * * 1-5", "0 18 * * 1-5"],
        "every 15 minutes, 08:00 to 18:00, Monday to Friday",
    ),
    (
        every("15 minutes", "08:10-18:20"),
        ["15,30,45 8 * * *", "*/15 9-17 * * *", "0,15 18 * * *"],
        "every 15 minutes, 08:10 to 18:20",
    ),
    (
        every("30 minutes", "08:30-18:00"),
        ["0 9-18 * * *", "30 8-17 * * *"],
        "every 30 minutes, 08:30 to 18:00",
    ),
    (every("15 minutes", "00:00-23:59"), ["*/15 * * * *"], "every 15 minutes, 00:00 to 23:59"),
    (every("1 minute", "08:00-08:59"), ["* 8 * * *"], "every minute, 08:00 to 08:59"),
    (every("2 hours", "08:00-18:00"), ["0 8-18/2 * * *"], "every 2 hours, 08:00 to 18:00"),
    (
        every("20 minutes", days=(Weekday.SAT, Weekday.SUN)),
        ["*/20 * * * 0,6"],
        "every 20 minutes, Saturday and Sunday",
    ),
    (every("7 minutes"), [], "every 7 minutes"),
    (Daily(times=times("06:30")), ["30 6 * * *"], "every day at 06:30"),
    (Daily(times=times("06:30 18:00")), ["30 6 * * *", "0 18 * * *"], "every day at 06:30 and 18:00"),
    (Daily(times=times("06:30 18:30")), ["30 6,18 * * *"], "every day at 06:30 and 18:30"),
    (
        Daily(times=tuple(time(hour) for hour in range(24))),
        ["0 0-23 * * *"],
        f"every day at {', '.join(f'{hour:02}:00' for hour in range(23))} and 23:00",
    ),
    (
        Weekly(days=(Weekday.MON, Weekday.THU), times=times("06:30")),
        ["30 6 * * 1,4"],
        "every Monday and Thursday at 06:30",
    ),
    (Weekly(days=WORKDAYS, times=times("06:30")), ["30 6 * * 1-5"], "Monday to Friday at 06:30"),
    (Weekly(days=tuple(Weekday), times=times("06:30")), ["30 6 * * *"], "Monday to Sunday at 06:30"),
    (MonthlyDay(day=1, times=times("06:00")), ["0 6 1 * *"], "day 1 of the month at 06:00"),
    (
        MonthlyDay(day=31, times=times("06:00")),
        ["0 6 31 * *"],
        "day 31 of the month at 06:00, in months that have one",
    ),
    (MonthlyDay(day=None, times=times("06:00")), ["0 6 28-31 * *"], "the last day of the month at 06:00"),
    (
        MonthlyNth(nth=2, weekday=Weekday.TUE, times=times("06:00")),
        ["0 6 * * 2"],
        "the second Tuesday of the month at 06:00",
    ),
    (
        MonthlyNth(nth=None, weekday=Weekday.SUN, times=times("06:00")),
        ["0 6 * * 0"],
        "the last Sunday of the month at 06:00",
    ),
    (cron("*/25 2-4 * * *"), ["*/25 2-4 * * *"], "at :00, :25 and :50 of every hour, 02:00 to 04:50"),
    (Arrives(pattern="/srv/inbox/*.csv"), [], 'when a file arrives as "/srv/inbox/*.csv"'),
    (ByHand(), [], "by hand"),
]


@pytest.mark.parametrize(("rule", "lines", "words"), RULES, ids=[words[:40] for _, _, words in RULES])
def test_a_rule_has_its_cron_lines_and_its_words(rule: Rule, lines: list[str], words: str) -> None:
    schedule = Schedule(rule=rule)
    assert [pattern.text for pattern in wall_patterns(schedule)] == lines
    assert in_words(schedule) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30 6 * * 1", "every Monday at 06:30"),
        ("0 9 * * 1-5", "Monday to Friday at 09:00"),
        ("0 9 13 * 5", "on day 13 or Friday at 09:00"),
        ("0 9 1-31 * 1", "every day at 09:00"),
        ("0 9 1,15 1-3 1,3", "on day 1, day 15, Monday or Wednesday at 09:00 in January to March"),
        ("0 9 1-7 * */7", "on day 1 to 7 of the month where that is a Sunday at 09:00"),
        ("0 0 1 1 *", "on day 1 of the month at 00:00 in January"),
        ("0 9 * jan,jul *", "every day at 09:00 in January and July"),
        ("5,35 8,20 * * *", "every day at 08:05, 08:35, 20:05 and 20:35"),
        ("* * * * *", "every minute"),
        ("0 * * * *", "every hour"),
        ("30 * * * *", "at :30 of every hour"),
        ("*/15 8-17 * * 1-5", "every 15 minutes, 08:00 to 17:45, Monday to Friday"),
        ("*/5 * * jul sat,sun", "every 5 minutes, Saturday and Sunday, in July"),
        ("*/5 * 1 * *", "every 5 minutes, on day 1 of the month"),
        ("0 */2 * * *", "every 2 hours from 00:00"),
        ("15 */2 * * *", "every 2 hours from 00:15"),
        ("30 */6 * * *", "every day at 00:30, 06:30, 12:30 and 18:30"),
        ("*/2 2 * * *", "every 2 minutes, 02:00 to 02:58"),
        ("1-59/2 2 * * *", 'by the cron expression "1-59/2 2 * * *"'),
        ("1-59/2 */3 1 1 *", 'by the cron expression "1-59/2 */3 1 1 *"'),
        ("0 1-20/3,23 * * *", 'by the cron expression "0 1-20/3,23 * * *"'),
    ],
)
def test_a_cron_expression_is_described_truthfully(text: str, words: str) -> None:
    assert in_words(Schedule(rule=cron(text))) == words


def test_start_and_end_dates_are_said() -> None:
    schedule = Schedule(rule=ByHand(), starts=date(2026, 1, 1), ends=date(2026, 3, 31))
    assert in_words(schedule) == "by hand, from 1 January 2026, until 31 March 2026"


@given(st.sets(st.integers(0, 1439), min_size=1, max_size=12))
def test_the_lines_of_a_list_of_times_give_each_time_exactly_once(minutes: set[int]) -> None:
    rule = Daily(times=tuple(time(minute // 60, minute % 60) for minute in sorted(minutes)))
    found = [
        hour * 60 + minute
        for pattern in wall_patterns(Schedule(rule=rule))
        for hour in pattern.hours
        for minute in pattern.minutes
    ]
    assert sorted(found) == sorted(minutes)


@given(
    st.sampled_from([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720]),
    st.tuples(st.integers(0, 1439), st.integers(0, 1439)).map(sorted),
)
def test_the_lines_of_a_window_give_each_of_its_times_exactly_once(step: int, ends: list[int]) -> None:
    first, last = ends
    between = (time(first // 60, first % 60), time(last // 60, last % 60))
    rule = Every(interval=timedelta(minutes=step), between=between)
    found = [
        hour * 60 + minute
        for pattern in wall_patterns(Schedule(rule=rule))
        for hour in pattern.hours
        for minute in pattern.minutes
    ]
    assert sorted(found) == [minute for minute in range(0, 1440, step) if first <= minute <= last]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (every("7 minutes"), "divide 60"),
        (every("90 minutes"), "divide 60"),
        (every("5 hours"), "divide 24"),
        (every("2 days"), "divide 24"),
        (every("30 seconds"), "divide 60"),
        (every("15 minutes", "18:00-08:00"), "cross midnight"),
        (every("1 day", "08:00-18:00"), "no time to run"),
    ],
)
def test_an_every_that_clocks_cannot_keep_is_explained_and_has_no_lines(rule: Every, problem: str) -> None:
    assert problem in (every_problem(rule) or "")
    assert wall_patterns(Schedule(rule=rule)) == ()


def test_an_every_that_clocks_can_keep_has_no_problem() -> None:
    assert every_problem(every("15 minutes", "08:00-18:00")) is None


AT_SIX = Daily(times=times("06:00"))
LAST_DAY = MonthlyDay(day=None, times=times("06:00"))
SECOND_TUESDAY = MonthlyNth(nth=2, weekday=Weekday.TUE, times=times("06:00"))
LAST_FRIDAY = MonthlyNth(nth=None, weekday=Weekday.FRI, times=times("06:00"))


@pytest.mark.parametrize(
    ("schedule", "superset", "allowed", "left_out"),
    [
        (Schedule(rule=LAST_DAY), True, "2026-02-28 2028-02-29 2026-04-30", "2028-02-28 2026-01-30"),
        (Schedule(rule=SECOND_TUESDAY), True, "2026-09-08 2026-12-08", "2026-09-01 2026-09-15"),
        (Schedule(rule=LAST_FRIDAY), True, "2026-01-30 2026-02-27", "2026-01-23 2026-02-20"),
        (Schedule(rule=AT_SIX), False, "2026-01-01", ""),
        (Schedule(rule=MonthlyDay(day=5, times=times("06:00"))), False, "2026-01-05", ""),
        (Schedule(rule=AT_SIX, starts=date(2026, 3, 1)), True, "2026-03-01", "2026-02-28"),
        (Schedule(rule=AT_SIX, ends=date(2026, 3, 1)), True, "2026-03-01", "2026-03-02"),
        (Schedule(rule=ByHand(), starts=date(2026, 3, 1)), False, "2026-03-01", "2026-02-28"),
    ],
)
def test_the_dates_that_only_the_schedule_knows(
    schedule: Schedule, superset: bool, allowed: str, left_out: str
) -> None:
    assert is_superset(schedule) is superset
    assert all(allows(schedule, date.fromisoformat(day)) for day in allowed.split())
    assert not any(allows(schedule, date.fromisoformat(day)) for day in left_out.split())


@pytest.mark.parametrize(
    ("text", "seconds", "words"),
    [
        ("1 second", 1, "1 second"),
        ("15 minutes", 900, "15 minutes"),
        ("90 minutes", 5400, "90 minutes"),
        ("60 minutes", 3600, "1 hour"),
        ("2 hours", 7200, "2 hours"),
        (" 1 day ", 86400, "1 day"),
        ("2 weeks", 1209600, "2 weeks"),
        ("11107 seconds", 11107, "3 hours 5 minutes"),
        ("1500 minutes", 90000, "25 hours"),
    ],
)
def test_a_duration_is_read_and_said(text: str, seconds: int, words: str) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)
    assert duration_in_words(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    "text", ["", "0 minutes", "-5 minutes", "1.5 hours", "15", "15 min", "9 months", "9999999 days"]
)
def test_what_is_no_duration_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="seconds, minutes, hours, days or weeks"):
        parse_duration(text)


def test_nothing_is_zero_seconds() -> None:
    assert duration_in_words(timedelta(0)) == "0 seconds"
