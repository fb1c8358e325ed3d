"""What the records on disk say about a lock nobody holds, and what may be cleared."""

import pytest

from ridgeline_desktop.core.errors import LockMoved, NotCleared
from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.host.machine import this_machine


def test_a_free_guard_and_a_living_runner_is_held(bench):
    bench.leave()
    assert bench.verdict() == (11, "held")
    assert judge(bench.take("r2")).line == 11


@pytest.mark.parametrize(
    ("changes", "line", "kind"),
    [
        ({"machine_id": "another", "host": "till"}, 5, "cannot-tell"),
        ({"machine_id": ""}, 5, "cannot-tell"),
        ({"boot_id": "another"}, 6, "dead"),
        ({"boot_id": ""}, 5, "cannot-tell"),
        ({"pid_namespace": "pid:[1]"}, 7, "cannot-tell"),
        ({"time_namespace": "time:[1]"}, 9, "cannot-tell"),
    ],
)
def test_a_record_of_another_place_is_judged_by_its_line(bench, changes, line, kind):
    bench.leave(**changes)
    assert bench.verdict() == (line, kind)


def test_another_computer_is_named(bench):
    bench.leave(machine_id="another", host="till")
    assert judge(bench.locks.inspect(bench.job)).sentence == "Taken on computer till, not this one"


@pytest.mark.parametrize(("boot", "line"), [({}, 11), ({"boot_id": "another"}, 5)])
def test_without_a_machine_id_the_same_boot_is_the_same_computer(bench, boot, line):
    bench.leave(machine_id="", **boot)
    assert bench.verdict(bench.elsewhere(machine_id=""))[0] == line


def test_records_moved_to_another_state_folder_are_not_judged(bench):
    bench.leave()
    (bench.folder / "state-id").write_text("another")
    assert bench.verdict() == (5, "cannot-tell")
    (bench.folder / "state-id").unlink()
    assert bench.verdict() == (5, "cannot-tell")


def test_a_state_folder_without_an_id_of_its_own_proves_nothing(bench):
    (bench.folder / "state-id").mkdir(parents=True)
    bench.leave()
    assert bench.verdict() == (5, "cannot-tell")


def test_a_reused_process_number_is_dead(bench):
    bench.leave()
    bench.rewrite(bench.record(), start="17")
    assert bench.verdict() == (14, "dead")


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"v": 1, "run_id"', "null", "[]", "17", '{"jobs": []}', "[" * 100_000, "\0" * 500],
    ids=lambda text: f"{text[:8]}...{len(text)}",
)
def test_a_torn_empty_or_foreign_record_cannot_tell(bench, text):
    bench.leave(boot_id="another")
    bench.record().write_text(text)
    assert bench.verdict() == (4, "cannot-tell")
    assert judge(bench.take("r2")).line == 4


@pytest.mark.parametrize(
    "change",
    [{"v": 2}, {"v": "1"}, {"run_id": "r9"}, {"job_id": "report"}, {"pid": 0}, {"pid": -1}, {"pid": True},
     {"pid": 1 << 40}, {"start": 17}, {"boot_id": None}],
    ids=str,
)  # fmt: skip
def test_a_newer_or_wrong_record_cannot_tell(bench, change):
    bench.leave(boot_id="another")
    bench.rewrite(bench.record(), **change)
    assert bench.verdict() == (4, "cannot-tell")


@pytest.mark.parametrize(("kind", "line"), [("json", 4), ("child", 12)])
def test_a_record_that_is_a_link_is_not_followed(bench, tmp_path, kind, line):
    bench.leave()
    bench.rewrite(bench.record(), start="17")
    real = tmp_path / "real"
    real.write_text(bench.record().read_text())
    bench.record(kind=kind).unlink(missing_ok=True)
    bench.record(kind=kind).symlink_to(real)
    assert bench.verdict() == (line, "cannot-tell")


def test_a_linked_lock_folder_is_not_entered(bench, tmp_path):
    bench.leave(boot_id="another")
    lock = bench.record().parent
    lock.rename(tmp_path / "moved")
    lock.symlink_to(tmp_path / "moved")
    assert bench.verdict() == (4, "cannot-tell")


def test_a_strangers_file_beside_the_records_cannot_tell_and_is_named(bench):
    bench.leave(boot_id="another")
    (bench.record().parent / "notes.txt").write_text("mine")
    assert bench.verdict() == (4, "cannot-tell")
    assert "notes.txt is not Ridgeline's" in judge(bench.locks.inspect(bench.job)).sentence
    with pytest.raises(NotCleared, match=r"notes\.txt is not Ridgeline's"):
        bench.locks.clear(bench.job, run_id="", force=True)


