"""The message that asks for help: what it tells, and that no secret is in it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.asking import MASK, compose_message, end_of_output, masked, secret_values
from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine

TORONTO = ZoneInfo("America/Toronto")
NOW = datetime(2026, 3, 7, 15, 52, tzinfo=UTC)
FILE = """
title = "Order sync"
looked_after_by = "Jordan"
command = ["/bin/true"]
environment = { API_KEY = "sesame-4711", MODE = "live" }
[schedule]
every = "15 minutes"
"""


def job(text: str = FILE) -> Job:
    made = read_job_file("order-sync.toml", text, shop_zone=TORONTO.key).job
    assert made is not None
    return made


def record(minutes: int, status: RunStatus = RunStatus.FAILED, **said: object) -> RunRecord:
    values = {
        "run_id": f"run-{minutes}",
        "host_id": "till",
        "job_id": "order-sync",
        "trigger": Trigger.SCHEDULE,
        "status": status,
        "started_at": NOW - timedelta(minutes=minutes),
        "finished_at": NOW - timedelta(minutes=minutes - 1),
        "actor": Actor(name="the schedule", host="till", via="schedule"),
    }
    return RunRecord(**(values | said))


def row(**said: object) -> JobRow:
    values = {
        "job_id": "order-sync",
        "title": "Order sync",
        "health": Health.OVERDUE,
        "quiet": False,
        "attention": Attention.RED,
        "due": NOW - timedelta(minutes=52),
        "grace": timedelta(minutes=10),
        "last_success": record(68, RunStatus.COMPLETED),
        "last_run": record(7),
        "running": None,
        "next_fire": NOW + timedelta(minutes=8),
        "registration": RegistrationState.REGISTERED,
        "summary": "overdue: last success 67 minutes ago, allowed 25",
        "reasons": (ReasonLine(code="failed", text="The last run failed", proof=("It began 10:45",)),),
        "job": job(),
    }
    return JobRow(**(values | said))


def body(made: JobRow, output: bytes = b"", place: str = "") -> str:
    return compose_message(made, output=output, zone=TORONTO, now=NOW, place=place).body


def plain(made: JobRow) -> str:
    """The part that is for everybody, below the greeting."""
    return body(made).split("\n\n")[1]


def test_the_message_says_what_it_is_in_plain_words_before_what_only_an_expert_needs():
    text = body(row(recent=(record(7, reason="exit code 1"), record(22, count=3))), b"the end\n", "till")
    assert text.splitlines() == [
        "Hello Jordan,",
        "",
        "“Order sync” needs a look: it has been overdue since today 10:10.",
        "The last run failed.",
        "It last worked today 09:45.",
        "Its next run is today 11:00.",
        "",
        "For Jordan:",
        "",
        "order-sync on till, written 2026-03-07 10:52 (America/Toronto)",
        "Overdue: last success 67 minutes ago, allowed 25",
        "Due today 10:00",
        "",
        "What proves it:",
        "The last run failed",
        "  - It began 10:45",
        "",
        "The newest runs:",
        "  today 10:45  failed: exit code 1  [run run-7]",
        "  today 10:30  failed (3 times)  [run run-22]",
        "",
        "The end of the output:",
        "the end",
    ]


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (Health.OVERDUE, "needs a look: it has been overdue since today 10:10."),
        (Health.LATE, "needs a look: it has been late since today 10:00."),
        (Health.NEVER_SUCCEEDED, "needs a look: it has never worked on this computer."),
        (Health.PAUSED, "needs a look: it is paused."),
        (Health.UNKNOWN, "needs a look: nobody can tell how it is doing."),
        (Health.OK, "needs a look."),
    ],
)
def test_each_light_is_said_in_plain_words(health, words):
    assert plain(row(health=health)).splitlines()[0] == f"“Order sync” {words}"


def test_a_cause_ends_with_one_full_stop_and_is_not_repeated_without_proof():
    causes = (
        ReasonLine(code="a", text="The disk is full."),
        ReasonLine(code="b", text="Nobody is logged in"),
    )
    text = body(row(reasons=causes))
    assert "\nThe disk is full.\nNobody is logged in.\n" in text
    assert text.count("The disk is full") == 1
    assert "What proves it" not in text


def test_the_subject_is_the_job_and_its_light():
    made = compose_message(row(), output=b"", zone=TORONTO, now=NOW)
    assert made.subject == "Order sync: overdue: last success 67 minutes ago, allowed 25"


def test_a_job_of_which_little_is_known_still_makes_a_message():
    bare = row(job=None, reasons=(), last_run=None, last_success=None, due=None, next_fire=None)
    text = body(bare)
    assert text.startswith(
        "Hello,\n\n“Order sync” needs a look: it is overdue.\n\nFor whoever looks after it:\n"
    )
    assert "It wrote no output." in text
    assert "What proves it" not in text
    assert "The newest runs" not in text


def test_without_a_history_the_last_run_is_told():
    assert "[run run-7]" in body(row())


def test_secrets_of_the_job_are_hidden_wherever_they_stand():
    made = row(last_run=record(7, reason="sesame-4711 was refused"), summary="sesame-4711")
    text = body(made, b"trying sesame-4711 in live mode\n")
    assert "sesame" not in text
    assert f"trying {MASK} in live mode" in text
    subject = compose_message(made, output=b"", zone=TORONTO, now=NOW).subject
    assert subject == f"Order sync: {MASK}"


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("API_KEY", True),
        ("SHOP_PASSWORD", True),
        ("DB_PASSWD", True),
        ("PGPASS", True),
        ("dbpassword", True),
        ("GITHUB_TOKEN", True),
        ("TOKEN_FOR_MAIL", True),
        ("CLIENT_SECRETS", True),
        ("AWS_CREDENTIALS", True),
        ("MODE", False),
        ("KEYBOARD", False),
        ("AUTHOR", False),
        ("PATH", False),
    ],
)
def test_a_variable_is_secret_by_its_name(name, is_secret):
    assert bool(secret_values({name: "long enough"})) is is_secret


def test_a_value_too_short_to_be_a_secret_is_not_hidden_everywhere():
    assert secret_values({"API_KEY": "1", "PIN": "on"}) == ()


def test_each_line_of_a_secret_of_several_lines_is_secret():
    assert secret_values({"SIGNING_KEY": "first line\nsecond line"})[1:] == ("first line", "second line")


def test_a_secret_is_hidden_before_a_long_line_is_cut():
    [line] = end_of_output(b"x" * 495 + b"sesame-4711", secrets=("sesame-4711",))
    assert "ses" not in line


def test_a_secret_inside_another_is_hidden_with_it():
    assert masked("abcd-1234 abcd", secrets=("abcd", "abcd-1234")) == f"{MASK} {MASK}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("api_key=abc123 rest", f"api_key={MASK} rest"),
        ("?key=abc&page=2", f"?key={MASK}&page=2"),
        ('{"password": "a b c", "n": 1}', f'{{"password": {MASK}, "n": 1}}'),
        ("secret => 'x y'", f"secret => {MASK}"),
        ("Authorization: Basic dXNlcjpwYXNz", f"Authorization: {MASK}"),
        ("Cookie: a=b; c=d", f"Cookie: {MASK}"),
        ("sent Bearer abc.def-123", f"sent Bearer {MASK}"),
        ("https://theo:pw@shop.test/x", f"https://{MASK}@shop.test/x"),
        ("mysql --password hunter2 -v", f"mysql --password {MASK} -v"),
        ("sync --password --verbose", "sync --password --verbose"),
        ("sk_live_abcdefghij12 was refused", f"{MASK} was refused"),
        ("ghp_abcdefghijklmnopqrstuvwx", MASK),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.sig", MASK),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nok", f"{MASK}\nok"),
        ("-----BEGIN PRIVATE KEY-----\ncut off", MASK),
        ("shipping: 5 boxes, author=Sam, monkey=1", "shipping: 5 boxes, author=Sam, monkey=1"),
        ("myToken=1 DB_PASS=2 pin: 3", f"myToken={MASK} DB_PASS={MASK} pin: {MASK}"),
        ("order 5047 was copied at 10:45", "order 5047 was copied at 10:45"),
        ("the key of the door is lost", "the key of the door is lost"),
    ],
)
def test_what_looks_like_a_secret_is_hidden_and_nothing_else(text, expected):
    assert masked(text) == expected


def test_only_the_last_fifty_lines_that_say_anything_are_kept():
    output = b"".join(b"line %d\n\n" % number for number in range(80))
    lines = end_of_output(output)
    assert (len(lines), lines[0], lines[-1]) == (50, "line 30", "line 79")


def test_lines_are_plain_and_not_endless():
    lines = end_of_output(b"\x1b[31mred\x1b[0m \xff\x00\n" + b"x" * 9000)
    assert lines[0] == "red \ufffd"
    assert (len(lines[1]), lines[1][-1]) == (500, "…")
