"""What a run by hand needs first, and how far a script has come."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from diagnosed import COMPLETED, FAILED, JOB, REFUSED, RUNNING, record

from ridgeline_desktop.core.by_hand import LONGEST_CHECKPOINT, RerunAnswer, by_hand_needs, checkpoint_of
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.jobs import Job, SafeToRerun
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import replace

NOW = datetime(2026, 3, 4, 17, tzinfo=UTC)
TORONTO = ZoneInfo("America/Toronto")
FREE, ASK, NEVER = RerunAnswer.FREE, RerunAnswer.ASK, RerunAnswer.NEVER


def row(job: Job | None, **more: object) -> JobRow:
    values = {
        "job_id": "order-sync",
        "title": "Order sync",
        "health": Health.OK,
        "quiet": False,
        "attention": Attention.GREEN,
        "due": None,
        "grace": timedelta(0),
        "last_success": None,
        "last_run": None,
        "running": None,
        "next_fire": None,
        "registration": RegistrationState.REGISTERED,
        "summary": "ok",
        "reasons": (),
        "job": job,
    }
    return JobRow(**(values | more))


@pytest.mark.parametrize(("wish", "answer"), [("yes", FREE), ("ask", ASK), ("never", NEVER)])
@pytest.mark.parametrize(
    "ran",
    [
        {"last_success": record(COMPLETED)},
        {"last_run": record(FAILED)},
        {"running": record(RUNNING)},
        {"last_run": record(REFUSED), "recent": (record(REFUSED), record(FAILED, minute=9))},
    ],
)
def test_a_repeat_needs_what_the_job_file_says(wish, answer, ran):
    assert by_hand_needs(row(replace(JOB, safe_to_rerun=SafeToRerun(wish)), **ran)) is answer


@pytest.mark.parametrize("wish", SafeToRerun)
def test_a_first_run_is_free_and_a_refused_start_is_none(wish):
    job = replace(JOB, safe_to_rerun=wish)
    assert by_hand_needs(row(job)) is FREE
    refused = record(REFUSED)
    assert by_hand_needs(row(job, last_run=refused, recent=(refused,))) is FREE


def test_a_job_without_a_file_in_order_cannot_be_run():
    assert by_hand_needs(row(None)) is NEVER


@pytest.mark.parametrize(
    ("content", "text", "sentence"),
    [
        (b"5047", "5047", "continues after 5047"),
        (b'"2026-03-04  till 2"', '"2026-03-04  till 2"', "continues after 2026-03-04 till 2"),
        (b"1.5", "1.5", "continues after 1.5"),
        (b'{"order": 5047}', '{\n  "order": 5047\n}', ""),
        (b"[1]", "[\n  1\n]", ""),
        (b"true", "true", ""),
        (b"null", "null", ""),
        (b'" "', '" "', ""),
        ('"caf\u00e9"'.encode(), '"caf\u00e9"', "continues after caf\u00e9"),
        (b'"\\ud800"', '"?"', "continues after ?"),
        (b'"' + b"x" * 81 + b'"', '"' + "x" * 81 + '"', ""),
    ],
)
def test_a_checkpoint_is_shown_as_it_is_and_said_where_it_is_one_mark(content, text, sentence):
    found = checkpoint_of(content, saved_at=NOW)
    assert (found.text, found.sentence, found.saved_at) == (text, sentence, NOW)


def test_a_long_checkpoint_is_cut():
    text = checkpoint_of(b'"' + b"x" * 5000 + b'"', saved_at=NOW).text
    assert len(text) == LONGEST_CHECKPOINT
    assert text.endswith("x…")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_checkpoint_is_an_error_in_words(content):
    with pytest.raises(RidgelineError, match="saved progress cannot be understood"):
        checkpoint_of(content, saved_at=NOW)


@pytest.mark.parametrize(("wish", "answer"), [("yes", FREE), ("ask", ASK), ("never", NEVER)])
def test_where_records_were_lost_a_job_is_taken_to_have_run(wish, answer):
    job = replace(JOB, safe_to_rerun=SafeToRerun(wish))
    assert by_hand_needs(row(job)) is FREE
    assert by_hand_needs(row(job, history_lost=True)) is answer