def test_a_jobs_record_without_its_runners_cannot_tell(bench):
    bench.leave()
    bench.record().rename(bench.record(kind="child"))
    assert bench.verdict() == (4, "cannot-tell")


@pytest.mark.parametrize("text", ["", "{", '{"v": 1}', '{"v": 2}'])
def test_an_unreadable_job_record_of_a_dead_runner_cannot_tell(bench, text):
    bench.leave()
    bench.rewrite(bench.record(), start="17")
    bench.record(kind="child").write_text(text)
    assert bench.verdict() == (12, "cannot-tell")


def test_a_job_record_half_written_when_its_runner_died_is_no_job(bench):
    bench.leave()
    bench.rewrite(bench.record(), start="17")
    bench.record(kind="child.tmp").write_text("{")
    assert bench.verdict() == (14, "dead")
    bench.take("r2").release()
    assert bench.names() == [f"{bench.job}.guard", "state-id"]


def test_of_several_records_the_one_that_is_not_dead_speaks(bench):
    bench.leave(boot_id="another")
    bench.copy_record("r2", boot_id=this_machine().boot_id)
    assert bench.locks.inspect(bench.job).run_id == "r2"
    assert bench.verdict() == (11, "held")


def test_an_empty_lock_folder_is_no_record(bench):
    bench.record().parent.mkdir(parents=True)
    assert bench.verdict() == (0, "free")
    held = bench.take()
    held.publish()
    held.release()


def test_a_dead_lock_is_settled_by_the_next_start_and_remembered(bench):
    bench.leave(boot_id="another")
    held = bench.take("r2")
    assert [(each.run_id, judge(each).line) for each in held.cleared] == [("r1", 6)]
    held.publish()
    assert bench.locks.inspect(bench.job).run_id == "r2"
    held.release()


def test_a_dead_lock_stays_where_it_is_to_be_asked_about(bench):
    bench.leave(boot_id="another")
    refused = bench.take("r2", settle=False)
    assert (refused.run_id, judge(refused).kind) == ("r1", VerdictKind.DEAD)
    assert bench.record().exists()
    assert bench.verdict() == (6, "dead")


def test_a_dead_lock_is_cleared_by_its_run_id(bench):
    bench.leave(boot_id="another")
    assert judge(bench.locks.clear(bench.job, run_id="r1")).line == 6
    assert bench.verdict() == (0, "free")


@pytest.mark.parametrize("run_id", ["r2", "", "../r1"])
@pytest.mark.parametrize("force", [False, True])
def test_another_runs_lock_is_not_cleared(bench, run_id, force):
    bench.leave(boot_id="another")
    with pytest.raises(LockMoved, match="nothing was removed"):
        bench.locks.clear(bench.job, run_id=run_id, force=force)
    assert bench.record().exists()


def test_a_lock_that_is_gone_has_moved(bench):
    with pytest.raises(LockMoved):
        bench.locks.clear(bench.job, run_id="r1")


def test_what_is_not_proven_dead_is_cleared_only_by_force(bench):
    bench.leave(machine_id="another", host="till")
    with pytest.raises(NotCleared, match="Taken on computer till"):
        bench.locks.clear(bench.job, run_id="r1")
    assert judge(bench.locks.clear(bench.job, run_id="r1", force=True)).line == 5
    assert bench.verdict() == (0, "free")


def test_a_torn_record_is_cleared_by_force_under_the_run_id_of_its_name(bench):
    bench.leave()
    bench.record().write_text("{")
    assert bench.locks.inspect(bench.job).run_id == "r1"
    bench.locks.clear(bench.job, run_id="r1", force=True)
    assert bench.verdict() == (0, "free")


def test_a_held_guard_is_respected_even_by_force(bench):
    held = bench.take()
    held.publish()
    with pytest.raises(NotCleared, match="The operating system reports the lock held"):
        bench.locks.clear(bench.job, run_id="r1", force=True)
    assert bench.record().exists()
    held.release()


def test_clearing_and_releasing_take_only_the_names_of_their_run(bench):
    bench.needs_a_machine_id()
    held = bench.take()
    held.publish()
    bench.copy_record("r0", boot_id="another")
    held.release()
    bench.record("r9").write_text("{")
    bench.locks.clear(bench.job, run_id="r0")
    assert [path.name for path in bench.record().parent.iterdir()] == ["r9.json"]
