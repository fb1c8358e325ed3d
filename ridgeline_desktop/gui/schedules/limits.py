"""Inputs of the schedule form for its allowances: how late, how long silent, how long a run may take."""

import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSpinBox, QVBoxLayout, QWidget

from ridgeline_desktop.core.jobs import DEFAULT_DEADLINE
from ridgeline_desktop.core.schedules import duration_in_words
from ridgeline_desktop.gui.kit.forms import beside, hint_label
from ridgeline_desktop.gui.schedules.cautions import CautionLine
from ridgeline_desktop.gui.schedules.inputs import LengthInput

_USUAL, _LENGTH, _SHARE, _NEVER = "usual", "length", "share", "never"


class _Allowance(QWidget):
    """A choice of kinds, each with what may belong to it: an input beside the choice, or a line below it."""

    changed = Signal()
    _unset = _USUAL

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.length = QComboBox(), LengthInput()
        self._parts: dict[str, QWidget] = {}
        self.setFocusProxy(self.kind)
        self.length.changed.connect(self.changed)

    def set_text(self, text: str) -> None:
        """Show what a draft says."""
        kind = self._take(text.strip()) if text.strip() else self._unset
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self._show_part()

    def _take(self, text: str) -> str:
        """Show a text that is not empty in the input for it; say of which kind it is."""
        self.length.set_text(text)
        return _LENGTH

    def _offer(self, kinds: dict[str, tuple[str, QWidget | None]], *, below: tuple[QWidget, ...]) -> None:
        for kind, (words, part) in kinds.items():
            self.kind.addItem(words, kind)
            if part is not None:
                self._parts[kind] = part
        right = [part for part in self._parts.values() if part not in below]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(beside(self.kind, *right, None))
        for part in below:
            column.addWidget(part)
        self.kind.currentIndexChanged.connect(self._kind_changed)
        self.set_text("")

    def _kind_changed(self) -> None:
        self._show_part()
        self.changed.emit()

    def _show_part(self) -> None:
        for kind, part in self._parts.items():
            part.setVisible(kind == self.kind.currentData())


class GraceInput(_Allowance):
    """How late a success may be: as usual, a length of time, or a share of the time between two runs."""

    def __init__(self) -> None:
        super().__init__()
        self.kind.setAccessibleName(self.tr("Warn when late by"))
        self.length.set_name(self.tr("How late"))
        self.share = QSpinBox()
        self.share.setRange(1, 100)
        self.share.setSuffix(self.tr(" %"))
        self.share.setValue(5)
        self.share.setAccessibleName(self.tr("Share of the time between runs, in percent"))
        self.share.valueChanged.connect(self.changed)
        self.note = hint_label(
            self.tr(
                "Usual: 5 % of the time between two runs, but never less than a run may take, nor more than "
                "a day."
            )
        )
        self._offer(
            {
                _USUAL: (self.tr("As usual"), self.note),
                _LENGTH: (self.tr("A length of time"), self.length),
                _SHARE: (self.tr("A share of the time between runs"), self.share),
            },
            below=(self.note,),
        )

    def text(self) -> str:
        """As a draft spells it: "", "10 minutes" or "20 %"."""
        texts = {_LENGTH: self.length.text(), _SHARE: f"{self.share.value()} %"}
        return texts.get(self.kind.currentData(), "")

    def _take(self, text: str) -> str:
        percent = re.fullmatch(r"([0-9]{1,3}) ?%", text)
        if percent is None:
            return super()._take(text)
        self.share.setValue(int(percent[1]))
        return _SHARE


class SilenceInput(_Allowance):
    """How long a job that is run by hand may go without a success: any time, or a length of time."""

    _unset = _NEVER

    def __init__(self) -> None:
        super().__init__()
        for named in (self, self.kind):
            named.setAccessibleName(self.tr("Warn when silent for longer than"))
        self.length.set_name(self.tr("How long silent"))
        self.length.set_text("1 week")
        self._offer(
            {
                _NEVER: (self.tr("Never"), None),
                _LENGTH: (self.tr("A length of time"), self.length),
            },
            below=(),
        )

    def text(self) -> str:
        """As a draft spells it: "" or "1 week"."""
        return self.length.text() if self.kind.currentData() == _LENGTH else ""


class DeadlineInput(_Allowance):
    """How long a run may take before it is ended: as usual, a length of time, or any."""

    def __init__(self) -> None:
        super().__init__()
        self.kind.setAccessibleName(self.tr("Give up after"))
        self.length.set_name(self.tr("How long a run may take"))
        usual = duration_in_words(DEFAULT_DEADLINE)
        self.note = hint_label(
            self.tr("Usual: {usual}, or less for a job that runs more often than that.").format(usual=usual)
        )
        self.caution = CautionLine(self.tr("A run that hangs is never ended then, and no other can start."))
        self._offer(
            {
                _USUAL: (self.tr("As usual"), self.note),
                _LENGTH: (self.tr("A length of time"), self.length),
                _NEVER: (self.tr("Never give up"), self.caution),
            },
            below=(self.note, self.caution),
        )

    def text(self) -> str:
        """As a draft spells it: "", "10 minutes" or "none"."""
        texts = {_LENGTH: self.length.text(), _NEVER: "none"}
        return texts.get(self.kind.currentData(), "")

    def _take(self, text: str) -> str:
        return _NEVER if text == "none" else super()._take(text)
