"""What is known about one lock, fact by fact, and what follows from it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ridgeline_desktop.core.locks import LockEvidence, Verdict, VerdictKind
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.locks.words import Line, Reading, Sign, conclusion, intro, lines, sign_word

WIDTH_IN_LETTERS = 72
SHAPES = {Sign.OVER: Shape.OK, Sign.CAREFUL: Shape.WARNING, Sign.NOTE: Shape.INFO}
TONES = {
    VerdictKind.FREE: Tone.PLAIN,
    VerdictKind.DEAD: Tone.BLUE,
    VerdictKind.HELD: Tone.AMBER,
    VerdictKind.CANNOT_TELL: Tone.GREY,
}


class LockPanel(QWidget):
    """The evidence as lines with a mark each, then the conclusion on a ground of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._intro = _label()
        self._facts = QWidget()
        self._grid = _grid(self._facts)
        self._card = Card(Tone.PLAIN)
        self._conclusion = _label(bold=True)
        inside = QVBoxLayout(self._card)
        inside.setContentsMargins(14, 10, 12, 10)
        inside.addWidget(self._conclusion)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        for part in (self._intro, self._facts, self._card):
            box.addWidget(part)
        self.say("")

    def say(self, text: str) -> None:
        """Show one sentence alone, such as that it is being looked at."""
        self._intro.setText(text)
        self._facts.hide()
        self._card.hide()

    def show_evidence(self, evidence: LockEvidence, verdict: Verdict, reading: Reading) -> None:
        """Show the facts and the verdict."""
        self.say(intro(evidence, verdict, reading))
        facts = lines(evidence, verdict, reading)
        self._show_facts(facts)
        text = conclusion(evidence, verdict, reading)
        self._conclusion.setText(text)
        self._card.set_tone(TONES[verdict.kind])
        self._facts.setVisible(bool(facts))
        self._card.setVisible(bool(text))

    def texts(self) -> tuple[str, ...]:
        """What is shown, from top to bottom."""
        shown = [self._intro, *self._facts.findChildren(QLabel), self._conclusion]
        return tuple(each.text() for each in shown if each.text() and each.isVisibleTo(self))

    def _show_facts(self, facts: tuple[Line, ...]) -> None:
        fresh = QWidget()
        self._grid = _grid(fresh)
        for row, line in enumerate(facts):
            mark = Mark(SHAPES[line.sign])
            mark.setToolTip(sign_word(line.sign))
            label = _label()
            label.setText(line.text)
            label.setAccessibleName(f"{sign_word(line.sign)}: {line.text}")
            self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, row, 1)
        layout = self.layout()
        if layout is not None:
            layout.replaceWidget(self._facts, fresh)
        self._facts.hide()
        self._facts.deleteLater()
        self._facts = fresh


def _grid(parent: QWidget) -> QGridLayout:
    grid = QGridLayout(parent)
    grid.setContentsMargins(8, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(7)
    grid.setColumnStretch(1, 1)
    return grid


def _label(*, bold: bool = False) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    # Else the least height of the window is that of its narrowest form, one word a line.
    label.setMinimumWidth(label.fontMetrics().averageCharWidth() * WIDTH_IN_LETTERS)
    if bold:
        font = QFont(label.font())
        font.setBold(True)
        label.setFont(font)
    return label
