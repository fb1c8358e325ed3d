"""A job file that is not in order, changed as plain text from the room of jobs."""

import pytest
from form_desk import FormDesk
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton

from ridgeline_desktop.gui.jobs.room import JobsRoom
from ridgeline_desktop.gui.kit.text_editor import TextEditor

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
BROKEN = 'title = "Report"  # weekly\r\ncommand = ["/bin/true"]\r\n[schedule]\r\ndaily = ["25:00"]\r\n'
MENDED = BROKEN.replace("25:00", "05:00")


class Desk(FormDesk):
    """The room of jobs, and the editor for the file "report"."""

    def make_room(self) -> JobsRoom:
        made = JobsRoom(
            editing=self.office.editing, tasks=self.tasks, feedback=self.feedback, clock=self.office.clock
        )
        self.qtbot.addWidget(made.page)
        return made

    def edit(self, text: str = BROKEN) -> TextEditor:
        self.write(text)
        self.room.edit("report")
        self.settle()
        assert self.room.editor is not None
        return self.room.editor

    def write(self, text: str) -> None:
        path = self.office.shop / "jobs" / "report.toml"
        path.write_bytes(text.encode())
        path.chmod(0o600)

    def file(self) -> str:
        return (self.office.shop / "jobs" / "report.toml").read_bytes().decode()

    def change(self, old: str, new: str) -> None:
        editor = self.room.editor
        cursor = editor.text.document().find(old)
        cursor.insertText(new)
        self.qtbot.waitUntil(lambda: not editor._pause.isActive())
        self.settle()


@pytest.fixture
def desk(qtbot, office, tasks) -> Desk:
    return Desk(qtbot, office, tasks)


def test_a_broken_job_file_opens_as_text_at_its_mistake(desk):
    editor = desk.edit()
    assert desk.room.dialog is None
    assert desk.feedback.error_box is None
    assert editor.mistakes.text().startswith("Line 4: ")
    assert editor.text.textCursor().blockNumber() == 3
    assert [mark.cursor.blockNumber() for mark in editor.text.extraSelections()] == [3]
    editor.reject()


def test_mistakes_are_named_while_it_is_typed_and_the_file_is_written_as_it_is_otherwise(desk):
    editor = desk.edit()
    desk.change("25:00", "05:00")
    assert editor.mistakes.text() == ""
    assert editor.text.extraSelections() == []
    desk.change("title", "titel")
    assert editor.mistakes.text().startswith("Line 1: ")
    desk.change("titel", "title")
    desk.press(editor.save_button)
    assert desk.file() == MENDED
    assert desk.said() == "Saved. The job file is in order."
    assert desk.changes == [True]
    assert desk.room.editor is None


def test_a_file_with_mistakes_can_be_saved_and_taken_back(desk):
    editor = desk.edit()
    desk.change("25:00", "26:00")
    desk.press(editor.save_button)
    assert desk.file() == BROKEN.replace("25:00", "26:00")
    assert "not in order yet" in desk.said()
    desk.press(desk.feedback._undo_button)
    assert desk.file() == BROKEN


def test_saving_without_a_change_writes_nothing(desk):
    mixed = "\ufeff" + BROKEN.replace("\r\n", "\n", 1)
    editor = desk.edit(mixed)
    desk.press(editor.save_button)
    assert desk.file() == mixed
    assert desk.said() == "Nothing was changed, so nothing was written."


def test_somebody_elses_change_meanwhile_is_shown_and_not_lost(desk):
    editor = desk.edit()
    desk.change("25:00", "05:00")
    theirs = BROKEN.replace("Report", "Theirs")
    desk.write(theirs)
    desk.press(editor.save_button)
    assert desk.file() == theirs
    assert "Somebody else has changed this file" in editor.problem.text()
    assert "Theirs" in editor.theirs.toPlainText()
    desk.press(editor.save_button)
    assert desk.file() == MENDED


def test_a_file_that_vanished_meanwhile_is_written_anew_when_asked_for(desk):
    editor = desk.edit()
    desk.change("25:00", "05:00")
    (desk.office.shop / "jobs" / "report.toml").unlink()
    desk.press(editor.save_button)
    assert editor.theirs.toPlainText() == ""
    desk.press(editor.save_button)
    assert desk.file() == MENDED


def test_an_open_editor_keeps_other_forms_away(desk):
    editor = desk.edit()
    desk.room.add()
    desk.room.edit("report")
    desk.settle()
    assert desk.room.dialog is None
    assert desk.room.editor is editor
    editor.reject()
    assert desk.room.editor is None
    desk.room.add()
    assert desk.room.dialog is not None
    desk.room.dialog.reject()


def test_a_file_that_cannot_be_read_at_all_is_told(desk):
    desk.room.edit("nowhere")
    desk.settle()
    assert desk.feedback.error_box.trouble.what == "The job cannot be edited here."
    desk.feedback.error_box.reject()


def test_many_mistakes_are_counted(desk):
    editor = desk.edit("".join(f"what{number} = 1\n" for number in range(9)))
    lines = editor.mistakes.text().splitlines()
    assert len(lines) == 7
    assert lines[-1] == "and 4 more"  # no command is the tenth
    editor.reject()


def test_escape_asks_before_what_was_typed_is_lost(desk, qtbot):
    editor = desk.edit()
    desk.change("25:00", "05:00")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    [question] = editor.findChildren(QDialog)
    assert desk.room.editor is editor
    question.accept()
    assert desk.room.editor is None
    assert desk.file() == BROKEN


def test_it_does_not_close_while_it_is_being_saved(desk, qtbot):
    editor = desk.edit()
    desk.change("25:00", "05:00")
    qtbot.mouseClick(editor.save_button, Qt.MouseButton.LeftButton)
    editor.reject()
    assert desk.room.editor is editor
    desk.settle()
    assert desk.room.editor is None
    assert desk.file() == MENDED


def test_everything_in_it_that_takes_the_keyboard_has_a_name(desk):
    editor = desk.edit()
    for widget in (*editor.findChildren(QPushButton), *editor.findChildren(QPlainTextEdit)):
        assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    editor.reject()
