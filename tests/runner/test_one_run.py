"""A run from start to record, with real processes."""

import json
import os
import signal
import stat
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.jobs import RunRules, SafeToRerun, SuccessRules
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.core.runs import Reason, RunStatus, Trigger
from ridgeline_desktop.core.schedule_tables import schedule_text
from ridgeline_desktop.core.schedules import Every, Schedule

QUARTERS = Schedule(rule=Every(interval=timedelta(minutes=15)))


def python(program):
    return (sys.executable, "-I", "-c", program)


def rules(**changes):
    return RunRules(**changes)


def retrying(attempts, *codes, base=timedelta(milliseconds=20), **changes):
    retry = RetryPolicy(attempts=attempts, base=base, cap=base, exit_codes=codes or (75,))
    return RunRules(retry=retry, **changes)


def test_a_run_that_works_is_completed_and_on_record(bench):
    begun = datetime.now(UTC)
    outcome = bench.run(bench.job("true"))
    record = outcome.record
    assert (outcome.exit_code, outcome.sentence) == (0, "")
    assert (record.status, record.exit_code, record.reason, record.attempt) == (RunStatus.COMPLETED, 0, "", 1)
    assert begun <= record.started_at <= record.finished_at <= datetime.now(UTC)
    assert 0 < record.duration < 60
    assert (record.fence, record.definition, record.actor.name) == (1, "d1", "Theo")
    with bench.store() as store:
        assert store.run(record.run_id) == record
        assert record.host_id == store.host_id()


def test_nothing_but_the_record_and_the_guard_is_left_of_a_run(bench):
    bench.run(bench.job("true"))
    left = {path.name for path in bench.folder.rglob("*") if path.is_file()}
    assert not {name for name in left if name.endswith((".log", ".end", ".child", ".json"))}
    assert bench.locks.inspect("sync").has_record is False


@pytest.mark.parametrize("code", [1, 3, 70, 124, 143, 255])
def test_a_failed_job_hands_on_its_exit_code(bench, code):
    outcome = bench.run(bench.shell(f"exit {code}"))
    assert (outcome.record.status, outcome.record.reason_code) == (RunStatus.FAILED, Reason.EXIT_CODE)
    assert (outcome.exit_code, outcome.record.exit_code) == (code, code)
    assert outcome.sentence == f"sync failed: exit code {code}"


def test_a_jobs_own_75_is_reported_as_1_and_recorded_as_75(bench):
    outcome = bench.run(bench.shell("exit 75"))
    assert (outcome.exit_code, outcome.record.exit_code) == (1, 75)


def test_an_accepted_exit_code_completes_the_run(bench):
    job = bench.shell("exit 3", run=rules(success=SuccessRules(exit_codes=(0, 3))))
    outcome = bench.run(job)
    assert (outcome.record.status, outcome.record.exit_code, outcome.exit_code) == (RunStatus.COMPLETED, 3, 0)


def test_a_job_ended_by_a_signal_says_which(bench):
    outcome = bench.run(bench.shell("kill -SEGV $$"))
    assert (outcome.record.status, outcome.record.reason_code) == (RunStatus.FAILED, Reason.SIGNAL)
    assert outcome.record.reason == "ended by signal SEGV (segmentation fault)"
    assert outcome.exit_code == 139


def test_what_it_prints_on_both_streams_is_kept_as_bytes_in_order(bench):
    program = "import os\nfor n in range(3):\n os.write(1, b'\\xff\\x00a%d' % n)\n os.write(2, b'b\\r')"
    outcome = bench.run(bench.job(*python(program)))
    assert bench.log(outcome) == b"\xff\x00a0b\r\xff\x00a1b\r\xff\x00a2b\r"


def test_much_output_is_kept_by_its_beginning_and_its_end(bench):
    outcome = bench.run(bench.job(*python("print('start' + 'x' * 300_000 + 'the end')")))
    log = bench.log(outcome)
    assert log.startswith(b"startxxx")
    assert log.endswith(b"xxxthe end\n")
    assert b"bytes left out" in log
    assert len(log) < 1300


