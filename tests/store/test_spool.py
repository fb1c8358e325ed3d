"""The spool: space set aside, records written into it, torn files, and the way out."""

import os
from dataclasses import replace

import pytest

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.store import FileSpool


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "spool"


def test_a_record_is_written_into_the_space_set_aside_for_it(spool, folder, record):
    spool.reserve("a")
    before = (folder / "a.end").stat()
    spool.write(record("a"))
    after = (folder / "a.end").stat()
    assert (before.st_size, before.st_ino) == (after.st_size, after.st_ino) == (4096, before.st_ino)
    assert spool.records() == (record("a"),)


def test_a_record_is_kept_without_space_set_aside(spool, record):
    spool.write(record("a"))
    assert spool.records() == (record("a"),)


def test_a_newer_record_of_a_run_replaces_the_older(spool, record):
    spool.write(record("a", reason="a long one, longer than the other"))
    spool.write(record("a", reason="short"))
    assert spool.records() == (record("a", reason="short"),)


def test_only_the_owner_reads_the_spool(spool, folder, record):
    before = os.umask(0)
    try:
        spool.reserve("a")
        spool.write(record("b"))
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_space_set_aside_is_no_record_and_is_given_back(spool, folder):
    spool.reserve("a")
    assert spool.records() == ()
    spool.release("a")
    spool.release("a")
    assert list(folder.iterdir()) == []


def test_giving_space_back_loses_no_record(spool, record):
    spool.reserve("a")
    spool.write(record("a"))
    spool.release("a")
    assert spool.records() == (record("a"),)


def test_an_imported_record_is_dropped(spool, folder, record):
    spool.write(record("a"))
    spool.discard("a")
    spool.discard("a")
    assert list(folder.iterdir()) == []


def test_records_come_sorted_by_run_id(spool, record):
    for run_id in ("c", "a", "b"):
        spool.write(record(run_id))
    assert [waiting.run_id for waiting in spool.records()] == ["a", "b", "c"]


def test_no_spool_is_an_empty_spool_and_is_not_made_by_looking(spool, folder):
    assert spool.records() == ()
    assert not folder.exists()


@pytest.mark.parametrize("kept", [0, 10, 27, 28, 100, 300])
def test_a_torn_file_is_left_out_and_stays(spool, folder, record, kept):
    spool.write(record("a"))
    spool.write(record("b"))
    torn = (folder / "a.end").read_bytes()[:kept].ljust(4096)
    (folder / "a.end").write_bytes(torn)
    assert spool.records() == (record("b"),)
    assert (folder / "a.end").read_bytes() == torn


def test_one_changed_letter_makes_a_record_torn(spool, folder, record):
    spool.write(record("a", reason="ended well"))
    content = (folder / "a.end").read_bytes()
    (folder / "a.end").write_bytes(content.replace(b"ended well", b"ended hell"))
    assert spool.records() == ()


@pytest.mark.parametrize("letter", ["x", "é", "\n", "🫖", '"'])
def test_a_reason_that_does_not_fit_is_shortened(spool, folder, record, letter):
    spool.reserve("a")
    spool.write(record("a", reason=letter * 5000))
    [waiting] = spool.records()
    assert waiting.reason.rstrip("…") == letter * (len(waiting.reason) - 1)
    assert len(waiting.reason) < 5000
    assert replace(waiting, reason="") == record("a")
    assert (folder / "a.end").stat().st_size == 4096


def test_a_record_that_cannot_be_shortened_enough_is_kept_whole(spool, record):
    spool.write(record("a", event_key="k" * 9000, reason="gone"))
    assert spool.records() == (record("a", event_key="k" * 9000, reason="…"),)


def test_foreign_files_in_the_spool_are_no_records(spool, folder, record):
    spool.write(record("a"))
    (folder / "not ours.end").write_text("run-end 1 zz zz\n{}")
    (folder / "README").touch()
    (folder / "folder.end").mkdir()
    assert spool.records() == (record("a"),)


@pytest.mark.parametrize("run_id", ["", "../a", "a/b", "a.b", "a\0", "ä"])
def test_a_run_id_that_is_no_plain_name_makes_no_file(spool, folder, run_id):
    with pytest.raises(ValueError, match="cannot be the name of a file"):
        spool.reserve(run_id)
    assert not folder.exists()


def test_a_spool_that_cannot_be_looked_at_is_not_empty(spool, folder):
    folder.touch()
    with pytest.raises(StoreUnreadable, match="cannot be read"):
        spool.records()


def test_a_torn_record_is_told_from_a_bare_reserve(tmp_path, record):
    spool = FileSpool(tmp_path / "spool")
    spool.reserve("waiting")
    spool.write(record("whole"))
    assert spool.torn() == ()
    spool.write(record("torn"))
    path = tmp_path / "spool" / "torn.end"
    path.write_bytes(path.read_bytes().replace(b"order", b"ordre", 1))
    assert spool.torn() == (str(path),)
