"""`ridgeline check`: what it puts in order before it judges, what it leaves alone, and its exit code."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.core.runs import RunStatus

JOB = "order-sync"
EVERY_DAY = 'every = "1 day"\nbackend = "none"'


@pytest.fixture
def shop(office):
    """One daily job, which this computer has seen, and which is well."""
    office.job(JOB, EVERY_DAY, 'grace = "2 hours"')
    office.run(JOB, "2026-02-28T11:00")
    office.check()
    return office


def spooled(shop, **said):
    """A run whose end could not be written to the store."""
    record = replace(shop.run("another", "2026-02-28T11:30"), job_id=JOB, run_id="s1", host_id="", **said)
    shop.spool.write(record)
    return record


def spool_files(shop):
    return sorted(path.name for path in (shop.state / "spool").iterdir())


def verdict(shop):
    return judge(shop.locks.inspect(JOB)).kind


def test_the_spool_is_imported_with_this_computers_own_id(shop):
    record = spooled(shop)
    report = shop.check()
    with shop.stores.reading() as store:
        assert store.run("s1") == replace(record, host_id=store.host_id())
    assert spool_files(shop) == []
    assert "order-sync: a completed run kept aside was added to the records" in report.notes
    assert shop.check().notes == ()


def test_an_end_that_waits_in_the_spool_is_the_end_of_its_run(shop):
    shop.run(JOB, "2026-02-28T11:28", "running", run_id="s1")
    record = spooled(shop)
    shop.check()
    assert shop.status(record) == "completed"


def test_an_imported_run_of_another_computer_keeps_that_ones_id(shop):
    record = spooled(shop)
    shop.spool.write(replace(record, host_id="till"))
    shop.check()
    with shop.stores.reading() as store:
        assert store.run("s1").host_id == "till"


def test_a_run_that_no_lock_stands_behind_is_settled_and_journalled(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.spool.reserve(record.run_id)
    report = shop.check()
    assert shop.status(record) is RunStatus.INTERRUPTED
    assert spool_files(shop) == []
    assert shop.journal() == [("settle", JOB, record.run_id)]
    assert "a run whose runner is gone is settled as interrupted (No run holds this lock)" in report.notes[0]
    assert (report.exit_code, shop.codes(JOB)) == (1, ["interrupted"])


def test_a_run_whose_lock_is_dead_is_settled_and_its_lock_cleared(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.leave_lock(JOB, record.run_id)
    assert shop.row(JOB).running is None
    shop.check()
    assert shop.status(record) is RunStatus.INTERRUPTED
    assert verdict(shop) is VerdictKind.FREE
    [(detail,)] = shop.sql("select detail from journal")
    assert detail == "This computer has restarted since"


def test_a_run_is_settled_when_another_run_has_its_lock(shop):
    lost = shop.run(JOB, "2026-02-28T11:58", "running")
    going_on = shop.run(JOB, "2026-02-28T11:59", "running")
    held = shop.take_lock(JOB, going_on.run_id)
    shop.check()
    assert shop.status(lost) is RunStatus.INTERRUPTED
    assert shop.status(going_on) is RunStatus.RUNNING
    held.release()


def test_a_run_that_holds_its_lock_is_left_alone(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.spool.reserve(record.run_id)
    held = shop.take_lock(JOB, record.run_id)
    assert shop.check().notes == ()
    assert shop.status(record) is RunStatus.RUNNING
    assert spool_files(shop) == [f"{record.run_id}.end"]
    held.release()


@pytest.mark.parametrize("where", [{"machine_id": "another"}, {"pid_namespace": "another"}])
def test_a_lock_of_which_nothing_can_be_told_is_left_alone_with_its_run(shop, where):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.leave_lock(JOB, record.run_id, **where)
    shop.check()
    assert shop.status(record) is RunStatus.RUNNING
    assert verdict(shop) is VerdictKind.CANNOT_TELL
    assert (shop.codes(JOB), shop.row(JOB).attention) == (["lock-cannot-tell"], "grey")


def test_a_run_whose_job_survived_its_runner_is_left_alone(shop):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.leave_survivor(JOB, record.run_id)
    assert shop.check().notes == ()
    assert shop.status(record) is RunStatus.RUNNING
    assert verdict(shop) is VerdictKind.HELD
    assert (shop.codes(JOB), shop.row(JOB).attention) == (["runner-gone"], "amber")


def test_a_dead_lock_that_no_record_knows_is_cleared_and_journalled(shop):
    shop.leave_lock(JOB, "r9")
    report = shop.check()
    assert verdict(shop) is VerdictKind.FREE
    assert shop.journal() == [("clear-lock", JOB, "r9")]
    assert report.notes == (
        "order-sync: the lock of a run whose runner is gone is cleared (This computer has restarted since)",
    )
    assert report.exit_code == 0


def test_a_dead_lock_of_a_job_whose_file_is_gone_is_cleared_too(shop):
    record = shop.run("gone", "2026-02-28T11:59", "running")
    shop.leave_lock("gone", record.run_id)
    shop.check()
    assert shop.status(record) is RunStatus.INTERRUPTED
    assert shop.locks.inspect("gone").has_record is False


def test_a_dead_lock_stays_where_somebody_wants_to_be_asked_and_the_job_is_amber(shop):
    shop.settings('dead_lock = "ask"\n')
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.leave_lock(JOB, record.run_id)
    report = shop.check()
    assert shop.status(record) is RunStatus.RUNNING
    assert verdict(shop) is VerdictKind.DEAD
    assert (report.exit_code, shop.light(JOB)) == (1, ("ok", "amber"))
    assert shop.codes(JOB) == ["lock-dead"]
    older = shop.run(JOB, "2026-02-28T11:30", "running")
    shop.check()
    assert shop.status(older) is RunStatus.INTERRUPTED, "another run's lock says nothing for it"
    shop.lock_desk.clear(JOB, run_id=record.run_id)
    assert shop.status(record) is RunStatus.INTERRUPTED


def test_the_records_are_backed_up_once_a_day(shop):
    backups = shop.state / "backups"
    kept = [path.name for path in backups.iterdir()]
    assert kept == ["ridgeline-2026-02-28.sqlite3"]
    shop.check()
    assert [path.name for path in backups.iterdir()] == kept
    shop.pass_time(days=1)
    shop.check()
    assert sorted(path.name for path in backups.iterdir()) == [*kept, "ridgeline-2026-03-01.sqlite3"]


def test_what_is_too_much_goes_once_a_day_with_its_output(shop):
    shop.settings("[retention]\nruns = 2\n")
    records = [shop.run(JOB, f"2026-02-28T11:{minute}", "failed") for minute in (10, 20, 30)]
    logs = [shop.log(JOB, record.run_id) for record in records]
    shop.check()
    assert all(log.exists() for log in logs), "today it was done already"
    shop.pass_time(days=1)
    shop.check()
    left = [record.run_id for record in shop.runs.history(JOB, limit=9)]
    assert left == [records[2].run_id, records[1].run_id, "r1"], "the newest success stays"
    assert [log.exists() for log in logs] == [False, True, True]


def test_output_is_trimmed_but_never_the_newest_success_or_a_run_that_is_going_on(shop):
    shop.settings("[retention]\nlog_megabytes = 1\n")
    names = [shop.run(JOB, f"2026-02-28T11:{minute}", "failed").run_id for minute in (20, 30)]
    running = shop.run(JOB, "2026-02-28T11:50", "running", run_id="r0").run_id
    logs = {name: shop.log(JOB, name, 600_000) for name in ("r1", *names, running)}
    held = shop.take_lock(JOB, running)
    shop.pass_time(days=1)
    shop.check()
    assert {name for name, log in logs.items() if log.exists()} == {"r1", running, names[-1]}
    held.release()


def test_two_checks_at_once_do_no_harm(shop):
    shop.leave_lock(JOB, "r9")
    lost = [shop.run(JOB, f"2026-02-28T11:{minute}", "running") for minute in range(10, 40)]
    shop.run("another", "2026-02-28T11:30")
    spooled(shop)
    together = Barrier(2)

    def check(_):
        together.wait(timeout=30)
        return shop.check()

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(check, range(2)))
    assert {shop.status(record) for record in lost} == {RunStatus.INTERRUPTED}
    settled = [entry for entry in shop.journal() if entry[0] == "settle"]
    assert sorted(settled) == sorted(("settle", JOB, record.run_id) for record in lost)
    assert [note for report in reports for note in report.notes if "put in order" in note] == []
    assert spool_files(shop) == []
    assert verdict(shop) is VerdictKind.FREE
    assert {row.job_id for report in reports for row in report.snapshot.rows} == {JOB}


def test_two_programs_that_tidy_at_once_do_no_harm(shop):
    shop.settings("[retention]\nlog_megabytes = 1\n")
    logs = [shop.log(JOB, f"x{number:02}", 200_000) for number in range(30)]
    shop.pass_time(days=1)
    waiting, go = os.pipe()
    programs = [forked_check(shop, waiting, go) for _ in range(2)]
    os.close(waiting)
    os.close(go)
    assert [os.waitpid(pid, 0)[1] for pid in programs] == [0, 0]
    assert [said.read_text() for said in shop.root.glob("notes-*")] == ["", ""]
    assert len([log for log in logs if log.exists()]) < 30
    assert (shop.state / "backups" / "ridgeline-2026-03-01.sqlite3").exists()


def forked_check(shop, waiting, go):
    """A process of its own that checks once all others let go of the pipe."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.close(go)
        os.read(waiting, 1)
        notes = shop.check().notes
        (shop.root / f"notes-{os.getpid()}").write_text("\n".join(notes))
        os._exit(0)
    finally:
        os._exit(1)


