"""Is it really still running? The evidence about a job's lock, and what may be done about it."""

from datetime import timedelta
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.errors import LockMoved, NotCleared
from ridgeline_desktop.core.locks import LockEvidence, Verdict, VerdictKind
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.cards import Said, Tone
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.forms import Fold, details_box
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.gui.locks.panel import LockPanel
from ridgeline_desktop.gui.locks.words import Reading, details
from ridgeline_desktop.services.locks import LockDesk

WIDTH_IN_LETTERS = 90


class LockDialog(QDialog):
    """Shows what is known about one lock, and clears it only as the verdict at the click allows.

    `cleared` says that it was; `stop_asked` carries the id of a job that shall be stopped.
    """

    cleared = Signal()
    stop_asked = Signal(str)

    def __init__(
        self,
        job_id: str,
        title: str,
        *,
        usual: timedelta | None,
        zone: ZoneInfo,
        locks: LockDesk,
        tasks: Tasks,
        feedback: Feedback,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._job_id, self._title, self._usual, self._zone = job_id, title, usual, zone
        self._locks, self._tasks, self._feedback, self._clock = locks, tasks, feedback, clock
        self._run_id = ""
        self.verdict: Verdict | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Lock of “{job}”").format(job=title))
        self.notice = Said(Tone.AMBER)
        self.panel = LockPanel()
        self._fold = Fold(self.tr("Technical details"))
        self._buttons = QDialogButtonBox()
        self._lay_out()
        self.look()

    @Slot()
    def look(self) -> None:
        """Look at the lock again."""
        if self.verdict is None:
            self.panel.say(self.tr("Looking at the lock…"))
        self._buttons.setEnabled(False)
        self._tasks.run(partial(self._locks.show, self._job_id), then=self._show, failed=self._not_looked)

    def button(self, text: str) -> QPushButton | None:
        """The button that says `text`, None where there is none."""
        found = [each for each in self._buttons.buttons() if each.text() == text]
        return found[0] if found and isinstance(found[0], QPushButton) else None

    def _lay_out(self) -> None:
        heading = QLabel(self.tr("Is “{job}” really still running?").format(job=self._title))
        heading.setTextFormat(Qt.TextFormat.PlainText)
        heading.setWordWrap(True)
        font = heading.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        heading.setFont(font)
        box = QVBoxLayout(self)
        box.setSpacing(12)
        for part in (heading, self.notice, self.panel, self._fold):
            box.addWidget(part)
        box.addStretch(1)
        box.addWidget(self._buttons)
        self._fold.toggled.connect(self._fit)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * WIDTH_IN_LETTERS)

    @Slot()
    def _fit(self) -> None:
        """As high as the text needs at this width, which Qt finds only for labels that do not wrap."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _show(self, answer: tuple[LockEvidence, Verdict]) -> None:
        evidence, verdict = answer
        self.verdict, self._run_id = verdict, evidence.run_id
        reading = Reading(usual=self._usual, now=self._clock.now(), zone=self._zone)
        self.panel.show_evidence(evidence, verdict, reading)
        self._fold.set_content(details_box(details(evidence, verdict), name=self.tr("Technical details")))
        self._fold.setVisible(verdict.kind is not VerdictKind.FREE)
        self._offer(verdict.kind)
        self._fit()
        QTimer.singleShot(0, self._fit)  # details that were open before are still there now

    def _offer(self, kind: VerdictKind) -> None:
        """The buttons for this verdict; the first does nothing, and is what Enter and Escape mean."""
        self._buttons.clear()
        self._buttons.setEnabled(True)
        if kind is VerdictKind.DEAD:
            self._add(self.tr("Leave it"), self.reject, is_safe=True)
            self._add(self.tr("Clear the lock"), self._clear)
        elif kind is VerdictKind.HELD:
            self._add(self.tr("Wait for it"), self.reject, is_safe=True)
            self._add(self.tr("Stop it…"), self._stop)
        elif kind is VerdictKind.CANNOT_TELL:
            self._add(self.tr("Leave it"), self.reject, is_safe=True)
            self._add(self.tr("Check again"), self._check_again)
        else:
            self._add(self.tr("Close"), self.reject, is_safe=True)

    def _add(self, text: str, act: object, *, is_safe: bool = False) -> None:
        role = QDialogButtonBox.ButtonRole.RejectRole if is_safe else QDialogButtonBox.ButtonRole.ActionRole
        button = self._buttons.addButton(text, role)
        button.clicked.connect(act)
        button.setAutoDefault(is_safe)
        button.setDefault(is_safe)
        if is_safe:
            button.setFocus()

    @Slot()
    def _check_again(self) -> None:
        self.notice.say("")
        self.look()

    @Slot()
    def _stop(self) -> None:
        self.stop_asked.emit(self._job_id)
        self.accept()

    @Slot()
    def _clear(self) -> None:
        self._buttons.setEnabled(False)
        work = partial(self._locks.clear, self._job_id, run_id=self._run_id)
        self._tasks.run(work, then=self._cleared, failed=self._not_cleared)

    def _cleared(self, _sentence: str) -> None:
        self._feedback.say(self.tr("The lock is cleared. The next run can start."))
        self.cleared.emit()
        self.accept()

    def _not_cleared(self, error: Exception) -> None:
        if isinstance(error, (LockMoved, NotCleared)):
            self.notice.say(self.tr("It changed while you were reading. Nothing was cleared."))
            self.look()
            return
        self._buttons.setEnabled(True)
        what = self.tr("The lock of “{job}” was not cleared.").format(job=self._title)
        self._feedback.fail(trouble_of(error, what=what), self._clear)

    def _not_looked(self, error: Exception) -> None:
        trouble = trouble_of(error, what=self.tr("The lock could not be looked at."))
        self.verdict = None
        self.panel.say(f"{trouble.what} {trouble.why}")
        self._fold.set_content(details_box(trouble.as_text(), name=self.tr("Technical details")))
        self._fold.show()
        self._offer(VerdictKind.CANNOT_TELL)
