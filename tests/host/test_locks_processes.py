"""Locks of real runners that are killed, with jobs that live on, hide, or end too."""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.host.locks import FileLocks

JOB = "order-sync"
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="not on this platform: needs root")
CLONE_NEWNS, CLONE_NEWPID, MS_REC_PRIVATE = 0x00020000, 0x20000000, 0x4000 | 0x40000

# A runner as the real one works: lock, record, gate, job. It prints how far it has come, then waits.
RUNNER = """
import json, os, sys
from datetime import UTC, datetime
from ridgeline_desktop.host.locks import FileLocks

folder, until, job = sys.argv[1:4]
held = FileLocks(folder).acquire(
    "order-sync", run_id="r1", trigger="schedule", started_at=datetime.now(UTC), least_fence=1, settle=True)

def stop_here(name, **facts):
    if name == until:
        print(json.dumps({"runner": os.getpid()} | facts), flush=True)
        sys.stdin.read()
        os._exit(0)

stop_here("locked")
held.publish()
stop_here("published")
(ready, tell), (gate, opened) = os.pipe(), os.pipe()
pid = os.fork()
if pid == 0:
    os.setsid()
    os.close(opened)
    os.set_inheritable(held.guard_fd, True)
    os.write(tell, b"1")
    if os.read(gate, 1):
        env = {} if "anonymous" in job else {"RIDGELINE_RUN_ID": "r1"}
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", job], env)
    os._exit(0)
os.read(ready, 1)
stop_here("forked", job=pid)
held.publish_child(pid, ["job"])
os.write(opened, b"1")
stop_here("started", job=pid)
"""
KEEPS_ALL = "import os, sys; print(os.getpid(), flush=True); sys.stdin.read()"
CLOSES_ALL = f"import os; os.closerange(3, 64)\n{KEEPS_ALL}"
DAEMON = """
import os, sys
if os.fork():
    sys.stdin.read()
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
"""
CLOSED_DAEMON = f"{DAEMON}\n{CLOSES_ALL}"
ANONYMOUS_DAEMON_WITH_THE_GUARD = f"{DAEMON}\n{KEEPS_ALL}  # anonymous"
CHILD_IN_SESSION = f"""
import os, sys
if os.fork():
    sys.stdin.read()
    sys.exit()
{CLOSES_ALL}  # anonymous
"""


class Run:
    """One runner in a process of its own, its job, and the last process that the job names."""

    def __init__(self, folder, until, job=""):
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", RUNNER, str(folder), until, job],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        said = [json.loads(self.process.stdout.readline()) for _ in range(2 if until == "started" else 1)]
        self.job = next((each["job"] for each in said if isinstance(each, dict) and "job" in each), 0)
        self.last = next((each for each in said if isinstance(each, int)), 0)

    def kill_runner(self):
        self.process.kill()
        self.process.wait(60)

    def end(self):
        """Everything here waits for its standard input, so nothing outlives the test."""
        self.process.kill()
        with self.process:
            self.process.stdin.close()
            self.process.stdout.read()


def kill(pid):
    """Kill a process that need not be our child, and come back when it has ended."""
    handle = os.pidfd_open(pid)
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(60_000)
    finally:
        os.close(handle)


@pytest.fixture
def locks(bench):
    return bench.locks


@pytest.fixture
def start(bench):
    runs = []

    def start(until, job=""):
        runs.append(Run(bench.folder, until, job))
        return runs[-1]

    yield start
    for run in runs:
        run.end()


def look(locks):
    found = judge(locks.inspect(JOB))
    return found.line, found.kind


def take(locks, *, settle=True):
    return locks.acquire(
        JOB, run_id="r2", trigger="manual", started_at=datetime.now(UTC), least_fence=1, settle=settle
    )


def assert_next_start_settles(locks, line):
    assert look(locks) == (line, VerdictKind.DEAD)
    held = take(locks)
    assert [(each.run_id, judge(each).line) for each in held.cleared] == [("r1", line)]
    assert held.fence == 2
    held.release()


def test_a_runner_killed_before_its_record_leaves_nothing_behind(locks, start):
    run = start("locked")
    assert look(locks) == (1, VerdictKind.HELD)
    run.kill_runner()
    assert look(locks) == (0, VerdictKind.FREE)
    take(locks).release()


