"""One run in a window of its own, from its start to its end and to why it did not start."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPlainTextEdit
from rows import job, row, snapshot
from running import OFFSCREEN, begin, make_room, nameless, press, question, say

from ridgeline_desktop.core.runs import Reason, RunStatus
from ridgeline_desktop.gui.runs.follower import Follower

pytestmark = OFFSCREEN


@pytest.fixture
def room(qtbot, office, tasks, window):
    office.job("order-sync", 'every = "15 minutes"')
    made = make_room(office, tasks, window)
    yield made
    made.close()


def console_of(room, record, **said):
    shown = row("order-sync", job=job(), **said)
    room.show_row(None, snapshot(shown))
    return room.open_console(record.job_id, record.run_id, "Order sync")


def headline(console) -> str:
    return console.headline.text()


def details(qtbot, console) -> str:
    console.details.set_open(True)
    [box] = console.details.findChildren(QPlainTextEdit)
    return box.toPlainText()


@pytest.mark.parametrize(
    ("status", "said", "words"),
    [
        ("completed", {"duration": 12.0}, "It worked. Took 12 s"),
        ("completed", {}, "It worked"),
        (
            "failed",
            {"reason_code": Reason.EXIT_CODE, "reason": "exit code 3"},
            "Failed: it ended with code 3",
        ),
        ("failed", {}, "Failed: nobody knows why"),
        (
            "failed",
            {"reason_code": Reason.SUCCESS_RULE, "reason": 'it did not print "done"'},
            'Failed: it did not print "done"',
        ),
        ("timed-out", {"duration": 600.0}, "It ran out of time after 10 min 0 s and was ended"),
        (
            "refused",
            {"reason_code": Reason.LOCK_HELD, "reason": "pid 4711 holds it"},
            "Did not start: another run of it was still going on",
        ),
        (
            "stopped",
            {"reason_code": Reason.STOPPED_BY, "reason": "stopped by Theo"},
            "It was stopped by Theo",
        ),
        (
            "interrupted",
            {"reason_code": Reason.RUNNER_DIED, "reason": "runner died"},
            "Broken off: it was cut short, by a power cut or a restart of this computer",
        ),
    ],
)
def test_the_end_of_a_run_is_said_in_words(qtbot, office, room, status, said, words):
    record = office.run("order-sync", "2026-02-28T11:00", status, **said)
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over)
    assert headline(console) == words
    assert not console.stop_button.isVisible()
    assert not console.bar.isVisible()


def test_below_the_headline_stands_when_who_and_how_long(qtbot, office, room):
    failed = office.run("order-sync", "2026-02-28T11:00", "failed", duration=120.0)
    console = console_of(room, failed)
    qtbot.waitUntil(lambda: console.is_over)
    assert console.origin.text() == "Today 10:58 · The schedule · took 2 min 0 s"
    assert console.origin.toolTip() == "2026-02-28 15:58:00 UTC"


def test_what_only_jordan_reads_is_folded_away(qtbot, office, room):
    record = office.run("order-sync", "2026-02-28T11:00", "failed", exit_code=3)
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over)
    assert not console.details.is_open
    text = details(qtbot, console)
    for line in (
        f"Run: {record.run_id}",
        "Exit code: 3",
        "Command: /srv/shop/bin/order-sync",
        "Trigger: schedule",
    ):
        assert line in text.splitlines()


def test_a_running_run_shows_how_long_and_what_it_writes(qtbot, office, room):
    record, lock = begin(office, "order-sync", minutes_ago=2)
    path = say(office, record, b"order 1\norder 2: 10%")
    console = console_of(room, record, usual=timedelta(minutes=4))
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "order 1\norder 2: 10%")
    assert headline(console) == "Running for 2 min 0 s · usually 4 min"
    assert console.bar.value() == 50
    with path.open("ab") as file:
        file.write(b"\rorder 2: 20%")
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "order 1\norder 2: 20%")
    office.pass_time(minutes=20)
    qtbot.waitUntil(lambda: headline(console).startswith("Running for 22 min"))
    assert console.bar.value() == 95
    lock.release()


def test_without_a_usual_time_there_is_no_bar(qtbot, office, room):
    record, lock = begin(office, "order-sync", minutes_ago=2)
    console = console_of(room, record, usual=None)
    qtbot.waitUntil(lambda: headline(console) == "Running for 2 min 0 s")
    assert not console.bar.isVisible()
    lock.release()


def test_the_end_of_a_running_run_comes_by_itself_and_the_room_says_so(qtbot, office, room):
    record, lock = begin(office, "order-sync")
    say(office, record, b"all done")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "all done")
    with qtbot.waitSignal(room.changed):
        office.run("order-sync", office.clock.now(), "completed", run_id=record.run_id, duration=2.0)
        lock.release()
    assert headline(console) == "It worked. Took 2 s"


def test_a_run_whose_runner_is_gone_is_not_called_running(qtbot, office, room):
    record = office.run("order-sync", "2026-02-28T11:00", "running")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over)
    assert headline(console) == "It ended, and nobody knows how. The next check settles it."


def test_stopping_asks_first_and_then_says_that_it_was_asked(qtbot, office, room):
    record, lock = begin(office, "order-sync")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.stop_button.isEnabled())
    console.stop_button.click()
    assert question().windowTitle() == "Stop “Order sync”?"
    press(question(), "Let it finish")
    assert office.stops.asked(record.run_id) is None
    console.stop_button.click()
    press(question(), "Stop it")
    qtbot.waitUntil(lambda: headline(console) == "Asked to stop. It ends within a few seconds.")
    assert office.stops.asked(record.run_id) == "Theo"
    assert not console.stop_button.isEnabled()
    lock.release()


def test_a_stop_that_fails_says_so_and_may_be_tried_again(qtbot, office, room, window):
    record, lock = begin(office, "order-sync")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.stop_button.isEnabled())
    lock.release()
    office.run("order-sync", office.clock.now(), "completed", run_id=record.run_id)
    console.stop_button.click()
    press(question(), "Stop it")
    feedback = room.by_hand.feedback
    qtbot.waitUntil(lambda: feedback.error_box is not None)
    assert "is not running" in feedback.error_box.trouble.why
    feedback.error_box.close()


def test_closing_the_window_leaves_the_run_alone(qtbot, office, room):
    record, lock = begin(office, "order-sync")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.stop_button.isEnabled())
    console.close()
    assert room.consoles == {}
    assert office.status(record) is RunStatus.RUNNING
    assert office.stops.asked(record.run_id) is None
    lock.release()


def test_one_run_has_one_window(qtbot, office, room):
    record = office.run("order-sync", "2026-02-28T11:00")
    console = console_of(room, record)
    assert room.open_console(record.job_id, record.run_id, "Order sync") is console


def test_the_window_of_an_endless_output_shows_its_end_and_saves_all_of_it(qtbot, office, room, tmp_path):
    record = office.run("order-sync", "2026-02-28T11:00")
    output = b"".join(b"line %d, which is long enough for more than a mebibyte\n" % n for n in range(25_000))
    say(office, record, output)
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over and console.output.is_settled, timeout=20_000)
    assert console.output.notice.text() == "Showing the last 20,000 of 25,000 lines."
    console.output.more.click()
    [box] = console.findChildren(QFileDialog)
    path = tmp_path / "all.txt"
    box.fileSelected.emit(str(path))
    qtbot.waitUntil(lambda: f"The full output is saved in {path}." in said_in(console))
    assert path.read_bytes() == output
    box.close()


def said_in(console) -> list[str]:
    return [label.text() for label in console.feedback.findChildren(QLabel) if label.isVisible()]


def saved(qtbot, office, room, path):
    record = office.run("order-sync", "2026-02-28T11:00")
    say(office, record, b"an order\n")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over)
    console.saver.ask(record).close()
    console.saver.save(str(path))
    return console


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by their folder")
@pytest.mark.parametrize("was_there", [True, False])
def test_a_saved_output_is_for_its_owners_eyes_only(qtbot, office, room, tmp_path, was_there):
    path = tmp_path / "all.txt"
    if was_there:
        path.write_text("something longer than the output")
        path.chmod(0o644)
    before = os.umask(0o022)
    try:
        console = saved(qtbot, office, room, path)
        qtbot.waitUntil(lambda: said_in(console) != [])
    finally:
        os.umask(before)
    assert (path.read_bytes(), oct(path.stat().st_mode & 0o777)) == (b"an order\n", "0o600")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is always full")
def test_a_full_disk_is_called_full_and_what_to_do_is_said(qtbot, office, room):
    console = saved(qtbot, office, room, "/dev/full")
    qtbot.waitUntil(lambda: console.feedback.error_box is not None)
    trouble = console.feedback.error_box.trouble
    assert trouble.what == "The full output was not saved."
    assert trouble.why == "There is no room left for /dev/full. Free some, or choose another disk."
    assert trouble.safe == "Ridgeline still has all of it."
    console.feedback.error_box.close()


def test_a_place_that_is_not_there_is_named(qtbot, office, room, tmp_path):
    console = saved(qtbot, office, room, tmp_path / "gone" / "all.txt")
    qtbot.waitUntil(lambda: console.feedback.error_box is not None)
    assert "all.txt cannot be written: No such file or directory. Choose another folder." in (
        console.feedback.error_box.trouble.why
    )
    console.feedback.error_box.close()


def test_a_minimised_window_looks_seldom_and_at_once_when_it_is_back(qtbot, office, room):
    record, lock = begin(office, "order-sync")
    path = say(office, record, b"one\n")
    console = console_of(room, record)
    [follower] = console.findChildren(Follower)
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "one")
    assert follower.pause_ms == 250
    console.showMinimized()
    qtbot.waitUntil(lambda: follower.pause_ms == 2000)
    qtbot.waitSignal(follower.came, timeout=5000).wait()
    with qtbot.assertNotEmitted(follower.came, wait=700):
        pass
    path.write_bytes(b"one\ntwo\n")
    console.showNormal()
    qtbot.waitUntil(lambda: console.output.text.toPlainText() == "one\ntwo", timeout=1000)
    assert follower.pause_ms == 250
    lock.release()


def test_records_that_cannot_be_read_are_said_in_the_window_and_asked_for_again(qtbot, office, room):
    record, lock = begin(office, "order-sync")
    content = office.database.read_bytes()
    office.database.write_bytes(b"no database " * 1000)
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.note.isVisible())
    assert "The run itself is not touched" in console.note.text()
    office.database.write_bytes(content)
    qtbot.waitUntil(lambda: not console.note.isVisible())
    lock.release()


def test_ctrl_f_finds_and_everything_has_a_name(qtbot, office, room):
    record = office.run("order-sync", "2026-02-28T11:00")
    console = console_of(room, record)
    qtbot.waitUntil(lambda: console.is_over)
    console.activateWindow()
    console.output.text.setFocus()
    qtbot.keyClick(console.output.text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(console.output.find_line.hasFocus)
    assert nameless(console) == []
