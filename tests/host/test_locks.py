"""Locks on disk: taken, refused, judged from what the records say, and cleared by name."""

import fcntl
import json
import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.errors import LockMoved, NotCleared, RidgelineError, UnknownJob
from ridgeline_desktop.core.locks import LockEvidence, VerdictKind, judge
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses

JOB = "order-sync"
STARTED = datetime(2026, 3, 1, 2, 4, 5, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "locks"


@pytest.fixture
def locks(folder):
    return FileLocks(folder)


def take(locks, run_id="r1", *, settle=True, least_fence=1):
    return locks.acquire(
        JOB, run_id=run_id, trigger="schedule", started_at=STARTED, least_fence=least_fence, settle=settle
    )


def leave(locks, run_id="r1"):
    """A published record whose guard nobody holds any more; its runner is this very process."""
    held = take(locks, run_id)
    held.publish()
    guards.let_go(held.guard_fd)


def elsewhere(folder, **changes):
    """The same folder as a process of another computer, boot or container sees it."""
    return FileLocks(folder, processes=LinuxProcesses(replace(this_machine(), **changes)))


def verdict(locks):
    found = judge(locks.inspect(JOB))
    return found.line, found.kind


def record(folder, run_id="r1", name="json"):
    return folder / f"{JOB}.lock" / f"{run_id}.{name}"


def rewrite(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


class TestTaking:
    def test_looking_creates_nothing(self, locks, tmp_path):
        assert verdict(locks) == (0, VerdictKind.FREE)
        assert list(tmp_path.iterdir()) == []

    def test_a_second_start_is_refused_and_told_by_whom(self, locks):
        held = take(locks)
        held.publish()
        refused = take(locks, "r2")
        assert isinstance(refused, LockEvidence)
        assert (refused.run_id, refused.trigger, refused.started_at) == (
            "r1",
            "schedule",
            STARTED.isoformat(),
        )
        assert f"held by process {os.getpid()} (python" in judge(refused).sentence
        assert verdict(locks) == (1, VerdictKind.HELD)
        held.release()

    def test_a_holder_that_has_not_published_yet_is_named_too(self, locks):
        held = take(locks)
        held_by = f"The operating system reports the lock held by process {os.getpid()}"
        assert judge(locks.inspect(JOB)).sentence == held_by
        held.release()

    def test_a_release_leaves_the_guard_alone_and_frees_it(self, locks, folder):
        held = take(locks)
        held.publish()
        held.publish_child(os.getpid(), ["sync"])
        held.release()
        held.release()
        assert names(folder) == [f"{JOB}.guard", "state-id"]
        take(locks, "r2").release()

    def test_jobs_do_not_block_each_other(self, locks):
        held = take(locks)
        other = locks.acquire(
            "report", run_id="r2", trigger="manual", started_at=STARTED, least_fence=1, settle=True
        )
        other.release()
        held.release()

    def test_modes_do_not_depend_on_the_umask(self, locks, folder):
        before = os.umask(0)
        try:
            held = take(locks)
            held.publish()
            held.publish_child(os.getpid(), ["sync"])
        finally:
            os.umask(before)
        modes = {
            path.name: path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.name != "state-id"
        }
        assert folder.stat().st_mode & 0o777 == 0o700
        assert modes == {f"{JOB}.guard": 0o600, f"{JOB}.lock": 0o700, "r1.json": 0o600, "r1.child": 0o600}
        held.release()

    def test_the_guard_is_inherited_only_when_the_runner_says_so(self, locks):
        held = take(locks)
        assert not os.get_inheritable(held.guard_fd)
        held.release()

    def test_the_fence_only_grows(self, locks, folder):
        fences = []
        for least in (1, 1, 50, 1):
            held = take(locks, least_fence=least)
            fences.append(held.fence)
            held.release()
        assert fences == [1, 2, 50, 51]
        assert (folder / f"{JOB}.guard").read_bytes() == b"00000000000000000051\n"

    def test_a_damaged_counter_starts_over_from_what_the_records_say(self, locks, folder):
        take(locks).release()
        (folder / f"{JOB}.guard").write_bytes(b"0000\0\0")
        held = take(locks, least_fence=8)
        assert held.fence == 8
        held.release()

    def test_somebody_elses_shared_lock_is_no_free_guard(self, locks, folder):
        take(locks).release()
        with (folder / f"{JOB}.guard").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            assert judge(take(locks)).line == 1

    def test_a_deleted_guard_admits_nobody_beside_a_recorded_runner(self, locks, folder):
        held = take(locks)
        held.publish()
        (folder / f"{JOB}.guard").unlink()
        assert judge(take(locks, "r2")).line == 11
        held.release()

    def test_a_guard_that_was_replaced_between_opening_and_locking_is_not_the_guard(self, tmp_path):
        path, new = tmp_path / "guard", tmp_path / "new"
        path.touch()
        new.touch()
        with path.open("r+") as opened:
            new.rename(path)
            assert guards.lock_opened(opened.fileno(), str(path), exclusive=True) is None
            path.unlink()
            assert guards.lock_opened(opened.fileno(), str(path), exclusive=True) is None

    def test_a_record_that_appeared_meanwhile_is_not_overwritten(self, locks, folder):
        held = take(locks)
        (folder / f"{JOB}.guard").unlink()
        other = take(locks, "r2")
        other.publish()
        with pytest.raises(LockMoved):
            held.publish()
        held.release()
        assert record(folder, "r2").exists()
        assert not (folder / f"{JOB}.lock.r1.tmp").exists()
        other.release()

    def test_what_a_killed_publication_left_half_done_goes_with_the_next_one(self, locks, folder):
        folder.mkdir(parents=True)
        half = folder / f"{JOB}.lock.r0.tmp"
        half.mkdir()
        (half / "r0.json").write_text("{")
        other_job = folder / f"{JOB}-2.lock.r0.tmp"
        other_job.mkdir()
        held = take(locks)
        held.publish()
        assert not half.exists()
        assert other_job.exists()
        held.release()

    @pytest.mark.parametrize("job_id", ["../order-sync", "", "a/b", ".", "-x", "a.b"])
    def test_a_job_id_never_leaves_the_folder(self, locks, job_id):
        with pytest.raises(UnknownJob):
            locks.inspect(job_id)

    def test_a_run_id_never_leaves_the_folder(self, locks):
        with pytest.raises(RidgelineError, match="cannot be the id of a run"):
            take(locks, "../r1")

    def test_on_a_network_folder_no_run_starts(self, folder):
        locks = FileLocks(folder, is_local=lambda _: False)
        assert judge(take(locks)).line == 3
        assert verdict(locks) == (3, VerdictKind.CANNOT_TELL)

    @pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
    def test_a_guard_that_is_no_plain_file_is_not_examined(self, locks, folder, kind):
        take(locks).release()
        guard = folder / f"{JOB}.guard"
        guard.unlink()
        if kind == "link":
            guard.symlink_to(folder / "state-id")
        elif kind == "pipe":
            os.mkfifo(guard)
        else:
            guard.mkdir()
        assert verdict(locks) == (2, VerdictKind.CANNOT_TELL)
        assert judge(take(locks)).line == 2


class TestJudging:
    def test_a_free_guard_and_a_living_runner_is_held(self, locks):
        leave(locks)
        assert verdict(locks) == (11, VerdictKind.HELD)
        assert judge(take(locks, "r2")).line == 11

    @pytest.mark.parametrize(
        ("changes", "line", "kind"),
        [
            ({"machine_id": "another", "host": "till"}, 5, VerdictKind.CANNOT_TELL),
            ({"machine_id": ""}, 5, VerdictKind.CANNOT_TELL),
            ({"boot_id": "another"}, 6, VerdictKind.DEAD),
            ({"boot_id": ""}, 5, VerdictKind.CANNOT_TELL),
            ({"pid_namespace": "pid:[1]"}, 7, VerdictKind.CANNOT_TELL),
            ({"time_namespace": "time:[1]"}, 9, VerdictKind.CANNOT_TELL),
        ],
    )
    def test_a_record_of_another_place_is_judged_by_its_line(self, locks, folder, changes, line, kind):
        leave(elsewhere(folder, **changes))
        assert verdict(locks) == (line, kind)

    def test_another_computer_is_named(self, locks, folder):
        leave(elsewhere(folder, machine_id="another", host="till"))
        assert judge(locks.inspect(JOB)).sentence == "Taken on computer till, not this one"

    @pytest.mark.parametrize(("boot", "line"), [({}, 11), ({"boot_id": "another"}, 5)])
    def test_without_a_machine_id_the_same_boot_is_the_same_computer(self, folder, boot, line):
        leave(elsewhere(folder, machine_id="", **boot))
        assert verdict(elsewhere(folder, machine_id=""))[0] == line

    def test_records_moved_to_another_state_folder_are_not_judged(self, locks, folder):
        leave(locks)
        (folder / "state-id").write_text("another")
        assert verdict(locks) == (5, VerdictKind.CANNOT_TELL)
        (folder / "state-id").unlink()
        assert verdict(locks) == (5, VerdictKind.CANNOT_TELL)

    def test_a_reused_process_number_is_dead(self, locks, folder):
        leave(locks)
        rewrite(record(folder), start="17")
        assert verdict(locks) == (14, VerdictKind.DEAD)

    @pytest.mark.parametrize(
        "text",
        ["", "{", '{"v": 1, "run_id"', "null", "[]", "17", '{"jobs": []}', "[" * 100_000, "\0" * 500],
        ids=str.__len__,
    )
    def test_a_torn_empty_or_foreign_record_cannot_tell(self, locks, folder, text):
        leave(elsewhere(folder, boot_id="another"))
        record(folder).write_text(text)
        assert verdict(locks) == (4, VerdictKind.CANNOT_TELL)
        assert judge(take(locks, "r2")).line == 4

    @pytest.mark.parametrize(
        "change",
        [{"v": 2}, {"v": "1"}, {"run_id": "r9"}, {"job_id": "report"}, {"pid": 0}, {"pid": -1}, {"pid": True},
         {"pid": 1 << 40}, {"start": 17}, {"boot_id": None}],
        ids=str,
    )  # fmt: skip
    def test_a_newer_or_wrong_record_cannot_tell(self, locks, folder, change):
        leave(elsewhere(folder, boot_id="another"))
        rewrite(record(folder), **change)
        assert verdict(locks) == (4, VerdictKind.CANNOT_TELL)

    @pytest.mark.parametrize("missing", ["json", "child"])
    def test_a_link_is_not_followed(self, locks, folder, tmp_path, missing):
        leave(locks)
        rewrite(record(folder), start="17")
        real = tmp_path / "real"
        real.write_text(record(folder).read_text())
        path = record(folder, name=missing)
        path.unlink(missing_ok=True)
        path.symlink_to(real)
        assert verdict(locks) == (4 if missing == "json" else 12, VerdictKind.CANNOT_TELL)

    def test_a_linked_lock_folder_is_not_entered(self, locks, folder, tmp_path):
        leave(elsewhere(folder, boot_id="another"))
        (folder / f"{JOB}.lock").rename(tmp_path / "moved")
        (folder / f"{JOB}.lock").symlink_to(tmp_path / "moved")
        assert verdict(locks) == (4, VerdictKind.CANNOT_TELL)

    def test_a_strangers_file_beside_the_records_cannot_tell_and_is_named(self, locks, folder):
        leave(elsewhere(folder, boot_id="another"))
        (folder / f"{JOB}.lock" / "notes.txt").write_text("mine")
        assert verdict(locks) == (4, VerdictKind.CANNOT_TELL)
        assert "notes.txt is not Ridgeline's" in judge(locks.inspect(JOB)).sentence

    def test_a_childs_record_without_its_runners_cannot_tell(self, locks, folder):
        leave(locks)
        record(folder).rename(record(folder, name="child"))
        assert verdict(locks) == (4, VerdictKind.CANNOT_TELL)

    def test_of_several_records_the_one_that_is_not_dead_speaks(self, locks, folder):
        leave(elsewhere(folder, boot_id="another"), "r1")
        living = record(folder, "r2")
        living.write_text(record(folder).read_text())
        rewrite(living, run_id="r2", boot_id=this_machine().boot_id)
        assert locks.inspect(JOB).run_id == "r2"
        assert verdict(locks) == (11, VerdictKind.HELD)

    def test_an_empty_lock_folder_is_no_record(self, locks, folder):
        (folder / f"{JOB}.lock").mkdir(parents=True)
        assert verdict(locks) == (0, VerdictKind.FREE)
        held = take(locks)
        held.publish()
        held.release()


class TestSettlingAndClearing:
    def test_a_dead_lock_is_settled_by_the_next_start_and_remembered(self, locks, folder):
        leave(elsewhere(folder, boot_id="another"))
        held = take(locks, "r2")
        assert [(each.run_id, judge(each).line) for each in held.cleared] == [("r1", 6)]
        held.publish()
        assert locks.inspect(JOB).run_id == "r2"
        held.release()

    def test_a_dead_lock_stays_where_it_is_to_be_asked_about(self, locks, folder):
        leave(elsewhere(folder, boot_id="another"))
        refused = take(locks, "r2", settle=False)
        assert (refused.run_id, judge(refused).kind) == ("r1", VerdictKind.DEAD)
        assert record(folder).exists()
        assert verdict(locks) == (6, VerdictKind.DEAD)

    def test_a_dead_lock_is_cleared_by_its_run_id(self, locks, folder):
        leave(elsewhere(folder, boot_id="another"))
        assert judge(locks.clear(JOB, run_id="r1")).line == 6
        assert verdict(locks) == (0, VerdictKind.FREE)

    @pytest.mark.parametrize("run_id", ["r2", "", "../r1"])
    @pytest.mark.parametrize("force", [False, True])
    def test_another_runs_lock_is_not_cleared(self, locks, folder, run_id, force):
        leave(elsewhere(folder, boot_id="another"))
        with pytest.raises(LockMoved, match="nothing was removed"):
            locks.clear(JOB, run_id=run_id, force=force)
        assert record(folder).exists()

    def test_a_lock_that_is_gone_has_moved(self, locks):
        with pytest.raises(LockMoved):
            locks.clear(JOB, run_id="r1")

    def test_what_is_not_proven_dead_is_cleared_only_by_force(self, locks, folder):
        leave(elsewhere(folder, machine_id="another", host="till"))
        with pytest.raises(NotCleared, match="Taken on computer till"):
            locks.clear(JOB, run_id="r1")
        assert judge(locks.clear(JOB, run_id="r1", force=True)).line == 5
        assert verdict(locks) == (0, VerdictKind.FREE)

    def test_a_torn_record_is_cleared_by_force_under_the_run_id_of_its_name(self, locks, folder):
        leave(locks)
        record(folder).write_text("{")
        assert locks.inspect(JOB).run_id == "r1"
        locks.clear(JOB, run_id="r1", force=True)
        assert verdict(locks) == (0, VerdictKind.FREE)

    def test_a_held_guard_is_respected_even_by_force(self, locks, folder):
        held = take(locks)
        held.publish()
        with pytest.raises(NotCleared, match="The operating system reports the lock held"):
            locks.clear(JOB, run_id="r1", force=True)
        assert record(folder).exists()
        held.release()

    def test_clearing_and_releasing_take_only_the_names_of_their_run(self, locks, folder):
        held = take(locks)
        held.publish()
        dead = record(folder, "r0")
        dead.write_text(record(folder).read_text())
        rewrite(dead, run_id="r0", boot_id="another")
        held.release()
        assert names(folder / f"{JOB}.lock") == ["r0.json"]
        leftover = record(folder, "r9")
        leftover.write_text("{")
        locks.clear(JOB, run_id="r0")
        assert names(folder / f"{JOB}.lock") == ["r9.json"]


class TestTheJobsRecord:
    def test_a_recorded_and_a_withdrawn_job_differ(self, locks, folder):
        held = take(locks)
        held.publish()
        held.publish_child(os.getpid(), ["sync", "--all"])
        written = json.loads(record(folder, name="child").read_text())
        assert (written["pid"], written["command"]) == (os.getpid(), ["sync", "--all"])
        assert locks.inspect(JOB).child.pid == os.getpid()
        held.withdraw_child()
        held.withdraw_child()
        assert not locks.inspect(JOB).child_recorded
        held.publish_child(os.getpid(), ["sync"])
        held.release()

    def test_a_session_shared_with_others_is_not_taken_for_the_jobs(self, locks, folder):
        held = take(locks)
        held.publish()
        held.publish_child(os.getpid(), ["sync"])
        expected = os.getpid() if os.getsid(0) == os.getpid() else 0
        assert json.loads(record(folder, name="child").read_text())["session"] == expected
        held.release()

    def test_a_job_that_ended_before_it_was_recorded_is_an_error(self, locks):
        held = take(locks)
        held.publish()
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        with pytest.raises(ProcessLookupError):
            held.publish_child(pid, ["sync"])
        held.release()

    @pytest.mark.parametrize("text", ["", "{", '{"v": 1}', '{"v": 2}'])
    def test_an_unreadable_job_record_of_a_dead_runner_cannot_tell(self, locks, folder, text):
        leave(locks)
        rewrite(record(folder), start="17")
        record(folder, name="child").write_text(text)
        assert verdict(locks) == (12, VerdictKind.CANNOT_TELL)

    def test_a_job_record_half_written_when_its_runner_died_is_no_job(self, locks, folder):
        leave(locks)
        rewrite(record(folder), start="17")
        record(folder, name="child.tmp").write_text("{")
        assert verdict(locks) == (14, VerdictKind.DEAD)
        take(locks, "r2").release()
