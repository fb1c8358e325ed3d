"""The Schedule tab of the detail pane: when the job runs, and whether this computer will start it."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.kit.cards import Mark
from ridgeline_desktop.gui.kit.forms import Fold, hint_label
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import registration_word
from ridgeline_desktop.gui.schedules.cautions import CautionLine
from ridgeline_desktop.gui.schedules.preview import NextRuns, native_box
from ridgeline_desktop.gui.schedules.texts import deadline_words, grace_words, starter_words
from ridgeline_desktop.services.editing import JobSource
from ridgeline_desktop.services.previews import SchedulePreview

_WELL = (RegistrationState.REGISTERED, RegistrationState.NOT_WANTED)


class ScheduleTab(QScrollArea):
    """`change_wanted` is [Change…]; `shown` says that the tab came to sight and may want to be filled."""

    change_wanted = Signal()
    came_to_sight = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Schedule"))
        self.sentence, self.zone, self.heading = _words(bold=True), hint_label(""), hint_label("")
        self.runs, self.fold = NextRuns(), Fold(self.tr("Technical details"))
        self.change = QPushButton(self.tr("Change…"))
        self.change.setAccessibleName(self.tr("Change the schedule"))
        self.registration, self.grace, self.deadline = _words(), _words(), _words()
        self._mark = Mark(Shape.OK)
        self._cautions = QVBoxLayout()
        self._lines: list[CautionLine] = []
        self.change.clicked.connect(self.change_wanted)
        self._lay_out()
        self.show_nothing()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Say that it is looked at now."""
        super().showEvent(event)
        self.came_to_sight.emit()

    def show_nothing(self, text: str = "") -> None:
        """Show no schedule, for this reason."""
        self.sentence.setText(text)
        self._inner.setVisible(False)
        self.change.setEnabled(False)

    def show_schedule(
        self, source: JobSource, preview: SchedulePreview, row: JobRow, *, now: datetime
    ) -> None:
        """Show what the file says, and how it stands in this computer's schedule."""
        self.sentence.setText(preview.sentence[:1].upper() + preview.sentence[1:])
        self.zone.setText(self.tr("On the clock of {zone}").format(zone=preview.zone.key))
        self.heading.setText(
            self.tr("The next {count} runs").format(count=len(preview.next_runs))
            if preview.next_runs
            else self.tr("It has no next run by itself.")
        )
        self.runs.setVisible(bool(preview.next_runs))
        self.runs.show_runs(preview.next_runs, preview, now=now)
        self._show_cautions(preview.cautions)
        self.grace.setText(grace_words(source.job))
        self.deadline.setText(deadline_words(source.job))
        self.fold.set_content(native_box(starter_words(preview.backend), preview.native))
        self.show_registration(row)
        self._inner.setVisible(True)
        self.change.setEnabled(True)

    def _show_cautions(self, texts: tuple[str, ...]) -> None:
        for line in self._lines:
            self._cautions.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = [CautionLine(text) for text in texts]
        for line in self._lines:
            self._cautions.addWidget(line)

    def show_registration(self, row: JobRow) -> None:
        """Show how the job stands in this computer's schedule."""
        self._mark.set_shape(Shape.OK if row.registration in _WELL else Shape.WARNING)
        self.registration.setText(registration_word(row.registration) + ".")

    def _lay_out(self) -> None:
        top, inside, self._inner = QHBoxLayout(), QWidget(), QWidget()
        top.addWidget(self.sentence, 1)
        top.addWidget(self.change, 0, Qt.AlignmentFlag.AlignTop)
        facts, stands = QFormLayout(), QHBoxLayout()
        stands.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        stands.addWidget(self.registration, 1)
        facts.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        facts.addRow(hint_label(self.tr("On this computer")), stands)
        facts.addRow(hint_label(self.tr("Warns when late by")), self.grace)
        facts.addRow(hint_label(self.tr("Gives up after")), self.deadline)
        inner = QVBoxLayout(self._inner)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(9)
        for widget in (self.zone, self.heading, self.runs):
            inner.addWidget(widget)
        inner.addLayout(self._cautions)
        inner.addLayout(facts)
        inner.addWidget(self.fold)
        column = QVBoxLayout(inside)
        column.addLayout(top)
        column.addWidget(self._inner)
        column.addStretch(1)
        self.setWidget(inside)


def _words(*, bold: bool = False) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    font = label.font()
    font.setBold(bold)
    label.setFont(font)
    return label
