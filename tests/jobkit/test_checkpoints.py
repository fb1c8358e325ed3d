import json
import os
import resource
import stat
import subprocess
import sys

import pytest

from ridgeline_desktop.jobkit import Checkpoint, CheckpointDamagedError, RunVariableError, new_items


@pytest.fixture
def path(tmp_path):
    return tmp_path / "order-sync.json"


def test_before_the_first_write_the_default_is_read(path):
    assert Checkpoint(path).read(default=0) == 0
    assert not path.exists()


def test_what_one_run_writes_the_next_one_reads(path):
    Checkpoint(path).write({"order": 5047, "café": None})
    assert Checkpoint(str(path)).read(default=0) == {"order": 5047, "café": None}
    assert os.listdir(path.parent) == [path.name]


def test_the_file_is_the_one_ridgeline_names(path, monkeypatch):
    monkeypatch.setenv("RIDGELINE_CHECKPOINT", str(path))
    Checkpoint().write(5047)
    assert json.loads(path.read_text()) == 5047


def test_without_a_file_the_error_says_how_to_name_one():
    with pytest.raises(RunVariableError, match=r"Checkpoint\('my-job.checkpoint'\)"):
        Checkpoint()


@pytest.mark.parametrize("content", [b"", b'{"order": 50', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_never_silently_starts_over(path, content):
    path.write_bytes(content)
    with pytest.raises(CheckpointDamagedError, match="delete the file to begin from the start") as caught:
        Checkpoint(path).read(default=0)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan")])
def test_a_value_that_is_no_json_leaves_the_old_one(path, value):
    Checkpoint(path).write(5047)
    with pytest.raises((TypeError, ValueError)):
        Checkpoint(path).write(value)
    assert Checkpoint(path).read() == 5047
    assert os.listdir(path.parent) == [path.name]


def test_when_the_disk_takes_no_more_the_old_value_stays_and_no_scrap_is_left(path):
    Checkpoint(path).write(5047)
    script = (
        "import sys; from ridgeline_desktop.jobkit import Checkpoint\n"
        "Checkpoint(sys.argv[1]).write('x' * 9000)"
    )
    child = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert child.returncode == 1
    assert "OSError" in child.stderr
    assert Checkpoint(path).read() == 5047
    assert os.listdir(path.parent) == [path.name]


def test_a_script_killed_while_it_writes_leaves_a_whole_value(path):
    script = (
        "import itertools, sys; from ridgeline_desktop.jobkit import Checkpoint\n"
        "for n in itertools.count():\n"
        "    Checkpoint(sys.argv[1]).write([n] * 20000)\n"
        "    print(n, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE) as child:
        for _ in range(5):
            child.stdout.readline()
        child.kill()
    value = Checkpoint(path).read()
    assert value == [value[0]] * 20000
    assert value[0] >= 4


def test_the_content_reaches_the_disk_before_the_name_and_the_name_before_the_return(path, monkeypatch):
    steps = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(handle):
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def noted_replace(old, new):
        steps.append("rename")
        assert os.path.dirname(old) == os.path.dirname(new)
        replace(old, new)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    Checkpoint(path).write(5047)
    assert steps == ["file", "rename", "folder"]


def test_new_items_come_in_ascending_order_with_the_highest_to_remember():
    ids = [5048, 5046, 5050]
    assert new_items(ids, 5047) == ((5048, 5050), 5050)
    assert new_items(reversed(ids), 5047) == ((5048, 5050), 5050)
    assert ids == [5048, 5046, 5050]


def test_when_nothing_is_new_the_old_value_stays():
    assert new_items([5046, 5047], 5047) == ((), 5047)
    assert new_items([], 5047) == ((), 5047)


def test_an_order_is_known_by_its_id_and_stays_as_it_is():
    orders = [{"id": 5048}, {"id": 5046}, {"id": 5050}]
    new = new_items(orders, 5047)
    assert new.items == (orders[0], orders[2])
    assert new.last == 5050
    assert orders == [{"id": 5048}, {"id": 5046}, {"id": 5050}]


def test_another_field_can_tell_the_items_apart():
    rows = [{"number": "10001"}, {"number": "9999"}]
    assert new_items(rows, 9999, key=lambda row: int(row["number"])) == (({"number": "10001"},), 10001)
