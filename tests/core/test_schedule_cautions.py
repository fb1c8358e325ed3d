"""What a schedule form warns of: clock changes, days that are missing, runs that meet."""

from datetime import datetime
from itertools import islice

import pytest
from expected import TORONTO, local
from expected import job as report

from ridgeline_desktop.core.fire_times import fire_times
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.schedule_cautions import cautions_of, shared_minutes

NOW = local("03-01 12:00")


def cautions(schedule: str, run: str = "", *, now: datetime = NOW) -> tuple[str, ...]:
    return cautions_of(report(schedule, run), zone=TORONTO, now=now)


@pytest.mark.parametrize(
    "schedule",
    [
        "",
        'arrives = "/a/*"',
        'daily = ["06:30"]',
        'every = "15 minutes"',
        'every = "1 hour"',
        'cron = "@daily"',
    ],
)
def test_most_schedules_surprise_nobody(schedule):
    assert cautions(schedule, 'deadline = "10 minutes"' if schedule.startswith("every") else "") == ()


def test_the_clock_changes_of_two_years_are_named_with_each_date():
    assert cautions('daily = ["02:30"]') == (
        "In March the clocks go forward and 02:30 does not exist; it runs at 03:00 instead "
        "(Sun 8 Mar 2026, Sun 14 Mar 2027)",
    )
    assert cautions('daily = ["01:30"]') == (
        "In November the clocks go back and 01:30 happens twice; it runs the first time "
        "(Sun 1 Nov 2026, Sun 7 Nov 2027)",
    )


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ('monthly = { day = 29, at = ["06:30"] }', "leap years only"),
        ('monthly = { day = 30, at = ["06:30"] }', "The 30th does not exist in February"),
        ('monthly = { day = 31, at = ["06:30"] }', "The 31st does not exist in 5 months"),
        ('cron = "30 6 1 * 5"', "cron runs it when either matches, not only on both"),
    ],
)
def test_days_that_are_missing_or_misread_are_named(schedule, words):
    [text] = cautions(schedule)
    assert words in text
    assert not text.endswith(".")


def test_a_run_that_may_outlast_the_gap_is_told():
    [text] = cautions('every = "15 minutes"', 'deadline = "1 hour"')
    assert text.startswith("A run may take 1 hour, and the next one starts after 15 minutes")
    [text] = cautions('daily = ["06:30", "07:00"]', 'deadline = "31 minutes"')
    assert text.startswith("A run may take 31 minutes, and the next one starts after 30 minutes")
    assert cautions('every = "15 minutes"', 'deadline = "15 minutes"') == ()


def test_a_schedule_that_is_over_has_no_run_left():
    assert cautions('daily = ["02:30"]\nends = 2025-01-01') == ("No run is left: its dates are over",)


def named(title: str, schedule: str) -> Job:
    text = f'title = "{title}"\ncommand = ["x"]\n[schedule]\n{schedule}\n'
    found = read_job_file("other.toml", text, shop_zone=TORONTO.key)
    assert found.job is not None
    return found.job


def meeting(schedule: str, *others: Job) -> tuple[str, ...]:
    one = report(schedule)
    fires = list(islice(fire_times(one.schedule, zone=TORONTO, after=NOW), 5))
    return shared_minutes(one, others, fires, zone=TORONTO, shop_zone=TORONTO)


A, B = named("A", 'daily = ["06:30", "07:00"]'), named("B", 'cron = "30 6 * * *"')
ELSEWHERE = named("C", 'daily = ["11:30"]\nzone = "UTC"')


def test_jobs_that_start_at_the_same_minute_are_named_once_for_each_time():
    assert meeting('daily = ["06:30"]', A) == ("Another job starts at 06:30: A",)
    assert meeting('daily = ["06:30", "07:00"]', A, B, ELSEWHERE) == (
        "Three other jobs start at 06:30: A, B and C",
        "Another job starts at 07:00: A",
    )
    many = [named(letter, 'daily = ["06:30"]') for letter in "ABCDEFGHIJK"]
    assert meeting('daily = ["06:30"]', *many) == ("11 other jobs start at 06:30: A, B, C and 8 more",)


def test_jobs_that_run_all_day_meet_everybody_and_are_left_out():
    often, hourly = named("O", 'every = "15 minutes"'), named("H", 'cron = "*/30 * * * *"')
    assert meeting('daily = ["06:30"]', often, hourly) == ()
    assert meeting('every = "15 minutes"', A) == ()


def test_a_schedule_of_every_minute_tells_each_change_once():
    assert len(cautions('cron = "* * * * *"')) == 2
