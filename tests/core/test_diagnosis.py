"""Why a light is not green: causes with their proof, and the line of output that tells."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.diagnosis import (
    LONGEST_LINE,
    JobFacts,
    diagnose,
    did_not_work,
    last_ended,
    refused_by_lock,
    telling_line,
)
from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.locks import Verdict, VerdictKind
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OVERDUE = Assessment(health=Health.OVERDUE)
OK = Assessment(health=Health.OK)
COMPLETED, FAILED, REFUSED = RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.REFUSED
TIMED_OUT, INTERRUPTED, STOPPED = RunStatus.TIMED_OUT, RunStatus.INTERRUPTED, RunStatus.STOPPED
RUNNING = RunStatus.RUNNING


def record(
    status: RunStatus, reason: str = "", code: Reason = Reason.NONE, *, minute: int = 0, count: int = 1
) -> RunRecord:
    """A run that started and ended so many minutes before noon."""
    at = NOON - minute * MINUTE
    return RunRecord(
        run_id=f"{status}-{minute}",
        host_id="till",
        job_id="order-sync",
        trigger=Trigger.SCHEDULE,
        status=status,
        started_at=at,
        finished_at=None if status is RUNNING else at,
        actor=Actor(name="cron", host="till", via="schedule"),
        reason=reason,
        reason_code=code,
        count=count,
    )


def records(*statuses: RunStatus, reason: str = "exit code 1") -> tuple[RunRecord, ...]:
    """Newest first."""
    return tuple(record(status, reason, minute=number) for number, status in enumerate(statuses))


def facts(*history: RunRecord, assessment: Assessment = OVERDUE, **more: object) -> JobFacts:
    values = {"running": None, "finding": None, "verdict": None} | more
    return JobFacts(assessment=assessment, records=history, **values)


def reasons(*history: RunRecord, **more: object) -> list[tuple[str, str]]:
    return [(line.code, line.text) for line in diagnose(facts(*history, **more))]


def test_a_job_in_order_has_no_reasons():
    registered = Finding(job_id="order-sync", state=RegistrationState.REGISTERED, sentence="fine")
    free = Verdict(kind=VerdictKind.FREE, line=0, sentence="No run holds this lock")
    assert reasons(record(COMPLETED), assessment=OK, finding=registered, verdict=free) == []


@pytest.mark.parametrize(
    ("statuses", "code", "text"),
    [
        ([FAILED], "failed", "The last run failed: exit code 1"),
        ([FAILED] * 4 + [COMPLETED, FAILED], "failed", "The last 4 runs failed: exit code 1"),
        ([REFUSED, FAILED, REFUSED, REFUSED, FAILED], "failed", "The last 2 runs failed: exit code 1"),
        ([RUNNING, FAILED, FAILED], "failed", "The last 2 runs failed: exit code 1"),
        ([FAILED, STOPPED, FAILED], "failed", "The last 2 runs failed: exit code 1"),
        ([TIMED_OUT], "timed-out", "The last run ran out of time: exit code 1"),
        ([TIMED_OUT] * 2, "timed-out", "The last 2 runs ran out of time: exit code 1"),
        ([INTERRUPTED], "interrupted", "The last run was cut short: exit code 1"),
        ([INTERRUPTED] * 2, "interrupted", "The last 2 runs were cut short: exit code 1"),
        ([TIMED_OUT, FAILED, FAILED], "timed-out",
         "The last 3 runs did not work, and the newest ran out of time: exit code 1"),
        ([INTERRUPTED, TIMED_OUT], "interrupted",
         "The last 2 runs did not work, and the newest was cut short: exit code 1"),
    ],
)  # fmt: skip
def test_failures_in_a_row_are_counted_and_named(statuses, code, text):
    assert reasons(*records(*statuses)) == [(code, text)]


def test_the_telling_line_is_added_and_an_empty_reason_left_out():
    failed = record(FAILED, "exit code 1")
    assert reasons(failed, tail=b"the shop API answered 503\nbye\n") == [
        ("failed", "The last run failed: exit code 1; it said: “the shop API answered 503”")
    ]
    assert reasons(record(FAILED)) == [("failed", "The last run failed")]


def test_a_failure_is_told_even_while_the_light_is_green():
    assert reasons(*records(FAILED, COMPLETED), assessment=OK)[0][0] == "failed"
    assert reasons(*records(COMPLETED, FAILED), assessment=OK) == []


def test_what_could_not_start_says_what_is_missing():
    refusal = record(REFUSED, "the program /srv/x does not exist", Reason.COULD_NOT_START)
    assert reasons(refusal) == [("could-not-start", "It could not start: the program /srv/x does not exist")]


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


QUIET = Assessment(health=Health.NEVER_SUCCEEDED, quiet=True)
NEVER = Assessment(health=Health.NEVER_SUCCEEDED)
LATE, UNKNOWN = Assessment(health=Health.LATE), Assessment(health=Health.UNKNOWN)
NOT_KNOWN = ("not-known", "Ridgeline does not know why: no run has been recorded since")


def test_a_job_that_never_ran_says_so_once_it_is_red():
    assert reasons(assessment=QUIET) == []
    assert reasons(assessment=NEVER) == [("never-ran", "It never had a first run on this computer")]
    assert reasons(record(FAILED), assessment=NEVER) == [("failed", "The last run failed")]


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


@pytest.mark.parametrize("state", RegistrationState)
def test_every_kind_of_drift_is_a_reason(state):
    finding = Finding(job_id="order-sync", state=state, sentence="its entry is gone")
    told = reasons(record(COMPLETED), assessment=OK, finding=finding)
    beside = {RegistrationState.NEVER_REGISTERED, RegistrationState.UNVERIFIABLE}
    assert told == ([(state.value, "Its entry is gone")] if state in DRIFT | beside else [])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (VerdictKind.FREE, None),
        (VerdictKind.HELD, "Another run holds the lock: Process 4711 is running"),
        (VerdictKind.DEAD,
         "A run ended without giving back its lock, which can be cleared: Process 4711 is running"),
        (VerdictKind.CANNOT_TELL,
         "It cannot be told whether another run is still going on: Process 4711 is running"),
    ],
)  # fmt: skip
def test_a_lock_is_said_by_its_verdict(kind, text):
    verdict = Verdict(kind=kind, line=1, sentence="Process 4711 is running")
    assert reasons(assessment=OK, verdict=verdict) == ([(f"lock-{kind.value}", text)] if text else [])


HELD = Verdict(kind=VerdictKind.HELD, line=1, sentence="Process 4711 is running")


def test_a_running_job_holds_its_own_lock_and_that_is_no_reason():
    running = record(RUNNING, minute=30)
    assert reasons(running, assessment=OK, running=running, verdict=HELD) == []
    twice = record(REFUSED, "held", Reason.LOCK_HELD, count=2)
    told = reasons(twice, running, assessment=OK, running=running, verdict=HELD)
    assert told == [("lock-held", "Another run holds the lock: Process 4711 is running")]


def test_a_job_that_outlives_its_runner_is_told_of():
    running = record(RUNNING, minute=30)
    told = reasons(running, assessment=OK, running=running, verdict=HELD, runner_is_gone=True)
    assert [code for code, _ in told] == ["runner-gone"]
    assert "nobody ends" in told[0][1]


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


def test_a_pause_and_a_wrong_clock_are_reasons():
    assert reasons(record(COMPLETED), assessment=OK, paused="paused by Theo until today 18:00") == [
        ("paused", "Paused by Theo until today 18:00")
    ]
    told = reasons(assessment=UNKNOWN, clock_was_wrong=True)
    assert [code for code, _ in told] == ["clock-wrong"]
    assert told[0][1].startswith("This computer's clock was wrong")


def test_several_causes_come_most_specific_first():
    missing = Finding(job_id="order-sync", state=RegistrationState.MISSING, sentence="its entry is gone")
    told = reasons(
        record(FAILED), finding=missing, verdict=HELD, paused="paused by Theo", clock_was_wrong=True
    )
    assert [code for code, _ in told] == ["missing", "lock-held", "failed", "paused", "clock-wrong"]


TRACEBACK = """\
order 5047 done
Traceback (most recent call last):
  File "/srv/sync.py", line 452, in main
    push(order)  # HTTP 503 error
  File "/srv/sync.py", line 404, in push
    raise ShopClosed("till is shut")
