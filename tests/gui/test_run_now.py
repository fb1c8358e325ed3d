"""Running a job by hand: what is asked first, and the run that really starts."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QLabel
from rows import SYNC, at, job, record, row, snapshot
from running import OFFSCREEN, begin, make_room, press, question

from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.gui.runs.rerun_words import is_it_safe

pytestmark = OFFSCREEN
FILE = """
title = "Order sync"
command = ["/bin/sh", "-c", "echo hello; echo it failed >&2; exit {code}"]
runbook = "runbooks/order-sync.md"
safe_to_rerun = "{safe}"
"""


@pytest.fixture
def room(qtbot, office, tasks, window):
    made = make_room(office, tasks, window, can_start=True)
    yield made
    made.close()


def put(office, *, safe: str = "yes", code: int = 0, runbook: str = "") -> None:
    office.file("order-sync", FILE.format(safe=safe, code=code))
    if runbook:
        (office.shop / "runbooks").mkdir(mode=0o700)
        path = office.shop / "runbooks" / "order-sync.md"
        path.write_text(runbook)
        path.chmod(0o600)


def ask_row(**said):
    safe = job(text=SYNC.replace('safe_to_rerun = "yes"', 'safe_to_rerun = "ask"'))
    return row("order-sync", job=safe, title="Order sync", **said)


def shown_text(dialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def ended(qtbot, room):
    qtbot.waitUntil(lambda: any(each.is_over for each in room.consoles.values()), timeout=20_000)
    [console] = room.consoles.values()
    qtbot.waitUntil(lambda: console.output.is_settled)
    return console


@pytest.mark.parametrize(("code", "headline"), [(0, "It worked. Took "), (3, "Failed: it failed")])
def test_a_safe_job_runs_at_once_in_its_own_window(qtbot, office, room, code, headline):
    put(office, code=code)
    with qtbot.waitSignal(room.changed):
        room.run_now(row("order-sync", job=job()))
    console = ended(qtbot, room)
    assert console.headline.text().startswith(headline)
    assert console.output.text.toPlainText() == "hello\nit failed"
    [kept] = office.runs.history("order-sync", limit=5)
    assert (kept.run_id, kept.actor.name) == (console.run_id, "Theo")


def test_a_job_that_ran_before_and_says_ask_is_asked_about_with_its_runbook_and_progress(qtbot, office, room):
    put(
        office,
        safe="ask",
        runbook="## Is it safe to run again?\n\nYes, orders come **once**.\n\nMore.\n",
    )
    office.run("order-sync", "2026-02-28T11:00")
    checkpoint = Path(office.folders.in_state("checkpoints", "order-sync.json"))
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_text("5047")
    known = ask_row(last_run=record(started=at("09:30", day=7)))
    room.show_row(known, snapshot(known))
    room.run_now(known)
    qtbot.waitUntil(lambda: question() is not None)
    assert question().windowTitle() == "Run “Order sync” again?"
    text = shown_text(question())
    assert "Yes, orders come once." in text
    assert "More." not in text
    assert "It continues after 5047." in text
    assert "The last run: Sat 7 Mar 09:30, worked." in text
    press(question(), "Run it again")
    assert ended(qtbot, room).headline.text().startswith("It worked")


def test_leaving_it_starts_nothing(qtbot, office, room):
    put(office, safe="ask")
    office.run("order-sync", "2026-02-28T11:00")
    room.run_now(ask_row())
    qtbot.waitUntil(lambda: question() is not None)
    assert "what it does would be done twice" in shown_text(question())
    press(question(), "Leave it")
    assert room.consoles == {}
    assert len(office.runs.history("order-sync", limit=5)) == 1


def test_a_progress_that_cannot_be_read_is_said_in_the_question(qtbot, office, room):
    put(office, safe="ask")
    checkpoint = Path(office.folders.in_state("checkpoints", "order-sync.json"))
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_text("{")
    room.run_now(ask_row())
    qtbot.waitUntil(lambda: question() is not None)
    assert "The saved progress cannot be understood" in shown_text(question())
    press(question(), "Leave it")


def test_asking_for_the_same_run_again_starts_it_once_and_shows_its_window(qtbot, office, room, tasks):
    put(office)
    for _ in range(5):
        room.run_now(row("order-sync", job=job()))
    qtbot.waitUntil(lambda: bool(room.consoles))
    room.run_now(row("order-sync", job=job()))  # before a snapshot knows of the run
    first = ended(qtbot, room)
    qtbot.waitUntil(lambda: not tasks.pending)
    assert [each.run_id for each in office.runs.history("order-sync", limit=5)] == [first.run_id]
    room.run_now(row("order-sync", job=job()))
    qtbot.waitUntil(lambda: len(room.consoles) == 2)
    qtbot.waitUntil(lambda: all(each.is_over for each in room.consoles.values()), timeout=20_000)


def test_one_question_at_a_time_is_asked_about_a_job(qtbot, office, room, tasks, window):
    put(office, safe="ask")
    office.run("order-sync", "2026-02-28T11:00")
    for _ in range(2):
        for _ in range(5):
            room.run_now(ask_row())
        qtbot.waitUntil(lambda: question() is not None and not tasks.pending)
        room.run_now(ask_row())
        qtbot.waitUntil(lambda: not tasks.pending)
        assert len([box for box in window.findChildren(QDialog) if box.isVisible()]) == 1
        press(question(), "Leave it")
    press_again = ask_row()
    room.run_now(press_again)
    qtbot.waitUntil(lambda: question() is not None)
    press(question(), "Run it again")
    room.run_now(press_again)
    assert ended(qtbot, room).headline.text().startswith("It worked")
    assert len(office.runs.history("order-sync", limit=5)) == 2


@pytest.mark.parametrize(
    ("the_job", "why"),
    [
        (job(text=SYNC.replace('rerun = "yes"', 'rerun = "never"')), "must never be run again by hand"),
        (None, "Its job file is missing or not in order"),
    ],
)
def test_what_must_not_be_run_says_why(qtbot, room, the_job, why):
    room.run_now(row("order-sync", job=the_job))
    box = room.by_hand.feedback.error_box
    assert why in box.trouble.why
    assert room.consoles == {}
    box.close()


def test_a_start_that_is_refused_says_so_in_the_window(qtbot, office, room):
    put(office)
    lock = office.take_lock("order-sync", "00000000-0000-7000-8000-00000000abcd")
    room.run_now(row("order-sync", job=job()))
    assert ended(qtbot, room).headline.text().startswith("Did not start: ")
    lock.release()


def test_a_start_that_fails_is_an_error_that_can_be_tried_again(qtbot, office, room):
    room.run_now(row("order-sync", job=job()))
    feedback = room.by_hand.feedback
    qtbot.waitUntil(lambda: feedback.error_box is not None)
    assert feedback.error_box.trouble.what == "“Order sync” was not started."
    press(feedback.error_box, "Close")
    room.run_now(row("order-sync", job=job()))
    qtbot.waitUntil(lambda: feedback.error_box is not None)
    put(office)
    press(feedback.error_box, "Try again")
    assert ended(qtbot, room).headline.text().startswith("It worked")


def test_running_a_job_that_is_running_only_shows_its_window(qtbot, office, room):
    put(office)
    running, lock = begin(office, "order-sync")
    room.run_now(row("order-sync", job=job(), running=running))
    assert list(room.consoles) == [running.run_id]
    lock.release()


def test_a_real_run_can_be_stopped_from_its_window(qtbot, office, room):
    office.file("order-sync", 'shell = "echo begun; exec sleep 60"\nsafe_to_rerun = "yes"\n')
    room.run_now(row("order-sync", job=job()))
    qtbot.waitUntil(lambda: bool(room.consoles))
    [console] = room.consoles.values()
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "begun", timeout=20_000)
    console.stop_button.click()
    press(question(), "Stop it")
    ended(qtbot, room)
    assert console.headline.text() == "It was stopped by Theo"
    [kept] = office.runs.history("order-sync", limit=5)
    assert kept.status is RunStatus.STOPPED


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("## Is it safe to run again?\n\nYes.\nIt [knows](http://x) `them`.\n\nMore", "Yes. It knows them."),
        ("# Safe to repeat\nNo.\n# Next\nText", "No."),
        ("## What it does\n\nIt may run again.\n", ""),
        ("## Safe to run again?\n\n```\ncode\n```\n", ""),
        ("## Safe to run again?\n## Next\n\ntext", ""),
        ("", ""),
        ("## Again\n" + "x" * 700, "x" * 599 + "…"),
    ],
)
def test_a_runbook_s_word_on_repeating_is_the_first_paragraph_below_that_heading(markdown, said):
    assert is_it_safe(markdown) == said


def test_the_question_names_the_last_run_that_did_something_not_a_refused_start(qtbot, office, room):
    put(office, safe="ask")
    office.run("order-sync", "2026-02-28T11:00")
    refused, completed = record(2, "refused", at("10:45")), record(1, "completed", at("09:30"))
    known = ask_row(last_run=refused, recent=(refused, completed))
    room.show_row(known, snapshot(known))
    room.run_now(known)
    qtbot.waitUntil(lambda: question() is not None)
    said = shown_text(question())
    question().reject()
    assert "09:30" in said
    assert "did not start" not in said.lower()


def test_where_records_were_lost_the_question_says_that_nobody_can_tell(qtbot, office, room):
    put(office, safe="ask")
    known = ask_row(last_run=None, last_success=None, recent=(), history_lost=True)
    room.show_row(known, snapshot(known))
    room.run_now(known)
    qtbot.waitUntil(lambda: question() is not None)
    said = shown_text(question())
    question().reject()
    assert "records were lost" in said
