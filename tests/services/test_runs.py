"""Runs as people ask for them: history, output, stop, results from elsewhere, pauses with edits between."""

from datetime import timedelta

import pytest

from ridgeline_desktop.core.errors import RidgelineError, ShopUnreadable, UnknownJob
from ridgeline_desktop.core.runs import Reason, RunStatus, Trigger

JOB = "order-sync"
DAILY = 'daily = ["05:30"]\nbackend = "none"'
WEEKLY = 'weekly = { days = ["mon"], at = ["06:30"] }\nbackend = "none"'
MONDAY = "2026-03-02T05:31"


@pytest.fixture
def shop(office):
    """A daily job that was well on Monday 2 March, at nine o'clock that day."""
    office.job(JOB, DAILY)
    office.check()
    office.at("2026-03-02T09:00")
    office.run(JOB, MONDAY)
    return office


def test_history_is_newest_first_and_as_long_as_asked_for(shop):
    newest = shop.run(JOB, "2026-03-02T08:00", "failed")
    oldest = shop.run(JOB, "2026-03-01T08:00", "failed")
    assert [run.run_id for run in shop.runs.history(JOB, limit=9)] == [newest.run_id, "r1", oldest.run_id]
    assert shop.runs.history(JOB, limit=1) == (newest,)


def test_history_of_a_job_without_runs_is_empty_and_of_an_unknown_one_an_error(shop):
    shop.job("report", DAILY)
    assert shop.runs.history("report", limit=9) == ()
    with pytest.raises(UnknownJob, match=r'no job "nobody" .*there are: order-sync, report'):
        shop.runs.history("nobody", limit=9)


def test_history_of_a_job_whose_file_is_gone_is_still_there(shop):
    shop.take_shop_away(leave_empty=False)
    assert len(shop.runs.history(JOB, limit=9)) == 1
    with pytest.raises(ShopUnreadable):
        shop.runs.history("nobody", limit=9)


def test_the_run_with_the_newest_output_is_found_and_refused_starts_have_none(shop):
    shop.run(JOB, "2026-03-02T08:00", "refused", reason_code=Reason.LOCK_HELD)
    found = shop.runs.find(JOB, None)
    assert found.run_id == "r1"
    shop.log(JOB, "r1", 7)
    assert shop.runs.output(found, offset=3) == b"xxxx"


def test_a_run_is_found_by_its_id_however_old_it_is(shop):
    old = shop.runs.find(JOB, "r1")
    columns = "host_id, job_id, trigger, status, finished_at, attempt, reason_code, reason, event_key"
    columns += ", definition, identity, count, actor_name, actor_host, actor_via"
    shop.sql(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100) "
        f"insert into runs (run_id, started_at, {columns}) "
        f"select 'x' || i, '2026-03-02T13:00:00.000000Z', {columns} from runs, n where run_id = 'r1'"
    )
    assert len(shop.runs.history(JOB, limit=5000)) == 1101
    assert shop.runs.find(JOB, "r1") == old


def test_what_is_not_there_to_be_found_is_an_error_in_words(shop):
    shop.job("report", DAILY)
    shop.run("other", MONDAY, run_id="r9")
    with pytest.raises(RidgelineError, match="has not run yet"):
        shop.runs.find("report", None)
    for job_id, run_id in ((JOB, "r9"), (JOB, "r8"), ("report", "r1")):
        with pytest.raises(RidgelineError, match=f"has no run {run_id}; see: ridgeline history {job_id}"):
            shop.runs.find(job_id, run_id)
    with pytest.raises(UnknownJob):
        shop.runs.find("nobody", "r1")


def test_a_run_goes_on_while_its_lock_says_so(shop):
    record = shop.run(JOB, "2026-03-02T08:59", "running")
    assert not shop.runs.is_running(record), "nothing stands behind it"
    held = shop.take_lock(JOB, record.run_id)
    assert shop.runs.is_running(record)
    shop.run(JOB, "2026-03-02T09:00", run_id=record.run_id)
    assert not shop.runs.is_running(record), "its end is on record"
    held.release()


def test_the_running_run_is_asked_to_stop_by_name(shop):
    lost = shop.run(JOB, "2026-03-02T08:58", "running")
    record = shop.run(JOB, "2026-03-02T08:59", "running")
    held = shop.take_lock(JOB, record.run_id)
    assert shop.runs.stop(JOB) == record
    assert (shop.stops.asked(record.run_id), shop.stops.asked(lost.run_id)) == ("Theo", None)
    held.release()


@pytest.mark.parametrize("record", [True, False])
def test_nothing_is_asked_to_stop_where_nothing_runs(shop, record):
    if record:
        shop.run(JOB, "2026-03-02T08:59", "running")
    with pytest.raises(RidgelineError, match='"order-sync" is not running'):
        shop.runs.stop(JOB)
    assert not (shop.state / "stops").exists()
    with pytest.raises(UnknownJob):
        shop.runs.stop("nobody")


