"""Runs started here go on by themselves, and leave what their starts had to say."""

import os
import signal
import stat
import subprocess
import sys
import time
from datetime import timedelta

import pytest

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.host.checkpoint_files import SIZE_AT_MOST, DiskCheckpoints
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.run_files import new_run_id
from ridgeline_desktop.host.run_starts import DiskRunStarts

ABOUT = """
import os, sys
leads, is_mute = os.getsid(0) == os.getpid(), sys.stdin.read() == ""
sys.stderr.write(f"{leads} {is_mute} {os.path.realpath('/proc/self/fd/1')}")
"""
# Starts what follows its arguments, says that it has, and waits to be killed.
STARTER = """
import sys, time
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.run_starts import DiskRunStarts
folder, run_id, *argv = sys.argv[1:]
DiskRunStarts(folder, clock=SystemClock()).start(argv, run_id)
print("started", flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "starts"


@pytest.fixture
def starts(folder):
    return DiskRunStarts(str(folder), clock=SystemClock())


def new_id():
    return new_run_id(SystemClock().now())


def until(look, limit=30.0):
    end = time.monotonic() + limit
    while not look():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def test_a_start_has_a_session_of_its_own_no_terminal_and_its_words_are_its_owners_alone(starts, folder):
    run_id = new_id()
    before = os.umask(0)
    try:
        starts.start([sys.executable, "-c", ABOUT], run_id)
    finally:
        os.umask(before)
    until(lambda: not starts.is_alive(run_id))
    assert starts.said(run_id) == "True True /dev/null"
    assert stat.S_IMODE((folder / run_id).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_one_that_has_ended_is_collected(starts):
    run_id = new_id()
    starts.start(["/bin/sh", "-c", "echo $$ >&2; exec sleep 60"], run_id)
    until(lambda: starts.said(run_id))
    assert starts.is_alive(run_id)
    pid = int(starts.said(run_id))
    os.kill(pid, signal.SIGKILL)
    until(lambda: not starts.is_alive(run_id))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_only_the_last_words_are_given_and_odd_bytes_do_no_harm(starts):
    run_id = new_id()
    code = "import os; os.write(2, b'x' * 9000 + bytes([255]) + b'end')"
    starts.start([sys.executable, "-c", code], run_id)
    until(lambda: not starts.is_alive(run_id))
    said = starts.said(run_id)
    assert len(said) == 4096
    assert said.endswith("x\ufffdend")


def test_of_a_run_that_was_not_started_here_nothing_is_known(starts):
    assert starts.said(new_id()) == ""
    assert not starts.is_alive(new_id())


def test_a_program_that_is_not_there_is_an_error_in_words(starts):
    run_id = new_id()
    with pytest.raises(RidgelineError, match=r"could not be started: .*No such file.* Nothing has happened"):
        starts.start(["/no/such/program"], run_id)
    assert not starts.is_alive(run_id)


@pytest.mark.parametrize("run_id", ["", "..", "../x", "R1"])
def test_what_is_no_run_id_never_becomes_a_path(starts, folder, run_id):
    with pytest.raises(RidgelineError, match="cannot be the id of a run"):
        starts.start(["/bin/true"], run_id)
    with pytest.raises(RidgelineError, match="cannot be the id of a run"):
        starts.said(run_id)


def test_words_older_than_a_day_are_dropped_at_the_next_start(starts, folder):
    old, newer, newest = new_id(), new_id(), new_id()
    starts.start(["/bin/true"], old)
    starts.start(["/bin/true"], newer)
    now = SystemClock().now()
    for run_id, hours in ((old, 25), (newer, 23)):
        then = (now - timedelta(hours=hours)).timestamp()
        os.utime(folder / run_id, (then, then))
    starts.start(["/bin/true"], newest)
    assert sorted(os.listdir(folder)) == sorted([newer, newest])
    until(lambda: not any(starts.is_alive(run_id) for run_id in (old, newer, newest)))


def test_a_run_survives_the_death_of_who_started_it(folder, tmp_path):
    done = tmp_path / "done"
    run_id = new_id()
    argv = ["/bin/sh", "-c", f"sleep 0.5; echo late >&2; touch {done}"]
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(folder), run_id, *argv],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"started\n"
        assert not done.exists()
        os.killpg(starter.pid, signal.SIGKILL)
    until(done.exists)
    assert DiskRunStarts(str(folder), clock=SystemClock()).said(run_id) == "late\n"


def test_a_checkpoint_that_cannot_be_read_is_an_error_in_words(tmp_path):
    checkpoints = DiskCheckpoints(str(tmp_path))
    assert checkpoints.read("sync") is None
    (tmp_path / "sync.json").mkdir()
    with pytest.raises(RidgelineError, match="cannot be read: is a directory"):
        checkpoints.read("sync")
    (tmp_path / "big.json").write_bytes(b"1" * (SIZE_AT_MOST + 1))
    with pytest.raises(RidgelineError, match="too large"):
        checkpoints.read("big")
    with pytest.raises(RidgelineError, match="cannot be the id of a job"):
        checkpoints.read("../sync")
