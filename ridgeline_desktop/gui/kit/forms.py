"""Forms: labelled fields, each with room below for what is wrong with it, and things folded away."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontDatabase
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.drafts import DraftProblem
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
        by_field: dict[str, list[str]] = {name: [] for name in self._fields}
        homeless = []
        for problem in problems:
            if problem.field in by_field:
                by_field[problem.field].append(problem.message)
            else:
                homeless.append(problem)
        for name, messages in by_field.items():
            self._fields[name].set_problem("\n".join(messages))
        return tuple(homeless)

    def focus_first_problem(self) -> bool:
        """Put the caret into the first field with a problem; False where there is none."""
        for made in self._fields.values():
            if made.problem and made.target is not None:
                made.target.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def problem_at(self, field: str) -> str:
        """What is shown as wrong with a field; "" = nothing."""
        return self._fields[field].problem


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


class ProblemLabel(StateLabel):
    """A sentence about what is wrong; takes no room while there is none."""

    def __init__(self) -> None:
        super().__init__("", state="overdue")
        self.hide()

    def say(self, text: str) -> None:
        """Show this, or nothing for ""."""
        self.setText("\n".join(f"\N{BLACK DIAMOND SUIT} {line}" for line in text.splitlines()))
        self.setVisible(bool(text))


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
        self.problem = ""
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

    def set_problem(self, text: str) -> None:
        self.problem = text
        self._problem_label.say(text)
        if self.target is not None:
            self.target.setAccessibleDescription(text)


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