def test_a_job_that_survived_its_runner_cannot_be_stopped_and_its_processes_are_named(shop):
    record = shop.run(JOB, "2026-03-02T08:59", "running")
    pid = shop.leave_survivor(JOB, record.run_id)
    with pytest.raises(RidgelineError, match=rf"nobody is there who could stop it: .*process {pid}, still"):
        shop.runs.stop(JOB)
    assert shop.stops.asked(record.run_id) is None
    assert shop.row(JOB).running == record


def test_a_result_from_elsewhere_is_a_run_that_ended_just_now(shop):
    shop.job("report", 'expect = "1 day"')
    record = shop.runs.report("report", RunStatus.COMPLETED, reason="", exit_code=None)
    assert (record.trigger, record.reason_code, record.reason) == (
        Trigger.EVENT,
        Reason.REPORTED,
        "reported by Theo",
    )
    assert (record.started_at, record.finished_at) == (shop.clock.now(),) * 2
    assert record.definition == shop.jobs.job("report").definition
    assert shop.light("report") == ("ok", "green")
    shop.pass_time(days=1, minutes=1)
    assert shop.light("report") == ("ok", "green")
    shop.pass_time(days=2)
    assert shop.light("report") == ("overdue", "red")


def test_a_failure_from_elsewhere_is_told_in_its_own_words_and_is_no_heartbeat(shop):
    shop.job("report", 'expect = "1 day"')
    shop.runs.report("report", RunStatus.FAILED, reason="the printer is out of paper", exit_code=4)
    row = shop.row("report")
    assert (row.last_success, row.attention) == (None, "amber")
    assert row.reasons[0].text == "The last run failed: the printer is out of paper"
    with shop.stores.reading() as store:
        assert store.job_state("report").first_seen == shop.clock.now()


def test_a_result_of_an_unknown_job_is_not_recorded(shop):
    with pytest.raises(UnknownJob):
        shop.runs.report("nobody", RunStatus.COMPLETED, reason="", exit_code=0)


def pause(shop, *, until=None):
    return shop.runs.pause(JOB, until=until, reason="the till is being repaired")


def test_a_paused_job_says_who_until_when_and_why(shop):
    pause(shop, until=shop.clock.now() + timedelta(days=1))
    row = shop.row(JOB)
    assert (row.health, row.attention) == ("paused", "green")
    assert row.summary == "paused by Theo until tomorrow 09:00: the till is being repaired"
    assert row.valid_until == shop.clock.now() + timedelta(days=1)
    assert shop.journal() == [("pause", JOB, "")]


def test_a_paused_job_says_when_it_starts_next(shop):
    pause(shop, until=shop.moment("2026-03-09T09:00"))
    assert shop.row(JOB).next_fire == shop.moment("2026-03-10T05:30")
    pause(shop)
    assert shop.row(JOB).next_fire is None


def test_a_paused_job_does_not_ask_for_attention_by_its_last_run(shop):
    shop.run(JOB, "2026-03-02T08:00", "failed")
    assert shop.light(JOB) == ("ok", "amber")
    pause(shop)
    assert shop.light(JOB) == ("paused", "green")
    assert shop.codes(JOB) == ["failed", "paused"]


def test_drift_of_a_paused_job_is_amber_all_the_same(shop):
    shop.job(JOB, DAILY.replace("none", "cron"))
    shop.scheduling.register([JOB])
    pause(shop)
    assert shop.light(JOB) == ("paused", "green")
    shop.table.write_text("")
    assert shop.light(JOB) == ("paused", "amber")
    assert shop.codes(JOB) == ["missing", "paused"]


def test_a_job_resumed_after_three_weeks_is_not_red_at_once(shop):
    pause(shop)
    shop.at("2026-03-23T09:00")
    assert shop.light(JOB) == ("paused", "green")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("ok", "green")
    shop.at("2026-03-24T09:00")
    assert shop.light(JOB) == ("overdue", "red")


@pytest.mark.parametrize("looks", [True, False])
def test_a_job_that_was_red_when_it_was_paused_is_red_when_it_is_resumed(shop, looks):
    shop.at("2026-03-04T09:00")
    assert shop.light(JOB) == ("overdue", "red")
    pause(shop)
    shop.at("2026-03-23T09:00")
    if looks:
        shop.check()
    assert shop.light(JOB)[0] == "paused"
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("overdue", "red")
    shop.run(JOB, "2026-03-23T09:00")
    assert shop.light(JOB) == ("ok", "green")


def test_a_success_during_the_pause_ends_the_red(shop):
    shop.at("2026-03-04T09:00")
    pause(shop)
    shop.run(JOB, "2026-03-05T10:00")
    shop.at("2026-03-23T09:00")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("ok", "green")


