"""Locks by the services' door: shown with evidence, cleared only as the verdict allows."""

import pytest

from ridgeline_desktop.core.errors import LockMoved, NotCleared, UnknownJob
from ridgeline_desktop.core.locks import VerdictKind
from ridgeline_desktop.core.runs import RunStatus

JOB = "order-sync"


@pytest.fixture
def shop(office):
    office.job(JOB, 'backend = "none"')
    return office


def kind(shop):
    return shop.lock_desk.show(JOB)[1].kind


def test_a_job_without_a_lock_is_free_and_an_unknown_job_is_an_error(shop):
    assert kind(shop) is VerdictKind.FREE
    with pytest.raises(UnknownJob, match='there is no job "nobody"'):
        shop.lock_desk.show("nobody")
    assert not shop.state.exists(), "looking writes nothing"


def test_the_lock_of_a_job_whose_file_is_gone_can_be_shown_and_cleared(shop):
    shop.leave_lock("gone", "r9")
    assert shop.lock_desk.show("gone")[1].kind is VerdictKind.DEAD
    assert "r9 is cleared" in shop.lock_desk.clear("gone", run_id="r9")


def test_clearing_a_dead_lock_settles_its_run_and_says_who_did_it_and_why(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.spool.reserve(record.run_id)
    shop.leave_lock(JOB, record.run_id)
    said = shop.lock_desk.clear(JOB, run_id=record.run_id)
    assert said == f"The lock of run {record.run_id} is cleared. This computer has restarted since."
    assert kind(shop) is VerdictKind.FREE
    assert shop.status(record) is RunStatus.INTERRUPTED
    assert shop.journal() == [("clear-lock", JOB, record.run_id), ("settle", JOB, record.run_id)]
    assert shop.sql("select distinct actor_name, detail from journal") == [
        ("Theo", "This computer has restarted since")
    ]
    assert list((shop.state / "spool").iterdir()) == []


def test_there_is_nothing_to_clear_where_no_lock_is(shop):
    with pytest.raises(LockMoved, match="no lock to clear"):
        shop.lock_desk.clear(JOB, run_id="r9")


def test_a_lock_that_another_run_took_meanwhile_is_left_alone(shop):
    looked_at, newer = (shop.run(JOB, f"2026-02-28T11:5{minute}", "running") for minute in (8, 9))
    shop.leave_lock(JOB, newer.run_id)
    with pytest.raises(LockMoved, match="nothing was removed"):
        shop.lock_desk.clear(JOB, run_id=looked_at.run_id)
    assert kind(shop) is VerdictKind.DEAD
    assert shop.status(looked_at) is shop.status(newer) is RunStatus.RUNNING
    assert shop.journal() == []


def test_a_lock_that_is_held_is_not_cleared_even_by_force(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    held = shop.take_lock(JOB, record.run_id)
    for force in (None, record.run_id):
        with pytest.raises(NotCleared, match="The operating system reports the lock held"):
            shop.lock_desk.clear(JOB, run_id=record.run_id, force_run_id=force)
    assert shop.status(record) is RunStatus.RUNNING
    assert shop.journal() == []
    held.release()


def test_a_lock_whose_job_survived_its_runner_is_not_cleared(shop):
    pid = shop.leave_survivor(JOB, "r9")
    with pytest.raises(NotCleared, match=f"its job, process {pid}, still runs"):
        shop.lock_desk.clear(JOB, run_id="r9")


def test_what_cannot_be_told_is_cleared_only_by_force_and_under_its_own_name(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.leave_lock(JOB, record.run_id, machine_id="another", host="till")
    with pytest.raises(NotCleared, match="not this one"):
        shop.lock_desk.clear(JOB, run_id=record.run_id)
    with pytest.raises(LockMoved, match="nothing was removed"):
        shop.lock_desk.clear(JOB, run_id=record.run_id, force_run_id="another")
    assert kind(shop) is VerdictKind.CANNOT_TELL
    shop.lock_desk.clear(JOB, run_id=record.run_id, force_run_id=record.run_id)
    assert kind(shop) is VerdictKind.FREE
    assert shop.status(record) is RunStatus.INTERRUPTED
    assert ("clear-lock-forced", JOB, record.run_id) in shop.journal()
