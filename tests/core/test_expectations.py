"""When a success is due, how much grace follows, and how long a run may take."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from zoneinfo import ZoneInfo

import pytest
from expected import (
    ACTOR,
    DAILY,
    DAY,
    HOUR,
    LATE,
    MINUTE,
    OK,
    OPEN_HOURS,
    QUARTER,
    SECOND,
    TORONTO,
    WEEKLY,
    due,
    health,
    job,
    local,
    seen,
)

from ridgeline_desktop.core.expectations import (
    deadline_of,
    expectation_of,
    grace_of,
)
from ridgeline_desktop.core.fire_times import served_fire_time
from ridgeline_desktop.core.health import assess
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import RunRecord, RunStatus, Trigger, anchor_of, newest_success
from ridgeline_desktop.core.texts import judgement_text


@pytest.mark.parametrize(
    ("one", "anchor", "expected"),
    [
        (DAILY, "03-03 05:30:07", "03-04 05:30"),
        (DAILY, "03-03 05:29:59", "03-03 05:30"),
        (DAILY, "03-07 05:31", "03-08 05:30"),
        (WEEKLY, "03-02 06:32", "03-09 06:30"),
        (job('cron = "*/15 * * * *"'), "03-03 10:07", "03-03 10:15"),
        (QUARTER, "03-03 10:07", "03-03 10:22"),
        (QUARTER, "03-03 10:15", "03-03 10:30"),
        (job('every = "2 hours"'), "03-08 00:10", "03-08 04:00"),
        (OPEN_HOURS, "03-03 10:07", "03-03 10:22"),
        (OPEN_HOURS, "03-03 18:00:07", "03-04 08:00"),
        (OPEN_HOURS, "03-06 18:00:07", "03-09 08:00"),
    ],
)
def test_due_follows_from_the_newest_success(one, anchor, expected):
    assert due(one, anchor=anchor) == local(expected)


def test_by_hand_arrivals_without_expect_and_ended_schedules_are_never_due():
    for schedule in ("", 'arrives = "/srv/inbox/*.csv"', 'daily = ["05:30"]\nends = 2026-03-03'):
        one = job(schedule)
        assert due(one, anchor="03-03 05:31") is None
        assert health(one, seen(one), anchor="03-03 05:31", now="12-24 00:00").health is OK


def test_the_last_fire_time_of_an_ended_schedule_is_still_expected():
    one = job('daily = ["05:30"]\nends = 2026-03-03')
    assert due(one, anchor="03-02 05:31") == local("03-03 05:30")


@pytest.mark.parametrize(
    ("schedule", "anchor", "expected"),
    [
        ('expect = "1 day"', "03-07 12:00", "03-08 13:00"),
        ('arrives = "/srv/inbox/*.csv"\nexpect = "2 hours"', "03-03 12:00", "03-03 14:00"),
        ('expect = "1 day"\nstarts = 2026-03-08', "03-03 12:00", "03-09 01:00"),
        ('expect = "1 day"\nends = 2026-03-04', "03-03 12:00", "03-04 12:00"),
        ('expect = "1 day"\nends = 2026-03-03', "03-03 12:00", None),
    ],
)
def test_expect_counts_real_time_from_the_newest_success_and_ends_with_the_schedule(
    schedule, anchor, expected
):
    assert due(job(schedule), anchor=anchor) == (local(expected) if expected else None)


def test_nothing_is_due_before_the_start_date():
    assert due(job('daily = ["05:30"]\nstarts = 2026-04-01'), anchor="03-03 05:31") == local("04-01 05:30")
    assert due(job('every = "15 minutes"\nstarts = 2026-04-01'), anchor=None) == local("04-01 00:00")


def test_due_is_in_utc_whatever_clock_the_success_was_recorded_on():
    for zone in (TORONTO, ZoneInfo("Australia/Lord_Howe")):
        anchor = local("03-08 00:10").astimezone(zone)
        found = expectation_of(QUARTER, seen(QUARTER), anchor=anchor, resumed_at=None, zone=TORONTO)
        assert found.due == local("03-08 00:25")
        assert found.due.tzinfo is UTC


def test_a_schedules_own_zone_wins_over_the_shops():
    one = job('daily = ["05:30"]\nzone = "Europe/Berlin"')
    assert due(one, anchor="03-03 12:00") == datetime(2026, 3, 4, 4, 30, tzinfo=UTC)


def test_a_run_by_hand_at_noon_does_not_move_a_daily_job():
    assert due(DAILY, anchor="03-03 12:00") == due(DAILY, anchor="03-03 05:31") == local("03-04 05:30")


def run(start: str, *, job_: Job = DAILY, lasts: timedelta = 2 * SECOND) -> RunRecord:
    """A completed scheduled run, with the fire time that its start serves."""
    begun = local(start)
    return RunRecord(
        run_id=start,
        host_id="till",
        job_id=job_.job_id,
        trigger=Trigger.SCHEDULE,
        status=RunStatus.COMPLETED,
        started_at=begun,
        actor=ACTOR,
        scheduled_for=served_fire_time(job_.schedule, zone=TORONTO, start=begun),
        finished_at=begun + lasts,
    )


@pytest.mark.parametrize("start", ["03-03 05:29:55", "03-03 05:29:58", "03-03 05:30:01"])
def test_a_start_before_its_fire_time_or_a_clock_stepped_back_still_serves_it(start):
    record = run(start)
    assert record.scheduled_for == local("03-03 05:30")
    found = expectation_of(DAILY, seen(DAILY), anchor=anchor_of(record), resumed_at=None, zone=TORONTO)
    assert found.due == local("03-04 05:30")


def test_a_weekday_rule_with_a_window_is_ok_all_weekend():
    for now in ("03-06 18:15", "03-07 12:00", "03-08 23:59", "03-09 08:00"):
        assert health(OPEN_HOURS, seen(OPEN_HOURS), anchor="03-06 18:00:07", now=now).health is OK
    assert health(OPEN_HOURS, seen(OPEN_HOURS), anchor="03-06 18:00:07", now="03-09 08:01").health is LATE


ISSUE_RECORDS = [
    ("2026-03-01T02:04:00+00:00", RunStatus.COMPLETED),
    ("2026-03-01T21:06:00-05:00", RunStatus.COMPLETED),
    ("2026-03-03T07:31:00+05:30", RunStatus.FAILED),
    ("2026-03-04T02:03:00+00:00", RunStatus.FAILED),
    ("2027-03-04T02:03:00+00:00", RunStatus.COMPLETED),
]


def records(statuses: list[tuple[str, RunStatus]]) -> list[RunRecord]:
    ends = [(datetime.fromisoformat(text), status) for text, status in statuses]
    return [
        replace(run("03-01 00:00"), scheduled_for=None, finished_at=end, status=status)
        for end, status in ends
    ]


def verdict(found: list[RunRecord]) -> str:
    """The check line of a 24 hour job with 2 hours of grace at 2026-03-04T09:00 UTC."""
    now = datetime.fromisoformat("2026-03-04T09:00:00+00:00")
    one = job('every = "24 hours"\nzone = "UTC"', 'grace = "120 minutes"')
    success = newest_success(found, now=now)
    assert success is not None
    assert success.finished_at is not None
    wanted = expectation_of(one, seen(one), anchor=anchor_of(success), resumed_at=None, zone=TORONTO)
    light = assess(last_success=success.finished_at, due=wanted.due, grace=wanted.grace, now=now)
    return judgement_text(light, wanted, last_success=success.finished_at, zone=TORONTO, now=now)


def test_failures_are_no_heartbeats_in_any_order_of_records_with_mixed_offsets_and_one_of_2027():
    for order in permutations(records(ISSUE_RECORDS)):
        assert verdict(list(order)) == "overdue: last success 3294 minutes ago, allowed 1560"


def test_counting_failures_too_would_have_said_ok():
    counted = [(text, RunStatus.COMPLETED) for text, _ in ISSUE_RECORDS]
    assert verdict(records(counted)) == "ok: last success 417 minutes ago"


@pytest.mark.parametrize(
    ("schedule", "rules", "expected"),
    [
        ('daily = ["05:30"]', "", 72 * MINUTE),
        ('daily = ["05:30"]', 'deadline = "2 hours"', 2 * HOUR),
        ('daily = ["05:30"]', 'deadline = "none"', DAY),
        ('weekly = { days = ["mon"], at = ["06:30"] }', "", 504 * MINUTE),
        ('monthly = { day = 1, at = ["06:00"] }', "", DAY),
        ('monthly = { day = 1, at = ["06:00"] }', 'deadline = "2 days"', DAY),
        ('every = "15 minutes"', "", 12 * MINUTE),
        ('every = "1 hour"', "", 20 * MINUTE),
        ('every = "1 minute"', "", 2 * MINUTE),
        ('every = "24 hours"', "", 72 * MINUTE),
        ('expect = "4 days"', "", 288 * MINUTE),
        ('every = "15 minutes"\nbetween = "08:00-18:00"', 'grace = "20 %"', 3 * MINUTE),
        ('daily = ["05:30"]', 'grace = "1 %"', 864 * SECOND),
        ('daily = ["05:30"]', 'grace = "30 seconds"', 30 * SECOND),
        ('daily = ["05:30"]', 'grace = "3 days"\ndeadline = "2 hours"', 3 * DAY),
        ('weekly = { days = ["mon"], at = ["06:30"] }', 'grace = "50 %"', 84 * HOUR),
        ('expect = "4 days"', 'grace = "50 %"', 2 * DAY),
    ],
)
def test_the_default_grace_has_a_floor_and_a_ceiling_and_one_set_by_hand_has_none(schedule, rules, expected):
    one = job(schedule, rules)
    found = expectation_of(one, seen(one), anchor=local("06-02 12:00"), resumed_at=None, zone=TORONTO)
    assert found.grace == expected


def test_the_gap_is_the_one_after_due_and_before_it_where_nothing_follows():
    one = job('weekly = { days = ["mon", "thu"], at = ["06:30"] }\nends = 2026-06-11', 'grace = "50 %"')
    assert grace_of(one, due=local("06-04 06:30"), zone=TORONTO) == 2 * DAY
    assert grace_of(one, due=local("06-08 06:30"), zone=TORONTO) == 1.5 * DAY
    assert grace_of(one, due=local("06-11 06:30"), zone=TORONTO) == 1.5 * DAY


def test_a_fire_time_that_stands_alone_gets_the_default_grace():
    once = 'daily = ["06:30"]\nstarts = 2026-06-01\nends = 2026-06-01'
    for rules in ("", 'grace = "50 %"'):
        assert grace_of(job(once, rules), due=local("06-01 06:30"), zone=TORONTO) == 20 * MINUTE


def test_where_nothing_is_due_there_is_no_grace_to_speak_of():
    assert grace_of(job(""), due=None, zone=TORONTO) == timedelta(0)
    assert grace_of(job("", 'grace = "1 hour"'), due=None, zone=TORONTO) == HOUR


@pytest.mark.parametrize(
    ("schedule", "rules", "expected"),
    [
        ('daily = ["05:30"]', "", 20 * MINUTE),
        ('daily = ["05:30", "05:40"]', "", 8 * MINUTE),
        ('cron = "*/15 * * * *"', "", 12 * MINUTE),
        ('cron = "*/25 * * * *"', "", 8 * MINUTE),
        ('every = "15 minutes"', "", 12 * MINUTE),
        ('every = "30 minutes"', "", 20 * MINUTE),
        ("", "", 20 * MINUTE),
        ('daily = ["05:30"]\nends = 2026-01-01', "", 20 * MINUTE),
        ('every = "15 minutes"', 'deadline = "45 minutes"', 45 * MINUTE),
        ('every = "15 minutes"', 'deadline = "none"', None),
    ],
)
def test_a_run_may_take_20_minutes_or_80_percent_of_the_shortest_gap_unless_it_says_otherwise(
    schedule, rules, expected
):
    assert deadline_of(job(schedule, rules), around=local("06-01 12:00"), zone=TORONTO) == expected
