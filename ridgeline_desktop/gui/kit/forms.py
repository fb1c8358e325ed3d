"""Forms: labelled fields, each with room below for what is wrong with it, and things folded away."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontDatabase
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.gui.kit.cards import Mark
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.palette import colours_of

GAP = 3
DETAIL_ROWS = 9


class FormRows(QWidget):
    """Fields in rows: a label that leads to its field, a hint, and all that is wrong with it.

    A field is known by its draft's own name; problems of a draft are shown by `set_problems`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields: dict[str, _Field] = {}
        # No QFormLayout: it cuts wrapped lines off that appear, or wrap anew, while it is shown.
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(9)
        self._grid.setColumnStretch(1, 1)

    def add(
        self,
        field: str,
        label: str,
        content: QWidget | QLayout,
        *,
        hint: str = "",
        buddy: QWidget | None = None,
    ) -> None:
        """Add a row. `label` may hold an "&"; it leads to `buddy`, else to `content` itself."""
        target = buddy or (content if isinstance(content, QWidget) else None)
        words = _Name(label, content)
        made = _Field(content, target, hint, words)
        if target is not None:
            words.setBuddy(target)
            if not target.accessibleName():
                target.setAccessibleName(label.replace("&", ""))
        self._fields[field] = made
        row = self._grid.rowCount()
        self._grid.addWidget(words, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(made, row, 1)

    def add_wide(self, content: QWidget) -> None:
        """Add something as wide as the form, without a label."""
        self._grid.addWidget(content, self._grid.rowCount(), 0, 1, 2)

    def set_shown(self, field: str, shown: bool) -> None:
        """Show or hide one row, its label with it."""
        made = self._fields[field]
        made.setVisible(shown)
        made.label.setVisible(shown)

    def set_problems(self, problems: Iterable[DraftProblem]) -> tuple[DraftProblem, ...]:
        """Show each problem at its field, none elsewhere. Gives back those whose field is not here."""
        by_field: dict[str, list[DraftProblem]] = {name: [] for name in self._fields}
        homeless: list[DraftProblem] = []
        for problem in problems:
            by_field.get(problem.field, homeless).append(problem)
        for name, found in by_field.items():
            self._fields[name].set_problems(found)
        return tuple(homeless)

    def focus_first_problem(self) -> bool:
        """Put the caret into the first field with a problem that blocks; False where there is none."""
        for made in self._fields.values():
            if made.is_blocked and made.target is not None:
                made.target.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def problem_at(self, field: str) -> str:
        """What is shown as wrong with a field; "" = nothing."""
        return self._fields[field].problem

    def label_width(self) -> int:
        """How wide the widest label wants to be, in pixels; hidden rows count too."""
        return max((made.label.sizeHint().width() for made in self._fields.values()), default=0)

    def set_label_width(self, width: int) -> None:
        """Have the labels take at least this many pixels, so that fields stand below those of other rows."""
        self._grid.setColumnMinimumWidth(0, width)


class StateLabel(QLabel):
    """Words in the colour of a state, in the scheme there is now; `state` is its name in `Colours`."""

    def __init__(self, text: str, *, state: str) -> None:
        super().__init__(text)
        self._state = state
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._colour()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the application's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._colour()

    def _colour(self) -> None:
        palette = self.palette()
        colour: QColor = getattr(colours_of(palette), self._state)
        if palette.color(self.foregroundRole()) != colour:
            palette.setColor(self.foregroundRole(), colour)
            self.setPalette(palette)


class ProblemLabel(QWidget):
    """What is wrong, a line each: red where it blocks, amber where not. Takes no room while nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self._problems: tuple[tuple[str, bool], ...] = ()
        self._lines: list[QWidget] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)
        self.hide()

    def text(self) -> str:
        """What is said, line by line."""
        return "\n".join(message for message, _blocks in self._problems)

    def say(self, text: str) -> None:
        """Show this as what blocks, or nothing for ""."""
        self._show(tuple((line, True) for line in text.splitlines()))

    def show_problems(self, problems: Iterable[DraftProblem]) -> None:
        """Show these, or nothing where there are none."""
        self._show(tuple((problem.message, problem.blocks) for problem in problems))

    def _show(self, problems: tuple[tuple[str, bool], ...]) -> None:
        if problems == self._problems:
            return
        self._problems = problems
        for line in self._lines:
            self._box.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = [MarkedLine(message, blocks=blocks) for message, blocks in problems]
        for line in self._lines:
            self._box.addWidget(line)
        self.setVisible(bool(problems))


class MarkedLine(QWidget):
    """A sentence behind a painted mark: a red one, or an amber one with a triangle."""

    def __init__(self, text: str, *, blocks: bool) -> None:
        super().__init__()
        self.shape = Shape.OVERDUE if blocks else Shape.WARNING
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Mark(self.shape), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(StateLabel(text, state="overdue" if blocks else "late"), 1)


class _Name(QLabel):
    """The name of a field, level with the first line of what stands beside it."""

    def __init__(self, text: str, content: QWidget | QLayout) -> None:
        super().__init__(text)
        self._content = content

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As high as an input of one line."""
        hint = super().sizeHint()
        return QSize(
            hint.width(), max(hint.height(), min(self._content.sizeHint().height(), hint.height() * 7 // 4))
        )


class _Field(QWidget):
    def __init__(self, content: QWidget | QLayout, target: QWidget | None, hint: str, label: QLabel) -> None:
        super().__init__()
        self.target, self.label = target, label
        self.problem, self.is_blocked = "", False
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(GAP)
        if isinstance(content, QWidget):
            box.addWidget(content)
        else:
            box.addLayout(content)
        if hint:
            box.addWidget(hint_label(hint))
        self._problem_label = ProblemLabel()
        box.addWidget(self._problem_label)

    def set_problems(self, problems: Sequence[DraftProblem]) -> None:
        self._problem_label.show_problems(problems)
        self.problem = self._problem_label.text()
        self.is_blocked = any(problem.blocks for problem in problems)
        if self.target is not None:
            self.target.setAccessibleDescription(self.problem)


class Fold(QWidget):
    """A line that unfolds what only a few people read. `toggled` says whether it is open."""

    toggled = Signal(bool)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._button = QToolButton()
        self._button.setText(title)
        self._button.setAccessibleName(title)
        self._button.setCheckable(True)
        self._button.setAutoRaise(True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setArrowType(Qt.ArrowType.RightArrow)
        self._button.toggled.connect(self._turn)
        self._content: QWidget | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)

    def set_content(self, content: QWidget) -> None:
        """What is folded away; it takes the place of what was."""
        if self._content is not None:
            self._content.deleteLater()
        self._content = content
        self._box.addWidget(content)
        content.setVisible(self.is_open)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self._button.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Fold or unfold."""
        self._button.setChecked(is_open)

    @Slot(bool)
    def _turn(self, is_open: bool) -> None:
        self._button.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        if self._content is not None:
            self._content.setVisible(is_open)
        self.toggled.emit(is_open)


def beside(*inputs: QWidget | None) -> QHBoxLayout:
    """Inputs in a row; None takes up the room that is left."""
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    for one in inputs:
        if one is None:
            row.addStretch(1)
        else:
            row.addWidget(one)
    return row


def as_high_as_a_line(boxes: Iterable[QAbstractSpinBox]) -> None:
    """Give boxes for numbers, times and dates at least the height that inputs for text have."""
    line = QLineEdit()
    line.ensurePolished()
    for box in boxes:
        box.setMinimumHeight(line.sizeHint().height())


def hint_label(text: str) -> QLabel:
    """A quiet line below a field."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
    return label


def details_box(text: str, *, name: str) -> QPlainTextEdit:
    """Text to read and copy, in letters of one width; `name` is what a screen reader calls it."""
    box = QPlainTextEdit()
    box.setReadOnly(True)
    box.setAccessibleName(name)
    box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    box.setPlainText(text)
    box.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    rows = min(DETAIL_ROWS, text.count("\n") + 2)
    box.setMinimumHeight(box.fontMetrics().lineSpacing() * rows)
    return box