def test_a_log_that_cannot_be_written_does_not_stop_the_job(bench):
    (bench.folder / "logs").write_text("in the way")
    outcome = bench.run(bench.shell("echo one; echo two"))
    assert outcome.record.status is RunStatus.COMPLETED
    assert outcome.record.reason == "its log is incomplete: file exists"


def test_the_job_gets_exactly_this_environment(bench, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_STARTER", "1")
    started = datetime.now(UTC)
    job = bench.job("env", "-0", environment=(("GREETING", "grüß dich"), ("LANG", "C")), run=rules())
    outcome = bench.run(job, started_at=started, home="/srv/home")
    found = dict(line.split("=", 1) for line in bench.log(outcome).decode().split("\0") if line)
    assert found == {
        "HOME": str(bench.folder),
        "USER": "theo",
        "LOGNAME": "theo",
        "SHELL": "/bin/sh",
        "LANG": "C",
        "TZ": "America/Toronto",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "GREETING": "grüß dich",
        "RIDGELINE_RUN_ID": outcome.record.run_id,
        "RIDGELINE_JOB": "sync",
        "RIDGELINE_FENCE": "1",
        "RIDGELINE_DEADLINE": (started + timedelta(minutes=20)).isoformat(),
        "RIDGELINE_CHECKPOINT": str(bench.folder / "sync.checkpoint"),
        "RIDGELINE_HOME": "/srv/home",
    }


def test_without_a_deadline_or_a_home_the_job_is_told_none(bench):
    outcome = bench.run(bench.job("env", run=rules(no_deadline=True)))
    assert b"RIDGELINE_DEADLINE" not in bench.log(outcome)
    assert b"RIDGELINE_HOME" not in bench.log(outcome)


LOOK_AROUND = """
import json, os
try:
    tty = os.open("/dev/tty", os.O_RDWR)
except OSError as error:
    tty = error.errno
print(json.dumps({
    "folder": os.getcwd(), "input": os.read(0, 1).decode(), "leads": os.getsid(0) == os.getpid(), "tty": tty,
    "open": sorted(int(n) for n in os.listdir("/proc/self/fd")), "same": os.fstat(1) == os.fstat(2),
}))
"""


def test_the_job_has_no_terminal_no_input_and_no_descriptor_but_the_guard(bench):
    os.mkfifo(bench.folder / "a")
    stray = os.open(bench.folder / "a", os.O_RDWR)
    os.set_inheritable(stray, True)
    outcome = bench.run(bench.job(*python(LOOK_AROUND), folder="/usr"))
    os.close(stray)
    seen = json.loads(bench.log(outcome))
    assert (seen["folder"], seen["input"], seen["leads"], seen["tty"]) == ("/usr", "", True, 6)
    assert seen["open"] == [0, 1, 2, 3, 250]  # 3 is the one by which it looks
    assert seen["same"]


def test_no_signal_is_ignored_or_held_back_in_the_job(bench):
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    outcome = bench.run(bench.job("grep", "-E", "SigIgn|SigBlk", "/proc/self/status"))
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert {int(mask, 16) for mask in bench.log(outcome).split()[1::2]} == {0}


def test_a_later_attempt_that_cannot_start_is_a_failure_and_no_refusal(bench):
    script = bench.folder / "once"
    script.write_text(
        "#!/bin/sh\necho '#!/no/such' > once.new; chmod +x once.new; mv once.new once; exit 75\n"
    )
    script.chmod(0o755)
    outcome = bench.run(bench.job(str(script), run=retrying(3)))
    record = outcome.record
    assert (record.status, record.reason_code) == (RunStatus.FAILED, Reason.COULD_NOT_START)
    assert (record.attempt, outcome.exit_code) == (2, 1)


@pytest.mark.parametrize("printed", ["all done", "no"])
def test_the_promised_text_must_be_printed(bench, printed):
    job = bench.shell(f"echo {printed}", run=rules(success=SuccessRules(must_print="all done")))
    outcome = bench.run(job)
    if printed == "all done":
        assert outcome.record.status is RunStatus.COMPLETED
    else:
        assert (outcome.record.status, outcome.exit_code) == (RunStatus.FAILED, 1)
        assert outcome.record.reason_code is Reason.SUCCESS_RULE
        assert outcome.record.reason == 'it did not print "all done"'


def test_a_text_is_found_across_two_writes_and_beyond_what_the_log_keeps(bench):
    program = "import os\nfor part in (b'x' * 2000, b'all d', b'one', b'x' * 2000):\n os.write(1, part)"
    job = bench.job(*python(program), run=rules(success=SuccessRules(must_print="all done")))
    outcome = bench.run(job)
    assert b"all done" not in bench.log(outcome)
    assert outcome.record.status is RunStatus.COMPLETED


def test_a_forbidden_text_makes_a_failure_of_exit_code_0(bench):
    job = bench.shell("echo an ERROR came >&2", run=rules(success=SuccessRules(must_not_print="ERROR")))
    outcome = bench.run(job)
    assert (outcome.record.reason_code, outcome.exit_code) == (Reason.SUCCESS_RULE, 1)
    assert outcome.sentence == 'sync failed: it printed "ERROR", which it must not'


def test_a_broken_rule_exits_1_also_where_another_exit_code_was_accepted(bench):
    job = bench.shell("exit 3", run=rules(success=SuccessRules(exit_codes=(3,), must_print="x")))
    outcome = bench.run(job)
    assert (outcome.exit_code, outcome.record.exit_code) == (1, 3)


@pytest.mark.parametrize("line", ["true", "echo 1 > out.csv"])
@pytest.mark.parametrize("is_there", [False, True])
def test_the_promised_file_must_have_been_written_by_this_run(bench, line, is_there):
    file = bench.folder / "out.csv"
    if is_there:
        file.write_text("old")
        os.utime(file, (1_700_000_000.5, 1_700_000_000.5))
    job = bench.shell(line, run=rules(success=SuccessRules(fresh_file="~/out.csv")))
    outcome = bench.run(job)
    if line != "true":
        assert outcome.record.status is RunStatus.COMPLETED
    else:
        assert outcome.record.reason_code is Reason.SUCCESS_RULE
        words = "before the run started" if is_there else "no such file or directory"
        assert outcome.record.reason.endswith(words)


def test_only_the_listed_exit_codes_are_tried_again(bench):
    job = bench.shell("echo try; exit 3", run=retrying(3, 75))
    assert bench.log(bench.run(job)) == b"try\n"


def test_a_later_attempt_may_complete_the_run(bench):
    line = "echo x >> tries; cat tries; test $(wc -l < tries) = 3 || exit 75"
    outcome = bench.run(bench.shell(line, run=retrying(5)))
    assert (outcome.record.status, outcome.record.attempt) == (RunStatus.COMPLETED, 3)
    marks = [text for text in bench.log(outcome).decode().splitlines() if text != "x"]
    assert marks == ["--- attempt 2 of 5 ---", "--- attempt 3 of 5 ---"]


def test_attempts_end_with_the_last_and_its_number_is_on_record(bench):
    outcome = bench.run(bench.shell("exit 75", run=retrying(3)))
    assert (outcome.record.attempt, outcome.record.exit_code, outcome.exit_code) == (3, 75, 1)
    assert outcome.record.reason == "exit code 75; attempt 3 of 3"


def test_only_the_last_attempts_output_is_held_against_the_rules(bench):
    line = "echo x >> tries; test $(wc -l < tries) = 2 && exit 0; echo ERROR; exit 75"
    job = bench.shell(line, run=retrying(2, success=SuccessRules(must_not_print="ERROR")))
    assert bench.run(job).record.status is RunStatus.COMPLETED


def test_a_wait_that_would_pass_the_deadline_ends_the_run_at_once(bench):
    run = retrying(2, base=timedelta(hours=1), deadline=timedelta(minutes=1))
    outcome = bench.run(bench.shell("exit 75", run=run))
    assert (outcome.record.status, outcome.record.attempt, outcome.exit_code) == (RunStatus.FAILED, 1, 1)
    assert "no time for another attempt before the deadline" in outcome.record.reason


def test_a_scheduled_run_serves_its_fire_time_and_a_second_one_is_a_duplicate(bench):
    started = datetime(2026, 3, 2, 15, 15, 2, tzinfo=UTC)
    job = bench.job("true", schedule=QUARTERS)
    first, second = (bench.run(job, started_at=started) for _ in range(2))
    assert first.record.scheduled_for == datetime(2026, 3, 2, 15, 15, tzinfo=UTC)
    assert (second.record.status, second.record.reason_code) == (RunStatus.REFUSED, Reason.DUPLICATE)
    assert second.exit_code == 75
    by_hand = bench.run(
        replace(job, safe_to_rerun=SafeToRerun.YES), started_at=started, trigger=Trigger.MANUAL
    )
    assert (by_hand.record.status, by_hand.record.scheduled_for) == (RunStatus.COMPLETED, None)


def test_a_catch_up_serves_the_fire_time_it_is_given(bench):
    fire = datetime(2026, 3, 2, 15, 15, tzinfo=UTC)
    outcome = bench.run(bench.job("true", schedule=QUARTERS), trigger=Trigger.CATCH_UP, scheduled_for=fire)
    assert outcome.record.scheduled_for == fire


def test_fences_only_grow(bench):
    assert [bench.run(bench.job("true")).record.fence for _ in range(3)] == [1, 2, 3]


def unreadable():
    raise StoreUnreadable("the records are damaged")


def test_without_a_store_the_job_runs_and_its_record_waits_in_the_spool(bench):
    outcome = bench.run(bench.shell("echo ran"), runner=bench.runner(open_store=unreadable))
    assert bench.log(outcome) == b"ran\n"
    assert outcome.exit_code == 0
    assert outcome.sentence == "sync completed; its record waits in the spool: the records are damaged"
    assert bench.spool.records() == (outcome.record,)


def test_without_store_and_spool_the_job_runs_and_70_says_that_nobody_knows(bench):
    class FullSpool:
        def reserve(self, run_id):
            pass

        def write(self, record):
            raise OSError(28, "No space left on device")

    runner = bench.runner(open_store=unreadable, spool=FullSpool())
    outcome = bench.run(bench.shell("echo ran; exit 3"), runner=runner)
    assert bench.log(outcome) == b"ran\n"
    assert outcome.exit_code == 70
    assert (
        outcome.sentence == "sync failed: exit code 3; the run could not be recorded: the records are damaged"
    )


def test_a_store_that_comes_back_gets_the_record_at_the_end(bench):
    def once_broken():
        if not (bench.folder / "tried").exists():
            (bench.folder / "tried").write_text("")
            unreadable()
        return bench.store()

    outcome = bench.run(bench.job("true"), runner=bench.runner(open_store=once_broken))
    assert bench.spool.records() == ()
    with bench.store() as store:
        assert store.run(outcome.record.run_id).status is RunStatus.COMPLETED


def test_a_first_run_makes_the_job_known_and_a_new_rule_is_noticed(bench):
    job = bench.job("true", schedule_text=schedule_text({"every": "15 minutes"}, zone="UTC"))
    first = bench.run(job).record.started_at
    with bench.store() as store:
        assert store.job_state("sync").first_seen == first
    bench.run(job)
    hourly = replace(job, schedule_text=schedule_text({"every": "1 hour"}, zone="UTC"))
    second = bench.run(hourly).record.started_at
    with bench.store() as store:
        state = store.job_state("sync")
    assert (state.first_seen, state.schedule_text, state.changed_at) == (first, hourly.schedule_text, second)


def test_a_log_is_for_its_owner_alone(bench):
    outcome = bench.run(bench.shell("echo x"))
    path = bench.folder / "logs" / f"{outcome.record.run_id}.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
