"""Opening the store: what is made, what is left alone, formats old and new, and the revision file."""

import fcntl
import json
import os
import stat
import subprocess
import sys

import pytest

from ridgeline_desktop.core.errors import StoreTooNew, StoreUnreadable
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.core.settings import Retention
from ridgeline_desktop.store import open_store
from ridgeline_desktop.store.schema import MIGRATIONS, Migration

ADDITIVE = (*MIGRATIONS, Migration(min_reader=1, sql="alter table runs add column mood text;"))
BREAKING = (*MIGRATIONS, Migration(min_reader=2, sql="alter table runs rename column reason to why;"))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def format_in(ask):
    return dict(ask("select key, value from meta where key like '%version'"))


def test_a_new_home_gets_a_store_that_only_its_owner_reads(state, record, now):
    before = os.umask(0)
    try:
        with open_store(state, now=now) as store:
            store.add_run(record("a"))
            made = {path.name: mode(path) for path in state.iterdir()}
    finally:
        os.umask(before)
    names = ("ridgeline.sqlite3", "ridgeline.sqlite3-wal", "ridgeline.sqlite3-shm", "revision", "store.guard")
    assert made == dict.fromkeys(names, 0o600)
    assert mode(state) == 0o700


def test_looking_at_a_home_without_records_makes_nothing(tmp_path, state, now):
    with open_store(state, now=now, create=False) as store:
        assert store.recent_runs("order-sync", limit=9) == ()
        assert store.running() == ()
        assert store.last_success("order-sync", now=now) is None
    assert list(tmp_path.iterdir()) == []


def test_looking_sees_what_was_recorded_and_changes_nothing(state, store, record, now):
    store.add_run(record("a"))
    with open_store(state, now=now, create=False) as looking:
        assert looking.run("a") == record("a")
        assert looking.host_id() == store.host_id()
        with pytest.raises(StoreUnreadable, match="looking only"):
            looking.add_run(record("b"))
    assert store.run("b") is None


def test_a_store_that_was_closed_is_there_again(state, record, now):
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
    store.close()
    with open_store(state, now=now) as store:
        assert store.run("a") == record("a")


def test_a_store_cut_off_while_it_was_made_is_made_now(state, record, now):
    state.mkdir()
    (state / "ridgeline.sqlite3").touch()
    with open_store(state, now=now, create=False) as looking:
        assert looking.running() == ()
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
        assert store.run("a") == record("a")


@pytest.mark.parametrize("create", [True, False])
def test_what_cannot_be_opened_is_said_in_words(state, now, create):
    (state / "ridgeline.sqlite3").mkdir(parents=True)
    with pytest.raises(StoreUnreadable, match=r"not possible to read or write .*Check that"):
        open_store(state, now=now, create=create)


@pytest.mark.parametrize("create", [True, False])
def test_a_state_folder_that_is_a_file_is_no_empty_history(state, now, create):
    state.touch()
    with pytest.raises(StoreUnreadable, match="not possible to read or write"):
        open_store(state, now=now, create=create)


def test_another_programs_database_is_left_alone(state, now, change):
    state.mkdir()
    change("create table notes (id)")
    with pytest.raises(StoreUnreadable, match="not written by Ridgeline"):
        open_store(state, now=now, may_recover=True)


def test_every_open_store_waits_for_others_and_syncs_each_commit(store):
    connection = store._database.connection
    settings = ("busy_timeout", "journal_mode", "synchronous", "mmap_size")
    assert [connection.pragma(name) for name in settings] == [15_000, "wal", 2, 0]


def test_writing_waits_for_no_more_than_its_limit_and_says_who_is_to_blame(store, record, state, now):
    with open_store(state, now=now) as other:
        store._database.connection.set_busy_timeout(0)
        with (
            other._database.transaction(),
            pytest.raises(StoreUnreadable, match="Another program has been writing"),
        ):
            store.add_run(record("a"))
        store.add_run(record("a"))


def test_an_older_file_is_brought_up_to_date_after_a_backup(state, record, now, ask):
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
    with open_store(state, now=now, migrations=ADDITIVE) as store:
        assert store.run("a") == record("a")
    assert format_in(ask) == {"schema_version": "2", "min_reader_version": "1"}
    assert ask("select run_id, mood from runs") == [("a", None)]
    [backup] = (state / "backups").iterdir()
    assert backup.name == "ridgeline-2026-03-04-format-1.sqlite3"
    backup.rename(state / "ridgeline.sqlite3")
    assert format_in(ask) == {"schema_version": "1", "min_reader_version": "1"}
    assert ask("select run_id from runs") == [("a",)]


