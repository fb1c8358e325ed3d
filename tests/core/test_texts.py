"""Short English for instants, lengths of time and judgements."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.health import Assessment, Health, assess
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.texts import clock_text, judgement_text, minutes_ago, pause_text, plural

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
