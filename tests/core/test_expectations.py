"""When a success is due, how much grace follows, how long a run may take, and what edits and pauses change."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.expectations import (
    Expectation,
    JobState,
    Pause,
    after_change,
    deadline_of,
    expectation_of,
    grace_of,
    held_if_overdue,
    new_state,
)
from ridgeline_desktop.core.fire_times import served_fire_time
from ridgeline_desktop.core.health import Assessment, Health, assess
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger, anchor_of, newest_success
from ridgeline_desktop.core.texts import judgement_text

TORONTO = ZoneInfo("America/Toronto")
SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))
ACTOR = Actor(name="Theo", host="till", via="cli")
OK, LATE, OVERDUE, NEVER = Health.OK, Health.LATE, Health.OVERDUE, Health.NEVER_SUCCEEDED
# March 2026: the 2nd is a Monday, the clocks go forward on the 8th.


def job(schedule: str, run: str = "") -> Job:
    text = f'command = ["true"]\n[schedule]\n{schedule}\n[run]\n{run}\n'
    found = read_job_file("report.toml", text, shop_zone=TORONTO.key)
    assert found.job is not None, found.sentences()
    return found.job


def local(text: str) -> datetime:
    """An instant in UTC, written as Toronto's clock shows it."""
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=TORONTO).astimezone(UTC)


def seen(one: Job, since: str = "01-01 00:00") -> JobState:
    return new_state(one, now=local(since))


def due(
    one: Job, *, anchor: str | None, state: JobState | None = None, resumed: str | None = None
) -> datetime | None:
    return expectation_of(
        one,
        state or seen(one),
        anchor=local(anchor) if anchor else None,
        resumed_at=local(resumed) if resumed else None,
        zone=TORONTO,
    ).due


def health(
    one: Job, state: JobState, *, anchor: str | None, now: str, resumed: str | None = None
) -> Assessment:
    success = local(anchor) if anchor else None
    resumed_at = local(resumed) if resumed else None
    found = expectation_of(one, state, anchor=success, resumed_at=resumed_at, zone=TORONTO)
    return assess(last_success=success, due=found.due, grace=found.grace, now=local(now))


def edited(
    state: JobState, into: Job, *, anchor: str | None, now: str, resumed: str | None = None
) -> JobState:
    return after_change(
        into,
        state,
        anchor=local(anchor) if anchor else None,
        resumed_at=local(resumed) if resumed else None,
        zone=TORONTO,
        now=local(now),
    )


DAILY = job('daily = ["05:30"]')
WEEKLY = job('weekly = { days = ["mon"], at = ["06:30"] }')
QUARTER = job('every = "15 minutes"')
OPEN_HOURS = job('every = "15 minutes"\nbetween = "08:00-18:00"\ndays = ["mon", "tue", "wed", "thu", "fri"]')


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
def test_expect_counts_real_time_from_the_newest_success_and_ends_with_the_schedule(schedule, anchor, expected):
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
    return [replace(run("03-01 00:00"), scheduled_for=None, finished_at=end, status=status) for end, status in ends]


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


def test_a_job_seen_for_the_first_time_owes_nothing_from_before():
    state = seen(DAILY, "03-04 09:00")
    assert due(DAILY, anchor=None, state=state) == local("03-05 05:30")
    assert health(DAILY, state, anchor=None, now="03-05 06:42").is_red is False
    assert health(DAILY, state, anchor=None, now="03-05 06:42:01").is_red is True


def test_a_schedule_that_did_not_change_leaves_the_state_alone():
    state = seen(DAILY)
    assert edited(state, DAILY, anchor=None, now="03-04 09:00") is state


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('daily = ["05:30", "18:00"]', 'daily = ["18:00", "05:30"]'),
        ('daily = ["05:30"]', 'daily = ["05:30"]\nbackend = "cron"'),
        ('daily = ["05:30"]', 'daily = ["05:30"]\nif_missed = "skip"'),
        ('daily = ["05:30"]', 'daily = ["05:30"]\nzone = "America/Toronto"'),
        ('every = "60 minutes"', 'every = "1 hour"'),
    ],
)
def test_an_edit_that_moves_no_fire_time_moves_no_due(before, after):
    old, new = job(before), job(after)
    state = edited(seen(old), new, anchor="03-01 05:31", now="03-04 09:00")
    assert state == replace(seen(old), schedule_text=new.schedule_text)


def test_a_daily_job_that_is_red_and_edited_to_weekly_stays_red_until_a_success():
    state = edited(seen(DAILY), WEEKLY, anchor="03-02 05:31", now="03-04 09:00")
    for now in ("03-04 09:00", "03-05 12:00", "03-20 12:00"):
        assert health(WEEKLY, state, anchor="03-02 05:31", now=now).health is OVERDUE
    assert health(WEEKLY, state, anchor="03-04 09:10", now="03-04 09:11").health is OK
    assert due(WEEKLY, anchor="03-04 09:10", state=state) == local("03-09 06:30")


def test_a_job_that_is_red_and_edited_twice_stays_red_by_its_first_rule():
    state = edited(seen(DAILY), WEEKLY, anchor="03-02 05:31", now="03-04 09:00")
    again = edited(state, QUARTER, anchor="03-02 05:31", now="03-04 09:05")
    by_hand = edited(again, job(""), anchor="03-02 05:31", now="03-04 09:10")
    for one, held in ((QUARTER, again), (job(""), by_hand)):
        assert due(one, anchor="03-02 05:31", state=held) == local("03-03 05:30")
        assert health(one, held, anchor="03-02 05:31", now="03-04 09:11").health is OVERDUE


