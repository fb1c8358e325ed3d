"""What a person does at any form of a room on the real services of one office."""

from typing import Any

from office import Office
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from ridgeline_desktop.gui.kit.feedback import Feedback


class FormDesk:
    """`changes` gets an item each time the room says that something was written."""

    def __init__(self, qtbot, office: Office, tasks) -> None:
        self.qtbot, self.office, self.tasks = qtbot, office, tasks
        self.window, self.feedback = QWidget(), Feedback()
        qtbot.addWidget(self.window)
        qtbot.addWidget(self.feedback)
        self.changes: list[bool] = []
        self.room: Any = self.make_room()
        self.room.changed.connect(lambda: self.changes.append(True))

    def make_room(self) -> Any:
        raise NotImplementedError

    def opened(self) -> Any:
        """The form that was asked for, once it is there."""
        self.settle()
        assert self.room.dialog is not None
        return self.room.dialog

    def settle(self) -> None:
        """Wait until what was typed is judged, all that was asked is answered, and the window is fitted."""
        dialog = self.room.dialog
        self.qtbot.waitUntil(lambda: dialog is None or not dialog._pause.isActive())
        self.qtbot.waitUntil(lambda: self.tasks.pending == 0)
        self.qtbot.waitUntil(lambda: self.room.dialog is None or not self.room.dialog._fitting.isActive())

    def press(self, button: QAbstractButton) -> None:
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.settle()

    def type(self, edit: QLineEdit, text: str) -> None:
        edit.selectAll()
        self.qtbot.keyClicks(edit, text)
        self.settle()

    def text(self, job_id: str) -> str:
        """The job's file."""
        return (self.office.shop / "jobs" / f"{job_id}.toml").read_text()

    def said(self) -> str:
        return self.feedback._text.text()
