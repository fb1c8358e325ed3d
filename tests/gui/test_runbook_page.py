"""The runbook's tab and its own window: live facts, what is missing, finding, editing; with a real shop."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from rows import SYNC, record, red_row, row, snapshot

from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.runbooks.editor import RunbookEditor
from ridgeline_desktop.gui.runbooks.room import RunbooksRoom
from ridgeline_desktop.resource_files import read_text
from ridgeline_desktop.services.runbooks import Runbooks

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
JOB = "order-sync"
ORDERS = read_text("demo/runbooks/order-sync.md")


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


@pytest.fixture
def feedback(window):
    return Feedback(window)


@pytest.fixture
def shop(office):
    (office.shop / "runbooks").mkdir()
    (office.shop / "runbooks" / f"{JOB}.md").write_text(ORDERS)
    office.file(JOB, SYNC)
    return office


@pytest.fixture
def room(qtbot, shop, tasks, window, feedback):
    made = RunbooksRoom(
        runbooks=Runbooks(jobs=shop.jobs), tasks=tasks, feedback=feedback, clock=shop.clock, window=window
    )
    [(title, page)] = made.tabs()
    assert title == "Runbook"
    qtbot.addWidget(page)
    page.resize(500, 400)
    return made


def show(qtbot, tasks, room, job_row):
    room.show_row(job_row, snapshot(job_row))
    room.tabs()[0][1].show()
    settle(qtbot, tasks)
    return room.page


def settle(qtbot, tasks):
    qtbot.waitUntil(lambda: not tasks.pending)


def boxes(kind: type = QDialog) -> list[QDialog]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]


def press(qtbot, parent, text):
    [button] = [each for each in parent.findChildren(QPushButton) if each.text() == text and each.isVisible()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_nothing_is_read_before_the_tab_is_seen(qtbot, tasks, room):
    one = red_row()
    room.show_row(one, snapshot(one))
    assert tasks.pending == 0
    assert room.page.runbook is None


def test_the_tab_opens_at_the_heading_for_the_last_failure_with_live_facts_on_top(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    assert page.browser.heading_at_top() == "The shop API answers 503"
    assert page.facts.text() == "Overdue. Last success today 09:45 · next run today 11:00"
    assert page.missing.text() == ""


def test_a_step_may_name_the_heading_and_one_that_is_not_there_is_passed_over(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    with qtbot.waitSignal(room.tab_asked) as asked:
        room.open(red_row(), "It ran out of time")
    assert asked.args == ["Runbook"]
    settle(qtbot, tasks)
    assert page.browser.marked == "It ran out of time"
    room.open(red_row(), "Never written")
    settle(qtbot, tasks)
    assert page.browser.marked == "The shop API answers 503"


def test_a_new_snapshot_changes_the_facts_and_leaves_the_reader_alone(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    page.browser.verticalScrollBar().setValue(3)
    going_on = red_row(running=record(40, "running"))
    room.show_row(going_on, snapshot(going_on))
    assert page.facts.text().startswith("Running now.")
    assert not page.facts.run_button.isEnabled()
    assert page.browser.verticalScrollBar().value() == 3
    assert tasks.pending == 0


def test_run_now_asks_for_this_job(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    with qtbot.waitSignal(room.run_asked) as asked:
        qtbot.mouseClick(page.facts.run_button, Qt.MouseButton.LeftButton)
    assert asked.args == [JOB]


def test_what_a_runbook_does_not_say_is_named_in_one_sentence(qtbot, shop, tasks, room):
    (shop.shop / "runbooks" / f"{JOB}.md").write_text("# X\n\n## What it does\n\nx\n\n## Ask\n\nSam\n")
    page = show(qtbot, tasks, room, row(JOB))
    assert page.missing.text() == (
        "This runbook doesn't say what the job touches, whether it is safe to run again or "
        "what to do when it fails."
    )


def test_a_job_without_a_runbook_says_how_to_make_one_and_leads_there(qtbot, shop, tasks, room):
    shop.file(JOB, SYNC.replace("runbook =", "#"))
    page = show(qtbot, tasks, room, row(JOB))
    assert "names no runbook yet" in page.trouble.text()
    assert not page.browser.isVisible()
    with qtbot.waitSignal(room.edit_job_asked) as asked:
        press(qtbot, page, "Edit the job…")
    assert asked.args == [JOB]


def test_a_runbook_on_the_web_is_shown_as_a_link_and_opened_only_after_a_question(qtbot, shop, tasks, room):
    shop.file(JOB, SYNC.replace("runbooks/order-sync.md", "https://wiki.example.com/sync"))
    page = show(qtbot, tasks, room, row(JOB))
    assert "https://wiki.example.com/sync" in page.trouble.text()
    press(qtbot, page, "Open it…")
    [box] = boxes()
    assert any("wiki.example.com" in label.text() for label in box.findChildren(QLabel))
    press(qtbot, box, "Leave it")


def test_a_runbook_that_cannot_be_read_says_why_in_the_tab(qtbot, shop, tasks, room, failures):
    (shop.shop / "runbooks" / f"{JOB}.md").write_bytes(b"\xff")
    page = show(qtbot, tasks, room, row(JOB))
    assert page.trouble.text().startswith("The runbook cannot be shown. Line 1 is not UTF-8")
    assert failures == []


def test_a_link_of_the_runbook_shows_its_address_first(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    page.browser.anchorClicked.emit(QUrl("http://127.0.0.1:8080/status"))
    [box] = boxes()
    told = " ".join(label.text() for label in box.findChildren(QLabel))
    assert "http://127.0.0.1:8080/status" in told
    press(qtbot, box, "Leave it")
    assert boxes() == []


def test_a_window_of_its_own_follows_the_job_and_is_opened_once(qtbot, tasks, room):
    one = red_row()
    show(qtbot, tasks, room, one)
    press(qtbot, room.page, "Open in its own window")
    other = row("stock-sync")
    room.show_row(other, snapshot(other, red_row(running=record(40, "running"))))
    settle(qtbot, tasks)
    [box] = boxes()
    assert box.page.facts.text().startswith("Running now.")
    assert box.page.browser.marked == "The shop API answers 503"
    assert room.open_window(one, snapshot(one)) is box
    box.close()
    qtbot.waitUntil(lambda: boxes() == [])
    assert room.open_window(one, snapshot(one)) is not box
    settle(qtbot, tasks)
    boxes()[0].close()


def test_enter_in_the_window_presses_nothing(qtbot, tasks, room):
    one = red_row()
    show(qtbot, tasks, room, one)
    box = room.open_window(one, snapshot(one))
    settle(qtbot, tasks)
    with qtbot.assertNotEmitted(room.run_asked):
        qtbot.keyClick(box.page.browser, Qt.Key.Key_Return)
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert boxes() == [box]
    box.close()


def test_find_goes_round_the_text_and_says_when_there_is_nothing(qtbot, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    page.find_bar.open()
    page.find_bar.line.setText("status page")
    first = page.browser.textCursor().position()
    qtbot.keyClick(page.find_bar.line, Qt.Key.Key_Return)
    second = page.browser.textCursor().position()
    qtbot.keyClick(page.find_bar.line, Qt.Key.Key_Return)
    assert (second > first, page.browser.textCursor().position()) == (True, first)
    qtbot.keyClick(page.find_bar.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert page.browser.textCursor().position() == second
    page.find_bar.line.setText("unicorn")
    assert page.find_bar.told.text() == "Not found"
    page.find_bar.line.setText("")
    assert page.find_bar.told.text() == ""
    qtbot.keyClick(page.find_bar.line, Qt.Key.Key_Escape)
    assert not page.find_bar.isVisible()


@pytest.mark.parametrize("focused", ["browser", "edit_button", "find_line"])
def test_ctrl_f_in_the_runbook_finds_there_and_not_in_the_window_around(qtbot, tasks, room, window, focused):
    elsewhere = []
    window.addAction(QAction("Find a job", window, shortcut=QKeySequence("Ctrl+F")))
    window.actions()[0].triggered.connect(lambda: elsewhere.append(1))
    page = show(qtbot, tasks, room, row(JOB))
    QVBoxLayout(window).addWidget(room.tabs()[0][1])
    with qtbot.waitActive(window):
        window.activateWindow()
    if focused == "find_line":
        page.find_bar.open()
    places = {"browser": page.browser, "edit_button": page.edit_button, "find_line": page.find_bar.line}
    places[focused].setFocus()
    qtbot.keyClick(places[focused], Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.find_bar.line.hasFocus()
    assert elsewhere == []


def test_a_runbook_that_was_changed_is_read_when_it_is_seen_again_and_else_left_alone(
    qtbot, shop, tasks, room
):
    page = show(qtbot, tasks, room, row(JOB))
    page.browser.verticalScrollBar().setValue(120)
    room.tabs()[0][1].hide()
    show(qtbot, tasks, room, row(JOB))
    assert page.browser.verticalScrollBar().value() == 120
    room.tabs()[0][1].hide()
    (shop.shop / "runbooks" / f"{JOB}.md").write_text("# Changed\n")
    show(qtbot, tasks, room, row(JOB))
    assert page.browser.toPlainText().startswith("Changed")
    room.tabs()[0][1].hide()
    (shop.shop / "runbooks" / f"{JOB}.md").unlink()
    show(qtbot, tasks, room, row(JOB))
    assert "there is no such file" in page.trouble.text()


def test_a_runbook_that_could_not_be_read_for_a_while_is_shown_again(qtbot, shop, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    room.tabs()[0][1].hide()
    shop.settings("zone = 1\n")
    show(qtbot, tasks, room, row(JOB))
    assert not page.browser.isVisible()
    room.tabs()[0][1].hide()
    shop.settings("")
    show(qtbot, tasks, room, row(JOB))
    assert page.browser.isVisible()


def editor_of(qtbot, tasks, page, text):
    press(qtbot, page, text)
    settle(qtbot, tasks)
    [editor] = boxes(RunbookEditor)
    return editor


def test_a_change_is_saved_and_shown(qtbot, shop, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    editor = editor_of(qtbot, tasks, page, "Edit…")
    editor.text.setPlainText("# New\n")
    other = room.open_window(row(JOB), snapshot(row(JOB))).page
    settle(qtbot, tasks)
    with qtbot.waitSignals([editor.saved, room.changed]):
        press(qtbot, editor, "Save")
    settle(qtbot, tasks)
    assert page.browser.toPlainText().startswith("New")
    assert other.browser.toPlainText().startswith("New"), "wherever it is shown"
    other.window().close()
    assert (shop.shop / "runbooks" / f"{JOB}.md").read_text() == "# New\n"


def test_a_change_of_somebody_else_is_shown_beside_ones_own_and_not_lost(qtbot, shop, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    editor = editor_of(qtbot, tasks, page, "Edit…")
    file = shop.shop / "runbooks" / f"{JOB}.md"
    file.write_text("# Theirs\n")
    editor.text.setPlainText("# Mine\n")
    press(qtbot, editor, "Save")
    settle(qtbot, tasks)
    assert file.read_text() == "# Theirs\n"
    assert "Somebody else has changed this runbook" in editor.problem.text()
    assert editor.theirs.toPlainText() == "# Theirs\n"
    with qtbot.waitSignal(editor.saved):
        press(qtbot, editor, "Save mine over theirs")
    assert file.read_text() == "# Mine\n"


def test_theirs_may_be_taken_instead(qtbot, shop, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    editor = editor_of(qtbot, tasks, page, "Edit…")
    (shop.shop / "runbooks" / f"{JOB}.md").write_text("# Theirs\n")
    editor.text.setPlainText("# Mine\n")
    press(qtbot, editor, "Save")
    settle(qtbot, tasks)
    press(qtbot, editor, "Take theirs instead")
    assert editor.text.toPlainText() == "# Theirs\n"
    press(qtbot, editor, "Save")
    settle(qtbot, tasks)


def test_a_missing_runbook_can_be_written_from_a_template(qtbot, shop, tasks, room):
    (shop.shop / "runbooks" / f"{JOB}.md").unlink()
    page = show(qtbot, tasks, room, row(JOB))
    assert "there is no such file" in page.trouble.text()
    editor = editor_of(qtbot, tasks, page, "Write it…")
    assert editor.text.toPlainText().startswith("# Order sync\n\n## What it does\n\nCopies new web orders")
    with qtbot.waitSignal(editor.saved):
        press(qtbot, editor, "Save")
    settle(qtbot, tasks)
    assert page.browser.toPlainText().startswith("Order sync")


def test_a_missing_template_is_said_and_the_runbook_can_still_be_written(qtbot, shop, tasks, room):
    (shop.shop / "runbooks" / f"{JOB}.md").unlink()
    page = show(qtbot, tasks, room, row(JOB))
    shop.file(JOB, "command = 3\n")
    editor = editor_of(qtbot, tasks, page, "Write it…")
    assert editor.problem.text().startswith("There is no outline to begin with; you can still write.")
    assert JOB in editor.problem.text()
    assert editor.text.isEnabled()
    editor.close()


def test_typed_text_is_thrown_away_only_after_a_question(qtbot, tasks, room):
    page = show(qtbot, tasks, room, row(JOB))
    editor = editor_of(qtbot, tasks, page, "Edit…")
    qtbot.keyClicks(editor.text, "x")
    press(qtbot, editor, "Cancel")
    [box] = [each for each in boxes() if each is not editor]
    assert editor.isVisible()
    press(qtbot, box, "Throw it away")
    qtbot.waitUntil(lambda: boxes() == [])


def test_everything_that_can_be_focused_has_a_name(qtbot, tasks, room):
    page = show(qtbot, tasks, room, red_row())
    editor = editor_of(qtbot, tasks, page, "Edit…")
    for parent in (page, editor):
        for each in (*parent.findChildren(QPushButton), *parent.findChildren(QPlainTextEdit)):
            named = each.accessibleName() or (isinstance(each, QPushButton) and each.text())
            assert named or each.focusPolicy() is Qt.FocusPolicy.NoFocus
    editor.close()
