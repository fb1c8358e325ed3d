"""The process table, asked about real processes that live, ended, were replaced or hide."""

import ctypes
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from ridgeline_desktop.core.locks import Liveness
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses

NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="not on this platform: needs root")
CLONE_NEWNS, MS_REC_PRIVATE = 0x00020000, 0x4000 | 0x40000
WAIT_FOR_END = "print(os.getpid(), flush=True); sys.stdin.read()"
FIRST_THREAD_ENDS = """
import ctypes, threading
threading.Thread(target=sys.stdin.read).start()
print(os.getpid(), flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""
A_DAEMON = """
print(os.getpid(), flush=True)
if os.fork():
    sys.exit()
os.setsid()
if os.fork():
    os._exit(0)
print(os.getpid(), flush=True)
sys.stdin.read()
"""
HOPPER = """
import select
print(os.getpid(), flush=True)
while not select.select([0], [], [], 0)[0]:
    if os.fork():
        os._exit(0)
"""


@pytest.fixture
def start():
    """Starts Python programs that end with their standard input; the first line printed is their pid."""
    children = []

    def start(program=WAIT_FOR_END, **options):
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", f"import os, sys\n{program}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        children.append(child)
        assert int(child.stdout.readline()) == child.pid
        return child

    yield start
    for child in children:
        child.kill()
        with child:
            pass


@pytest.fixture
def processes():
    return LinuxProcesses()


def as_another(action):
    """What `action` answers (as text) in a fork of this process."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, str(action()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as file:
        answer = file.read()
    os.waitpid(pid, 0)
    return answer


def until_zombie(child):
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)


def test_a_process_has_one_identity_for_life(processes, start):
    one, other = start(), start()
    assert processes.identity(one.pid) == processes.identity(one.pid)
    assert processes.identity(one.pid) != processes.identity(other.pid)


def test_a_living_process_is_alive_and_named(processes):
    finding = processes.examine(processes.identity(os.getpid()))
    assert finding.liveness is Liveness.ALIVE
    assert ", started 20" in finding.proof


def test_a_process_that_was_collected_is_gone(processes, start):
    child = start()
    identity = processes.identity(child.pid)
    child.kill()
    child.wait(60)
    assert processes.examine(identity).liveness is Liveness.GONE
    assert processes.identity(child.pid) is None


def test_a_zombie_has_exited(processes, start):
    child = start()
    identity = processes.identity(child.pid)
    child.kill()
    until_zombie(child)
    assert processes.examine(identity).liveness is Liveness.EXITED


def test_a_stopped_process_is_alive(processes, start):
    child = start()
    child.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.pid, os.WSTOPPED | os.WNOWAIT)
    assert processes.examine(processes.identity(child.pid)).liveness is Liveness.ALIVE


def test_a_process_whose_first_thread_alone_has_ended_is_alive(processes, start):
    child = start(FIRST_THREAD_ENDS)
    while "State:\tZ" not in pathlib.Path(f"/proc/{child.pid}/status").read_text():
        assert child.poll() is None
    assert processes.examine(processes.identity(child.pid)).liveness is Liveness.ALIVE


def test_a_number_given_to_another_process_is_seen_by_its_start(processes, start):
    child = start()
    earlier = replace(processes.identity(child.pid), start="17")
    finding = processes.examine(earlier)
    assert finding.liveness is Liveness.REUSED
    assert "now belongs to python" in finding.proof


def test_a_number_given_to_a_thread_is_seen_even_with_an_equal_start(processes):
    done = threading.Event()
    thread = threading.Thread(target=done.wait, args=(60,))
    thread.start()
    try:
        finding = processes.examine(processes.identity(thread.native_id))
    finally:
        done.set()
        thread.join()
    assert finding.liveness is Liveness.REUSED
    assert f"a thread of process {os.getpid()}" in finding.proof


def test_a_start_recorded_in_another_time_namespace_is_not_compared(processes):
    me = processes.identity(os.getpid())
    assert processes.examine(replace(me, time_namespace="time:[1]")).liveness is Liveness.UNREADABLE


@NEEDS_ROOT
def test_a_process_of_another_user_that_may_not_be_signalled_is_alive(processes):
    me = processes.identity(os.getpid())

    def examine_as_nobody():
        os.setuid(65534)
        with pytest.raises(PermissionError):
            os.kill(me.pid, 0)
        return processes.examine(me).liveness

    assert as_another(examine_as_nobody) == Liveness.ALIVE


