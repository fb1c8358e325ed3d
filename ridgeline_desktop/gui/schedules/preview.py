"""What a schedule means, shown live: a sentence, the next runs, cautions, and what would be registered."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ridgeline_desktop.gui.kit.cards import Card, Mark
from ridgeline_desktop.gui.kit.forms import Fold, StateLabel, details_box, hint_label
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import utc_text
from ridgeline_desktop.gui.schedules.cautions import CautionLine
from ridgeline_desktop.gui.schedules.steady_times import Cure, cures_for
from ridgeline_desktop.gui.schedules.texts import run_parts, starter_words
from ridgeline_desktop.services.previews import NextRun, SchedulePreview

_SPARE_LINES = 4


class NextRuns(QWidget):
    """The next runs of a schedule, one a line; those with a note in amber, with a warning mark."""

    def __init__(self) -> None:
        super().__init__()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._list: QWidget | None = None
        self._shown: object = None

    def show_runs(self, runs: Sequence[NextRun], preview: SchedulePreview, *, now: datetime) -> None:
        """Show these runs on the clock of the preview."""
        lines = [(*run_parts(run.at, zone=preview.zone, now=now), run) for run in runs]
        if lines == self._shown:
            return
        self._shown = lines
        if self._list is not None:
            self._list.hide()
            self._list.deleteLater()
        self._list = QWidget()
        grid = QGridLayout(self._list)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(2, 1)
        for row, (when, near, run) in enumerate(lines):
            _put(grid, row, when, near, run)
        self._box.addWidget(self._list)

    def texts(self) -> list[str]:
        """What is shown, line by line, for those who cannot see it."""
        shown = self._list.findChildren(QLabel) if self._list else []
        return [label.text() for label in shown]


def _put(grid: QGridLayout, row: int, when: str, near: str, run: NextRun) -> None:
    note = "; ".join(part for part in (near, run.note) if part)
    labels = [StateLabel(text, state="late") if run.note else QLabel(text) for text in (when, note)]
    labels[0].setWordWrap(False)
    labels[1].setWordWrap(True)
    if not run.note:
        labels[1].setForegroundRole(labels[1].palette().ColorRole.PlaceholderText)
    mark = Mark(Shape.WARNING if run.note else Shape.SCHEDULE)
    grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
    for column, label in enumerate(labels):
        label.setToolTip(utc_text(run.at))
        label.setTextFormat(Qt.TextFormat.PlainText)
        grid.addWidget(label, row, column + 1, Qt.AlignmentFlag.AlignTop)


class PreviewPane(Card):
    """Below the form. `time_wanted` carries the time of day to replace, and the one to take instead."""

    time_wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        font = self.sentence.font()
        font.setBold(True)
        self.sentence.setFont(font)
        self.runs, self.heading = NextRuns(), hint_label("")
        self.cautions: tuple[CautionLine, ...] = ()
        self.fold = Fold(self.tr("Technical details"))
        self._caution_box = QVBoxLayout()
        self._caution_box.setSpacing(6)
        self._native: tuple[str, str] | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(7)
        for widget in (self.sentence, self.heading, self.runs):
            column.addWidget(widget)
        column.addLayout(self._caution_box)
        column.addWidget(self.fold)
        self.fold.setVisible(False)

    def show_preview(self, preview: SchedulePreview, times: Sequence[str], *, now: datetime) -> None:
        """Show what a draft means. `times` are the times of day that its form can change."""
        self.sentence.setText(_capital(preview.sentence))
        self.heading.setText(self._heading(preview))
        self.runs.show_runs(preview.next_runs, preview, now=now)
        self._show_cautions(preview, times, now)
        self._show_native(preview)

    def show_problems(self) -> None:
        """Say that nothing can be told while there are problems."""
        self.sentence.setText(self.tr("The next runs appear here once everything above is in order."))
        self.heading.setText("")
        for shown in (self.heading, self.runs, self.fold):
            shown.setVisible(False)
        self._drop_cautions()

    def _heading(self, preview: SchedulePreview) -> str:
        if not preview.next_runs:
            return self.tr("It has no next run by itself.")
        if len(preview.next_runs) == 1:
            return self.tr("The only run left:")
        return self.tr("The next {count} runs:").format(count=len(preview.next_runs))

    def _show_cautions(self, preview: SchedulePreview, times: Sequence[str], now: datetime) -> None:
        if tuple(line.text() for line in self.cautions) == preview.cautions:
            return
        self._drop_cautions()
        self.cautions = tuple(
            CautionLine(text, cures_for(text, times, zone=preview.zone, now=now)) for text in preview.cautions
        )
        for line in self.cautions:
            line.cured.connect(self._cured)
            self._caution_box.addWidget(line)

    def _drop_cautions(self) -> None:
        for line in self.cautions:
            self._caution_box.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.cautions = ()

    @Slot(object)
    def _cured(self, cure: Cure) -> None:
        self.time_wanted.emit(cure.old, cure.new)

    def _show_native(self, preview: SchedulePreview) -> None:
        self.heading.setVisible(True)
        self.runs.setVisible(bool(preview.next_runs))
        self.fold.setVisible(True)
        native = (starter_words(preview.backend), preview.native)
        if native != self._native:
            self._native = native
            self.fold.set_content(native_box(*native))


def native_box(starter: str, native: str) -> QWidget:
    """Who starts it, and the exact text that stands there."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(18, 0, 0, 0)
    column.addWidget(hint_label(starter))
    if native:
        name = QCoreApplication.translate("schedules", "The exact text that is registered")
        box = details_box(native, name=name)
        box.setMaximumHeight(box.fontMetrics().lineSpacing() * (native.count("\n") + _SPARE_LINES))
        column.addWidget(box)
    return holder


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
