"""Changes a runbook as plain text, and never over what somebody else has written meanwhile."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.gui.kit.feedback import Feedback, ask
from ridgeline_desktop.gui.kit.forms import ProblemLabel
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.runbooks import Runbook, Runbooks

WIDTH_IN_LETTERS, HEIGHT_IN_LINES = 92, 34


class RunbookEditor(QDialog):
    """A plain editor for one runbook, which may not be there yet. `saved` = the file was written."""

    saved = Signal()

    def __init__(
        self,
        runbook: Runbook,
        *,
        runbooks: Runbooks,
        tasks: Tasks,
        feedback: Feedback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._runbook, self._runbooks, self._tasks, self._feedback = runbook, runbooks, tasks, feedback
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Runbook of “{job}”").format(job=runbook.title))
        self.text = _editor(self.tr("Text of the runbook"))
        self.text.setPlainText(runbook.text)
        self.problem = ProblemLabel()
        self.theirs = _editor(self.tr("What the file holds now"))
        self.theirs.setReadOnly(True)
        self.save_button = QPushButton(self.tr("Save"))
        self.take_button = QPushButton(self.tr("Take theirs instead"))
        self._lay_out()
        if not runbook.is_there:
            self._begin()

    def reject(self) -> None:
        """Close; asks first where something typed would be lost."""
        if not self.text.document().isModified():
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw away what you changed?"),
            text=self.tr("The runbook in the shop folder stays as it is."),
            confirm=self.tr("Throw it away"),
            cancel=self.tr("Go on editing"),
            then=self._throw_away,
        )

    def _lay_out(self) -> None:
        hint = QLabel(
            self.tr("Headings begin with #, lists with - or 1. and code stands between lines of ```.")
        )
        hint.setWordWrap(True)
        hint.setForegroundRole(hint.palette().ColorRole.PlaceholderText)
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole
        buttons.addButton(self.save_button, role.AcceptRole)
        buttons.addButton(self.take_button, role.ActionRole)
        buttons.addButton(self.tr("Cancel"), role.RejectRole)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.take_button.clicked.connect(self._take_theirs)
        box = QVBoxLayout(self)
        box.addWidget(hint)
        box.addWidget(self.text, 3)
        box.addWidget(self.problem)
        box.addWidget(self.theirs, 2)
        box.addWidget(buttons)
        self.theirs.hide()
        self.take_button.hide()
        metrics = self.text.fontMetrics()
        self.resize(metrics.averageCharWidth() * WIDTH_IN_LETTERS, metrics.height() * HEIGHT_IN_LINES)

    def _begin(self) -> None:
        self.text.setEnabled(False)
        self._tasks.run(
            partial(self._runbooks.template, self._runbook.job_id), then=self._fill, failed=self._not_filled
        )

    def _fill(self, template: str) -> None:
        self.text.setEnabled(True)
        self.text.setPlainText(template)
        self.text.document().setModified(False)
        self.text.setFocus()

    def _not_filled(self, _error: Exception) -> None:
        self.text.setEnabled(True)

    @Slot()
    def _save(self) -> None:
        self.save_button.setEnabled(False)
        work = partial(self._runbooks.save, self._runbook, text=self.text.toPlainText())
        self._tasks.run(work, then=self._written, failed=self._not_written)

    def _written(self, theirs: str | None) -> None:
        self.save_button.setEnabled(True)
        if theirs is None:
            self.saved.emit()
            self._feedback.say(self.tr("The runbook is saved."))
            super().accept()
            return
        self.problem.say(
            self.tr("Somebody else has changed this runbook meanwhile. Nothing was written. Below is theirs.")
        )
        self.theirs.setPlainText(theirs)
        self.theirs.show()
        self.take_button.show()
        self.save_button.setText(self.tr("Save mine over theirs"))
        self._runbook = replace(self._runbook, text=theirs, is_there=bool(theirs))

    def _not_written(self, error: Exception) -> None:
        self.save_button.setEnabled(True)
        safe = self.tr("The file is as it was, and your text is still here.")
        self._feedback.fail(
            trouble_of(error, what=self.tr("The runbook was not saved."), safe=safe), self._save
        )

    @Slot()
    def _take_theirs(self) -> None:
        self.text.setPlainText(self._runbook.text)
        self.theirs.hide()
        self.take_button.hide()
        self.problem.say("")
        self.save_button.setText(self.tr("Save"))

    def _throw_away(self) -> None:
        super().reject()


def _editor(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setAccessibleName(name)
    made.setTabChangesFocus(True)
    made.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return made
