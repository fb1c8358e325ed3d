"""What a row carries besides its light: runs, usual time, lock, pause, problems, and the last check."""

from datetime import timedelta

import pytest

from ridgeline_desktop.core.locks import VerdictKind
from ridgeline_desktop.core.snapshots import StepKind

JOB = "order-sync"
DAILY = 'daily = ["05:30"]\nbackend = "none"'
META = "select value from meta where key = 'checked-at'"


@pytest.fixture
def shop(office):
    office.job(JOB, DAILY)
    return office


def test_recent_runs_are_newest_first_with_the_running_one_and_without_those_from_the_future(shop):
    ended = [shop.run(JOB, f"2026-02-28T{hour:02}:00") for hour in range(5, 9)]
    shop.run(JOB, "2026-03-28T09:00")
    running = shop.run(JOB, "2026-02-28T11:59", "running")
    held = shop.take_lock(JOB, running.run_id)
    row = shop.row(JOB)
    assert row.recent == (running, *reversed(ended))
    assert (row.running, row.last_run) == (running, ended[-1])
    held.release()


def test_of_many_runs_the_newest_twenty_are_carried(shop):
    ended = [shop.run(JOB, f"2026-02-28T08:{minute:02}") for minute in range(25)]
    assert shop.row(JOB).recent == tuple(reversed(ended[5:]))


def test_the_usual_time_is_known_from_two_successes_on(shop):
    shop.run(JOB, "2026-02-28T05:00", duration=4.0)
    shop.run(JOB, "2026-02-28T05:30", "failed", duration=900.0)
    assert shop.row(JOB).usual is None
    shop.run(JOB, "2026-02-28T06:00", duration=8.0)
    assert shop.row(JOB).usual == timedelta(seconds=6)


def test_a_run_that_takes_far_longer_than_usual_is_told_of_and_changes_no_light(shop):
    for hour in (5, 6):
        shop.run(JOB, f"2026-02-28T{hour:02}:00", duration=4.0)
    running = shop.run(JOB, "2026-02-28T11:50", "running")
    held = shop.take_lock(JOB, running.run_id)
    assert shop.codes(JOB) == ["running-long"]
    assert shop.light(JOB) == ("ok", "green")
    [reason] = shop.row(JOB).reasons
    assert reason.text == "A run takes 10 minutes so far; usually it takes 4 seconds"
    assert reason.steps[1].text == "Wait for it. Ridgeline ends it today 12:10, if it is not done by then"
    held.release()


def test_the_lock_comes_with_its_verdict_and_the_reason_with_its_evidence(shop):
    assert shop.row(JOB).verdict.kind is VerdictKind.FREE
    shop.settings('dead_lock = "ask"\n')
    shop.leave_lock(JOB, "r9")
    row = shop.row(JOB)
    assert row.verdict.kind is VerdictKind.DEAD
    [reason] = row.reasons
    assert reason.text.startswith("A run is over but left its lock behind: it began today 12:00 by the sch")
    assert reason.proof[0] == "This computer has restarted since"
    assert [step.kind for step in reason.steps] == [StepKind.SHOW_LOCK]


def test_a_pause_is_carried_while_it_lasts(shop):
    shop.runs.pause(JOB, until=shop.moment("2026-02-28T18:00"), reason="stock-taking")
    row = shop.row(JOB)
    assert (row.pause.actor.name, row.pause.reason) == ("Theo", "stock-taking")
    assert row.reasons[0].steps[0].kind is StepKind.RESUME
    shop.at("2026-02-28T18:00")
    assert shop.row(JOB).pause is None
    shop.runs.pause(JOB, until=None, reason="")
    shop.runs.resume(JOB)
    assert shop.row(JOB).pause is None


def test_a_broken_job_file_is_told_with_its_line_and_what_to_do(shop):
    shop.file(JOB, 'command = ["/bin/true"]\ncomand = 1\n[schedule]\ndaily = ["25:00"]\n')
    row = shop.row(JOB)
    assert [problem.line for problem in row.problems] == [2, 4]
    [reason] = row.reasons
    assert reason.text.startswith("Its job file is not in order, so nothing can start it: line 2: ")
    assert reason.proof[0] == "The file is order-sync.toml"
    assert reason.proof[1].startswith("order-sync.toml:4: ")
    assert [step.kind for step in reason.steps] == [StepKind.EDIT_JOB, StepKind.ASK]


def test_records_that_cannot_be_read_are_the_reason_of_every_job_in_order(shop):
    shop.check()
    shop.file("broken", "comand = 1\n")
    shop.database.write_bytes(b"no database " * 1000)
    assert shop.codes(JOB) == ["records-unreadable"]
    assert shop.codes("broken") == ["broken-job-file"]
    reason = shop.row(JOB).reasons[0]
    assert reason.text == "The run records cannot be read, so its light cannot be trusted"
    assert reason.proof
    assert [step.kind for step in reason.steps] == [StepKind.ASK]
    assert shop.snapshot().checked_at is None


def test_where_the_cause_is_unknown_the_last_run_is_quoted(shop):
    record = shop.run(JOB, "2026-02-28T05:31")
    shop.check()
    shop.log(JOB, record.run_id).write_bytes(b"57 orders copied\n")
    shop.at("2026-03-01T12:00")
    [reason] = shop.row(JOB).reasons
    assert reason.code == "not-known"
    assert "Its last run said: “57 orders copied”" in reason.proof
    assert "Nobody has checked since yesterday 12:00: the background check is silent" in reason.proof


def test_a_snapshot_names_the_zone_and_when_all_jobs_were_checked_last(shop):
    assert shop.snapshot().zone.key == "America/Toronto"
    assert shop.snapshot().checked_at is None
    shop.check()
    assert shop.snapshot().checked_at == shop.moment("2026-02-28T12:00")
    shop.pass_time(minutes=5)
    shop.check(JOB)
    assert shop.snapshot().checked_at == shop.moment("2026-02-28T12:00"), "only a check of all jobs counts"
    shop.check()
    assert shop.snapshot().checked_at == shop.moment("2026-02-28T12:05")


def test_a_check_that_could_put_nothing_in_order_is_not_remembered_as_one(shop):
    shop.check()
    shop.pass_time(minutes=5)
    (shop.state / "spool").mkdir(exist_ok=True)
    (shop.state / "spool").rmdir()
    (shop.state / "spool").write_text("no folder")
    report = shop.check()
    assert "could not be put in order" in report.notes[0]
    assert shop.snapshot().checked_at == shop.moment("2026-02-28T12:00")


@pytest.mark.parametrize("text", ["", "soon", "2026-02-28T12:00", "2027-02-28T12:00+00:00"])
def test_a_check_at_no_time_that_can_be_is_as_good_as_none(shop, text):
    shop.check()
    shop.sql(f"update meta set value = '{text}' where key = 'checked-at'")
    assert shop.sql(META) == [(text,)]
    assert shop.snapshot().checked_at is None
