"""Cards about what can become of saving beside success, such as that somebody else was faster."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone
from ridgeline_desktop.gui.kit.forms import Fold, details_box
from ridgeline_desktop.gui.kit.icons import Shape

_FEW_LINES, _LINES = 6, 12


class OutcomeCard(Card):
    """An amber card with a heading, to be filled from top to bottom."""

    def __init__(self, title: str) -> None:
        super().__init__(Tone.AMBER)
        self._column, heading = QVBoxLayout(self), QHBoxLayout()
        self._column.setContentsMargins(14, 10, 14, 10)
        words = _words(title)
        font = words.font()
        font.setBold(True)
        words.setFont(font)
        heading.addWidget(Mark(Shape.WARNING), 0, Qt.AlignmentFlag.AlignTop)
        heading.addWidget(words, 1)
        self._column.addLayout(heading)

    def say(self, text: str) -> None:
        """Add a sentence."""
        self._column.addWidget(_words(text))

    def add(self, widget: QWidget) -> None:
        """Add what is as wide as the card."""
        self._column.addWidget(widget)

    def offer(self, *buttons: QPushButton) -> None:
        """Add buttons, the first one at the left."""
        row = QHBoxLayout()
        for button in buttons:
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        self._column.addLayout(row)


class MovedCard(OutcomeCard):
    """A job's file was changed by somebody while its form was open; nothing was written.

    `mine` and `theirs` say in words what each asks for, "" where the form has no words for it.
    """

    mine_wanted = Signal()
    theirs_wanted = Signal()

    def __init__(self, error: JobFileMoved, *, mine: str = "", theirs: str = "") -> None:
        gone = error.theirs is None
        super().__init__(
            self.tr("The job's file was taken away while you had it open")
            if gone
            else self.tr("Somebody changed this job while you had it open")
        )
        self.say(self.tr("Nothing of yours has been saved yet."))
        if mine:
            self.say(self.tr("Yours: {0}").format(mine))
        if theirs:
            self.say(self.tr("Theirs: {0}").format(theirs))
        nothing, fold = self.tr("nothing"), Fold(self.tr("Technical details"))
        fold.set_content(
            side_by_side(
                (self.tr("Yours"), error.ours or nothing), (self.tr("Theirs"), error.theirs or nothing)
            )
        )
        self.add(fold)
        self.mine, self.theirs = QPushButton(self.tr("Keep &mine")), QPushButton(self.tr("Use t&heirs"))
        self.mine.clicked.connect(self.mine_wanted)
        self.theirs.clicked.connect(self.theirs_wanted)
        self.offer(self.mine, self.theirs)
        for button in (self.mine, self.theirs):
            button.setVisible(not gone)


def side_by_side(*texts: tuple[str, str]) -> QWidget:
    """Texts to compare, each below its title."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    for title, text in texts:
        column = QVBoxLayout()
        column.addWidget(QLabel(title))
        column.addWidget(_box(text, title))
        row.addLayout(column, 1)
    return holder


def _box(text: str, title: str) -> QPlainTextEdit:
    box = details_box(text, name=title)
    box.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    box.setMaximumHeight(box.fontMetrics().lineSpacing() * (_FEW_LINES if text.count("\n") < 3 else _LINES))
    return box


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
