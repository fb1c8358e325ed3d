"""Taking a lock on disk and giving it back."""

import fcntl
import json
import os
import resource

import pytest

from ridgeline_desktop.core.errors import LockMoved, NotCleared, RidgelineError, UnknownJob
from ridgeline_desktop.core.locks import LockEvidence, judge
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.locks import FileLocks


def test_looking_creates_nothing(bench, tmp_path):
    assert bench.verdict() == (0, "free")
    assert list(tmp_path.iterdir()) == []


def test_a_second_start_is_refused_and_told_by_whom(bench):
    held = bench.take()
    held.publish()
    refused = bench.take("r2")
    assert isinstance(refused, LockEvidence)
    assert (refused.run_id, refused.trigger) == ("r1", "schedule")
    assert refused.started_at == bench.started.isoformat()
    assert f"held by process {os.getpid()} (python" in judge(refused).sentence
    assert bench.verdict() == (1, "held")
    held.release()


def test_a_holder_that_has_not_published_yet_is_named_too(bench):
    held = bench.take()
    held_by = f"The operating system reports the lock held by process {os.getpid()}"
    assert judge(bench.locks.inspect(bench.job)).sentence == held_by
    held.release()


def test_a_release_leaves_the_guard_alone_and_frees_it(bench):
    held = bench.take()
    held.publish()
    held.publish_child(os.getpid(), ["sync"])
    held.release()
    held.release()
    assert bench.names() == [f"{bench.job}.guard", "state-id"]
    bench.take("r2").release()


def test_jobs_do_not_block_each_other(bench):
    held = bench.take()
    other = bench.locks.acquire(
        "report", run_id="r2", trigger="manual", started_at=bench.started, least_fence=1, settle=True
    )
    other.release()
    held.release()


@pytest.mark.parametrize("umask", [0, 0o277])
def test_modes_do_not_depend_on_the_umask(bench, umask):
    bench.take().release()
    before = os.umask(umask)
    try:
        held = bench.take()
        held.publish()
        held.publish_child(os.getpid(), ["sync"])
    finally:
        os.umask(before)
    lock = bench.record().parent
    private = [bench.guard, bench.record(), bench.record(kind="child")]
    assert [path.stat().st_mode & 0o777 for path in private] == [0o600] * 3
    assert [path.stat().st_mode & 0o777 for path in (bench.folder, lock)] == [0o700] * 2
    held.release()


def test_the_guard_is_inherited_only_when_the_runner_says_so(bench):
    held = bench.take()
    assert not os.get_inheritable(held.guard_fd)
    held.release()


def test_the_fence_only_grows(bench):
    fences = []
    for least in (1, 1, 50, 1):
        held = bench.take(least_fence=least)
        fences.append(held.fence)
        held.release()
    assert fences == [1, 2, 50, 51]
    assert bench.guard.read_bytes() == b"00000000000000000051\n"


def test_a_damaged_counter_starts_over_from_what_the_records_say(bench):
    bench.take().release()
    bench.guard.write_bytes(b"0000\0\0")
    held = bench.take(least_fence=8)
    assert held.fence == 8
    held.release()


def test_a_disk_that_refuses_leaves_the_guard_free(bench):
    bench.take().release()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            bench.take()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert bench.verdict() == (0, "free")


def test_somebody_elses_shared_lock_is_no_free_guard(bench):
    bench.take().release()
    with bench.guard.open() as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert judge(bench.take()).line == 1


def test_a_deleted_guard_admits_nobody_beside_a_recorded_runner(bench):
    held = bench.take()
    held.publish()
    bench.guard.unlink()
    assert judge(bench.take("r2")).line == 11
    held.release()


def test_a_guard_that_was_replaced_between_opening_and_locking_is_not_the_guard(tmp_path):
    path, new = tmp_path / "guard", tmp_path / "new"
    path.touch()
    new.touch()
    with path.open("r+") as opened:
        new.rename(path)
        assert guards.lock_opened(opened.fileno(), str(path), exclusive=True) is None
        path.unlink()
        assert guards.lock_opened(opened.fileno(), str(path), exclusive=True) is None


