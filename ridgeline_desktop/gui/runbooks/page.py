"""One runbook with what goes with it: live facts, what it does not say, and what can be done with it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.runbooks import Failure, failure_of
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.cards import Said, Tone
from ridgeline_desktop.gui.kit.feedback import Feedback, ask
from ridgeline_desktop.gui.kit.finding import is_find_key
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.gui.runbooks.browser import RunbookBrowser
from ridgeline_desktop.gui.runbooks.editor import RunbookEditor
from ridgeline_desktop.gui.runbooks.facts import LiveFacts
from ridgeline_desktop.gui.runbooks.find_bar import FindBar
from ridgeline_desktop.gui.runbooks.loading import Loaded, load
from ridgeline_desktop.services.runbooks import Runbook, Runbooks


class RunbookPage(QWidget):
    """Shows the runbook of the job it is given, read when it is seen; never on the GUI thread.

    `run_asked`, `edit_job_asked` and `saved`, once its runbook was written, carry the job's id.
    """

    saved = Signal(str)
    run_asked = Signal(str)
    edit_job_asked = Signal(str)
    window_asked = Signal(str)

    def __init__(
        self,
        *,
        runbooks: Runbooks,
        tasks: Tasks,
        feedback: Feedback,
        parent: QWidget | None = None,
        is_tab: bool = True,
    ) -> None:
        super().__init__(parent)
        self._runbooks, self._tasks, self._feedback = runbooks, tasks, feedback
        self._job_id = ""
        self._failure = Failure()
        self._heading = ""
        self._asked = 0
        self.runbook: Runbook | None = None
        self.facts = LiveFacts()
        self.missing = Said(Tone.AMBER)
        self.trouble = Said(Tone.GREY)
        self.browser = RunbookBrowser()
        self.find_bar = FindBar(self.browser)
        self.edit_button = QPushButton(self.tr("Edit…"))
        self.name_button = QPushButton(self.tr("Edit the job…"))
        self.link_button = QPushButton(self.tr("Open it…"))
        self.window_button = QPushButton(self.tr("Open in its own window"))
        self.window_button.setVisible(is_tab)
        self._lay_out()
        self._connect()

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Follow a job: its facts at once, its runbook when it is another one's and the page is seen."""
        self.setEnabled(row is not None)
        if row is None:
            return
        self._failure = failure_of(row)
        self.facts.show_row(row, snapshot)
        if row.job_id != self._job_id:
            self._job_id, self._heading, self.runbook = row.job_id, "", None
            self._show_nothing()
            if self.isVisible():
                self.read()

    def open_at(self, heading: str) -> None:
        """Read the runbook again and show it at this heading ("" = the one that fits the failure)."""
        self._heading = heading
        self.read()

    @Slot()
    def read(self) -> None:
        """Read the runbook again, and show it where the failure is described."""
        self._read(self._show)

    @Slot()
    def refresh(self) -> None:
        """Read the runbook again, and show it only where it has changed; the reader stays where they are."""
        self._read(self._show_if_changed)

    def _read(self, then: Callable[[int, Loaded], None]) -> None:
        if not self._job_id:
            return
        self._asked += 1
        work = partial(load, self._runbooks, self._job_id, failure=self._failure, heading=self._heading)
        self._tasks.run(
            work, then=partial(then, self._asked), failed=partial(self._could_not_read, self._asked)
        )

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Read what is there now: somebody may have changed it since it was last seen."""
        super().showEvent(event)
        self.refresh()

    def event(self, event: QEvent) -> bool:
        """Ctrl+F here means this text, whatever it means to the window around it."""
        if event.type() == QEvent.Type.ShortcutOverride and is_find_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """See event."""
        if is_find_key(event):
            self.find_bar.open()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        self.trouble_buttons = QWidget()
        buttons = QHBoxLayout(self.trouble_buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        for button in (self.name_button, self.link_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        below = QHBoxLayout()
        below.addWidget(self.edit_button)
        below.addStretch(1)
        below.addWidget(self.window_button)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        for part in (self.facts, self.missing, self.trouble, self.trouble_buttons, self.find_bar):
            box.addWidget(part)
        box.addWidget(self.browser, 1)
        box.addStretch(0)
        box.addLayout(below)
        self._show_nothing()
        self.setEnabled(False)

    def _connect(self) -> None:
        self.facts.run_asked.connect(self._run)
        self.browser.open_asked.connect(self._ask_to_open)
        self.browser.refused.connect(self._feedback.say)
        self.browser.copied.connect(self._copied)
        self.edit_button.clicked.connect(self._edit)
        self.name_button.clicked.connect(self._edit_job)
        self.link_button.clicked.connect(self._open_link)
        self.window_button.clicked.connect(self._open_window)

    def _show_nothing(self) -> None:
        for part in (self.missing, self.trouble, self.trouble_buttons, self.browser, self.edit_button):
            part.hide()
        self.find_bar.hide()

    def _show(self, asked: int, loaded: Loaded) -> None:
        if asked == self._asked:
            self._show_at(loaded, loaded.heading)

    def _show_if_changed(self, asked: int, loaded: Loaded) -> None:
        known = self.runbook
        if known is None:
            self._show(asked, loaded)
        elif asked == self._asked and loaded.runbook != known:
            is_same_place = loaded.runbook.heading == known.heading
            self._show_at(loaded, self.browser.heading_at_top() if is_same_place else loaded.heading)

    def _show_at(self, loaded: Loaded, heading: str) -> None:
        runbook = self.runbook = loaded.runbook
        self.browser.setVisible(runbook.is_there)
        if runbook.is_there:
            self.browser.show_text(runbook.text, pictures=loaded.pictures, heading=heading)
        self.missing.say(self._missing_text(runbook) if runbook.is_there else "")
        link = self.tr("The runbook of this job is a page on the web: {link}").format(link=runbook.link)
        self.trouble.say(link if runbook.link else runbook.trouble)
        self.name_button.setVisible(not runbook.relative)
        self.link_button.setVisible(bool(runbook.link))
        self.trouble_buttons.setVisible(not runbook.relative or bool(runbook.link))
        self.edit_button.setText(self.tr("Edit…") if runbook.is_there else self.tr("Write it…"))
        self.edit_button.setVisible(bool(runbook.path))

    def _missing_text(self, runbook: Runbook) -> str:
        said = []
        if runbook.missing:
            *most, last = runbook.missing
            listed = self.tr("{some} or {last}").format(some=", ".join(most), last=last) if most else last
            said.append(self.tr("This runbook doesn't say {what}.").format(what=listed))
        if not self.browser.is_formatted:
            said.append(self.tr("It is too long to be laid out, so it is shown as plain text."))
        return " ".join(said)

    def _could_not_read(self, asked: int, error: Exception) -> None:
        if asked != self._asked:
            return
        self.runbook = None
        self._show_nothing()
        trouble = trouble_of(error, what=self.tr("The runbook cannot be shown."))
        self.trouble.say(f"{trouble.what} {trouble.why}")

    def _run(self) -> None:
        self.run_asked.emit(self._job_id)

    def _edit_job(self) -> None:
        self.edit_job_asked.emit(self._job_id)

    def _open_window(self) -> None:
        self.window_asked.emit(self._job_id)

    @Slot()
    def _copied(self) -> None:
        self._feedback.say(self.tr("Copied."))

    @Slot()
    def _open_link(self) -> None:
        if self.runbook is not None:
            self._ask_to_open(self.runbook.link, QUrl(self.runbook.link).host())

    @Slot(str, str)
    def _ask_to_open(self, address: str, host: str) -> None:
        ask(
            self,
            title=self.tr("Open this link?"),
            text=self.tr("It leads out of Ridgeline, to {host}:\n\n{address}").format(
                host=host, address=address
            ),
            confirm=self.tr("Open it"),
            cancel=self.tr("Leave it"),
            then=partial(self._open, address),
        )

    def _open(self, address: str) -> None:
        if not QDesktopServices.openUrl(QUrl(address)):
            QGuiApplication.clipboard().setText(address)
            said = self.tr("Nothing on this computer opens {address}. The address was copied instead.")
            self._feedback.say(said.format(address=address))

    @Slot()
    def _edit(self) -> None:
        if self.runbook is None:
            return
        editor = RunbookEditor(
            self.runbook, runbooks=self._runbooks, tasks=self._tasks, feedback=self._feedback, parent=self
        )
        editor.saved.connect(self._saved)
        editor.open()

    @Slot()
    def _saved(self) -> None:
        self._heading = self.browser.heading_at_top() if self.browser.isVisible() else ""
        self.read()
        self.saved.emit(self._job_id)
