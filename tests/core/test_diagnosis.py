"""Why a light is not green: causes in plain words, their proof, and what to do, the most specific first."""

from datetime import timedelta

import pytest
from diagnosed import (
    COMPLETED,
    DAILY,
    ENTRY,
    FAILED,
    HELD,
    HOUR,
    INTERRUPTED,
    JOB,
    LATE,
    MINUTE,
    NEVER,
    NOON,
    OK,
    QUIET,
    REFUSED,
    RUNNING,
    SAID,
    STOPPED,
    STOPPED_CRON,
    SUCCESS,
    THEO,
    TIMED_OUT,
    UNKNOWN,
    facts,
    failure,
    finding_of,
    kinds,
    lock,
    reasons,
    record,
    records,
    steps,
    told,
)

from ridgeline_desktop.core.diagnosis import diagnose
from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.job_facts import did_not_work, last_ended, refused_by_lock
from ridgeline_desktop.core.jobs import SafeToRerun
from ridgeline_desktop.core.locks import GuardState, Verdict, VerdictKind
from ridgeline_desktop.core.registrations import Finding, RegistrationState
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.schedules import ByHand, Schedule
from ridgeline_desktop.core.values import replace


def test_a_job_in_order_has_no_reasons():
    registered = Finding(job_id="order-sync", state=RegistrationState.REGISTERED, sentence="fine")
    free = Verdict(kind=VerdictKind.FREE, line=0, sentence="No run holds this lock")
    assert reasons(record(COMPLETED), assessment=OK, finding=registered, verdict=free) == []


def test_failures_are_told_with_the_line_that_tells_their_times_the_last_success_and_what_to_do():
    history = [failure(minute=minute) for minute in (0, 15, 30, 45)]
    line = told(*history, record(COMPLETED, minute=67), tail=SAID)
    assert (line.code, line.text) == ("failed", "The last 4 runs failed: the shop API answered 503")
    assert line.proof == (
        "They began at 11:15, 11:30, 11:45 and 12:00",
        "It ended with code 1",
        SUCCESS,
        "It said: “the shop API answered 503”",
    )
    assert steps(line) == [
        ("open-runbook", "Open the runbook: it says what to do"),
        ("show-output", "Read what the run said"),
        ("run-now", "Run it now. It is safe to repeat"),
        ("ask", "Still red? Ask Jordan"),
    ]


@pytest.mark.parametrize(
    ("statuses", "code", "text"),
    [
        ([FAILED], "failed", "The last run failed"),
        ([FAILED] * 4 + [COMPLETED, FAILED], "failed", "The last 4 runs failed"),
        ([REFUSED, FAILED, REFUSED, REFUSED, FAILED], "failed", "The last 2 runs failed"),
        ([FAILED, STOPPED, FAILED], "failed", "The last 2 runs failed"),
        ([TIMED_OUT], "timed-out", "The last run ran out of time"),
        ([TIMED_OUT] * 2, "timed-out", "The last 2 runs ran out of time"),
        ([INTERRUPTED], "interrupted", "The last run was cut short"),
        ([INTERRUPTED] * 2, "interrupted", "The last 2 runs were cut short"),
        ([TIMED_OUT, FAILED, FAILED], "timed-out",
         "The last 3 runs did not work, and the newest ran out of time"),
        ([INTERRUPTED, TIMED_OUT], "interrupted",
         "The last 2 runs did not work, and the newest was cut short"),
    ],
)  # fmt: skip
def test_failures_in_a_row_are_counted_and_named(statuses, code, text):
    assert reasons(*records(*statuses)) == [(code, text)]


def test_what_a_log_puts_before_a_line_is_left_out_of_the_cause_and_stands_in_the_proof():
    line = told(failure(), tail=b"2026-03-04 12:00:01 ERROR no stock\n")
    assert line.text == "The last run failed: no stock"
    assert "It said: “2026-03-04 12:00:01 ERROR no stock”" in line.proof