def test_a_pause_ends_by_itself_and_excuses_no_longer_than_it_lasted(shop):
    pause(shop, until=shop.moment("2026-03-09T09:00"))
    shop.at("2026-03-09T08:59")
    assert shop.light(JOB)[0] == "paused"
    shop.at("2026-03-09T09:00")
    assert shop.light(JOB) == ("ok", "green")
    shop.at("2026-03-10T05:32")
    assert shop.light(JOB)[0] == "late"
    shop.at("2026-03-10T09:00")
    assert shop.light(JOB) == ("overdue", "red")


def test_a_red_job_is_red_again_when_its_pause_has_ended_by_itself(shop):
    shop.at("2026-03-04T09:00")
    pause(shop, until=shop.moment("2026-03-11T09:00"))
    shop.at("2026-03-11T09:00")
    assert shop.light(JOB) == ("overdue", "red")


@pytest.mark.parametrize("looks", [True, False])
def test_a_job_edited_during_its_pause_is_judged_by_its_new_rule_from_the_resume_on(shop, looks):
    pause(shop)
    shop.at("2026-03-10T09:00")
    shop.job(JOB, WEEKLY)
    if looks:
        shop.check()
    shop.at("2026-03-24T09:00")
    shop.runs.resume(JOB)
    shop.check()
    assert shop.light(JOB) == ("ok", "green")
    assert f"{shop.row(JOB).due:%Y-%m-%dT%H:%MZ}" == "2026-03-30T10:30Z"


@pytest.mark.parametrize("looks", [True, False])
def test_a_red_job_edited_during_its_pause_stays_red(shop, looks):
    shop.at("2026-03-04T09:00")
    pause(shop)
    shop.job(JOB, WEEKLY)
    if looks:
        shop.check()
    shop.at("2026-03-05T09:00")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("overdue", "red")


def test_a_red_job_edited_just_before_its_pause_stays_red(shop):
    shop.at("2026-03-04T09:00")
    shop.job(JOB, WEEKLY)
    pause(shop)
    shop.at("2026-03-05T09:00")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("overdue", "red")


def test_a_red_job_that_is_edited_stays_red_until_a_success(shop):
    shop.at("2026-03-04T09:00")
    shop.job(JOB, WEEKLY)
    for _ in range(3):
        assert shop.light(JOB) == ("overdue", "red")
        shop.check()
        shop.pass_time(days=1)
    shop.run(JOB, shop.clock.now())
    assert shop.light(JOB) == ("ok", "green")


def test_an_auto_ending_pause_with_an_edit_during_it_that_nobody_noticed_is_not_red_at_once(shop):
    pause(shop, until=shop.moment("2026-03-09T09:00"))
    shop.at("2026-03-08T09:00")
    shop.job(JOB, WEEKLY)
    shop.at("2026-03-09T09:01")
    assert shop.light(JOB) == ("ok", "green")


def test_pausing_twice_makes_the_newer_end_count_and_holds_nothing_new(shop):
    pause(shop, until=shop.clock.now() + timedelta(days=1))
    shop.at("2026-03-02T20:00")
    pause(shop)
    shop.at("2026-03-20T09:00")
    assert shop.light(JOB)[0] == "paused"
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("ok", "green")


def test_pausing_a_red_job_twice_keeps_it_red(shop):
    shop.at("2026-03-04T09:00")
    for day in (4, 6):
        shop.at(f"2026-03-0{day}T09:00")
        pause(shop)
    shop.at("2026-03-20T09:00")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("overdue", "red")


def test_a_job_that_turned_red_after_one_pause_stays_red_through_the_next(shop):
    pause(shop)
    shop.at("2026-03-10T09:00")
    shop.runs.resume(JOB)
    shop.at("2026-03-12T09:00")
    assert shop.light(JOB) == ("overdue", "red")
    pause(shop)
    shop.at("2026-03-20T09:00")
    shop.runs.resume(JOB)
    assert shop.light(JOB) == ("overdue", "red")


def test_a_pause_must_end_in_the_future_and_concern_a_job_that_exists(shop):
    with pytest.raises(RidgelineError, match="must end in the future; nothing was paused"):
        pause(shop, until=shop.clock.now())
    with pytest.raises(UnknownJob):
        shop.runs.pause("nobody", until=None, reason="")
    assert shop.journal() == []


def test_only_a_paused_job_can_be_resumed(shop):
    with pytest.raises(RidgelineError, match='"order-sync" is not paused'):
        shop.runs.resume(JOB)
    with pytest.raises(UnknownJob):
        shop.runs.resume("nobody")
    pause(shop)
    shop.runs.resume(JOB)
    with pytest.raises(RidgelineError, match="is not paused"):
        shop.runs.resume(JOB)


def test_the_pause_of_a_job_whose_file_is_gone_can_be_ended(shop):
    pause(shop)
    (shop.shop / "jobs" / f"{JOB}.toml").unlink()
    shop.runs.resume(JOB)
    assert [entry[0] for entry in shop.journal()] == ["pause", "resume"]
