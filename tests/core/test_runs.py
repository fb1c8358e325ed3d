"""Which records are heartbeats, what a run speaks for, and what `ridgeline run` exits with."""

from datetime import datetime, timedelta
from itertools import permutations

import pytest

from ridgeline_desktop.core.runs import (
    FUTURE_TOLERANCE,
    Actor,
    Reason,
    RunRecord,
    RunStatus,
    Trigger,
    anchor_of,
    exit_code_of,
    is_from_the_future,
    left_out,
    newest_success,
    usual_duration,
)

NOW = datetime.fromisoformat("2026-03-04T09:00:00+00:00")
ACTOR = Actor(name="cron", host="till", via="schedule")


def record(finished: str | None, status: RunStatus = RunStatus.COMPLETED, **more: object) -> RunRecord:
    ended = datetime.fromisoformat(finished) if finished else None
    values = {
        "run_id": finished or "going on",
        "host_id": "till",
        "job_id": "report",
        "trigger": Trigger.SCHEDULE,
        "status": status,
        "started_at": (ended or NOW) - timedelta(minutes=2),
        "actor": ACTOR,
        "finished_at": ended,
    }
    return RunRecord(**(values | more))


RECORDS = (
    record("2026-03-01T02:04:00+00:00"),
    record("2026-03-02T02:06:00+00:00"),
    record("2026-03-03T02:01:00+00:00", RunStatus.FAILED),
    record("2026-03-04T02:03:00+00:00", RunStatus.FAILED),
)
# The same instants on other clocks, where the later one reads as the earlier.
MIXED = (
    record("2026-03-01T12:04:00+10:00"),
    record("2026-03-01T21:06:00-05:00"),
    record("2026-03-03T07:31:00+05:30", RunStatus.FAILED),
    record("2026-03-03T23:03:00-03:00", RunStatus.FAILED),
)
FUTURE = record("2027-01-01T00:00:00+00:00")


@pytest.mark.parametrize("records", [RECORDS, MIXED, (*RECORDS, FUTURE), (*MIXED, FUTURE)])
def test_the_newest_success_is_found_in_any_order_and_no_failure_counts(records):
    wanted = datetime.fromisoformat("2026-03-02T02:06:00+00:00")
    for order in permutations(records):
        found = newest_success(order, now=NOW)
        assert found is not None
        assert found.finished_at == wanted


@pytest.mark.parametrize("status", [status for status in RunStatus if status is not RunStatus.COMPLETED])
def test_only_a_completed_run_is_a_heartbeat(status):
    assert newest_success([record("2026-03-04T08:00:00+00:00", status)], now=NOW) is None


def test_a_success_whose_end_nobody_saw_is_no_heartbeat():
    assert newest_success([record(None)], now=NOW) is None


def test_a_record_more_than_five_minutes_ahead_is_from_the_future_and_no_heartbeat():
    edge = record((NOW + FUTURE_TOLERANCE).isoformat())
    beyond = record((NOW + FUTURE_TOLERANCE + timedelta(microseconds=1)).isoformat())
    assert not is_from_the_future(edge, now=NOW)
    assert newest_success([edge], now=NOW) is edge
    assert is_from_the_future(beyond, now=NOW)
    assert newest_success([beyond], now=NOW) is None
    assert not is_from_the_future(record(None), now=NOW)


def test_a_run_speaks_for_the_later_of_its_fire_time_and_its_end():
    fire = datetime.fromisoformat("2026-03-04T05:30:00+00:00")
    early = record("2026-03-04T05:29:57+00:00", scheduled_for=fire)
    late = record("2026-03-04T05:30:07+00:00", scheduled_for=fire)
    assert anchor_of(early) == fire
    assert anchor_of(late) == late.finished_at
    assert anchor_of(record("2026-03-04T12:00:00+00:00")).hour == 12
    going_on = record(None, RunStatus.RUNNING)
    assert anchor_of(going_on) == going_on.started_at


def test_the_success_that_speaks_for_the_latest_instant_wins_not_the_one_that_ended_last():
    fire = datetime.fromisoformat("2026-03-04T05:30:00+00:00")
    early = record("2026-03-04T05:29:57+00:00", scheduled_for=fire)
    by_hand = record("2026-03-04T05:29:58+00:00")
    assert newest_success([by_hand, early], now=NOW) is early


@pytest.mark.parametrize(
    ("status", "code", "reason", "expected"),
    [
        (RunStatus.COMPLETED, 0, Reason.NONE, 0),
        (RunStatus.COMPLETED, 3, Reason.NONE, 0),
        (RunStatus.FAILED, 3, Reason.EXIT_CODE, 3),
        (RunStatus.FAILED, 75, Reason.EXIT_CODE, 1),
        (RunStatus.FAILED, 0, Reason.SUCCESS_RULE, 1),
        (RunStatus.FAILED, 3, Reason.SUCCESS_RULE, 1),
        (RunStatus.FAILED, 137, Reason.SIGNAL, 137),
        (RunStatus.REFUSED, None, Reason.LOCK_HELD, 75),
        (RunStatus.TIMED_OUT, None, Reason.DEADLINE, 124),
        (RunStatus.STOPPED, None, Reason.STOPPED_BY, 143),
        (RunStatus.INTERRUPTED, 129, Reason.RUNNER_SIGNALLED, 129),
        (RunStatus.INTERRUPTED, None, Reason.RUNNER_DIED, 1),
    ],
)
def test_75_means_did_not_start_and_nothing_else(status, code, reason, expected):
    ended = record("2026-03-04T08:00:00+00:00", status, exit_code=code, reason_code=reason)
    assert exit_code_of(ended) == expected


def test_what_is_left_out_of_a_log_is_counted_on_a_line_of_its_own():
    assert left_out(4096) == b"\n--- 4096 bytes left out ---\n"
    assert left_out(0) == b""


def test_the_usual_time_is_the_median_of_the_runs_that_completed():
    times = [5.0, 9.0, None, 1.0, 300.0]
    took = [record("2026-03-01T02:04:00+00:00", duration=seconds) for seconds in times]
    failed = record("2026-03-01T02:04:00+00:00", RunStatus.FAILED, duration=1.0)
    assert usual_duration([*took, failed]) == timedelta(seconds=7)
    assert usual_duration(took[:4]) == timedelta(seconds=5)
    assert usual_duration([took[0], took[2], failed]) is None
