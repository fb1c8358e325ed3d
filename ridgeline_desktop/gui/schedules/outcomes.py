"""What can become of a saved schedule beside success: it stands otherwise, or somebody was faster."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.schedules import in_words
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone
from ridgeline_desktop.gui.kit.forms import Fold, details_box
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.services.editing import Saved

_FEW_LINES, _LINES = 6, 12


class DifferenceCard(Card):
    """The file is saved, but this computer's schedule does not say the same."""

    again_wanted = Signal()
    undo_wanted = Signal()

    def __init__(self, saved: Saved) -> None:
        super().__init__(Tone.AMBER)
        self.saved = saved
        column = _column(self, self.tr("Saved in the job's file, but it does not run by it yet"))
        column.addWidget(_words(saved.sentence))
        if saved.difference:
            wanted, found = saved.difference
            column.addLayout(
                _side_by_side(
                    (self.tr("Should stand in the schedule"), wanted or self.tr("nothing")),
                    (self.tr("Was found there, and still applies"), found or self.tr("nothing")),
                )
            )
        self.again, self.undo = QPushButton(self.tr("Tr&y again")), QPushButton(self.tr("&Undo my change"))
        self.again.clicked.connect(self.again_wanted)
        self.undo.clicked.connect(self.undo_wanted)
        self.undo.setVisible(saved.undo is not None)
        column.addLayout(_buttons(self.again, self.undo))


class MovedCard(Card):
    """The job's file was changed by somebody while the form was open; nothing was written."""

    mine_wanted = Signal()
    theirs_wanted = Signal()

    def __init__(self, error: JobFileMoved, *, mine: str) -> None:
        super().__init__(Tone.AMBER)
        gone = error.theirs is None
        title = (
            self.tr("The job's file was taken away while you had it open")
            if gone
            else self.tr("Somebody changed this job while you had it open")
        )
        column = _column(self, title)
        column.addWidget(_words(self.tr("Nothing of yours has been saved yet.")))
        column.addWidget(_words(self.tr("Yours: {0}").format(mine)))
        if error.theirs is not None:
            column.addWidget(_words(self.tr("Theirs: {0}").format(_said_by(error.theirs))))
        fold = Fold(self.tr("Technical details"))
        fold.set_content(_both_texts(error))
        column.addWidget(fold)
        self.mine, self.theirs = QPushButton(self.tr("Keep &mine")), QPushButton(self.tr("Use t&heirs"))
        self.mine.clicked.connect(self.mine_wanted)
        self.theirs.clicked.connect(self.theirs_wanted)
        column.addLayout(_buttons(self.mine, self.theirs))
        for button in (self.mine, self.theirs):
            button.setVisible(not gone)


def _said_by(text: str) -> str:
    file = read_job_file("theirs.toml", text, shop_zone="UTC")
    if file.job is None:
        return QLabel().tr("their file is not in order")
    words = in_words(file.job.schedule)
    return words[:1].upper() + words[1:]


def _both_texts(error: JobFileMoved) -> QWidget:
    holder = QWidget()
    holder.setLayout(
        _side_by_side(
            (holder.tr("Yours"), error.ours or holder.tr("nothing")),
            (holder.tr("Theirs"), error.theirs or holder.tr("nothing")),
        )
    )
    return holder


def _column(card: Card, title: str) -> QVBoxLayout:
    heading, row = _words(title), QHBoxLayout()
    font = heading.font()
    font.setBold(True)
    heading.setFont(font)
    row.addWidget(Mark(Shape.WARNING), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(heading, 1)
    column = QVBoxLayout(card)
    column.setContentsMargins(14, 10, 14, 10)
    column.addLayout(row)
    return column


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _side_by_side(*texts: tuple[str, str]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    for title, text in texts:
        column = QVBoxLayout()
        column.addWidget(QLabel(title))
        column.addWidget(_box(text, title))
        row.addLayout(column, 1)
    return row


def _box(text: str, title: str) -> QPlainTextEdit:
    box = details_box(text, name=title)
    box.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
    box.setMaximumHeight(box.fontMetrics().lineSpacing() * (_FEW_LINES if text.count("\n") < 3 else _LINES))
    return box


def _buttons(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    for button in buttons:
        button.setAutoDefault(False)
        row.addWidget(button)
    row.addStretch(1)
    return row