def test_a_record_that_appeared_meanwhile_is_not_overwritten(bench):
    held = bench.take()
    bench.guard.unlink()
    other = bench.take("r2")
    other.publish()
    with pytest.raises(LockMoved):
        held.publish()
    held.release()
    assert bench.names() == ["order-sync.guard", "order-sync.lock", "order-sync.lock/r2.json", "state-id"]
    other.release()


def test_what_a_killed_publication_left_half_done_goes_with_the_next_one(bench):
    half = bench.folder / f"{bench.job}.lock.r0.tmp"
    half.mkdir(parents=True)
    (half / "r0.json").write_text("{")
    other_job = bench.folder / f"{bench.job}-2.lock.r0.tmp"
    other_job.mkdir()
    held = bench.take()
    held.publish()
    assert not half.exists()
    assert other_job.exists()
    held.release()


@pytest.mark.parametrize("job_id", ["../order-sync", "", "a/b", ".", "-x", "a.b"])
def test_a_job_id_never_leaves_the_folder(bench, job_id):
    with pytest.raises(UnknownJob):
        bench.locks.inspect(job_id)


def test_a_run_id_never_leaves_the_folder(bench):
    with pytest.raises(RidgelineError, match="cannot be the id of a run"):
        bench.take("../r1")


def test_on_a_network_folder_no_run_starts(bench):
    remote = FileLocks(bench.folder, is_local=lambda _: False)
    assert judge(bench.take(locks=remote)).line == 3
    assert bench.verdict(remote) == (3, "cannot-tell")


def test_a_guard_that_is_a_link_is_not_followed(bench, tmp_path):
    bench.take().release()
    bench.guard.unlink()
    bench.guard.symlink_to(tmp_path / "elsewhere")
    assert judge(bench.take()).line == 2
    assert bench.verdict() == (2, "cannot-tell")
    assert "it is a symbolic link" in judge(bench.locks.inspect(bench.job)).sentence
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_guard_that_is_no_plain_file_is_not_examined(bench, make):
    bench.take().release()
    bench.guard.unlink()
    make(bench.guard)
    assert bench.verdict() == (2, "cannot-tell")
    assert judge(bench.take()).line == 2


def test_a_recorded_and_a_withdrawn_job_differ(bench):
    held = bench.take()
    held.publish()
    held.publish_child(os.getpid(), ["sync", "--all"])
    written = json.loads(bench.record(kind="child").read_text())
    assert (written["pid"], written["command"]) == (os.getpid(), "sync --all")
    assert bench.locks.inspect(bench.job).child.pid == os.getpid()
    held.withdraw_child()
    held.withdraw_child()
    assert not bench.locks.inspect(bench.job).child_recorded
    held.publish_child(os.getpid(), ["sync"])
    held.release()


def test_a_session_shared_with_others_is_not_taken_for_the_jobs(bench):
    held = bench.take()
    held.publish()
    held.publish_child(os.getpid(), ["sync"])
    expected = os.getpid() if os.getsid(0) == os.getpid() else 0
    assert json.loads(bench.record(kind="child").read_text())["session"] == expected
    held.release()


def test_a_job_that_ended_before_it_was_recorded_is_an_error(bench):
    held = bench.take()
    held.publish()
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    with pytest.raises(ProcessLookupError):
        held.publish_child(pid, ["sync"])
    held.release()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("kind", ["file beside", "no folder"])
def test_a_lock_that_names_no_run_is_left_to_a_person_with_the_place_to_look_at(bench, kind, force):
    lock = bench.folder / f"{bench.job}.lock"
    bench.take().release()
    if kind == "file beside":
        lock.mkdir()
        (lock / "notes.txt").touch()
    else:
        lock.touch()
    with pytest.raises(NotCleared) as refused:
        bench.locks.clear(bench.job, run_id="r1" if force else "", force=force)
    assert str(lock / "notes.txt" if kind == "file beside" else lock) in str(refused.value)
    assert f"remove {lock} by hand" in str(refused.value)
    assert lock.exists()
