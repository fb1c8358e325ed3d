"""Changes a file as plain text, and never over what somebody else has written meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.gui.kit.feedback import Feedback, ask
from ridgeline_desktop.gui.kit.forms import ProblemLabel, hint_label
from ridgeline_desktop.gui.kit.palette import colours_of
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of

WIDTH_IN_LETTERS, HEIGHT_IN_LINES = 92, 34
MOST_PROBLEMS = 6
TYPING_PAUSE_MS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorWords:
    """What the window says: `name` is what a screen reader calls the text, `hint` stands above it.

    `moved` is told where somebody else changed the file, `kept` when what was typed is thrown away, and
    `not_saved` when the file cannot be written; whole sentences.
    """

    title: str
    name: str
    hint: str
    moved: str
    kept: str
    not_saved: str


@dataclass(frozen=True, slots=True)
class Theirs:
    """Nothing was written, since the file holds this by now ("" = it is gone)."""

    text: str


Write = Callable[[str | None, str], object]
Check = Callable[[str], tuple[Problem, ...]]


class TextEditor(QDialog):
    """A plain editor for one file; `text` is None where it is not there yet.

    `write(old, new)` is called in a thread: it writes `new` where the file still holds `old` (None = it is
    not there), and gives Theirs where it does not. `saved` carries what else it gave. `check`, in a thread
    too, names what is wrong with a text: that is shown while it is typed, and does not keep it from being
    saved.
    """

    saved = Signal(object)

    def __init__(
        self,
        text: str | None,
        *,
        words: EditorWords,
        write: Write,
        tasks: Tasks,
        feedback: Feedback,
        check: Check | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._old, self._words, self._write, self._check_text = text, words, write, check
        self._tasks, self._feedback = tasks, feedback
        self._asked = 0
        self._problems: tuple[Problem, ...] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(words.title)
        self.text = _editor(words.name)
        self._exact, self._shown = "", ""
        self._show(text or "")
        self.problem, self.mistakes = ProblemLabel(), ProblemLabel()
        self.theirs = _editor(self.tr("What the file holds now"))
        self.theirs.setReadOnly(True)
        self.save_button = QPushButton(self.tr("Save"))
        self.take_button = QPushButton(self.tr("Take theirs instead"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._check)
        self._lay_out()
        if check is not None:
            self.text.textChanged.connect(self._pause.start)
            self._check()

    def reject(self) -> None:
        """Close; asks first where something typed would be lost. Nothing happens while it is being saved."""
        if not self.save_button.isEnabled():
            return
        if not self.text.document().isModified():
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw away what you changed?"),
            text=self._words.kept,
            confirm=self.tr("Throw it away"),
            cancel=self.tr("Go on editing"),
            then=self._throw_away,
        )

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Mark the lines in the colours there are now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_problems"):
            self._mark(self._problems or ())

    def _show(self, text: str) -> None:
        self.text.setPlainText(text)
        self._exact, self._shown = text, self.text.toPlainText()

    def _typed(self) -> str:
        """The text as the file is to hold it: what Qt makes of line ends is taken back."""
        text = self.text.toPlainText()
        if text == self._shown:
            return self._exact
        ends = self._exact.count("\r\n")
        return text.replace("\n", "\r\n") if ends and ends == self._exact.count("\n") else text

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole
        buttons.addButton(self.save_button, role.AcceptRole)
        buttons.addButton(self.take_button, role.ActionRole)
        buttons.addButton(self.tr("Cancel"), role.RejectRole)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.take_button.clicked.connect(self._take_theirs)
        box = QVBoxLayout(self)
        box.addWidget(hint_label(self._words.hint))
        box.addWidget(self.text, 3)
        for widget in (self.mistakes, self.problem):
            box.addWidget(widget)
        box.addWidget(self.theirs, 2)
        box.addWidget(buttons)
        self.theirs.hide()
        self.take_button.hide()
        metrics = self.text.fontMetrics()
        self.resize(metrics.averageCharWidth() * WIDTH_IN_LETTERS, metrics.height() * HEIGHT_IN_LINES)

    @Slot()
    def _check(self) -> None:
        if self._check_text is not None:
            self._asked += 1
            work = partial(self._check_text, self.text.toPlainText())
            self._tasks.run(work, then=partial(self._checked, self._asked))

    def _checked(self, number: int, problems: tuple[Problem, ...]) -> None:
        if number != self._asked:
            return
        is_first = self._problems is None
        self._problems = problems
        self.mistakes.say("\n".join(self._lines_about(problems)))
        self._mark(problems)
        if is_first and problems and not self.text.document().isModified():
            self._go_to(problems[0].line or 1)

    def _lines_about(self, problems: tuple[Problem, ...]) -> list[str]:
        lined = self.tr("Line {line}: {problem}")
        lines = [
            lined.format(line=one.line, problem=one.message) if one.line else one.message
            for one in problems[:MOST_PROBLEMS]
        ]
        more = len(problems) - len(lines)
        return [*lines, self.tr("and {count} more").format(count=more)] if more > 0 else lines

    def _mark(self, problems: tuple[Problem, ...]) -> None:
        """Give each line with a mistake a ground of its own."""
        marks = []
        for line in {problem.line for problem in problems if problem.line}:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._cursor_at(line)
            mark.format.setBackground(colours_of(self.palette()).card_amber)
            mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            marks.append(mark)
        self.text.setExtraSelections(marks)

    def _cursor_at(self, line: int) -> QTextCursor:
        return QTextCursor(self.text.document().findBlockByNumber(line - 1))

    def _go_to(self, line: int) -> None:
        self.text.setTextCursor(self._cursor_at(line))
        self.text.centerCursor()

    @Slot()
    def _save(self) -> None:
        self.save_button.setEnabled(False)
        work = partial(self._write, self._old, self._typed())
        self._tasks.run(work, then=self._written, failed=self._not_written)

    def _written(self, answer: object) -> None:
        self.save_button.setEnabled(True)
        if not isinstance(answer, Theirs):
            self.saved.emit(answer)
            super().accept()
            return
        self._old = answer.text or None
        self.problem.say(self._words.moved)
        self.theirs.setPlainText(answer.text)
        self.theirs.show()
        self.take_button.show()
        self.save_button.setText(self.tr("Save mine over theirs"))

    def _not_written(self, error: Exception) -> None:
        self.save_button.setEnabled(True)
        safe = self.tr("The file is as it was, and your text is still here.")
        self._feedback.fail(trouble_of(error, what=self._words.not_saved, safe=safe), self._save)

    @Slot()
    def _take_theirs(self) -> None:
        self._show(self._old or "")
        self.theirs.hide()
        self.take_button.hide()
        self.problem.say("")
        self.save_button.setText(self.tr("Save"))

    def _throw_away(self) -> None:
        super().reject()


def _editor(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setAccessibleName(name)
    made.setTabChangesFocus(True)
    made.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return made