def test_records_that_cannot_be_written_do_not_keep_anybody_from_judging(shop):
    spooled(shop)
    shop.sql("create trigger full before insert on runs begin select raise(abort, 'no room'); end")
    shop.pass_time(days=3)
    report = shop.check()
    assert "the records could not be put in order" in report.notes[0]
    assert (report.exit_code, report.snapshot.rows[0].health) == (2, "overdue")
    assert spool_files(shop) == ["s1.end"], "it waits for better times"


def test_a_state_folder_that_is_none_is_told_and_everything_is_grey(office):
    office.job(JOB, EVERY_DAY)
    office.state.write_text("")
    report = office.check()
    assert "the records could not be put in order" in report.notes[0]
    assert (report.exit_code, report.snapshot.rows[0].health) == (3, "unknown")


def test_a_green_light_is_not_trusted_where_the_records_could_not_be_put_in_order(shop):
    spooled(shop)
    shop.sql("create trigger full before insert on runs begin select raise(abort, 'no room'); end")
    report = shop.check()
    assert (report.snapshot.rows[0].health, report.exit_code) == ("ok", 3)


@pytest.mark.parametrize("place", ["logs", "spool"])
def test_a_file_that_cannot_be_removed_does_not_keep_anybody_from_judging(shop, place):
    record = shop.run(JOB, "2026-02-28T11:59", "running")
    shop.pass_time(days=3)
    if place == "logs":
        (shop.state / "logs").mkdir()
        (shop.state / "logs" / JOB).write_text("this is no folder")
    else:
        (shop.state / "spool" / f"{record.run_id}.end").mkdir(parents=True)
    report = shop.check()
    assert "the records could not be put in order" in " ".join(report.notes)
    assert report.exit_code == 2