@NEEDS_ROOT
def test_where_proc_hides_others_nothing_is_gone_and_no_survivor_is_ruled_out(processes):
    me = processes.identity(os.getpid())

    def examine_behind_hidepid():
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.unshare(CLONE_NEWNS) == 0
        assert libc.mount(b"none", b"/", None, MS_REC_PRIVATE, None) == 0
        assert libc.mount(b"proc", b"/proc", b"proc", 0, b"hidepid=2") == 0
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        return processes.examine(me).liveness, processes.survivors(session=0, run_id="r1")

    assert as_another(examine_behind_hidepid) == str((Liveness.UNREADABLE, None))


def test_survivors_are_the_living_of_the_session_or_with_the_run_id(processes, start):
    session = start(start_new_session=True)
    bearer = start(env={"RIDGELINE_RUN_ID": "r1"})
    start(env={"RIDGELINE_RUN_ID": "r12"})
    zombie = start(env={"RIDGELINE_RUN_ID": "r1"})
    zombie.kill()
    until_zombie(zombie)
    expected = tuple(sorted((session.pid, bearer.pid)))
    assert processes.survivors(session=session.pid, run_id="r1") == expected
    assert processes.survivors(session=session.pid, run_id="r1", exclude=[bearer.pid]) == (session.pid,)
    assert processes.survivors(session=0, run_id="r1") == (bearer.pid,)


def test_a_daemon_that_left_its_session_is_found_by_its_environment(processes, start):
    job = start(A_DAEMON, env={"RIDGELINE_RUN_ID": "r1"}, start_new_session=True)
    daemon = int(job.stdout.readline())
    job.wait(60)
    assert processes.survivors(session=job.pid, run_id="r1") == (daemon,)
    assert processes.tree("r1", job.pid) == (daemon,)


def test_a_process_that_hops_from_number_to_number_is_never_ruled_out(processes, start):
    start(HOPPER, env={"RIDGELINE_RUN_ID": "r1"})
    looks = [processes.survivors(session=0, run_id="r1") for _ in range(30)]
    assert () not in looks


def test_the_tree_of_a_run_has_its_descendants_and_not_this_process(processes, start):
    child = start(
        "child = os.fork()\nif child: print(os.getpid(), child, flush=True, sep='\\n')\nsys.stdin.read()"
    )
    grandchild = int(child.stdout.readline())
    assert set(processes.tree("r1", child.pid)) >= {child.pid, grandchild}
    assert os.getpid() not in processes.tree("r1", child.pid)
    os.kill(grandchild, signal.SIGKILL)


def test_a_session_whose_leader_is_not_our_child_is_none_of_our_tree(processes, start):
    stranger = start(
        "child = os.fork()\n"
        "if not child: os.setsid()\n"
        "if child: print(os.getpid(), child, flush=True, sep='\\n')\n"
        "sys.stdin.read()"
    )
    leader = int(stranger.stdout.readline())

    def tree_without_descendants():
        return processes.tree("r1", leader)

    assert as_another(tree_without_descendants) == "()"
    os.kill(leader, signal.SIGKILL)


def test_an_exclusive_lock_is_traced_to_its_holder_and_heirs_but_not_to_mere_openers(
    processes, start, tmp_path
):
    path = tmp_path / "order-sync.guard"
    with path.open("w") as held, path.open("r"):
        fcntl.flock(held, fcntl.LOCK_EX)
        heir = start(pass_fds=[held.fileno()])
        with path.open("r") as opened:
            start(pass_fds=[opened.fileno()])
        found = path.stat()
        holders = processes.lock_holders(found.st_dev, found.st_ino)
    assert set(holders) == {os.getpid(), heir.pid}


def test_a_shared_lock_is_only_a_look(processes, tmp_path):
    with (tmp_path / "order-sync.guard").open("w") as looked_at:
        fcntl.flock(looked_at, fcntl.LOCK_SH)
        found = os.fstat(looked_at.fileno())
        assert processes.lock_holders(found.st_dev, found.st_ino) == ()


def test_the_processes_are_of_this_machine_unless_told_otherwise(processes):
    elsewhere = replace(this_machine(), boot_id="another")
    assert processes.machine == this_machine()
    assert LinuxProcesses(elsewhere).identity(os.getpid()).boot_id == "another"
