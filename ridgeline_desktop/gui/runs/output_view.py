"""An output with what people do with it: follow, find, wrap, copy, see only the problems."""

from collections import deque
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.gui.kit.finding import find_around
from ridgeline_desktop.gui.runs.output_text import MOST_LINES, OutputText
from ridgeline_desktop.gui.runs.terminal_text import Problems

FLUSH_MS = 30
LINES_AT_ONCE = 1000


class OutputView(QWidget):
    """Lines come by `add`, as fast as they like; they are shown in small portions, the newest 20,000.

    `more_asked` is emitted by the button beside the notice, whose word whoever owns the view has set.
    """

    more_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = OutputText(self)
        self._kept: deque[str] = deque(maxlen=MOST_LINES)
        self._waiting: deque[str] = deque(maxlen=MOST_LINES)
        self._partial, self._is_partial_new = "", False
        self.total = 0
        self._problems = Problems()
        self._is_adding = False
        self._more_word = self._beginning = ""
        self._flusher = QTimer(self, interval=FLUSH_MS)
        self._flusher.timeout.connect(self._flush)
        self._make_actions()
        self._lay_out()
        self.text.find_asked.connect(self.find_text)
        bar = self.text.verticalScrollBar()
        bar.valueChanged.connect(self._on_scroll)
        bar.rangeChanged.connect(self._on_range)

    # What is shown

    def empty(self, *, hint: str = "") -> None:
        """Show nothing but `hint`, and count from the beginning."""
        self._kept.clear()
        self._waiting.clear()
        self._partial, self._is_partial_new, self.total = "", False, 0
        self._beginning = ""
        self._flusher.stop()
        self.set_hint(hint)
        self._show_from_the_beginning()

    def set_hint(self, hint: str) -> None:
        """What stands in the place of an output that has no line."""
        self._hint = hint
        self._show_hint()

    def add(self, lines: Sequence[str], partial: str = "") -> None:
        """The next complete lines, and the beginning of the one after them."""
        self.total += len(lines)
        self._waiting.extend(lines)
        self._kept.extend(lines)
        self._is_partial_new = self._is_partial_new or bool(lines) or partial != self._partial
        self._partial = partial
        if self._waiting or self._is_partial_new:
            self._flush()
            self._flusher.start()

    def offer_more(self, word: str, *, beginning: str = "") -> None:
        """Name the button beside the notice ("" = none). `beginning` says that first lines are missing."""
        self._more_word, self._beginning = word, beginning
        self._show_notice()

    @property
    def is_settled(self) -> bool:
        """Whether everything that came is shown."""
        return not self._waiting and not self._is_partial_new

    # How it is shown

    def _flush(self) -> None:
        portion = [self._waiting.popleft() for _ in range(min(LINES_AT_ONCE, len(self._waiting)))]
        partial = "" if self._waiting else self._partial
        if self.problems_action.isChecked():
            portion, partial = self._problems.kept(portion), ""
        self._is_partial_new = bool(self._waiting)
        self._is_adding = True
        self.text.add(portion, partial)
        self._is_adding = False
        if self.follow_action.isChecked():
            self._to_the_end()
        self._show_notice()
        if self.is_settled:
            self._flusher.stop()

    def _show_from_the_beginning(self) -> None:
        self._problems = Problems()
        self._is_adding = True
        self.text.empty()
        self._is_adding = False
        self._waiting = deque(self._kept, maxlen=MOST_LINES)
        self._is_partial_new = bool(self._partial)
        if self._waiting or self._is_partial_new:
            self._flusher.start()
        self._show_notice()

    def _show_notice(self) -> None:
        said = self._beginning
        if self.total > MOST_LINES:
            said = self.tr("Showing the last {shown} of {total} lines.").format(
                shown=f"{MOST_LINES:,}", total=f"{self.total:,}"
            )
        self.notice.setText(said)
        self.notice.setVisible(bool(said))
        self.more.setText(self._more_word)
        self.more.setVisible(bool(said and self._more_word))

    def _show_hint(self) -> None:
        only_problems = self.problems_action.isChecked() and self.total
        no_problem = self.tr("No line of it speaks of a problem.")
        self.text.setPlaceholderText(no_problem if only_problems else self._hint)

    def _on_problems(self) -> None:
        self._show_hint()
        self._show_from_the_beginning()

    # Following

    def _on_scroll(self, value: int) -> None:
        if not self._is_adding:
            self.follow_action.setChecked(value >= self.text.verticalScrollBar().maximum())

    def _on_range(self) -> None:
        if self.follow_action.isChecked():
            self._to_the_end()

    def _to_the_end(self) -> None:
        self._is_adding = True
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._is_adding = False

    def _on_follow(self, follows: bool) -> None:
        if follows:
            self._to_the_end()

    # Finding and copying

    def find_text(self) -> None:
        """Put the caret where one types what to find."""
        self.find_line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_line.selectAll()

    def _find(self, *, backwards: bool) -> None:
        wanted = self.find_line.text()
        if not wanted:
            return
        self.follow_action.setChecked(False)
        found = find_around(self.text, wanted, backwards=backwards)
        self.not_found.setVisible(not found)

    def _find_next(self) -> None:
        self._find(backwards=False)

    def _find_previous(self) -> None:
        self._find(backwards=True)

    def _forget_not_found(self) -> None:
        self.not_found.hide()

    def _copy(self) -> None:
        cursor = self.text.textCursor()
        chosen = cursor.selectedText().replace("\u2029", "\n") if cursor.hasSelection() else ""
        QGuiApplication.clipboard().setText(chosen or self.text.toPlainText())

    def _on_wrap(self, wraps: bool) -> None:
        modes = QPlainTextEdit.LineWrapMode
        self.text.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)

    # Putting together

    def _make_actions(self) -> None:
        self.follow_action = self._action(self.tr("Follow"), self.tr("Stay at the newest line"), checked=True)
        self.wrap_action = self._action(self.tr("Wrap"), self.tr("Break long lines"), checked=False)
        self.problems_action = self._action(
            self.tr("Only problems"), self.tr("Show only lines that speak of a problem"), checked=False
        )
        self.copy_action = QAction(self.tr("Copy"), self, toolTip=self.tr("Copy what is selected, or all"))
        self.next_action = QAction(
            self.tr("Next"), self, shortcut=QKeySequence(QKeySequence.StandardKey.FindNext)
        )
        self.previous_action = QAction(
            self.tr("Previous"), self, shortcut=QKeySequence(QKeySequence.StandardKey.FindPrevious)
        )
        self.follow_action.toggled.connect(self._on_follow)
        self.wrap_action.toggled.connect(self._on_wrap)
        self.problems_action.toggled.connect(self._on_problems)
        self.copy_action.triggered.connect(self._copy)
        self.next_action.triggered.connect(self._find_next)
        self.previous_action.triggered.connect(self._find_previous)
        for action in (self.next_action, self.previous_action):
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.addAction(action)

    def _action(self, word: str, tip: str, *, checked: bool) -> QAction:
        return QAction(word, self, checkable=True, checked=checked, toolTip=tip)

    def _lay_out(self) -> None:
        self._hint = ""
        self.find_line = QLineEdit(placeholderText=self.tr("Find in the output"), clearButtonEnabled=True)
        self.find_line.setAccessibleName(self.tr("Find in the output"))
        self.find_line.returnPressed.connect(self._find_next)
        self.find_line.textChanged.connect(self._forget_not_found)
        self.not_found = QLabel(self.tr("Not found"))
        self.not_found.hide()
        tools = QHBoxLayout()
        for action in (self.follow_action, self.wrap_action, self.problems_action):
            tools.addWidget(_box(action))
        tools.addWidget(_button(self.copy_action))
        tools.addStretch(1)
        tools.addWidget(self.not_found)
        tools.addWidget(self.find_line, 3)
        arrows = Qt.ArrowType
        for action, arrow in ((self.previous_action, arrows.UpArrow), (self.next_action, arrows.DownArrow)):
            button = _button(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setArrowType(arrow)
            tools.addWidget(button)
        self.notice = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.more = QPushButton()
        self.more.clicked.connect(self.more_asked)
        above = QHBoxLayout()
        above.addWidget(self.notice, 1)
        above.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(tools)
        layout.addLayout(above)
        layout.addWidget(self.text, 1)
        self.notice.hide()
        self.more.hide()


def _button(action: QAction) -> QToolButton:
    button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setDefaultAction(action)
    button.setAccessibleName(action.text())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _box(action: QAction) -> QCheckBox:
    """A box that is checked as the action is, and the other way round."""
    box = QCheckBox(action.text())
    box.setChecked(action.isChecked())
    box.setToolTip(action.toolTip())
    box.toggled.connect(action.setChecked)
    action.toggled.connect(box.setChecked)
    return box