shop.ShopClosed: till is shut
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", ""),
        (" \n\t\n", ""),
        ("\x00\x1b[0m\n", ""),
        ("one\ntwo\n", "two"),
        ("the shop API answered 503\nleaving\n", "the shop API answered 503"),
        ("HTTP 503\nleaving", "HTTP 503"),
        ("< HTTP/1.1 503 Service Unavailable\nleaving", "< HTTP/1.1 503 Service Unavailable"),
        ("503 Service Unavailable\nleaving", "503 Service Unavailable"),
        ("<Response [404]>\nleaving", "<Response [404]>"),
        ("status_code=502\nleaving", "status_code=502"),
        ("HTTP 200\nleaving", "leaving"),
        ("450 orders copied\n503 left\nleaving", "leaving"),
        ("OSError: [Errno 28] No space left\nleaving", "OSError: [Errno 28] No space left"),
        ("cp: x: No space left on device\nleaving", "cp: x: No space left on device"),
        ("ssh: connect: Connection refused\nleaving", "ssh: connect: Connection refused"),
        ("ls: /x: Permission denied\nleaving", "ls: /x: Permission denied"),
        ("sh: 1: foo: not found\nleaving", "sh: 1: foo: not found"),
        ("cat: x: No such file or directory\nleaving", "cat: x: No such file or directory"),
        ("request timed out\nleaving", "request timed out"),
        ("ERROR one\nERROR two\nleaving", "ERROR two"),
        ("disk is full: cannot write\n0 errors, 3 warnings\n", "disk is full: cannot write"),
        ("no failures, errors: 0", "no failures, errors: 0"),
        ("12 done, failed=0\nleaving", "leaving"),
        (TRACEBACK, "shop.ShopClosed: till is shut"),
        (TRACEBACK + "giving up\n", "shop.ShopClosed: till is shut"),
        (TRACEBACK + "fatal: 3 orders left\n", "fatal: 3 orders left"),
        (TRACEBACK + "\nDuring handling of the above exception, another exception occurred:\n\n"
         + TRACEBACK.replace("till is shut", "door is shut"), "shop.ShopClosed: door is shut"),
        ("Traceback (most recent call last):\n  File x\nKeyboardInterrupt\n", "KeyboardInterrupt"),
        ("Traceback (most recent call last):\n  File x, error\n", "  File x, error".strip()),
        ("10 %\r50 %\rfailed at 51 %\r", "failed at 51 %"),
        ("\x1b[1;31mERROR\x1b[0m no\x07 stock\n\x1b]0;title\x07done\n", "ERROR no  stock"),
        ("a\u202eb\u2028c", "c"),
    ],
)  # fmt: skip
def test_the_line_that_tells_most_is_found(output, expected):
    assert telling_line(output.encode()) == expected


def test_odd_bytes_and_very_long_lines_are_made_fit_to_read():
    assert telling_line(b"\xff\xfe failed \x80") == "\ufffd\ufffd failed \ufffd"
    line = telling_line(b"error " + b"x" * 1_000_000)
    assert len(line) == LONGEST_LINE
    assert line.endswith("x…")
    assert telling_line(b"y" * LONGEST_LINE) == "y" * LONGEST_LINE


@given(st.binary(max_size=300))
def test_no_output_makes_it_raise_or_print_what_a_terminal_would_obey(output):
    line = telling_line(output)
    assert line == "" or line.isprintable()
    assert len(line) <= LONGEST_LINE
