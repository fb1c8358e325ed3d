"""Runs in the store: started, finished, refused, settled, asked for, deleted."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.runs import Reason, RunStatus, Trigger
from ridgeline_desktop.core.settings import Retention

MINUTE = timedelta(minutes=1)


def ids(records):
    return [record.run_id for record in records]


@pytest.fixture
def refusal(record):
    def make(run_id, **said):
        values = {
            "status": RunStatus.REFUSED,
            "finished_at": None,
            "reason_code": Reason.LOCK_HELD,
            "reason": "the run before it is still at work",
        }
        return record(run_id, **(values | said))

    return make


def test_a_started_run_is_on_record_as_running(store, running):
    begun = running("a", fence=3, definition="abc", identity="machine 1")
    assert store.start_run(begun)
    assert store.run("a") == begun
    assert store.running() == (begun,)


def test_a_second_run_of_the_same_fire_time_is_not_started(store, running, now):
    assert store.start_run(running("a", scheduled_for=now))
    assert not store.start_run(running("b", scheduled_for=now))
    assert store.run("b") is None


def test_a_fire_time_stays_served_when_its_run_has_ended(store, running, now):
    begun = running("a", scheduled_for=now)
    store.start_run(begun)
    store.finish_run(replace(begun, status=RunStatus.FAILED, finished_at=now))
    assert not store.start_run(running("b", scheduled_for=now))


def test_the_same_fire_time_of_another_job_or_computer_is_free(store, running, now):
    assert store.start_run(running("a", scheduled_for=now))
    assert store.start_run(running("b", scheduled_for=now, job_id="weekly-report"))
    assert store.start_run(running("c", scheduled_for=now, host_id="elsewhere"))


def test_runs_without_a_fire_time_do_not_stand_in_each_others_way(store, running):
    assert store.start_run(running("a", trigger=Trigger.MANUAL))
    assert store.start_run(running("b", trigger=Trigger.MANUAL))


def test_a_refused_start_leaves_its_fire_time_free(store, running, refusal, now):
    store.refuse_run(refusal("a", scheduled_for=now, host_id=store.host_id()))
    assert store.start_run(running("b", scheduled_for=now))


def test_a_run_id_that_was_used_before_is_refused_in_words(store, running):
    store.start_run(running("a"))
    with pytest.raises(StoreUnreadable, match=r"UNIQUE constraint failed: runs\.run_id"):
        store.start_run(running("a", ago=5))


def test_the_end_of_a_run_is_written_over_its_beginning(store, running, now):
    begun = running("a", scheduled_for=now)
    ended = replace(
        begun, status=RunStatus.FAILED, finished_at=now, recorded_at=now, duration=7.25, exit_code=3,
        attempt=2, reason_code=Reason.EXIT_CODE, reason="it ended with 3",
    )  # fmt: skip
    store.start_run(begun)
    assert store.finish_run(ended)
    assert store.run("a") == ended
    assert store.running() == ()


def test_an_end_is_not_written_where_nothing_runs(store, record, running, now):
    assert not store.finish_run(record("a"))
    assert store.run("a") is None
    store.start_run(running("b"))
    store.settle_run("b", at=now, reason="the runner is gone")
    assert not store.finish_run(running("b", status=RunStatus.COMPLETED, finished_at=now))
    assert store.run("b").status is RunStatus.INTERRUPTED


def test_the_same_refusal_again_only_raises_the_count(store, refusal, now):
    first = refusal("a", ago=30)
    store.refuse_run(first)
    store.refuse_run(refusal("b", ago=15, recorded_at=now - 15 * MINUTE))
    store.refuse_run(refusal("c", ago=0, recorded_at=now))
    [kept] = store.recent_runs("order-sync", limit=9)
    assert kept == replace(first, count=3, finished_at=now, recorded_at=now)


@pytest.mark.parametrize(
    "other",
    [
        {"reason_code": Reason.PAUSED},
        {"reason": "something else"},
        {"trigger": Trigger.MANUAL},
        {"job_id": "weekly-report"},
        {"host_id": "elsewhere"},
    ],
)
def test_a_different_refusal_is_a_record_of_its_own(store, refusal, other):
    store.refuse_run(refusal("a", ago=30))
    store.refuse_run(refusal("b", ago=15, **other))
    assert [store.run(run_id).count for run_id in ("a", "b")] == [1, 1]


def test_the_same_refusal_after_another_run_is_a_record_of_its_own(store, refusal, record):
    store.refuse_run(refusal("a", ago=30))
    store.add_run(record("b", ago=20))
    store.refuse_run(refusal("c", ago=10))
    assert ids(store.recent_runs("order-sync", limit=9)) == ["c", "b", "a"]


def test_the_next_fence_is_above_every_one_before_it(store, record):
    assert store.next_fence("order-sync") == 1
    store.add_run(record("a", ago=1, fence=4))
    store.add_run(record("b", ago=9, fence=2**40))
    store.add_run(record("c", ago=2))
    assert store.next_fence("order-sync") == 2**40 + 1
    assert store.next_fence("weekly-report") == 1


def test_recent_runs_come_newest_first_and_only_as_many_as_asked(store, record):
    for ago, run_id in ((3, "b"), (9, "d"), (1, "a"), (5, "c")):
        store.add_run(record(run_id, ago=ago))
    store.add_run(record("x", ago=0, job_id="weekly-report"))
    assert ids(store.recent_runs("order-sync", limit=3)) == ["a", "b", "c"]


def test_a_run_behind_any_number_of_refusals_is_still_a_run(store, record, refusal):
    for number in range(250):
        store.refuse_run(refusal(f"refused-{number}", ago=number / 10, reason=f"reason {number}"))
    assert not store.has_run("order-sync")
    store.add_run(record("a", ago=60, status=RunStatus.FAILED))
    assert store.has_run("order-sync")
    assert not store.has_run("weekly-report")


def test_the_last_success_is_the_newest_by_value_whatever_was_written_last(store, record, now):
    late_fire = record("served-late", ago=50, scheduled_for=now - MINUTE)
    for kept in (
        record("old", ago=40),
        late_fire,
        record("by-hand", ago=20, trigger=Trigger.MANUAL),
        record("failed", ago=2, status=RunStatus.FAILED),
    ):
        store.add_run(kept)
    assert store.last_success("order-sync", now=now) == late_fire
    assert store.last_success("weekly-report", now=now) is None


def test_a_success_from_the_future_is_no_success_yet(store, record, now):
    store.add_run(record("honest", ago=60))
    store.add_run(record("nearly", ago=-4))
    assert not store.has_future_success("order-sync", now=now)
    assert store.last_success("order-sync", now=now).run_id == "nearly"
    store.add_run(record("wrong", ago=-60 * 24 * 365))
    assert store.has_future_success("order-sync", now=now)
    assert store.last_success("order-sync", now=now).run_id == "nearly"


def test_a_fire_time_ahead_is_no_success_from_the_future(store, record, now):
    store.add_run(record("early", ago=1, scheduled_for=now + 60 * MINUTE))
    assert not store.has_future_success("order-sync", now=now)


def test_only_this_computers_runs_are_running_here(store, running):
    store.start_run(running("b", ago=1))
    store.start_run(running("a", ago=2))
    store.start_run(running("c", host_id="elsewhere"))
    assert ids(store.running()) == ["a", "b"]


def test_settling_says_interrupted_and_leaves_the_end_unknown(store, running, now):
    begun = running("a")
    store.start_run(begun)
    assert store.settle_run("a", at=now, reason="PID 12 no longer exists")
    assert store.run("a") == replace(
        begun, status=RunStatus.INTERRUPTED, reason_code=Reason.RUNNER_DIED,
        reason="PID 12 no longer exists", recorded_at=now,
    )  # fmt: skip
    assert not store.settle_run("a", at=now, reason="again")
    assert not store.settle_run("no-such-run", at=now, reason="")


def test_an_imported_record_replaces_the_row_of_its_id(store, running, now):
    begun = running("a", scheduled_for=now)
    store.start_run(begun)
    ended = replace(begun, status=RunStatus.COMPLETED, finished_at=now)
    store.add_run(ended)
    store.add_run(ended)
    assert store.recent_runs("order-sync", limit=9) == (ended,)


def test_of_two_records_of_one_fire_time_neither_is_lost(store, record, now):
    first, second = record("a", ago=2, scheduled_for=now), record("b", ago=1, scheduled_for=now)
    store.add_run(first)
    store.add_run(second)
    store.add_run(first)
    assert store.run("a") == first
    assert store.run("b") == replace(second, scheduled_for=None)


def test_retention_deletes_what_is_too_old(store, record, now):
    day = 24 * 60
    for days in (1, 9, 12, 30):
        store.add_run(record(f"{days}-days", ago=days * day))
    keep = Retention(days=10, runs=100)
    assert set(store.apply_retention("order-sync", keep=keep, now=now)) == {"12-days", "30-days"}
    assert ids(store.recent_runs("order-sync", limit=9)) == ["1-days", "9-days"]


def test_a_clock_that_runs_ahead_makes_no_run_too_old(store, record, now):
    for days in (1, 9):
        store.add_run(record(f"{days}-days", ago=days * 24 * 60))
    keep = Retention(days=10, runs=100)
    assert store.apply_retention("order-sync", keep=keep, now=now + timedelta(days=3000)) == ()


def test_a_refusal_under_an_id_already_on_record_changes_nothing(store, record):
    done = record("once")
    store.add_run(done)
    store.refuse_run(replace(done, status=RunStatus.REFUSED, reason="held", job_id="another"))
    assert store.run("once") == done


def test_retention_deletes_what_is_too_much(store, record, now):
    runs = [record(f"{ago:04}", ago=ago) for ago in range(1200)]
    random.Random(7).shuffle(runs)
    for run in runs:
        store.add_run(run)
    store.add_run(record("other", ago=5000, job_id="weekly-report"))
    deleted = store.apply_retention("order-sync", keep=Retention(days=100, runs=5), now=now)
    assert sorted(deleted) == [f"{ago:04}" for ago in range(5, 1200)]
    assert ids(store.recent_runs("order-sync", limit=2000)) == [f"{ago:04}" for ago in range(5)]
    assert store.run("other") is not None


def test_retention_never_deletes_the_newest_success_nor_a_running_run(store, record, running, now):
    year = 365 * 24 * 60
    store.add_run(record("older-success", ago=3 * year))
    store.add_run(record("last-success", ago=2 * year))
    store.start_run(running("endless", ago=2 * year + 1))
    for ago in range(4):
        store.add_run(record(f"failed-{ago}", ago=ago, status=RunStatus.FAILED))
    deleted = store.apply_retention("order-sync", keep=Retention(days=10, runs=3), now=now)
    assert sorted(deleted) == ["failed-3", "older-success"]
    assert store.last_success("order-sync", now=now).run_id == "last-success"
    assert ids(store.running()) == ["endless"]


def test_a_status_of_a_newer_program_is_left_out_and_counted(store, record, change):
    store.add_run(record("a", ago=2))
    store.add_run(record("b", ago=1))
    change("update runs set status = 'hibernated' where run_id = 'b'")
    assert ids(store.recent_runs("order-sync", limit=9)) == ["a"]
    assert store.run("b") is None
    assert store.unreadable_rows == 2


def test_a_reason_code_of_a_newer_program_keeps_its_sentence(store, record, change):
    store.add_run(record("a", status=RunStatus.FAILED, reason_code=Reason.SIGNAL, reason="it got too warm"))
    change("update runs set reason_code = 'overheated'")
    kept = store.run("a")
    assert (kept.reason_code, kept.reason) == (Reason.NONE, "it got too warm")