def test_a_runner_killed_before_its_job_was_started_is_dead(locks, start):
    run = start("published")
    run.kill_runner()
    assert_next_start_settles(locks, 14)


def test_a_job_still_behind_the_gate_ends_with_its_runner(locks, start):
    run = start("forked")
    handle = os.pidfd_open(run.job)
    run.kill_runner()
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    assert poll.poll(60_000)
    os.close(handle)
    assert_next_start_settles(locks, 14)


def test_a_zombie_runner_and_its_dead_job_are_dead(locks, start):
    run = start("started", KEEPS_ALL)
    run.process.kill()
    os.waitid(os.P_PID, run.process.pid, os.WEXITED | os.WNOWAIT)
    kill(run.job)
    assert "EXITED" in repr(locks.inspect(JOB).runner)
    assert_next_start_settles(locks, 15)


def test_a_surviving_job_blocks_the_next_start_and_is_named(locks, start):
    run = start("started", KEEPS_ALL)
    run.kill_runner()
    refused = take(locks)
    assert judge(refused).line == 1
    assert f"the runner is gone but its job, process {run.job}, still runs" in judge(refused).sentence
    kill(run.job)
    assert_next_start_settles(locks, 15)


def test_a_surviving_job_that_closed_its_descriptors_still_blocks(locks, start):
    run = start("started", CLOSES_ALL)
    run.kill_runner()
    assert look(locks) == (12, VerdictKind.HELD)
    assert judge(take(locks)).line == 12
    kill(run.job)
    assert_next_start_settles(locks, 15)


def test_a_session_number_given_to_another_process_is_not_the_jobs_session(bench, locks, start):
    run = start("started", f"{CLOSES_ALL}  # anonymous")
    run.kill_runner()
    bench.rewrite(bench.record(kind="child"), start="17")
    assert look(locks) == (15, VerdictKind.DEAD)


@pytest.mark.parametrize("job", [CLOSED_DAEMON, CHILD_IN_SESSION])
def test_what_a_dead_job_left_running_blocks_by_its_environment_or_session(locks, start, job):
    run = start("started", job)
    run.kill_runner()
    kill(run.job)
    assert look(locks) == (13, VerdictKind.HELD)
    assert locks.inspect(JOB).survivors == (run.last,)
    assert judge(take(locks)).line == 13
    kill(run.last)
    assert_next_start_settles(locks, 15)


def test_a_daemon_known_only_by_the_guard_it_inherited_is_named(locks, start):
    run = start("started", ANONYMOUS_DAEMON_WITH_THE_GUARD)
    run.kill_runner()
    kill(run.job)
    assert f"held by process {run.last} (run started" in judge(take(locks)).sentence
    kill(run.last)
    assert_next_start_settles(locks, 15)


def test_a_release_frees_the_guard_even_of_a_daemon_left_on_purpose(locks):
    held = take(locks)
    heir = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"],
        stdin=subprocess.PIPE,
        pass_fds=[held.guard_fd],
    )
    held.release()
    assert look(locks) == (0, VerdictKind.FREE)
    take(locks).release()
    with heir:
        heir.kill()


def test_a_running_run_is_not_cleared_and_not_settled(locks, start):
    run = start("started", CLOSES_ALL)
    assert look(locks) == (1, VerdictKind.HELD)
    refused = take(locks)
    assert refused.runner.pid == run.process.pid
    assert f"held by process {run.process.pid} (python" in judge(refused).sentence


@NEEDS_ROOT
def test_from_inside_a_container_a_runner_outside_is_not_taken_for_dead(bench, start):
    start("started", CLOSES_ALL).kill_runner()
    reader, writer = os.pipe()
    outer = os.fork()
    if outer == 0:
        libc = ctypes.CDLL(None)
        libc.unshare(CLONE_NEWNS | CLONE_NEWPID)
        if os.fork() == 0:
            libc.mount(b"none", b"/", None, MS_REC_PRIVATE, None)
            libc.mount(b"proc", b"/proc", b"proc", 0, None)
            os.write(writer, str(look(FileLocks(bench.folder))).encode())
            os._exit(0)
        os.wait()
        os._exit(0)
    os.close(writer)
    with open(reader) as file:
        assert file.read() == str((7, VerdictKind.CANNOT_TELL))
    os.waitpid(outer, 0)