@pytest.mark.parametrize(
    ("ended", "text", "proof"),
    [
        (failure(127), "The last run failed", "It ended with code 127: the program was not found"),
        (failure(), "The last run failed", "It ended with code 1"),
        (record(FAILED, "exit code 1; 2 processes it left behind were ended", Reason.EXIT_CODE, exit_code=1),
         "The last run failed", "2 processes it left behind were ended"),
        (failure(attempt=3), "The last run failed", "It was tried 3 times in that run"),
        (record(FAILED, "ended by signal KILL (killed)", Reason.SIGNAL, exit_code=137),
         "The last run failed: its program crashed, or was ended from outside",
         "It was ended by signal 9 (killed)"),
        (record(FAILED, 'it did not print "done"', Reason.SUCCESS_RULE, exit_code=0),
         'The last run failed: it did not print "done"', "It ended with code 0"),
        (record(FAILED, "the printer is out of paper", Reason.REPORTED),
         "The last run failed: the printer is out of paper", SUCCESS),
        (record(INTERRUPTED, "its runner ended without a word: this computer has restarted since",
                Reason.RUNNER_DIED),
         "The last run was cut short: it ended without a word, as when the power fails",
         "This computer has restarted since"),
        (record(INTERRUPTED, "the runner was told to end by signal TERM", Reason.RUNNER_SIGNALLED,
                exit_code=143),
         "The last run was cut short: it was told to end, as when the computer shuts down",
         "It was ended by signal 15 (told to end)"),
        (record(TIMED_OUT, "not finished by its deadline", Reason.DEADLINE, duration=1200.4),
         "The last run ran out of time: ended after 20 minutes", SUCCESS),
    ],
)  # fmt: skip
def test_the_cause_is_said_without_numbers_of_programs_and_these_are_the_proof(ended, text, proof):
    line = told(ended)
    assert line.text == text
    assert proof in line.proof
    assert "show-output" not in kinds(line), "nothing was said"


def test_a_run_that_ran_out_of_time_may_need_more_of_it():
    line = told(record(TIMED_OUT), usual=4 * MINUTE, deadline=20 * MINUTE)
    assert "Its runs usually take 4 minutes" in line.proof
    assert ("edit-schedule", "Give it more time, if it needs more than 20 minutes") in steps(line)
    unlimited = told(record(TIMED_OUT))
    assert ("edit-schedule", "Give it more time, if it needs more") in steps(unlimited)


@pytest.mark.parametrize(
    ("wish", "schedule", "history", "expected"),
    [
        (SafeToRerun.YES, DAILY, (failure(),), ("run-now", "Run it now. It is safe to repeat")),
        (SafeToRerun.ASK, DAILY, (failure(),),
         ("run-now", "Run it now. It ran before, so Ridgeline asks first")),
        (SafeToRerun.NEVER, DAILY, (failure(),),
         ("wait", "Wait for its next run by the schedule: its job file says that it must never be run again "
          "by hand")),
        (SafeToRerun.NEVER, Schedule(rule=ByHand()), (failure(),),
         ("ask", "Ask Jordan before anything else: its job file says that it must never be run again by "
          "hand")),
        (SafeToRerun.NEVER, DAILY, (record(REFUSED, "no program", Reason.COULD_NOT_START),),
         ("run-now", "Run it now: it would be its first run here")),
    ],
)  # fmt: skip
def test_running_it_by_hand_is_advised_only_as_the_job_file_allows(wish, schedule, history, expected):
    job = replace(JOB, safe_to_rerun=wish, schedule=schedule)
    line = told(*history, job=job, last_success=None)
    assert expected in steps(line)
    assert kinds(line).count("run-now") == (expected[0] == "run-now")


def test_a_job_without_runbook_or_a_name_to_ask_is_not_sent_to_them():
    line = told(failure(), job=replace(JOB, runbook="", looked_after_by=""))
    assert kinds(line) == ["run-now", "ask"]
    assert line.steps[-1].text == "Still red? Ask whoever looks after it"


def test_while_the_next_try_is_going_on_the_advice_is_to_wait():
    running = record(RUNNING)
    line = told(running, failure(minute=5), running=running)
    assert kinds(line) == ["open-runbook", "wait", "ask"]


def test_a_failure_is_told_even_while_the_light_is_green():
    line = told(*records(FAILED, COMPLETED), assessment=OK)
    assert line.code == "failed"
    assert line.steps[-1].text == "Still not right? Ask Jordan"
    assert reasons(*records(COMPLETED, FAILED), assessment=OK) == []


