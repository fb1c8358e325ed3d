"""Short English for instants, lengths of time and judgements."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.health import Assessment, Health, assess
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.texts import (
    began_text,
    clock_text,
    end_text,
    judgement_text,
    last_success_text,
    length_text,
    minutes_ago,
    pause_text,
    plural,
    sentence_of,
)

TORONTO = ZoneInfo("America/Toronto")
NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)  # Wednesday, 04:00 in Toronto
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [(0, "0 seconds"), (1, "1 second"), (59.9, "59 seconds"), (60, "1 minute"), (119, "1 minute"),
     (67 * 60, "67 minutes"), (3294 * 60 + 59, "3294 minutes"), (-30, "0 seconds"), (-299, "0 seconds")],
)  # fmt: skip
def test_a_length_of_time_is_said_in_whole_minutes_and_never_negative(passed, expected):
    assert minutes_ago(NOW - timedelta(seconds=passed), now=NOW) == expected


def test_one_is_singular():
    assert [plural(number, "run") for number in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-03-04T11:30", "today 06:30"),
        ("2026-03-05T04:59", "today 23:59"),
        ("2026-03-05T05:00", "tomorrow 00:00"),
        ("2026-03-04T04:59", "yesterday 23:59"),
        ("2026-03-10T10:30", "Tue 06:30"),
        ("2026-02-26T11:30", "Thu 06:30"),
        ("2026-03-11T10:30", "Wed 11 Mar 06:30"),
        ("2026-02-25T11:30", "Wed 25 Feb 06:30"),
        ("2027-03-01T11:30", "Mon 1 Mar 2027 06:30"),
    ],
)
def test_an_instant_is_said_on_the_shops_clock_and_shorter_the_nearer_it_is(moment, expected):
    instant = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert clock_text(instant, zone=TORONTO, now=NOW) == expected


def said(health: Health, *, due: int | None, last: int | None, quiet: bool = False) -> str:
    """The text where due and last success lie so many minutes before now, with a grace of two hours."""
    expected = Expectation(due=None if due is None else NOW - due * MINUTE, grace=120 * MINUTE)
    success = None if last is None else NOW - last * MINUTE
    found = Assessment(health=health, quiet=quiet)
    return judgement_text(found, expected, last_success=success, zone=TORONTO, now=NOW)


@pytest.mark.parametrize(
    ("health", "facts", "expected"),
    [
        (Health.OVERDUE, {"due": 1854, "last": 3294}, "overdue: last success 3294 minutes ago, allowed 1560"),
        (Health.LATE, {"due": 2, "last": 17}, "late: last success 17 minutes ago, allowed 135"),
        (Health.OK, {"due": -10, "last": 5}, "ok: last success 5 minutes ago"),
        (Health.OK, {"due": None, "last": 5}, "ok: last success 5 minutes ago"),
        (Health.NEVER_SUCCEEDED, {"due": -150, "last": None, "quiet": True},
         "never succeeded: first run due today 06:30"),
        (Health.NEVER_SUCCEEDED, {"due": 150, "last": None},
         "never succeeded: its first run was due today 01:30"),
        (Health.NEVER_SUCCEEDED, {"due": None, "last": None, "quiet": True},
         "never succeeded: nothing is due"),
        (Health.UNKNOWN, {"due": 150, "last": None}, "can't tell"),
        (Health.UNKNOWN, {"due": 150, "last": 200}, "can't tell"),
    ],
)  # fmt: skip
def test_a_judgement_is_said_with_its_numbers(health, facts, expected):
    assert said(health, **facts) == expected


def test_what_is_allowed_and_the_light_agree_to_the_minute():
    last, due = NOW - 25 * MINUTE, NOW - 10 * MINUTE
    for grace, word in ((10 * MINUTE, "late"), (10 * MINUTE - timedelta(seconds=1), "overdue")):
        found = assess(last_success=last, due=due, grace=grace, now=NOW)
        text = judgement_text(
            found, Expectation(due=due, grace=grace), last_success=last, zone=TORONTO, now=NOW
        )
        assert text.startswith(f"{word}: last success 25 minutes ago, allowed 2")


@pytest.mark.parametrize(
    ("until", "reason", "expected"),
    [
        (None, "", "paused by Theo until somebody resumes it"),
        (NOW + timedelta(hours=26), "stock-taking", "paused by Theo until tomorrow 06:00: stock-taking"),
    ],
)
def test_a_pause_says_who_until_when_and_why(until, reason, expected):
    theo = Actor(name="Theo", host="till", via="cli")
    pause = Pause(job_id="report", begun_at=NOW, until=until, reason=reason, actor=theo)
    assert pause_text(pause, zone=TORONTO, now=NOW) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-5, "0 seconds"), (0.4, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (61, "1 minute"),
     (67 * 60, "67 minutes"), (119 * 60, "119 minutes"), (120 * 60, "2 hours"),
     (187 * 60 + 12, "3 hours 7 minutes"), (54 * 3600 + 3000, "2 days 6 hours")],
)  # fmt: skip
def test_a_length_of_time_is_said_as_people_say_it(seconds, expected):
    assert length_text(timedelta(seconds=seconds)) == expected


def test_the_last_success_is_said_with_what_is_allowed():
    expected = Expectation(due=NOW - 52 * MINUTE, grace=10 * MINUTE)
    said = {"zone": TORONTO, "now": NOW}
    ended = NOW - 67 * MINUTE
    text = "Last success today 02:53, 67 minutes ago"
    assert last_success_text(expected, last_success=ended, **said) == f"{text}; allowed 25 minutes"
    nothing_due = Expectation(due=None, grace=MINUTE)
    assert last_success_text(nothing_due, last_success=ended, **said) == text
    never = "It has never worked on this computer"
    assert last_success_text(expected, last_success=None, **said) == (
        f"{never}; its first run was due today 03:08"
    )
    assert last_success_text(nothing_due, last_success=None, **said) == never
    later = Expectation(due=NOW + MINUTE, grace=MINUTE)
    assert last_success_text(later, last_success=None, **said) == never


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        ([15], "It began at 03:45"),
        ([15, 30, 0], "They began at 03:30, 03:45 and 04:00"),
        (range(7), "They began between 03:54 and 04:00"),
        ([300], "It began yesterday 23:00"),
        ([0, 300], "They began yesterday 23:00 and today 04:00"),
    ],
)
def test_beginnings_are_listed_in_order_and_many_by_their_ends(minutes, expected):
    moments = [NOW - minute * MINUTE for minute in minutes]
    assert began_text(moments, zone=TORONTO, now=NOW) == expected


def ended(code: int | None, why: Reason = Reason.EXIT_CODE, status: RunStatus = RunStatus.FAILED) -> str:
    record = RunRecord(
        run_id="r1", host_id="till", job_id="order-sync", trigger=Trigger.SCHEDULE, status=status,
        started_at=NOW, actor=Actor(name="cron", host="till", via="schedule"), exit_code=code,
        reason_code=why,
    )  # fmt: skip
    return end_text(record)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (1, "It ended with code 1"),
        (75, "It ended with code 75: it asks to be tried again later"),
        (124, "It ended with code 124: something it started ran out of time"),
        (126, "It ended with code 126: the program may not be executed"),
        (127, "It ended with code 127: the program was not found"),
        (137, "It ended with code 137: something it started was ended by signal 9 (killed)"),
        (200, "It ended with code 200"),
        (None, ""),
    ],
)
def test_the_code_a_program_ended_with_is_said_in_words(code, expected):
    assert ended(code) == expected


def test_a_signal_is_said_by_its_number_and_what_it_means():
    assert ended(137, Reason.SIGNAL) == "It was ended by signal 9 (killed)"
    assert ended(143, Reason.RUNNER_SIGNALLED) == "It was ended by signal 15 (told to end)"
    assert ended(163, Reason.SIGNAL) == "It was ended by signal 35"


def test_a_run_that_completed_has_no_code_worth_a_word():
    assert ended(0, Reason.NONE, RunStatus.COMPLETED) == ""


def test_a_sentence_begins_with_a_capital():
    assert (sentence_of("no entry"), sentence_of("")) == ("No entry", "")