def test_the_exit_code_is_that_of_the_worst_job(office):
    assert office.check().exit_code == 3, "no jobs at all"
    for job_id in ("fine", "silent", "unlucky"):
        office.job(job_id, EVERY_DAY)
    office.check()
    for job_id in ("fine", "unlucky"):
        office.run(job_id, "2026-03-04T08:00")
    office.run("unlucky", "2026-03-04T08:30", "failed")
    office.run("clockless", "2027-03-04T08:00")
    office.job("clockless", EVERY_DAY)
    office.at("2026-03-04T09:00")
    codes = [office.check(job_id).exit_code for job_id in ("fine", "unlucky", "silent", "clockless")]
    assert codes == [0, 1, 2, 3]
    assert office.check("fine", "clockless").exit_code == 3
    assert office.check("fine", "clockless", "unlucky").exit_code == 1
    assert office.check().exit_code == 2


def test_a_paused_job_alone_is_grey_as_all_paused_are_and_green_beside_others(shop):
    shop.runs.pause(JOB, until=None, reason="")
    assert shop.check(JOB).exit_code == 3
    assert shop.check().exit_code == 3
    shop.job("fine", EVERY_DAY)
    shop.run("fine", "2026-02-28T11:00")
    assert shop.check(JOB).exit_code == 3
    assert shop.check().exit_code == 0


