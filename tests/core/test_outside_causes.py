"""Causes outside a job's program: this computer's schedule, its lock, its clock, a pause."""

import pytest
from diagnosed import (
    COMPLETED,
    ENTRY,
    HELD,
    HOUR,
    NOON,
    OK,
    REFUSED,
    RUNNING,
    STOPPED_CRON,
    SUCCESS,
    THEO,
    UNKNOWN,
    finding_of,
    kinds,
    lock,
    process,
    reasons,
    record,
    steps,
    told,
)

from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.locks import GuardState, Liveness, Verdict, VerdictKind
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState, ServiceState
from ridgeline_desktop.core.runs import Reason
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.core.values import replace


@pytest.mark.parametrize(
    ("finding", "code", "text", "hint", "advice"),
    [
        (finding_of(), "missing", "Its entry is gone from this computer's schedule",
         "It was registered here before. A rebuilt computer has lost such entries", "register"),
        (finding_of(objections=("no cron",)), "missing", "It cannot be registered: no cron", "",
         "edit-schedule"),
        (finding_of(registered=False), "never-registered", "It is not registered on this computer", "",
         "register"),
        (finding_of(registered=False, objections=("x",)), "never-registered", "It cannot be registered: x",
         "", "edit-schedule"),
        (finding_of(found=ENTRY, program_exists=False), "program-gone",
         "Its entry starts a program that no longer exists: /srv/x",
         "That happens when Ridgeline was moved or installed anew", "register"),
        (finding_of(found=replace(ENTRY, enabled=False)), "disabled", "Its entry is switched off", "",
         "register"),
        (finding_of(found=replace(ENTRY, copies=2)), "duplicate",
         "It stands 2 times in this computer's schedule", "Each of its entries starts it", "register"),
        (finding_of(found=replace(ENTRY, native="0 6 * * * x")), "changed",
         "Its entry is not the one its job file asks for",
         "Somebody changed the entry outside Ridgeline, or the job file since", "register"),
        (finding_of(found=ENTRY, objections=("no seconds",)), "next-run-differs",
         "It does not start as its file says: no seconds", "", "edit-schedule"),
        (finding_of(found=ENTRY, service=STOPPED_CRON), "scheduler-stopped",
         "What starts jobs at their times is not running on this computer", "No cron program is running",
         "run-now"),
        (finding_of(found=ENTRY, service=STOPPED_CRON, backend=BackendName.IN_APP), "scheduler-stopped",
         "Ridgeline itself starts this job, and only while it is open", "", "wait"),
        (finding_of(found=ENTRY, service=ServiceState(running=None, sentence="/proc is closed")),
         "unverifiable", "It cannot be told whether this computer's schedule starts it", "/proc is closed",
         "ask"),
        (Finding(job_id="order-sync", state=RegistrationState.CHANGED, found="x",
                 sentence="it stands in the schedule of cron, though it runs elsewhere; unregister it"),
         "changed", "It stands in the schedule of cron, though it runs elsewhere; unregister it", "", "ask"),
    ],
)  # fmt: skip
def test_what_the_schedule_of_this_computer_lacks_is_said_plainly_with_what_mends_it(
    finding, code, text, hint, advice
):
    line = told(record(COMPLETED), assessment=OK, finding=finding)
    assert (line.code, line.text) == (code, text)
    assert line.proof == ((hint,) if hint else ())
    assert kinds(line)[0] == advice
    assert kinds(line)[-1] == "ask"
    assert SUCCESS in told(finding=finding).proof, "where the light is red its silence is proof"


@pytest.mark.parametrize("state", RegistrationState)
def test_every_kind_of_drift_is_a_reason(state):
    finding = Finding(job_id="order-sync", state=state, sentence="its entry is gone", wanted="x")
    codes = [code for code, _ in reasons(record(COMPLETED), assessment=OK, finding=finding)]
    beside = {RegistrationState.NEVER_REGISTERED, RegistrationState.UNVERIFIABLE}
    assert codes == ([state.value] if state in DRIFT | beside else [])