def test_an_upgrade_that_fails_leaves_the_old_file(state, record, now, ask):
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
    failing = (*ADDITIVE, Migration(min_reader=1, sql="alter table no_such_table add column x;"))
    with pytest.raises(StoreUnreadable, match="no_such_table"):
        open_store(state, now=now, migrations=failing)
    assert format_in(ask)["schema_version"] == "1"
    with open_store(state, now=now) as store:
        assert store.run("a") == record("a")


def test_looking_reads_an_older_file_and_leaves_it_old(state, record, now, ask):
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
        host_id = store.host_id()
    with open_store(state, now=now, create=False, migrations=ADDITIVE) as looking:
        assert looking.run("a") == record("a")
        assert looking.host_id() == host_id
    assert format_in(ask)["schema_version"] == "1"
    assert not (state / "backups").exists()


def test_a_newer_file_that_only_adds_is_read_and_written(state, record, now, ask):
    open_store(state, now=now, migrations=ADDITIVE).close()
    with open_store(state, now=now) as store:
        store.add_run(record("a"))
        assert store.run("a") == record("a")
    assert format_in(ask)["schema_version"] == "2"


@pytest.mark.parametrize("said", [{}, {"create": False}, {"may_recover": True}])
def test_a_newer_file_that_changes_meanings_is_refused_in_words(state, now, said):
    open_store(state, now=now, migrations=BREAKING).close()
    with pytest.raises(StoreTooNew, match=r"format 2, this program knows formats up to 1\. Update Ridgeline"):
        open_store(state, now=now, **said)


def test_every_change_raises_the_revision_in_place(state, store, record, running, now):
    revision = state / "revision"
    begun = running("b", ago=1)
    changes = [
        lambda: store.add_run(record("a")),
        lambda: store.start_run(begun),
        lambda: store.settle_run("b", at=now, reason=""),
        lambda: store.refuse_run(record("c", ago=0, status=RunStatus.REFUSED)),
        lambda: store.set_meta("key", "value"),
        lambda: store.apply_retention("order-sync", keep=Retention(runs=1), now=now),
    ]
    seen = [(revision.stat().st_ino, revision.read_text())]
    for change in changes:
        change()
        seen.append((revision.stat().st_ino, revision.read_text()))
    assert len({inode for inode, _ in seen}) == 1
    numbers = [int(text) for _, text in seen]
    assert numbers == list(range(numbers[0], numbers[0] + len(changes) + 1))


def test_neither_reading_nor_a_change_that_was_none_raises_the_revision(state, store, record, now):
    store.add_run(record("a"))
    before = (state / "revision").read_text()
    store.recent_runs("order-sync", limit=9)
    store.next_fence("order-sync")
    store.finish_run(record("a"))
    store.drop_registration("order-sync")
    with open_store(state, now=now, create=False) as looking:
        looking.run("a")
    open_store(state, now=now).close()
    assert (state / "revision").read_text() == before


def test_a_revision_that_cannot_be_written_costs_no_record(state, store, record):
    (state / "revision").unlink()
    (state / "revision").mkdir()
    store.add_run(record("a"))
    assert store.run("a") == record("a")


def test_every_open_store_shares_the_guard_and_gives_it_back(state, now):
    def is_free():
        with open(state / "store.guard", "rb+") as guard:
            try:
                fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    first = open_store(state, now=now)
    second = open_store(state, now=now, create=False)
    first.close()
    assert not is_free()
    second.close()
    assert is_free()


def test_the_store_that_a_run_opens_loads_nothing_it_can_do_without(state):
    program = """
import json, sys
from datetime import UTC, datetime
before = set(sys.modules)
from ridgeline_desktop.store import open_store
open_store(sys.argv[1], now=datetime(2026, 1, 1, tzinfo=UTC)).close()  # once made ...
del sys.modules["uuid"]
open_store(sys.argv[1], now=datetime(2026, 1, 1, tzinfo=UTC)).close()  # ... as every run finds it
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, state], capture_output=True, text=True, timeout=30, check=True
    )
    unwanted = {"logging", "shutil", "subprocess", "tempfile", "threading", "uuid"} | {
        f"ridgeline_desktop.store.{room}" for room in ("backups", "recovery")
    }
    assert unwanted & set(json.loads(done.stdout)) == set()
