"""Amber lines: a warning mark, what is odd, and where there are some, buttons that put it right."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.gui.kit.cards import Mark
from ridgeline_desktop.gui.kit.forms import StateLabel
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.schedules.steady_times import Cure


class CautionLine(QWidget):
    """One caution. `cured` says which of its buttons was pressed, as a `Cure`."""

    cured = Signal(object)

    def __init__(self, text: str, cures: Sequence[Cure] = ()) -> None:
        super().__init__()
        self._text = StateLabel(text, state="late")
        self._cures = tuple(cures)
        self.buttons = tuple(QPushButton(cure.words()) for cure in cures)
        words, row = QVBoxLayout(), QHBoxLayout(self)
        words.setSpacing(4)
        words.addWidget(self._text)
        buttons = QHBoxLayout()
        for button in self.buttons:
            button.setAutoDefault(False)
            button.clicked.connect(self._cure)
            buttons.addWidget(button)
        buttons.addStretch(1)
        if self.buttons:
            words.addLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Mark(Shape.WARNING), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)

    def text(self) -> str:
        """What is odd."""
        return self._text.text()

    def _cure(self) -> None:
        [place] = [place for place, button in enumerate(self.buttons) if button is self.sender()]
        self.cured.emit(self._cures[place])
