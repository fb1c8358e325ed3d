"""Inputs of the schedule form for two allowances: how late a success may be, how long a run may take."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from ridgeline_desktop.core.jobs import DEFAULT_DEADLINE
from ridgeline_desktop.core.schedules import duration_in_words
from ridgeline_desktop.gui.kit.forms import hint_label
from ridgeline_desktop.gui.schedules.cautions import CautionLine
from ridgeline_desktop.gui.schedules.inputs import LengthInput

_USUAL, _LENGTH, _SHARE, _NEVER = "usual", "length", "share", "never"


class GraceInput(QWidget):
    """How late a success may be: as usual, a length of time, or a share of the time between two runs."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.share = QComboBox(), QSpinBox()
        self.length = LengthInput(name=self.tr("How late"))
        self.kind.setAccessibleName(self.tr("Warn when late by"))
        self.kind.addItem(self.tr("As usual"), _USUAL)
        self.kind.addItem(self.tr("A length of time"), _LENGTH)
        self.kind.addItem(self.tr("A share of the time between runs"), _SHARE)
        self.share.setRange(1, 100)
        self.share.setSuffix(self.tr(" %"))
        self.share.setValue(5)
        self.share.setAccessibleName(self.tr("Share of the time between runs, in percent"))
        self.note = hint_label(
            self.tr(
                "Usual: 5 % of the time between two runs, but never less than a run may take, nor more than "
                "a day."
            )
        )
        _lay_out(self, (self.kind, self.length, self.share), (self.note,))
        self.kind.currentIndexChanged.connect(self._kind_changed)
        self.length.changed.connect(self.changed)
        self.share.valueChanged.connect(self.changed)
        self.set_text("")

    def text(self) -> str:
        """As a draft spells it: "", "10 minutes" or "20 %"."""
        kind = self.kind.currentData()
        if kind == _SHARE:
            return f"{self.share.value()} %"
        return self.length.text() if kind == _LENGTH else ""

    def set_text(self, text: str) -> None:
        """Show what a draft says."""
        percent = re.fullmatch(r"([0-9]{1,3}) ?%", text.strip())
        if percent:
            self.share.setValue(int(percent[1]))
        elif text:
            self.length.set_text(text)
        self.kind.setCurrentIndex(
            self.kind.findData(_SHARE if percent else _LENGTH if text.strip() else _USUAL)
        )
        self._show_parts()

    def _kind_changed(self) -> None:
        self._show_parts()
        self.changed.emit()

    def _show_parts(self) -> None:
        self.length.setVisible(self.kind.currentData() == _LENGTH)
        self.share.setVisible(self.kind.currentData() == _SHARE)
        self.note.setVisible(self.kind.currentData() == _USUAL)


class DeadlineInput(QWidget):
    """How long a run may take before it is ended: as usual, a length of time, or any."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.length = QComboBox(), LengthInput(name=self.tr("How long a run may take"))
        self.kind.setAccessibleName(self.tr("Give up after"))
        self.kind.addItem(self.tr("As usual"), _USUAL)
        self.kind.addItem(self.tr("A length of time"), _LENGTH)
        self.kind.addItem(self.tr("Never give up"), _NEVER)
        usual = duration_in_words(DEFAULT_DEADLINE)
        self.note = hint_label(
            self.tr("Usual: {usual}, or less for a job that runs more often than that.").format(usual=usual)
        )
        self.caution = CautionLine(self.tr("A run that hangs is never ended then, and no other can start."))
        _lay_out(self, (self.kind, self.length), (self.note, self.caution))
        self.kind.currentIndexChanged.connect(self._kind_changed)
        self.length.changed.connect(self.changed)
        self.set_text("")

    def text(self) -> str:
        """As a draft spells it: "", "10 minutes" or "none"."""
        kind = self.kind.currentData()
        if kind == _NEVER:
            return "none"
        return self.length.text() if kind == _LENGTH else ""

    def set_text(self, text: str) -> None:
        """Show what a draft says."""
        never = text.strip() == "none"
        if text and not never:
            self.length.set_text(text)
        self.kind.setCurrentIndex(
            self.kind.findData(_NEVER if never else _LENGTH if text.strip() else _USUAL)
        )
        self._show_parts()

    def _kind_changed(self) -> None:
        self._show_parts()
        self.changed.emit()

    def _show_parts(self) -> None:
        self.length.setVisible(self.kind.currentData() == _LENGTH)
        self.note.setVisible(self.kind.currentData() == _USUAL)
        self.caution.setVisible(self.kind.currentData() == _NEVER)


def _lay_out(widget: QWidget, inputs: Sequence[QWidget], below: Sequence[QWidget]) -> None:
    column, row = QVBoxLayout(widget), QHBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(3)
    column.addLayout(row)
    for one in inputs:
        row.addWidget(one)
    row.addStretch(1)
    for one in below:
        column.addWidget(one)
    widget.setFocusProxy(inputs[0])