def test_what_could_not_start_says_what_is_missing():
    refusal = record(REFUSED, "the program /srv/x does not exist", Reason.COULD_NOT_START)
    line = told(refusal)
    assert (line.code, line.text) == (
        "could-not-start",
        "It could not start: the program /srv/x does not exist",
    )
    assert line.proof == ("It was tried today 12:00", SUCCESS)
    assert kinds(line) == ["open-runbook", "edit-job", "run-now", "ask"]
    assert "It was tried 3 times, the last time today 12:00" in told(replace(refusal, count=3)).proof


def test_a_run_that_takes_far_longer_than_usual_is_worth_a_look_and_proves_nothing():
    running = record(RUNNING, minute=60)
    values = {"running": running, "usual": 4 * MINUTE, "assessment": OK}
    line = told(running, **values, deadline=2 * HOUR)
    assert line.text == "A run takes 60 minutes so far; usually it takes 4 minutes"
    assert line.proof == ("It began today 11:00", "A long time proves nothing: it may still be at work")
    assert kinds(line) == ["show-output", "wait", "ask"]
    assert line.steps[1].text == "Wait for it. Ridgeline ends it today 13:00, if it is not done by then"
    for deadline in (None, HOUR):
        assert told(running, **values, deadline=deadline).steps[1].text == "Wait for it"
    assert reasons(running, running=running, usual=21 * MINUTE, assessment=OK) == []
    assert reasons(running, running=running, assessment=OK) == []
    moment = record(RUNNING, started_at=NOON - timedelta(seconds=50))
    assert reasons(moment, running=moment, usual=timedelta(seconds=1), assessment=OK) == []


def test_only_a_run_that_ended_badly_by_itself_did_not_work():
    bad = {status for status in RunStatus if did_not_work(record(status))}
    assert bad == {FAILED, TIMED_OUT, INTERRUPTED}
    assert did_not_work(record(REFUSED, code=Reason.COULD_NOT_START))
    assert not did_not_work(record(REFUSED, code=Reason.PAUSED))
    assert not did_not_work(None)


def test_the_last_run_that_says_something_is_no_running_one_and_no_mere_refusal():
    history = (record(RUNNING), record(REFUSED, code=Reason.PAUSED, minute=1), record(FAILED, minute=2))
    assert last_ended(history) is history[2]
    could_not = record(REFUSED, code=Reason.COULD_NOT_START, minute=1)
    assert last_ended((history[0], could_not, history[2])) is could_not
    assert last_ended(history[:2]) is None


NOT_KNOWN = ("not-known", "Ridgeline does not know why: no run has been recorded since")


CHECKED = "Nobody has checked since today 09:10: the background check is silent"
PERHAPS = "Perhaps the computer was off or asleep at that time, or nobody was logged in"


def test_a_job_that_never_ran_says_so_once_it_is_red():
    values = {"assessment": NEVER, "last_success": None}
    assert reasons(assessment=QUIET) == []
    line = told(**values)
    assert (line.code, line.text) == ("never-ran", "It never had a first run on this computer")
    assert line.proof == ("Its first run was due today 11:08", PERHAPS)
    assert steps(line)[1:] == [
        ("run-now", "Run it now: it would be its first run here"),
        ("ask", "Still red? Ask Jordan"),
    ]
    nothing_due = told(**values, expected=Expectation(due=None, grace=MINUTE))
    assert nothing_due.proof == (PERHAPS,)
    assert reasons(record(FAILED), **values) == [("failed", "The last run failed")]
    running = record(RUNNING)
    assert [code for code, _ in reasons(running, running=running, **values)] == ["running"]


def test_a_background_check_that_has_gone_silent_is_part_of_the_proof_where_no_run_is_recorded():
    checked = NOON - 170 * MINUTE
    assert CHECKED in told(assessment=NEVER, checked_at=checked).proof
    assert CHECKED in told(checked_at=checked).proof
    assert not any("checked" in proof for proof in told(checked_at=NOON - 14 * MINUTE).proof)
    assert CHECKED not in told(failure(), checked_at=checked).proof


@pytest.mark.parametrize(
    ("history", "more", "expected"),
    [
        ((), {}, NOT_KNOWN),
        ((record(COMPLETED),), {}, NOT_KNOWN),
        ((), {"assessment": LATE}, NOT_KNOWN),
        ((), {"assessment": UNKNOWN}, NOT_KNOWN),
        ((record(RUNNING),), {"running": record(RUNNING)},
         ("running", "A run is going on, and it has not succeeded yet")),
        ((record(STOPPED, "stopped by Theo"), record(COMPLETED, minute=9)), {},
         ("stopped", "The last run was ended: stopped by Theo")),
        ((record(REFUSED, "it came too late", Reason.MISSED), record(COMPLETED, minute=9)), {},
         ("refused", "The last start was refused: it came too late")),
        ((record(REFUSED, "held", Reason.LOCK_HELD, count=2),), {"assessment": OK},
         ("refused", "The last start was refused: held")),
    ],
)  # fmt: skip
def test_an_unknown_cause_is_said_as_such_with_what_happened_last(history, more, expected):
    assert reasons(*history, **more) == [expected]


