"""Many starts in the same instant: one gets the lock, all others are refused."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.locks import GuardState
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses

JOB = "order-sync"
STARTS = 24

# Ready, then at the end of standard input all at once; the winner holds on until `hold` ends.
STARTER = """
import os, sys
from datetime import UTC, datetime
from ridgeline_desktop.core.locks import judge
from ridgeline_desktop.host.locks import FileLocks, HeldFileLock

folder, run_id, hold = sys.argv[1], sys.argv[2], int(sys.argv[3])
locks = FileLocks(folder)
print("ready", flush=True)
sys.stdin.read()
held = locks.acquire("order-sync", run_id=run_id, trigger="schedule", started_at=datetime.now(UTC),
                     least_fence=1, settle=True)
if isinstance(held, HeldFileLock):
    held.publish()
    print("got", len(held.cleared), flush=True)
    os.read(hold, 1)
    held.release()
else:
    print("refused", judge(held).line, flush=True)
"""


LOOKER = """
import select, sys
from ridgeline_desktop.host.locks import FileLocks

locks = FileLocks(sys.argv[1])
print("ready", flush=True)
while not select.select([0], [], [], 0)[0]:
    locks.inspect("order-sync")
"""


def race(folder):
    """What each of the starters says."""
    gate, release = os.pipe()
    hold, let_go = os.pipe()
    starters = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", STARTER, str(folder), f"r{number}", str(hold)],
            stdin=gate,
            stdout=subprocess.PIPE,
            pass_fds=[hold],
            text=True,
        )
        for number in range(STARTS)
    ]
    try:
        assert [starter.stdout.readline() for starter in starters] == ["ready\n"] * STARTS
        os.close(gate)
        os.close(release)
        answers = [starter.stdout.readline().strip() for starter in starters]
    finally:
        os.close(let_go)
        os.close(hold)
        for starter in starters:
            with starter:
                starter.wait(60)
    return answers


def test_looking_all_the_time_never_keeps_a_start_out(tmp_path):
    locks = FileLocks(tmp_path)
    lookers = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", LOOKER, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    try:
        assert [looker.stdout.readline() for looker in lookers] == [b"ready\n"] * 2
        for number in range(500):
            held = locks.acquire(
                JOB,
                run_id=f"r{number}",
                trigger="manual",
                started_at=datetime.now(UTC),
                least_fence=1,
                settle=True,
            )
            held.release()
    finally:
        for looker in lookers:
            looker.communicate(timeout=60)


@pytest.mark.parametrize("left", [0, 1])
def test_of_24_starts_in_one_instant_exactly_one_gets_the_lock(tmp_path, left):
    """With `left`, a dead lock is in the way, which the one that gets through settles."""
    folder = tmp_path / "locks"
    if left and not this_machine().machine_id:
        pytest.skip("not on this platform: without a machine id no earlier boot is told apart")
    if left:
        earlier = FileLocks(folder, processes=LinuxProcesses(replace(this_machine(), boot_id="earlier")))
        held = earlier.acquire(
            JOB, run_id="r99", trigger="schedule", started_at=datetime.now(UTC), least_fence=1, settle=True
        )
        held.publish()
        guards.let_go(held.guard_fd)
    answers = race(folder)
    assert sorted(answers) == [f"got {left}"] + ["refused 1"] * (STARTS - 1)
    assert FileLocks(folder).inspect(JOB).guard is GuardState.FREE
    assert sorted(path.name for path in folder.iterdir()) == [f"{JOB}.guard", "state-id"]
