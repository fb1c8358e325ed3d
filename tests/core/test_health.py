"""The arithmetic of due and grace, what is shown of it, and the tray's worst-of-all."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.health import (
    CHECK_EXIT_CODES,
    Assessment,
    Attention,
    Health,
    RunInProgress,
    assess,
    attention_of,
    shown,
    worst,
)

SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))
OK, LATE, OVERDUE, NEVER = Health.OK, Health.LATE, Health.OVERDUE, Health.NEVER_SUCCEEDED
DUE = datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
EARLIER = DUE - DAY


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)


def judged(
    last: int | None, *, interval: timedelta, grace: timedelta, now: int, first_seen: int = 0
) -> Assessment:
    base = at(first_seen if last is None else last)
    success = None if last is None else at(last)
    return assess(last_success=success, due=base + interval, grace=grace, now=at(now))


@pytest.mark.parametrize(
    ("last", "interval", "grace", "expected"),
    [
        (1762700000, 900 * SECOND, 600 * SECOND, OVERDUE),
        (1762150000, 7 * DAY, 2 * HOUR, OK),
        (None, DAY, HOUR, NEVER),
    ],
)
def test_three_jobs_are_judged_at_1762702000(last, interval, grace, expected):
    assert judged(last, interval=interval, grace=grace, now=1762702000).health is expected


@pytest.mark.parametrize(
    ("now", "expected"), [(1900, OK), (1901, LATE), (2000, LATE), (2500, LATE), (2501, OVERDUE)]
)
def test_both_bounds_are_inclusive(now, expected):
    assert judged(1000, interval=900 * SECOND, grace=600 * SECOND, now=now).health is expected


@pytest.mark.parametrize(("now", "red"), [(2500, False), (2501, True)])
def test_a_job_that_never_succeeded_is_quiet_until_its_first_grace_has_passed(now, red):
    found = judged(None, interval=900 * SECOND, grace=600 * SECOND, now=now, first_seen=1000)
    assert (found.health, found.quiet, found.is_red) == (NEVER, not red, red)


def test_a_job_of_which_nothing_is_expected_is_never_late():
    assert assess(last_success=EARLIER, due=None, grace=HOUR, now=DUE + 999 * DAY) == Assessment(health=OK)
    never = assess(last_success=None, due=None, grace=HOUR, now=DUE + 999 * DAY)
    assert (never.health, never.is_red) == (NEVER, False)


@given(
    last=st.none() | st.just(EARLIER),
    grace=st.timedeltas(timedelta(0), DAY),
    passed=st.timedeltas(-DAY, 3 * DAY),
    later=st.timedeltas(timedelta(0), 3 * DAY),
)
def test_a_judgement_holds_until_the_instant_it_names_and_not_a_microsecond_longer(
    last, grace, passed, later
):
    now = DUE + passed
    first = assess(last_success=last, due=DUE, grace=grace, now=now)
    again = assess(last_success=last, due=DUE, grace=grace, now=now + later)
    if first.valid_until is None or now + later <= first.valid_until:
        assert (again.health, again.quiet) == (first.health, first.quiet)
    else:
        assert (again.health, again.quiet) != (first.health, first.quiet)


def light(
    *,
    after_due: timedelta,
    run: tuple[timedelta, timedelta | None] | None = None,
    grace: timedelta = 20 * MINUTE,
    last: datetime | None = EARLIER,
) -> Assessment:
    """What is shown so long after due, with a run of (start after due, deadline) going on."""
    now = DUE + after_due
    going_on = run and RunInProgress(started_at=DUE + run[0], deadline=run[1])
    found = assess(last_success=last, due=DUE, grace=grace, now=now)
    return shown(found, due=DUE, grace=grace, run=going_on, now=now)


@pytest.mark.parametrize(
    ("after_due", "expected"),
    [(0 * SECOND, OK), (1 * SECOND, OK), (90 * SECOND, OK), (91 * SECOND, LATE), (20 * MINUTE, LATE)],
)
def test_late_shows_only_from_90_seconds_after_due(after_due, expected):
    assert light(after_due=after_due).health is expected


def test_a_light_that_hides_late_is_asked_again_when_it_may_turn():
    assert light(after_due=30 * SECOND).valid_until == DUE + 90 * SECOND
    assert light(after_due=10 * SECOND, grace=30 * SECOND).valid_until == DUE + 30 * SECOND


def test_overdue_shows_at_once_even_where_the_grace_is_shorter_than_90_seconds():
    assert light(after_due=31 * SECOND, grace=30 * SECOND).health is OVERDUE


@pytest.mark.parametrize("start", [-5 * SECOND, 60 * SECOND, 90 * SECOND])
def test_a_run_that_started_in_time_keeps_the_light_ok_past_due_and_grace(start):
    for after_due in (91 * SECOND, 20 * MINUTE, 21 * MINUTE, 44 * MINUTE):
        assert light(after_due=after_due, run=(start, 45 * MINUTE)).health is OK


def test_a_run_past_its_deadline_excuses_nothing():
    assert light(after_due=45 * MINUTE, run=(0 * SECOND, 45 * MINUTE)).health is OK
    assert light(after_due=45 * MINUTE + SECOND, run=(0 * SECOND, 45 * MINUTE)).health is OVERDUE


def test_a_run_that_started_later_but_inside_the_grace_keeps_the_light_late():
    for start in (91 * SECOND, 20 * MINUTE):
        assert light(after_due=25 * MINUTE, run=(start, 30 * MINUTE)).health is LATE
    assert light(after_due=25 * MINUTE, run=(20 * MINUTE + SECOND, 30 * MINUTE)).health is OVERDUE


def test_a_run_without_a_deadline_excuses_24_hours():
    assert light(after_due=DAY, run=(0 * SECOND, None)).health is OK
    assert light(after_due=DAY + SECOND, run=(0 * SECOND, None)).health is OVERDUE


def test_a_running_first_run_keeps_a_job_that_never_succeeded_quiet():
    for start in (0 * SECOND, 10 * MINUTE):
        found = light(after_due=21 * MINUTE, run=(start, 30 * MINUTE), last=None)
        assert (found.health, found.is_red) == (NEVER, False)
        assert found.valid_until == DUE + start + 30 * MINUTE
    assert light(after_due=31 * MINUTE, run=(0 * SECOND, 30 * MINUTE), last=None).is_red
    assert light(after_due=21 * MINUTE, run=(21 * MINUTE, 30 * MINUTE), last=None).is_red


def test_before_due_and_where_nothing_is_due_the_judgement_is_shown_as_it_is():
    found = assess(last_success=EARLIER, due=None, grace=HOUR, now=DUE)
    assert shown(found, due=None, grace=HOUR, run=None, now=DUE) is found
    assert light(after_due=-SECOND) == Assessment(health=OK, valid_until=DUE)


@given(
    grace=st.timedeltas(timedelta(0), 2 * HOUR),
    start=st.timedeltas(-HOUR, 2 * HOUR),
    deadline=st.none() | st.timedeltas(SECOND, HOUR),
    passed=st.timedeltas(timedelta(0), 4 * HOUR),
    last=st.none() | st.just(EARLIER),
    is_running=st.booleans(),
)
def test_a_shown_light_is_never_worse_than_the_judgement_and_holds_as_long_as_it_says(
    grace, start, deadline, passed, last, is_running
):
    rank = {OK: 0, LATE: 1, OVERDUE: 2, NEVER: 0}
    run = (start, deadline) if is_running else None
    found = light(after_due=passed, run=run, grace=grace, last=last)
    plain = assess(last_success=last, due=DUE, grace=grace, now=DUE + passed)
    assert rank[found.health] <= rank[plain.health]
    assert not (found.is_red and not plain.is_red)
    if found.valid_until is not None:
        assert found.valid_until >= DUE + passed
        held = light(after_due=found.valid_until - DUE, run=run, grace=grace, last=last)
        assert (held.health, held.quiet) == (found.health, found.quiet)


@pytest.mark.parametrize(
    ("assessment", "facts", "expected"),
    [
        (Assessment(health=OVERDUE), {}, Attention.RED),
        (Assessment(health=NEVER), {"has_drift": True}, Attention.RED),
        (Assessment(health=NEVER, quiet=True), {}, Attention.GREEN),
        (Assessment(health=LATE), {}, Attention.AMBER),
        (Assessment(health=OK), {"last_run_failed": True}, Attention.AMBER),
        (Assessment(health=OK), {"has_drift": True}, Attention.AMBER),
        (Assessment(health=OK), {"refused_by_lock": True}, Attention.AMBER),
        (Assessment(health=Health.UNKNOWN), {"has_drift": True}, Attention.AMBER),
        (Assessment(health=Health.UNKNOWN), {}, Attention.GREY),
        (Assessment(health=Health.PAUSED), {}, Attention.GREEN),
        (Assessment(health=OK), {}, Attention.GREEN),
    ],
)
def test_each_light_makes_its_claim_on_the_tray(assessment, facts, expected):
    assert attention_of(assessment, **facts) is expected


def test_the_tray_shows_the_worst_in_the_order_red_amber_grey_green():
    order = [Attention.RED, Attention.AMBER, Attention.GREY, Attention.GREEN]
    for claims in product(order, repeat=3):
        assert worst(claims) is min(claims, key=order.index)


def test_no_jobs_at_all_is_grey():
    assert worst([]) is Attention.GREY


def test_all_paused_is_grey_but_hides_no_trouble():
    assert worst([Attention.GREEN] * 3, all_paused=True) is Attention.GREY
    assert worst([Attention.GREEN, Attention.AMBER], all_paused=True) is Attention.AMBER


def test_check_exits_0_1_2_3_for_green_amber_red_and_grey():
    order = (Attention.GREEN, Attention.AMBER, Attention.RED, Attention.GREY)
    assert [CHECK_EXIT_CODES[attention] for attention in order] == [0, 1, 2, 3]
