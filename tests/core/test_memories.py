from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.expectations import Pause, new_state
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.memories import remember, take_note, write_off
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.store import FileSpool, SqliteStore, open_store

ZONE = ZoneInfo("America/Toronto")
NOON = datetime(2026, 3, 4, 17, tzinfo=UTC)
DAY = timedelta(days=1)
SAM = Actor(name="Sam", host="till", via="cli")


def job(rule: str = 'daily = ["05:30"]') -> Job:
    found = read_job_file("sync.toml", f'shell = "true"\n[schedule]\n{rule}\n', shop_zone=ZONE.key).job
    assert found is not None
    return found


@pytest.fixture
def store(tmp_path: Path):
    with open_store(tmp_path / "state", now=NOON) as store:
        yield store


def run(store: SqliteStore, status: RunStatus, *, at: datetime, run_id: str = "r1") -> None:
    store.add_run(
        RunRecord(
            run_id=run_id, host_id=store.host_id(), job_id="sync", trigger=Trigger.SCHEDULE, status=status,
            started_at=at, actor=SAM, finished_at=None if status is RunStatus.RUNNING else at,
        )
    )  # fmt: skip


def test_a_job_seen_for_the_first_time_is_taken_note_of_once(store):
    memory = remember(store, job(), zone=ZONE, now=NOON)
    assert (memory.is_new, memory.anchor, memory.excuse, memory.is_paused) == (True, None, None, False)
    assert store.job_state("sync") is None, "remembering writes nothing"
    take_note(store, memory)
    later = remember(store, job(), zone=ZONE, now=NOON + DAY)
    assert (later.is_new, later.state.first_seen) == (False, NOON)
    take_note(store, later)
    assert store.job_state("sync") == later.state


def test_what_a_clock_running_ahead_wrote_becomes_now(store):
    ahead = NOON + 400 * DAY
    store.save_job_state(replace(new_state(job(), now=ahead), changed_at=ahead))
    noticed = remember(store, job(), zone=ZONE, now=NOON).noticed()
    assert (noticed.first_seen, noticed.changed_at) == (NOON, NOON)


def test_a_success_sets_the_next_due_and_a_pause_excuses(store):
    store.save_job_state(new_state(job(), now=NOON - 30 * DAY))
    run(store, RunStatus.COMPLETED, at=NOON)
    memory = remember(store, job(), zone=ZONE, now=NOON)
    assert memory.anchor == NOON
    assert memory.expectation().due == datetime(2026, 3, 5, 10, 30, tzinfo=UTC)
    store.save_pause(Pause(job_id="sync", begun_at=NOON, until=None, reason="", actor=SAM))
    paused = remember(store, job(), zone=ZONE, now=NOON + 9 * DAY)
    assert (paused.is_paused, paused.excuse) == (True, NOON + 9 * DAY)


def test_a_job_that_is_overdue_holds_what_it_is_overdue_by(store):
    store.save_job_state(new_state(job(), now=NOON - 30 * DAY))
    run(store, RunStatus.COMPLETED, at=NOON - 9 * DAY)
    memory = remember(store, job(), zone=ZONE, now=NOON)
    assert memory.held().held_due == memory.expectation().due
    assert (
        remember(store, job('weekly = { days = ["mon"], at = ["06:30"] }'), zone=ZONE, now=NOON)
        .noticed()
        .held_due
    )


def test_a_lost_run_is_written_off_once_and_its_reserve_given_back(store, tmp_path):
    spool = FileSpool(tmp_path / "spool")
    spool.reserve("r1")
    run(store, RunStatus.RUNNING, at=NOON)
    told = {"job_id": "sync", "run_id": "r1", "why": "process 5 is gone", "actor": SAM, "now": NOON + DAY}
    assert write_off(store, spool, **told)
    record = store.run("r1")
    assert (record.status, record.reason) == (
        RunStatus.INTERRUPTED,
        "its runner ended without a word: process 5 is gone",
    )
    assert not list((tmp_path / "spool").iterdir())
    assert not write_off(store, spool, **told)
