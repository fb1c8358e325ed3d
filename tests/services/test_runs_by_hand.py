"""Runs that a person starts: set going, followed to their end, refused in words; and saved progress."""

import os
import signal
import sys
import time
from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.errors import RidgelineError, UnknownJob
from ridgeline_desktop.core.runs import Reason, RunStatus, Trigger

JOB = "order-sync"
SAYS = (sys.executable, "-c", "import sys; sys.stderr.write(sys.argv[1]); sys.exit(75)")


def job_file(office, script="echo hello", more=""):
    text = f'shell = "{script}"\nsafe_to_rerun = "yes"\n{more}\n[schedule]\nbackend = "none"\n'
    return office.file(JOB, text)


def until(look, limit=60.0):
    """What `look` gives as soon as it gives something."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def followed(office, started):
    """The last view of the run, and everything it said, as a console reads it."""
    said = bytearray()

    def look():
        view = office.runs.follow(JOB, started.run_id, offset=len(said))
        said.extend(view.output)
        return None if view.is_going_on or view.output else view

    return until(look), bytes(said)


def test_a_run_by_hand_is_on_record_under_its_id_with_who_asked_and_its_output_is_read_to_the_end(office):
    job_file(office, "echo one; sleep 0.3; echo two")
    started = office.runs.start_now(JOB)
    assert started.started_at == office.clock.now()
    view, said = followed(office, started)
    assert view.record is not None
    assert (view.record.status, view.record.trigger) == (RunStatus.COMPLETED, Trigger.MANUAL)
    assert view.record.actor.name == "Theo"
    assert (said, view.trouble) == (b"one\ntwo\n", "")
    assert office.runs.tail(view.record, size=4) == b"two\n"


def test_until_the_run_is_on_record_it_is_going_on_without_one(office):
    job_file(office)
    office.launcher.by_hand_program = ("/bin/sh", "-c", "echo $$ >&2; exec sleep 60")
    started = office.runs.start_now(JOB)
    pid = int(until(lambda: office.starts.said(started.run_id)))
    view = office.runs.follow(JOB, started.run_id, offset=0)
    assert (view.record, view.output, view.is_going_on, view.trouble) == (None, b"", True, "")
    os.kill(pid, signal.SIGKILL)
    view, _ = followed(office, started)
    assert view.trouble == str(pid), "whatever it said last"


@pytest.mark.parametrize(
    ("said", "trouble"),
    [
        ("ridgeline: order-sync did not start: paused until 18:00\n",
         "order-sync did not start: paused until 18:00"),
        ("", "The run ended without a word, and is not on record."),
    ],
)  # fmt: skip
def test_a_start_that_comes_to_no_record_gives_its_last_words(office, said, trouble):
    job_file(office)
    office.launcher.by_hand_program = (*SAYS, said)
    view, _ = followed(office, office.runs.start_now(JOB))
    assert (view.record, view.trouble) == (None, trouble)


def test_a_run_that_nobody_started_here_and_nobody_recorded_is_over(office):
    view = office.runs.follow(JOB, "01890a5d-ac96-774b-bcce-b302099a8057", offset=0)
    assert (view.record, view.is_going_on) == (None, False)
    assert view.trouble


def test_a_refused_run_is_on_record_and_one_merged_into_an_older_refusal_says_why_itself(office):
    job_file(office)
    other = office.take_lock(JOB, "r9")
    first, _ = followed(office, office.runs.start_now(JOB))
    assert first.record is not None
    assert (first.record.status, first.record.reason_code) == (RunStatus.REFUSED, Reason.LOCK_HELD)
    second, _ = followed(office, office.runs.start_now(JOB))
    assert second.record is None
    assert second.trouble.startswith("order-sync did not start: The operating system reports the lock held")
    other.release()


def test_a_job_that_must_never_be_repeated_is_started_once_only(office):
    job_file(office).write_text('shell = "true"\nsafe_to_rerun = "never"\n[schedule]\nbackend = "none"\n')
    view, _ = followed(office, office.runs.start_now(JOB))
    assert view.record is not None
    for again in (False, True):
        with pytest.raises(RidgelineError, match=r"must never be run again by hand\. Nothing was started"):
            office.runs.start_now(JOB, again=again)
    assert len(os.listdir(office.state / "starts")) == 1


def test_a_repeat_that_wants_a_yes_is_refused_by_the_runner_without_one(office):
    job_file(office).write_text('shell = "true"\nsafe_to_rerun = "ask"\n[schedule]\nbackend = "none"\n')
    followed(office, office.runs.start_now(JOB))
    refused, _ = followed(office, office.runs.start_now(JOB))
    assert refused.record is not None
    assert refused.record.reason_code is Reason.NOT_SAFE
    agreed, _ = followed(office, office.runs.start_now(JOB, again=True))
    assert agreed.record is not None
    assert agreed.record.status is RunStatus.COMPLETED


def test_an_unknown_job_is_not_started(office):
    with pytest.raises(UnknownJob):
        office.runs.start_now("nobody")
    assert not office.state.exists()


def test_what_a_script_saved_is_shown_with_its_time(office):
    assert office.runs.checkpoint(JOB) is None
    folder = office.state / "checkpoints"
    folder.mkdir(parents=True)
    path = folder / f"{JOB}.json"
    path.write_text("5047")
    os.utime(path, (1_772_000_000, 1_772_000_000))
    found = office.runs.checkpoint(JOB)
    assert found is not None
    assert (found.text, found.sentence) == ("5047", "continues after 5047")
    assert found.saved_at == datetime.fromtimestamp(1_772_000_000, UTC)
    path.write_text("{")
    with pytest.raises(RidgelineError, match="cannot be understood"):
        office.runs.checkpoint(JOB)


def test_a_checkpoint_by_the_kit_is_what_is_shown(office):
    job_file(
        office,
        f"{sys.executable} -c 'from ridgeline_desktop.jobkit import Checkpoint; Checkpoint().write(5047)'",
    )
    view, said = followed(office, office.runs.start_now(JOB))
    assert view.record is not None
    assert view.record.status is RunStatus.COMPLETED, said
    found = office.runs.checkpoint(JOB)
    assert found is not None
    assert found.sentence == "continues after 5047"