def test_a_job_that_never_succeeded_and_is_red_stays_red_when_edited():
    state = edited(seen(DAILY), WEEKLY, anchor=None, now="03-04 09:00")
    assert health(WEEKLY, state, anchor=None, now="03-04 09:01").is_red


def test_a_success_that_reaches_the_records_late_ends_a_held_red_all_the_same():
    state = edited(seen(DAILY), WEEKLY, anchor="03-02 05:31", now="03-04 09:00")
    assert health(WEEKLY, state, anchor="03-04 08:55", now="03-04 09:10").health is OK


def test_a_success_of_the_held_fire_time_itself_ends_a_held_red():
    state = edited(seen(DAILY), WEEKLY, anchor="03-02 05:31", now="03-04 09:00")
    assert health(WEEKLY, state, anchor="03-03 05:30", now="03-04 09:10").health is OK


def test_a_job_that_was_only_late_when_edited_starts_afresh():
    state = edited(seen(DAILY), WEEKLY, anchor="03-03 05:31", now="03-04 06:00")
    assert health(DAILY, seen(DAILY), anchor="03-03 05:31", now="03-04 06:00").health is LATE
    assert health(WEEKLY, state, anchor="03-03 05:31", now="03-04 06:00").health is OK


def test_weekly_changed_to_daily_on_wednesday_is_not_overdue_since_tuesday():
    state = edited(seen(WEEKLY), DAILY, anchor="03-02 06:32", now="03-04 09:00")
    assert due(DAILY, anchor="03-02 06:32", state=state) == local("03-05 05:30")
    assert health(DAILY, state, anchor="03-02 06:32", now="03-04 09:00").health is OK


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"daily": ["25:00"]}', '{"starts": "soon"}', '{"starts": 5}'])
def test_an_old_rule_that_cannot_be_read_any_more_is_left_behind(text):
    state = replace(seen(DAILY), schedule_text=text)
    changed = edited(state, DAILY, anchor="03-02 05:31", now="03-04 09:00")
    assert changed == replace(seen(DAILY), changed_at=local("03-04 09:00"))


PAUSED_AT, RESUMED = "03-04 09:00", "03-25 09:00"


def held_by_pause(one: Job, *, anchor: str | None) -> JobState:
    success = local(anchor) if anchor else None
    return held_if_overdue(one, seen(one), anchor=success, resumed_at=None, zone=TORONTO, now=local(PAUSED_AT))


def test_a_job_resumed_after_three_weeks_is_not_red_at_once():
    state = held_by_pause(DAILY, anchor="03-04 05:31")
    assert state == seen(DAILY)
    assert health(DAILY, state, anchor="03-04 05:31", resumed=RESUMED, now="03-25 09:01").health is OK
    assert due(DAILY, anchor="03-04 05:31", state=state, resumed=RESUMED) == local("03-26 05:30")


def test_a_job_that_was_red_when_paused_stays_red_when_resumed():
    state = held_by_pause(DAILY, anchor="03-02 05:31")
    assert health(DAILY, state, anchor="03-02 05:31", resumed=RESUMED, now="03-25 09:01").health is OVERDUE
    assert health(DAILY, state, anchor="03-25 09:05", resumed=RESUMED, now="03-25 09:06").health is OK


def pause(**more: datetime | None) -> Pause:
    values = {"begun_at": local(PAUSED_AT), "until": None}
    return Pause(job_id="report", reason="", actor=ACTOR, **(values | more))


@pytest.mark.parametrize(
    ("facts", "now", "expected"),
    [
        ({}, "12-24 00:00", None),
        ({"until": local("03-05 00:00")}, "03-04 23:59", None),
        ({"until": local("03-05 00:00")}, "03-05 00:00", "03-05 00:00"),
        ({"until": local("03-05 00:00"), "ended_at": local("03-04 10:00")}, "03-06 00:00", "03-04 10:00"),
        ({"ended_at": local("03-04 10:00")}, "03-06 00:00", "03-04 10:00"),
    ],
)
def test_a_pause_ends_by_itself_or_when_somebody_resumes(facts, now, expected):
    found = pause(**facts)
    assert found.end(now=local(now)) == (local(expected) if expected else None)
    assert found.excused_until(now=local(now)) == local(expected or now)


def test_a_job_edited_while_it_is_paused_is_judged_as_of_the_pauses_beginning():
    now = "03-20 12:00"
    excused = pause().excused_until(now=local(now))
    fine = after_change(
        WEEKLY, seen(DAILY), anchor=local("03-04 05:31"), resumed_at=excused, zone=TORONTO, now=local(now)
    )
    assert fine.held_due is None
    red = after_change(
        WEEKLY,
        held_by_pause(DAILY, anchor="03-02 05:31"),
        anchor=local("03-02 05:31"),
        resumed_at=excused,
        zone=TORONTO,
        now=local(now),
    )
    assert red.held_due == local("03-03 05:30")


def test_what_is_held_keeps_its_grace_too():
    state = held_by_pause(DAILY, anchor="03-02 05:31")
    wanted = Expectation(due=local("03-03 05:30"), grace=72 * MINUTE)
    assert (state.held_due, state.held_grace, state.held_at) == (wanted.due, wanted.grace, local(PAUSED_AT))
    found = expectation_of(WEEKLY, state, anchor=local("03-02 05:31"), resumed_at=None, zone=TORONTO)
    assert found == wanted