def test_a_lock_that_is_held_says_since_when_and_by_whom():
    line = told(assessment=OK, **lock(GuardState.HELD, runner=process(Liveness.ALIVE, 4711)))
    assert (line.code, line.text) == (
        "lock-held",
        "Another run holds the lock and is still going on: it began today 03:10 by the schedule, "
        "8 hours 50 minutes ago",
    )
    assert line.proof == ("Its runner, process 4711, is still there",)
    assert kinds(line) == ["wait", "show-lock", "ask"]


def test_a_lock_that_a_dead_run_left_behind_can_be_cleared():
    line = told(**lock(child_recorded=True, child=process(Liveness.REUSED, 4712)))
    assert (line.code, line.text) == (
        "lock-dead",
        "A run is over but left its lock behind: it began today 03:10 by the schedule, "
        "8 hours 50 minutes ago",
    )
    assert line.proof == (
        "Its runner, process 4711, is gone",
        "Its job, process 4712, is gone",
        SUCCESS,
    )
    assert steps(line) == [("show-lock", "Look at the lock and clear it. The next run can then start")]


def test_a_lock_that_cannot_be_judged_says_why():
    elsewhere = lock(same_machine=False, recorded_host="laptop", runner=None)
    line = told(assessment=OK, **elsewhere)
    assert (line.code, line.text) == (
        "lock-cannot-tell",
        "It cannot be told whether another run is still going on",
    )
    assert line.proof == ("Taken on computer laptop, not this one",)
    assert kinds(line) == ["show-lock", "ask"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"started_at": ""}, ": it was started by the schedule"),
        ({"started_at": "soon", "trigger": "moon"}, ""),
        ({"started_at": "0001-01-01T00:00:00+00:00", "trigger": ""}, ""),
        ({"started_at": "2026-03-04T18:10:00+00:00", "trigger": "manual"}, ": it began today 13:10 by hand"),
    ],
)
def test_a_lock_record_that_tells_less_is_said_with_less(values, said):
    line = told(assessment=OK, **lock(GuardState.HELD, **values))
    assert line.text == f"Another run holds the lock and is still going on{said}"


def test_processes_that_a_run_left_are_named_and_without_any_the_verdict_speaks():
    line = told(assessment=OK, **lock(survivors=(12, 13)))
    assert "Still there of that run: process 12, 13" in line.proof
    bare = Verdict(kind=VerdictKind.HELD, line=1, sentence="the operating system reports it")
    line = told(assessment=OK, verdict=bare)
    assert (line.text, line.proof) == (
        "Another run holds the lock and is still going on",
        ("The operating system reports it",),
    )


def test_a_running_job_holds_its_own_lock_and_that_is_no_reason():
    running = record(RUNNING, minute=30)
    assert reasons(running, assessment=OK, running=running, verdict=HELD) == []
    twice = record(REFUSED, "held", Reason.LOCK_HELD, count=2)
    codes = [code for code, _ in reasons(twice, running, assessment=OK, running=running, verdict=HELD)]
    assert codes == ["lock-held"]


def test_a_job_that_outlives_its_runner_is_told_of():
    running = record(RUNNING, minute=30)
    line = told(running, assessment=OK, running=running, verdict=HELD, runner_is_gone=True)
    assert line.code == "runner-gone"
    assert "nobody ends" in line.text
    assert line.proof == ("Process 4711 is running",)
    assert kinds(line) == ["show-lock", "wait", "ask"]


def test_a_pause_says_since_when_and_can_be_ended():
    pause = Pause(
        job_id="order-sync", begun_at=NOON - HOUR, until=NOON + 6 * HOUR, reason="stock-taking", actor=THEO
    )
    line = told(record(COMPLETED), assessment=OK, pause=pause)
    assert (line.code, line.text) == ("paused", "Paused by Theo until today 18:00: stock-taking")
    assert line.proof == ("Paused since today 11:00", SUCCESS)
    assert kinds(line) == ["resume"]


def test_a_clock_that_was_wrong_is_told_with_what_it_says_now():
    line = told(assessment=UNKNOWN, clock_was_wrong=True)
    assert line.code == "clock-wrong"
    assert line.text.startswith("This computer's clock was wrong")
    assert line.proof == ("The clock now says 2026-03-04 12:00", SUCCESS)
    assert kinds(line) == ["run-now", "ask"]