def test_a_broken_file_is_amber_and_costs_its_own_job_only(shop):
    shop.file("broken", "comand = 1\n")
    assert [shop.check(*jobs).exit_code for jobs in ((JOB,), ("broken",), ())] == [0, 1, 1]


def test_a_job_that_nobody_knows_is_an_error(shop):
    with pytest.raises(RidgelineError, match=r'no job "nobody"; there are: order-sync'):
        shop.check("nobody")


def test_settings_that_are_wrong_stop_the_check(shop):
    shop.settings("shop_foldr = 1\n")
    with pytest.raises(RidgelineError, match=r"settings\.toml:1"):
        shop.check()


def damage(shop):
    for path in shop.state.glob("ridgeline.sqlite3*"):
        path.write_bytes(b"no database" * 1000)


def told(shop):
    return any("were set aside" in banner.text for banner in shop.snapshot().banners)


def test_after_a_repair_no_job_is_taken_to_have_never_run(shop):
    [job_id] = [row.job_id for row in shop.snapshot().rows][:1]
    damage(shop)
    shop.check()
    assert all(row.history_lost for row in shop.snapshot().rows)
    with shop.stores.reading() as store:
        assert store.has_run(job_id)


def test_a_repair_is_told_for_a_week_of_checks_and_then_no_more(shop):
    damage(shop)
    assert shop.snapshot().attention == "grey", "looking repairs nothing"
    shop.check()
    days = []
    for _ in range(9):
        shop.pass_time(days=1)
        shop.check()
        days.append(told(shop))
    assert days == [True] * 6 + [False] * 3
    assert shop.runs.history(JOB, limit=5) != (), "the backup has the runs of its day"


def test_a_second_repair_is_told_for_a_week_of_its_own(shop):
    damage(shop)
    for _ in range(6):
        shop.pass_time(days=1)
        shop.check()
    damage(shop)
    days = []
    for _ in range(9):
        shop.pass_time(days=1)
        shop.check()
        days.append(told(shop))
    assert days == [True] * 7 + [False] * 2, "told since the first check after the repair"


def test_a_job_that_is_seen_for_the_first_time_is_remembered(office):
    office.job(JOB, EVERY_DAY)
    office.check()
    office.pass_time(days=2)
    assert office.light(JOB) == ("never-succeeded", "red")
    assert office.codes(JOB) == ["never-ran"]


def test_a_record_kept_aside_that_cannot_be_read_is_told_and_never_green(office):
    office.job(JOB, EVERY_DAY)
    office.run(JOB, office.clock.now())
    assert office.check().exit_code == 0
    path = office.root / "state" / "spool" / "r9.end"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(b"torn")
    report = office.check()
    assert report.exit_code == 3
    assert str(path) in " ".join(report.notes)
