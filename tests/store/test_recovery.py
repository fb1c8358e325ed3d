"""Backups, and what becomes of a damaged database."""

import os
import sqlite3
from datetime import timedelta

import pytest

from ridgeline_desktop.core.errors import StoreTooNew, StoreUnreadable
from ridgeline_desktop.store import open_store
from ridgeline_desktop.store.schema import MIGRATIONS, Migration

DAY = timedelta(days=1)


def overwrite(path, *, offset, content):
    with open(path, "rb+") as file:
        file.seek(offset)
        file.write(content)


def lose_the_header(path):
    overwrite(path, offset=0, content=b"not a database any more, sorry" * 4)


def cut_in_half(path):
    os.truncate(path, path.stat().st_size // 2)


def fill_the_middle_with_garbage(path):
    size = path.stat().st_size
    overwrite(path, offset=4096 * 4, content=os.urandom(size - 4096 * 8))


@pytest.fixture
def database(state):
    return state / "ridgeline.sqlite3"


@pytest.fixture
def home(state, record, now):
    """A home of 300 runs, of which one backup has the first 100 and the next one 200; closed."""
    with open_store(state, now=now) as store:
        for number in range(300):
            if number in (100, 200):
                store.backup(now=now - DAY * (3 - number // 100))
            store.add_run(record(f"{number:03}", ago=1000 - number))
        return store.host_id()


def backups(state):
    return sorted(path.name for path in (state / "backups").iterdir())


def test_a_backup_is_made_once_a_day_and_seven_are_kept(store, state, now):
    made = [store.backup(now=now + day * DAY) for day in (0, 0, 1, 2, 3, 4, 5, 6, 7, 8)]
    assert made == [True, False, *[True] * 8]
    assert backups(state) == [f"ridgeline-2026-03-{day:02}.sqlite3" for day in range(6, 13)]


def test_a_backup_is_one_whole_file_for_its_owner_alone(store, state, record, now):
    store.add_run(record("a"))
    store.backup(now=now)
    [backup] = (state / "backups").iterdir()
    assert backup.stat().st_mode & 0o777 == 0o600
    assert (state / "backups").stat().st_mode & 0o777 == 0o700
    elsewhere = state.parent / "elsewhere"
    elsewhere.mkdir()
    backup.rename(elsewhere / "ridgeline.sqlite3")
    with open_store(elsewhere, now=now) as copy:
        assert copy.run("a") == record("a")


def test_what_a_killed_backup_left_is_swept_up(store, state, now):
    (state / "backups").mkdir()
    (state / "backups" / "ridgeline-2026-03-01.sqlite3.77.new").touch()
    store.backup(now=now)
    assert backups(state) == ["ridgeline-2026-03-04.sqlite3"]


@pytest.mark.parametrize("damage", [lose_the_header, cut_in_half])
def test_a_damaged_file_is_set_aside_and_the_newest_backup_restored(
    home, state, database, record, now, damage
):
    damage(database)
    damaged = database.read_bytes()
    with open_store(state, now=now, may_recover=True) as store:
        assert store.run("199") == record("199", ago=801)
        assert store.run("200") is None
        assert store.host_id() == home
        assert store.meta("recovered") == (
            "The run records were damaged and were set aside on 2026-03-04 09:00 UTC in "
            f"{state}/backups/damaged-20260304T090000.000000Z. They were restored from the backup "
            "ridgeline-2026-03-03.sqlite3: runs recorded after it are missing."
        )
        store.add_run(record("new"))
    aside = state / "backups" / "damaged-20260304T090000.000000Z"
    assert (aside / "ridgeline.sqlite3").read_bytes() == damaged
    assert database.stat().st_mode & 0o777 == 0o600


def test_all_three_files_are_set_aside(home, state, database, now):
    lose_the_header(database)
    for companion in ("-wal", "-shm"):
        (state / f"ridgeline.sqlite3{companion}").write_bytes(b"left by a killed program")
    open_store(state, now=now, may_recover=True).close()
    [aside] = (state / "backups").glob("damaged-*")
    assert sorted(path.name for path in aside.iterdir()) == [
        f"ridgeline.sqlite3{companion}" for companion in ("", "-shm", "-wal")
    ]


@pytest.mark.parametrize("said", [{}, {"create": False}])
def test_a_damaged_file_is_left_in_place_by_those_who_may_not_wait(home, state, database, now, said):
    lose_the_header(database)
    damaged = database.read_bytes()
    with pytest.raises(StoreUnreadable, match=r"is damaged .*`ridgeline check`"):
        open_store(state, now=now, **said)
    assert database.read_bytes() == damaged
    assert backups(state) == ["ridgeline-2026-03-02.sqlite3", "ridgeline-2026-03-03.sqlite3"]


def test_damage_met_later_is_marked_and_repaired_by_the_next_who_may(home, state, database, record, now):
    fill_the_middle_with_garbage(database)
    with open_store(state, now=now, may_recover=True) as store:
        with pytest.raises(StoreUnreadable, match="damaged"):
            store.recent_runs("order-sync", limit=1000)
        with pytest.raises(StoreUnreadable, match="were found damaged"):
            open_store(state, now=now)
    with open_store(state, now=now, may_recover=True) as store:
        assert len(store.recent_runs("order-sync", limit=1000)) == 200
        assert "restored from the backup" in store.meta("recovered")
    open_store(state, now=now).close()


def test_looking_at_damage_marks_nothing(home, state, database, now):
    fill_the_middle_with_garbage(database)
    before = sorted(path.name for path in state.iterdir())
    with (
        open_store(state, now=now, create=False) as looking,
        pytest.raises(StoreUnreadable, match="damaged"),
    ):
        looking.recent_runs("order-sync", limit=1000)
    assert sorted(path.name for path in state.iterdir()) == before


def test_a_copy_of_damage_never_becomes_a_backup(home, state, database, now):
    fill_the_middle_with_garbage(database)
    with open_store(state, now=now) as store, pytest.raises(StoreUnreadable, match="damaged"):
        store.backup(now=now)
    assert backups(state) == ["ridgeline-2026-03-02.sqlite3", "ridgeline-2026-03-03.sqlite3"]


def test_a_damaged_file_is_not_touched_while_another_program_has_it_open(home, state, database, now):
    with open_store(state, now=now):
        lose_the_header(database)
        damaged = database.read_bytes()
        with pytest.raises(StoreUnreadable, match="cannot be repaired while another program"):
            open_store(state, now=now, may_recover=True)
        assert database.read_bytes() == damaged


def test_a_false_alarm_costs_nothing(home, state, now):
    (state / "store.damaged").touch()
    with open_store(state, now=now, may_recover=True) as store:
        assert len(store.recent_runs("order-sync", limit=1000)) == 300
        assert store.meta("recovered") == ""
    assert not (state / "store.damaged").exists()


def test_a_damaged_backup_is_passed_over_for_an_older_one(home, state, database, now):
    newer = state / "backups" / "ridgeline-2026-03-04.sqlite3"
    newer.write_bytes(b"garbage" * 1000)
    (state / "backups" / "ridgeline-2026-03-05.sqlite3").mkdir()
    lose_the_header(database)
    with open_store(state, now=now, may_recover=True) as store:
        assert store.run("199") is not None
        assert "ridgeline-2026-03-03.sqlite3" in store.meta("recovered")


def test_without_a_backup_the_history_begins_anew_and_the_computer_stays_itself(state, database, record, now):
    with open_store(state, now=now) as store:
        for number in range(200):
            store.add_run(record(str(number)))
        host_id = store.host_id()
    fill_the_middle_with_garbage(database)
    (state / "store.damaged").touch()
    with open_store(state, now=now, may_recover=True) as store:
        assert store.recent_runs("order-sync", limit=9) == ()
        assert "There was no backup to restore, so the history begins anew." in store.meta("recovered")
        assert store.host_id() == host_id
        store.add_run(record("new"))


def test_a_repair_that_was_cut_off_is_finished_by_the_next(home, state, database, now):
    # Killed between setting the damaged file aside and putting the backup in its place.
    (state / "store.damaged").touch()
    database.unlink()
    with open_store(state, now=now, may_recover=True) as store:
        assert store.run("199") is not None


def test_a_backup_of_an_older_format_is_brought_up_to_date(home, state, database, now):
    newer = (*MIGRATIONS, Migration(min_reader=1, sql="alter table runs add column mood text;"))
    lose_the_header(database)
    with open_store(state, now=now, may_recover=True, migrations=newer) as store:
        assert store.run("199") is not None


def test_a_backup_that_only_newer_programs_may_read_is_not_restored(home, state, database, now):
    newer = (*MIGRATIONS, Migration(min_reader=2, sql="alter table runs add column mood text;"))
    with open_store(state, now=now, migrations=newer) as store:
        store.backup(now=now)
    lose_the_header(database)
    damaged = database.read_bytes()
    with pytest.raises(StoreTooNew, match="Update Ridgeline"):
        open_store(state, now=now, may_recover=True)
    assert database.read_bytes() == damaged


def test_a_repair_that_fails_leaves_the_damaged_file_and_word_of_it(home, state, database, now):
    lose_the_header(database)
    damaged = database.read_bytes()
    in_the_way = state / "backups" / "damaged-20260304T090000.000000Z"
    in_the_way.touch()
    with pytest.raises(StoreUnreadable, match="File exists"):
        open_store(state, now=now, may_recover=True)
    assert database.read_bytes() == damaged
    with pytest.raises(StoreUnreadable, match="were found damaged"):
        open_store(state, now=now)


@pytest.mark.parametrize("how", ["emptied", "one byte", "without tables", "a link to nowhere", "deleted"])
def test_records_that_are_gone_though_there_are_copies_are_no_fresh_start(home, state, database, now, how):
    for part in (f"{database}-wal", f"{database}-shm"):
        if os.path.exists(part):
            os.remove(part)
    os.remove(database)
    if how in ("emptied", "one byte"):
        database.write_bytes(b"" if how == "emptied" else b"\n")
    elif how == "without tables":
        with sqlite3.connect(database) as blank:
            blank.execute("vacuum")
        blank.close()
    elif how == "a link to nowhere":
        database.symlink_to(state / "nowhere")
    for create in (True, False):
        with pytest.raises(StoreUnreadable, match="gone or empty"):
            open_store(state, now=now, create=create)
    with open_store(state, now=now, may_recover=True) as store:
        assert store.recent_runs("order-sync", limit=9)
        assert "damaged" in store.meta("recovered")


def test_a_backup_of_the_future_is_the_last_choice_and_the_first_to_go(home, state, database, now):
    with open_store(state, now=now) as store:
        for year in range(1, 8):
            store.backup(now=now + 365 * year * DAY)
        assert store.backup(now=now)
        assert "ridgeline-2026-03-04.sqlite3" in backups(state)
    lose_the_header(database)
    with open_store(state, now=now, may_recover=True) as store:
        assert "ridgeline-2026-03-04.sqlite3" in store.meta("recovered")
