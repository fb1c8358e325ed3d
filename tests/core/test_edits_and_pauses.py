"""What an edited schedule and a pause do to what is expected: red stays red, nothing turns red at once."""

from dataclasses import replace
from datetime import datetime

import pytest
from expected import (
    ACTOR,
    DAILY,
    LATE,
    MINUTE,
    OK,
    OVERDUE,
    QUARTER,
    TORONTO,
    WEEKLY,
    due,
    edited,
    health,
    job,
    local,
    seen,
)

from ridgeline_desktop.core.expectations import (
    Expectation,
    JobState,
    Pause,
    after_change,
    expectation_of,
    held_if_overdue,
    new_state,
)
from ridgeline_desktop.core.jobs import Job


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


@pytest.mark.parametrize(
    "text", ["", "no json", "[]", '{"daily": ["25:00"]}', '{"starts": "soon"}', '{"starts": 5}']
)
def test_an_old_rule_that_cannot_be_read_any_more_is_left_behind(text):
    state = replace(seen(DAILY), schedule_text=text)
    changed = edited(state, DAILY, anchor="03-02 05:31", now="03-04 09:00")
    assert changed == replace(seen(DAILY), changed_at=local("03-04 09:00"))


PAUSED_AT, RESUMED = "03-04 09:00", "03-25 09:00"


def held_by_pause(one: Job, *, anchor: str | None) -> JobState:
    success = local(anchor) if anchor else None
    return held_if_overdue(
        one, seen(one), anchor=success, resumed_at=None, zone=TORONTO, now=local(PAUSED_AT)
    )


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
    assert (state.held_due, state.held_grace) == (wanted.due, wanted.grace)
    found = expectation_of(WEEKLY, state, anchor=local("03-02 05:31"), resumed_at=None, zone=TORONTO)
    assert found == wanted


def test_what_is_remembered_from_a_clock_that_ran_ahead_excuses_nothing():
    ahead = local("12-24 00:00")
    now, anchor = local("03-04 09:00"), local("03-02 05:31")
    state = replace(new_state(DAILY, now=ahead), changed_at=ahead)
    found = expectation_of(DAILY, state, anchor=anchor, resumed_at=ahead, zone=TORONTO, now=now)
    assert found.due == local("03-03 05:30")
    assert (
        held_if_overdue(DAILY, state, anchor=anchor, resumed_at=ahead, zone=TORONTO, now=now).held_due
        == found.due
    )
    honest = expectation_of(DAILY, state, anchor=anchor, resumed_at=ahead, zone=TORONTO, now=ahead)
    assert honest.due == local("12-24 05:30")
    first = expectation_of(DAILY, state, anchor=None, resumed_at=None, zone=TORONTO, now=now)
    assert first.due == local("03-05 05:30")
