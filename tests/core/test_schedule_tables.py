"""The [schedule] table: its kinds and options, what is refused, and its way into the records and back."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.fire_times import next_fire
from ridgeline_desktop.core.schedule_tables import (
    KINDS,
    is_zone,
    read_schedule,
    schedule_from_text,
    schedule_text,
)
from ridgeline_desktop.core.schedules import (
    Arrives,
    BackendName,
    ByHand,
    CronRule,
    Daily,
    Every,
    MisfirePolicy,
    MonthlyDay,
    MonthlyNth,
    Rule,
    Schedule,
    Weekday,
    Weekly,
    every_problem,
)
from ridgeline_desktop.core.toml_tables import Problem, Table, parse_toml

TORONTO = "America/Toronto"


def read(text: str) -> tuple[Schedule, list[Problem]]:
    values, problems = parse_toml(text)
    assert problems == ()
    table = Table(values, source=text)
    schedule = read_schedule(table)
    return schedule, table.problems


def rule(text: str) -> Rule:
    schedule, problems = read(text)
    assert problems == []
    return schedule.rule


def said(text: str) -> list[str]:
    return [problem.message for problem in read(text)[1]]


def cron(text: str) -> CronRule:
    answer = parse_cron(text)
    assert not isinstance(answer, Refused)
    return CronRule(expression=answer.expression)


SIX_THIRTY = (time(6, 30),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ByHand()),
        ('every = "15 minutes"', Every(interval=timedelta(minutes=15))),
        ('every = "1 day"', Every(interval=timedelta(days=1))),
        (
            'every = "2 hours"\nbetween = "08:00 - 18:00"\ndays = ["tue", "mon"]',
            Every(interval=timedelta(hours=2), between=(time(8), time(18)), days=(Weekday.MON, Weekday.TUE)),
        ),
        (
            'every = "1 hour"\nbetween = "08:00-08:00"',
            Every(interval=timedelta(hours=1), between=(time(8), time(8))),
        ),
        ('daily = ["18:00", "06:30"]', Daily(times=(time(6, 30), time(18)))),
        (
            'weekly = { days = ["thu", "mon"], at = ["06:30"] }',
            Weekly(days=(Weekday.MON, Weekday.THU), times=SIX_THIRTY),
        ),
        ('monthly = { day = 31, at = ["06:30"] }', MonthlyDay(day=31, times=SIX_THIRTY)),
        ('monthly = { day = "last", at = ["06:30"] }', MonthlyDay(day=None, times=SIX_THIRTY)),
        (
            'monthly = { nth = 2, weekday = "tue", at = ["06:30"] }',
            MonthlyNth(nth=2, weekday=Weekday.TUE, times=SIX_THIRTY),
        ),
        (
            'monthly = { nth = "last", weekday = "sun", at = ["06:30"] }',
            MonthlyNth(nth=None, weekday=Weekday.SUN, times=SIX_THIRTY),
        ),
        ('cron = "30 6 * * 1"', cron("30 6 * * 1")),
        ('arrives = "/srv/inbox/*.csv"', Arrives(pattern="/srv/inbox/*.csv")),
    ],
)
def test_every_kind_of_schedule_is_read(text, expected):
    assert rule(text) == expected


def test_an_empty_table_has_all_the_defaults():
    assert read("") == (
        Schedule(
            rule=ByHand(),
            zone=None,
            if_missed=MisfirePolicy.RUN_ONCE,
            starts=None,
            ends=None,
            expect=None,
            backend=BackendName.AUTO,
        ),
        [],
    )


def test_every_option_is_read():
    text = (
        'arrives = "/srv/inbox/*.csv"\nzone = "Europe/Berlin"\nif_missed = "skip"\nstarts = 2026-01-01\n'
        'ends = 2026-01-01\nexpect = "1 day"\nbackend = "none"\n'
    )
    assert read(text) == (
        Schedule(
            rule=Arrives(pattern="/srv/inbox/*.csv"),
            zone="Europe/Berlin",
            if_missed=MisfirePolicy.SKIP,
            starts=date(2026, 1, 1),
            ends=date(2026, 1, 1),
            expect=timedelta(days=1),
            backend=BackendName.NONE,
        ),
        [],
    )


MONTHLY = 'monthly needs { day = 1, at = ["06:00"] } or { nth = 2, weekday = "tue", at = ["06:00"] }'
WEEKLY = 'weekly needs both, as in { days = ["mon", "thu"], at = ["06:30"] }'
RHYTHM = (
    "every must be minutes that divide 60 (1 2 3 4 5 6 10 12 15 20 30) or hours that divide 24 "
    "(1 2 3 4 6 8 12 24); for another rhythm list the times under daily, or use cron"
)
BETWEEN = 'between must be two times such as "08:00-18:00"'
DAYS = "mon, tue, wed, thu, fri, sat, sun"
ALLOWED = (
    "arrives, backend, between, cron, daily, days, ends, every, expect, if_missed, monthly, starts, "
    "weekly, zone"
)
ONCE = "one kind of schedule only: "


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ('evry = "15 minutes"', [f'"evry" is not a key here; allowed: {ALLOWED}']),
        ('every = "15 minutes"\ndaily = ["06:30"]', [f"{ONCE}every and daily are both set"]),
        ('daily = ["06:30"]\ncron = "* * * * *"\narrives = "/x"',
         [f"{ONCE}daily and cron and arrives are both set"]),
        ("every = 15", ['every must be a length of time such as "15 minutes", not 15']),
        ('every = "45 minutes"', [RHYTHM]),
        ('every = "90 minutes"', [RHYTHM]),
        ('every = "5 hours"', [RHYTHM]),
        ('every = "48 hours"', [RHYTHM]),
        ('every = "2 days"', [RHYTHM]),
        ('every = "90 seconds"', [RHYTHM]),
        ('every = "30 seconds"', [RHYTHM]),
        ('every = "1 hour"\nbetween = "18:00-08:00"',
         ["between may not cross midnight: the second time must be after the first"]),
        ('every = "1 hour"\nbetween = "08:10-08:50"',
         ["between leaves no time to run: every is counted from midnight and none of its times is inside"]),
        ('every = "1 hour"\nbetween = ""', [BETWEEN]),
        ('every = "1 hour"\nbetween = "08:00"', [BETWEEN]),
        ('every = "1 hour"\nbetween = "8-18"', [BETWEEN]),
        ('every = "1 hour"\nbetween = ["08:00", "18:00"]', ["between must be a text in quotes, not a list"]),
        ('every = "1 hour"\ndays = []', ['days must name at least one weekday, such as ["mon"]']),
        ('every = "1 hour"\ndays = ["Mon"]', [f'days: "Mon" is not a weekday; allowed: {DAYS}']),
        ('every = "1 hour"\ndays = ["mon", "mon"]', ["days names the same weekday twice"]),
        ('daily = ["06:30"]\ndays = ["mon"]\nbetween = "08:00-18:00"',
         ["between goes with every only", "days goes with every only"]),
        ('between = "08:00-18:00"', ["between goes with every only"]),
        ("daily = []", ['daily must name at least one time, such as ["06:30"]']),
        ('daily = ["06:30", "06:30"]', ["daily names the same time twice"]),
        ('weekly = ["mon"]', ["weekly must be a table, not a list"]),
        ("weekly = {}", [WEEKLY]),
        ('weekly = { days = ["mon"] }', [WEEKLY]),
        ('weekly = { at = ["06:30"] }', [WEEKLY]),
        ('weekly = { days = [], at = ["06:30"] }', ['days must name at least one weekday, such as ["mon"]']),
        ('weekly = { days = ["mon"], at = ["06:30"], day = 1 }',
         ['"day" is not a key here; allowed: at, days']),
        ('weekly = { days = ["mon", "mon"], at = ["06:30", "06:30"] }',
         ["days names the same weekday twice", "at names the same time twice"]),
        ("monthly = 1", ["monthly must be a table, not 1"]),
        ("monthly = {}", [MONTHLY]),
        ("monthly = { day = 1 }", [MONTHLY]),
        ('monthly = { at = ["06:30"] }', [MONTHLY]),
        ('monthly = { day = 1, nth = 1, weekday = "mon", at = ["06:30"] }', [MONTHLY]),
        ('monthly = { nth = 1, at = ["06:30"] }', [MONTHLY]),
        ('monthly = { day = 1, weekday = "mon", at = ["06:30"] }', [MONTHLY]),
        ('monthly = { day = 32, at = ["06:30"] }', ['day must be a number from 1 to 31, or "last"']),
        ('monthly = { day = 0, at = ["06:30"] }', ['day must be a number from 1 to 31, or "last"']),
        ('monthly = { day = "first", at = ["06:30"] }', ['day must be a number from 1 to 31, or "last"']),
        ('monthly = { day = true, at = ["06:30"] }',
         ['day must be a number from 1 to 31, or "last", not true']),
        ('monthly = { nth = 5, weekday = "tue", at = ["06:30"] }',
         ['nth must be a number from 1 to 4, or "last"']),
        ('monthly = { nth = 1, weekday = "day", at = ["06:30"] }',
         ['weekday must be one of "mon", "tue", "wed", "thu", "fri", "sat", "sun", not "day"']),
        ('monthly = { day = 1, at = ["06:30"], x = 1 }',
         ['"x" is not a key here; allowed: at, day, nth, weekday']),
        ("cron = 5", ["cron must be a text in quotes, not 5"]),
        ('cron = ""', ["cron: The expression is empty: write five fields, such as 30 6 * * 1."]),
        ('arrives = "inbox"',
         ['arrives must be a full path, * allowed in it, such as "/srv/inbox/*.csv"']),
        ('arrives = ""', ['arrives must be a full path, * allowed in it, such as "/srv/inbox/*.csv"']),
        ("arrives = 5", ["arrives must be a text in quotes, not 5"]),
        ('zone = "Toronto"',
         ['"Toronto" is not a time zone of this computer; write one such as "America/Toronto"']),
        ('if_missed = "later"', ['if_missed must be one of "run-once", "skip", not "later"']),
        ('backend = "launchd"',
         ['backend must be one of "auto", "cron", "schtasks", "systemd", "in-app", "none", not "launchd"']),
        ("starts = 2026-02-01\nends = 2026-01-31", ["ends (2026-01-31) is before starts (2026-02-01)"]),
        ("starts = 2026-02-01T06:30:00",
         ["starts must be a date such as 2026-01-31, without quotes and without a time"]),
        ('daily = ["06:30"]\nexpect = "1 day"', ["expect goes with arrives, or with a job run by hand"]),
        ('expect = "soon"',
         ['expect: "soon" is not a duration; write a whole number and seconds, minutes, hours, days '
          'or weeks, such as "15 minutes" (at most 3650 days)']),
    ],
)  # fmt: skip
def test_each_wrong_schedule_is_refused_once_in_words_that_say_what_is_allowed(text, messages):
    assert said(text) == messages


@pytest.mark.parametrize(
    "text", ["61 * * * *", "10-5 * * * *", "* * * *", "@reboot", "0 0 31 2 *", "5#2 * * * *"]
)
def test_a_cron_expression_is_refused_for_the_reason_its_reader_gives(text):
    answer = parse_cron(text)
    assert isinstance(answer, Refused)
    assert said(f'cron = "{text}"') == [f"cron: {answer.message}"]


def test_all_problems_come_out_at_once_each_at_its_line():
    text = 'every = "45 minutes"\nbetween = "x"\ndays = ["x"]\nzone = "x"\nstarts = "x"\nexpect = "x"\n'
    text += "backend = 1\nx = 1\n"
    assert sorted(problem.line for problem in read(text)[1]) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_window_that_leaves_nothing_is_a_problem_of_the_window():
    (problem,) = read('every = "1 hour"\nbetween = "08:10-08:50"\n')[1]
    assert (problem.line, problem.key) == (2, "between")


def test_a_problem_inside_an_inline_table_has_the_line_of_the_table():
    text = '\nweekly = { days = ["mon"], at = [\n"06:30", "x"] }\n'
    assert [(problem.line, problem.key) for problem in read(text)[1]] == [(2, "weekly.at")]


@pytest.mark.parametrize("name", ["America/Toronto", "UTC", "Europe/Berlin"])
def test_a_zone_of_this_computer_is_known(name):
    assert is_zone(name)


@pytest.mark.parametrize(
    "name",
    ["Toronto", "America", "../etc/passwd", "/etc/localtime", "é", "a" * 5000, "x/y.z", "America/", "."],
)
def test_whatever_is_no_zone_is_answered_and_never_raised(name):
    assert not is_zone(name)


TIMES = st.lists(st.integers(0, 1439), min_size=1, max_size=4, unique=True).map(
    lambda found: [f"{minute // 60:02}:{minute % 60:02}" for minute in found]
)
DAYS_OF_WEEK = st.lists(st.sampled_from([day.value for day in Weekday]), min_size=1, max_size=7, unique=True)
KIND_TABLES = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {"every": st.sampled_from(["1 minute", "15 minutes", "2 hours", "24 hours", "1 day"])},
        optional={"between": st.sampled_from(["00:00-23:59", "00:00-12:10"]), "days": DAYS_OF_WEEK},
    ),
    st.fixed_dictionaries({"daily": TIMES}),
    st.fixed_dictionaries({"weekly": st.fixed_dictionaries({"days": DAYS_OF_WEEK, "at": TIMES})}),
    st.fixed_dictionaries(
        {"monthly": st.fixed_dictionaries({"day": st.integers(1, 31) | st.just("last"), "at": TIMES})}
    ),
    st.fixed_dictionaries(
        {
            "monthly": st.fixed_dictionaries(
                {
                    "nth": st.integers(1, 4) | st.just("last"),
                    "weekday": st.sampled_from([day.value for day in Weekday]),
                    "at": TIMES,
                }
            )
        }
    ),
    st.fixed_dictionaries({"cron": st.sampled_from(["*/15 * * * *", "30 6 1,15 * 1-5", "@daily"])}),
    st.fixed_dictionaries({"arrives": st.just("/srv/inbox/*.csv")}, optional={"expect": st.just("2 hours")}),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "zone": st.sampled_from(["UTC", "Europe/Berlin"]),
        "if_missed": st.sampled_from(["run-once", "skip"]),
        "starts": st.dates(date(2020, 1, 1), date(2026, 1, 1)),
        "ends": st.dates(date(2026, 1, 1), date(2030, 1, 1)),
        "backend": st.sampled_from([name.value for name in BackendName]),
    },
)


@given(KIND_TABLES, OPTIONS)
def test_a_schedule_of_any_kind_comes_back_from_the_records_as_it_was(kind, options):
    values = kind | options
    table = Table(values, source="")
    schedule = read_schedule(table)
    assert table.problems == []
    text = schedule_text(values, zone=schedule.zone or TORONTO)
    assert schedule_from_text(text) == replace(schedule, zone=schedule.zone or TORONTO)
    assert "\n" not in text
    assert isinstance(schedule.rule, ByHand if not kind else schedule.rule.__class__)
    assert not isinstance(schedule.rule, Every) or every_problem(schedule.rule) is None


@given(KIND_TABLES, OPTIONS)
def test_equal_text_means_an_equal_schedule_whatever_the_order_of_keys(kind, options):
    values = kind | options
    backwards = dict(reversed(values.items()))
    assert schedule_text(values, zone=TORONTO) == schedule_text(backwards, zone=TORONTO)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "arrives"])
def test_every_kind_that_is_accepted_has_a_fire_time(kind):
    example = {
        "every": '"1 hour"\nbetween = "08:00-08:00"',
        "daily": '["06:30"]',
        "weekly": '{ days = ["mon"], at = ["06:30"] }',
        "monthly": '{ day = 31, at = ["06:30"] }',
        "cron": '"0 0 29 2 *"',
    }
    schedule, problems = read(f"{kind} = {example[kind]}")
    assert problems == []
    after = datetime(2026, 1, 1, tzinfo=UTC)
    assert next_fire(schedule, zone=ZoneInfo(TORONTO), after=after) is not None


@pytest.mark.parametrize(
    "text",
    ["", "null", "5", "[1]", '{"daily": []}', '{"starts": 5}', '{"ends": "soon"}', '{"zone": 5}', '{"x": 1}'],
)
def test_a_text_that_this_version_cannot_read_is_no_schedule(text):
    assert schedule_from_text(text) is None


def test_a_recorded_zone_that_this_computer_does_not_know_is_left_to_the_shop():
    text = schedule_text({"daily": ["06:30"]}, zone="/etc/localtime")
    assert json.loads(text)["zone"] == "/etc/localtime"
    assert schedule_from_text(text) == Schedule(rule=Daily(times=SIX_THIRTY))
