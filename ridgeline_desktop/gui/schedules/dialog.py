"""The window "When should … run?": the form, what it means, and what became of saving it."""

from PySide6.QtCore import QDate, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.drafts import DraftProblem, Repeat
from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.feedback import ask
from ridgeline_desktop.gui.schedules.form import ScheduleForm
from ridgeline_desktop.gui.schedules.outcomes import DifferenceCard, MovedCard
from ridgeline_desktop.gui.schedules.preview import PreviewPane
from ridgeline_desktop.services.editing import JobSource, Saved
from ridgeline_desktop.services.previews import SchedulePreview

TYPING_PAUSE_MS = 30
_LETTERS_WIDE, _LINES_HIGH = 108, 46


class ScheduleDialog(QDialog):
    """Says what a person asks for, as drafts; the room answers with `show_…`."""

    preview_wanted = Signal(object)
    save_wanted = Signal(object)
    undo_wanted = Signal(object)
    theirs_wanted = Signal()

    def __init__(self, source: JobSource, *, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("When should “{0}” run?").format(source.job.title))
        self._clock = clock
        self._saving = False
        self._sentence = ""
        self._problems: tuple[DraftProblem, ...] = ()
        self.outcome: DifferenceCard | MovedCard | None = None
        self.form, self.preview = ScheduleForm(), PreviewPane()
        self.save, self.cancel = QPushButton(self.tr("&Save schedule")), QPushButton(self.tr("Cancel"))
        self.status = QLabel()
        self.status.setWordWrap(True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._lay_out()
        self._connect()
        self.show_source(source)

    def show_source(self, source: JobSource) -> None:
        """Show what the job's file says, in place of whatever the form shows."""
        now = self._clock.now().astimezone(source.around.shop.zone)
        self._drop_outcome()
        self.form.set_draft(
            source.schedule,
            shop_zone=source.around.shop.zone.key,
            today=QDate(now.year, now.month, now.day),
        )
        self._set_saving(False)
        self.ask_preview()

    @Slot()
    def ask_preview(self) -> None:
        """Ask what the form means as it stands."""
        self._pause.stop()
        self.preview_wanted.emit(self.form.draft())

    def show_preview(self, preview: SchedulePreview) -> None:
        """Show what the form means, or what is wrong with it."""
        self._problems = (*self.form.own_problems(), *preview.problems)
        self.form.set_problems(self._problems)
        if self._blocking():
            self.preview.show_problems()
        else:
            self._sentence = preview.sentence
            draft = self.form.draft()
            times = draft.times if draft.repeat not in (Repeat.EVERY, Repeat.CUSTOM) else ()
            self.preview.show_preview(preview, times, now=self._clock.now())
        self._show_state()

    def show_not_saved(self, problems: tuple[DraftProblem, ...] = ()) -> None:
        """Let the person go on: nothing was saved, for these reasons or for one told elsewhere."""
        self._problems = problems or self._problems
        self.form.set_problems(self._problems)
        self._set_saving(False)

    def show_difference(self, saved: Saved) -> None:
        """Say that the file is saved, but that the computer's schedule does not say the same."""
        card = DifferenceCard(saved)
        card.again_wanted.connect(self._save)
        card.undo_wanted.connect(self._undo)
        self._show_outcome(card)

    def show_moved(self, error: JobFileMoved) -> None:
        """Say that somebody changed the job's file meanwhile, and show both."""
        card = MovedCard(error, mine=self._sentence)
        card.mine_wanted.connect(self._save)
        card.theirs_wanted.connect(self.theirs_wanted)
        self._show_outcome(card)

    def done_with(self) -> None:
        """Close, whatever the form says."""
        self._set_saving(False)
        self.accept()

    def reject(self) -> None:
        """Close; where something would be lost, ask first."""
        if self._saving:
            return
        if isinstance(self.outcome, DifferenceCard) or not self.form.is_changed:
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw your changes away?"),
            text=self.tr("What you changed in this form has not been saved. The job keeps its schedule."),
            confirm=self.tr("Throw them away"),
            cancel=self.tr("Keep editing"),
            then=self._throw_away,
        )

    @Slot()
    def _throw_away(self) -> None:
        super().reject()

    @Slot()
    def _save(self) -> None:
        self._pause.stop()
        if self.form.own_problems():
            return
        self._set_saving(True)
        self.save_wanted.emit(self.form.draft())

    @Slot()
    def _undo(self) -> None:
        if isinstance(self.outcome, DifferenceCard):
            self._set_saving(True)
            self.undo_wanted.emit(self.outcome.saved)

    @Slot(str, str)
    def _use_time(self, old: str, new: str) -> None:
        self.form.use_time(old, new)
        self.ask_preview()

    def _blocking(self) -> int:
        return sum(problem.blocks for problem in self._problems)

    def _set_saving(self, saving: bool) -> None:
        self._saving = saving
        self.form.setEnabled(not saving)
        self.cancel.setEnabled(not saving)
        if self.outcome is not None:
            self.outcome.setEnabled(not saving)
        self._show_state()

    def _show_state(self) -> None:
        count = self._blocking()
        self.save.setEnabled(not count and not self._saving and self.outcome is None)
        if self._saving:
            text = self.tr("Saving, then reading it back from this computer's schedule…")
        elif count == 1:
            text = self.tr("One problem to put right before it can be saved")
        elif count:
            text = self.tr("{count} problems to put right before it can be saved").format(count=count)
        else:
            text = ""
        self.status.setText(text)
        is_written = isinstance(self.outcome, DifferenceCard)
        self.cancel.setText(self.tr("Close") if is_written else self.tr("Cancel"))

    def _show_outcome(self, card: DifferenceCard | MovedCard) -> None:
        self._drop_outcome()
        self.outcome = card
        self._outcomes.addWidget(card)
        self._set_saving(False)
        QTimer.singleShot(0, self._look_at_outcome)

    @Slot()
    def _look_at_outcome(self) -> None:
        if self.outcome is not None:
            self._scroll.ensureWidgetVisible(self.outcome)

    def _drop_outcome(self) -> None:
        if self.outcome is not None:
            self._outcomes.removeWidget(self.outcome)
            self.outcome.hide()
            self.outcome.deleteLater()
            self.outcome = None

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setSpacing(12)
        self._outcomes = QVBoxLayout()
        column.addLayout(self._outcomes)
        column.addWidget(self.form)
        column.addWidget(self.preview)
        column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QHBoxLayout()
        buttons.addWidget(self.status, 1)
        for button in (self.save, self.cancel):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        box = QVBoxLayout(self)
        box.addWidget(self._scroll, 1)
        box.addLayout(buttons)
        metrics = self.fontMetrics()
        self.resize(metrics.averageCharWidth() * _LETTERS_WIDE, metrics.lineSpacing() * _LINES_HIGH)

    def _connect(self) -> None:
        self.form.changed.connect(self._pause.start)
        self._pause.timeout.connect(self.ask_preview)
        self.preview.time_wanted.connect(self._use_time)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.reject)