def test_an_unknown_cause_shows_the_last_words_of_the_newest_run():
    line = told(record(COMPLETED, minute=67), tail=b"one\ntwo\nthree\nfour\n")
    assert line.proof == (
        SUCCESS,
        PERHAPS,
        "Its last run said: “two”",
        "Its last run said: “three”",
        "Its last run said: “four”",
    )
    assert kinds(line) == ["open-runbook", "show-output", "run-now", "ask"]
    running = record(RUNNING, minute=3)
    line = told(running, running=running)
    assert line.proof == ("It began today 11:57", SUCCESS)
    assert kinds(line) == ["open-runbook", "wait", "ask"]


@pytest.mark.parametrize("code", [Reason.LOCK_HELD, Reason.LOCK_UNCLEAR])
def test_two_starts_in_a_row_refused_by_one_lock_are_worth_a_look(code):
    assert refused_by_lock((record(REFUSED, code=code, count=2),))
    assert not refused_by_lock((record(REFUSED, code=code),))
    assert refused_by_lock((record(REFUSED, code=code), record(REFUSED, code=code, minute=1)))
    started_between = (
        record(REFUSED, code=code),
        record(RUNNING, minute=1),
        record(REFUSED, code=code, minute=2),
    )
    assert not refused_by_lock(started_between)
    assert not refused_by_lock((record(REFUSED, code=Reason.PAUSED, count=2),))
    assert not refused_by_lock((record(COMPLETED),))
    assert not refused_by_lock(())


def test_the_trouble_with_a_lock_is_over_once_a_start_gets_through_or_its_holder_ends():
    twice = record(REFUSED, code=Reason.LOCK_HELD, minute=20, count=2)
    assert not refused_by_lock((record(RUNNING, minute=5), twice))
    holder = record(COMPLETED, minute=60)
    for ended, expected in (
        (NOON, False),
        (NOON - 20 * MINUTE, False),
        (NOON - 21 * MINUTE, True),
        (None, True),
    ):
        ended_holder = RunRecord(
            run_id="holder", host_id="till", job_id="order-sync", trigger=Trigger.SCHEDULE, status=COMPLETED,
            started_at=holder.started_at, actor=holder.actor, finished_at=ended,
        )  # fmt: skip
        assert refused_by_lock((twice, ended_holder)) is expected


def test_several_causes_come_most_specific_first_and_prove_nothing_twice():
    pause = Pause(job_id="order-sync", begun_at=NOON, until=None, reason="", actor=THEO)
    lines = diagnose(facts(failure(), finding=finding_of(), verdict=HELD, pause=pause, clock_was_wrong=True))
    assert [line.code for line in lines] == ["missing", "lock-held", "failed", "paused", "clock-wrong"]
    proofs = [proof for line in lines for proof in line.proof]
    assert proofs.count(SUCCESS) == 1
    assert len(proofs) == len(set(proofs))


FORBIDDEN = ("cron", "exit code", "daemon", "pid", "stderr", "mutex")


def test_no_cause_and_no_step_speaks_of_what_only_programmers_know():
    running = record(RUNNING, minute=90)
    histories = (
        facts(failure(139), finding=finding_of(), **lock(survivors=(12,))),
        facts(failure(), finding=finding_of(found=ENTRY, service=STOPPED_CRON)),
        facts(record(REFUSED, "no program", Reason.COULD_NOT_START)),
        facts(running, running=running, usual=MINUTE, **lock(GuardState.HELD)),
        facts(record(TIMED_OUT), clock_was_wrong=True),
        facts(),
    )
    said = [
        text.lower().split()
        for each in histories
        for line in diagnose(each)
        for text in (line.text, *(step.text for step in line.steps))
    ]
    assert len(said) > 20
    assert not [words for words in said if any(word in " ".join(words) for word in FORBIDDEN)]
