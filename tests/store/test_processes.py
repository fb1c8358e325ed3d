"""The store under several programs at once, under kill -9, and on a full disk."""

import subprocess

import pytest

from ridgeline_desktop.store import open_store

PREPARE = """
import os, sys
from datetime import UTC, datetime, timedelta
from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.store import FileSpool, open_store

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)

def run(run_id, **said):
    values = dict(run_id=run_id, host_id="h", job_id="order-sync", trigger=Trigger.SCHEDULE,
                  status=RunStatus.COMPLETED, started_at=NOW, finished_at=NOW,
                  actor=Actor(name="", host="", via=""))
    return RunRecord(**(values | said))
"""
START_TOGETHER = f"""{PREPARE}
name = sys.argv[2]
sys.stdin.readline()
with open_store(sys.argv[1], now=NOW) as store:
    for number in range(40):
        fire = NOW + timedelta(minutes=number)
        begun = run(f"{{name}}-{{number}}", status=RunStatus.RUNNING, finished_at=None, scheduled_for=fire)
        if store.start_run(begun):
            print(number)
"""
WRITE_FOR_EVER = f"""{PREPARE}
with open_store(sys.argv[1], now=NOW) as store:
    number = int(sys.argv[2])
    while True:
        store.add_run(run(str(number)))
        print(number, flush=True)
        number += 1
"""
FILL_THE_DISK = f"""{PREPARE}
import subprocess
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", sys.argv[1]], check=True, timeout=10)
open_store(sys.argv[1], now=NOW).close()
with open(sys.argv[1] + "/filler", "wb", buffering=0) as filler:
    try:
        while filler.write(b"x" * 4096):
            pass
    except OSError:
        pass
try:
    open_store(sys.argv[1], now=NOW)
except StoreUnreadable as error:
    print(error)
os.remove(sys.argv[1] + "/filler")
spool = FileSpool(sys.argv[1] + "/spool")
spool.reserve("the-one")
with open_store(sys.argv[1], now=NOW) as store:
    kept = 0
    try:
        while True:
            store.add_run(run(str(kept), reason="x" * 2000))
            kept += 1
    except StoreUnreadable as error:
        print(error)
    assert kept > 10
    assert len(store.recent_runs("order-sync", limit=1000)) == kept
    try:
        spool.reserve("the-next")
    except OSError as error:
        print("refused:", error.strerror, os.listdir(sys.argv[1] + "/spool"))
    spool.write(run("the-one", reason="y" * 3000))
    [waiting] = spool.records()
    assert waiting == run("the-one", reason="y" * 3000)
print("kept and readable")
"""


def test_four_programs_that_start_at_once_share_the_fire_times_without_a_duplicate(programs, state, now):
    children = [programs.start(START_TOGETHER, state, name) for name in "abcd"]
    won = [programs.output(child, "go\n").split() for child in children]
    assert sorted(int(number) for numbers in won for number in numbers) == list(range(40))
    with open_store(state, now=now) as store:
        assert len(store.recent_runs("order-sync", limit=100)) == 40
        # One for the new tables and one for each run: no writer's sign was lost.
        assert int((state / "revision").read_text()) >= 41


def test_what_a_killed_writer_was_told_is_kept_is_kept(programs, state, now):
    for first in (0, 1_000_000, 2_000_000):
        child = programs.start(WRITE_FOR_EVER, state, first)
        told = [int(child.stdout.readline()) for _ in range(25)]
        child.kill()
        told += map(int, child.communicate(timeout=30)[0].split())
        with open_store(state, now=now, may_recover=True) as store:
            kept = {int(run.run_id) for run in store.recent_runs("order-sync", limit=100_000)}
            assert set(told) <= kept
            assert store.meta("recovered") == ""


@pytest.fixture
def own_mounts():
    """Words before a command that give it mounts of its own, which end with it."""
    words = ("unshare", "--mount", "--map-root-user")
    try:
        subprocess.run([*words, "true"], check=True, capture_output=True, timeout=10)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not on this platform: it gives no namespace of its own")
    return words


def test_a_full_disk_is_named_and_what_was_kept_stays_readable(programs, tmp_path, own_mounts):
    disk = tmp_path / "disk"
    disk.mkdir()
    said = programs.output(programs.start(FILL_THE_DISK, disk, wrapped_in=own_mounts)).splitlines()
    assert said[0].startswith("The disk is full:")
    assert said[1] == said[0]
    assert said[2:] == ["refused: No space left on device ['the-one.end']", "kept and readable"]
