"""The variables of a job form: a name and a value each, in rows that can be added and taken out."""

from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

Pairs = tuple[tuple[str, str], ...]


class VariablesInput(QWidget):
    """Rows of name and value; a row with neither is as good as none."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self.another = QPushButton(self.tr("+ a variable"))
        self.another.setAutoDefault(False)
        self.another.clicked.connect(self._add_one)
        self._column = QVBoxLayout()
        box, below = QVBoxLayout(self), QHBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(self._column)
        below.addWidget(self.another)
        below.addStretch(1)
        box.addLayout(below)

    def pairs(self) -> Pairs:
        """Names and values in the order shown."""
        said = ((row.name.text(), row.value.text()) for row in self._rows)
        return tuple(pair for pair in said if any(pair))

    def set_pairs(self, pairs: Pairs) -> None:
        """Show these, in this order."""
        for row in tuple(self._rows):
            self._drop(row)
        for name, value in pairs:
            row = self._make_row()
            row.name.setText(name)
            row.value.setText(value)

    @property
    def rows(self) -> tuple["_Row", ...]:
        """The rows as shown."""
        return tuple(self._rows)

    def _add_one(self) -> None:
        self._make_row().name.setFocus()

    def _make_row(self) -> "_Row":
        row = _Row(len(self._rows) + 1)
        row.name.textChanged.connect(self.changed)
        row.value.textChanged.connect(self.changed)
        row.remove.clicked.connect(self._remove_clicked)
        self._rows.append(row)
        self._column.addWidget(row)
        order = (self.another, row.name, row.value, row.remove, self.another)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        return row

    def _remove_clicked(self) -> None:
        [row] = [row for row in self._rows if row.remove is self.sender()]
        self._drop(row)
        self.another.setFocus()
        self.changed.emit()

    def _drop(self, row: "_Row") -> None:
        self._rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        for number, kept in enumerate(self._rows, start=1):
            kept.number(number)


class _Row(QWidget):
    """One variable and the button that takes it out."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.name, self.value, self.remove = QLineEdit(), QLineEdit(), QToolButton()
        self.name.setPlaceholderText(self.tr("NAME"))
        self.value.setPlaceholderText(self.tr("value"))
        self.remove.setText("×")  # noqa: RUF001 (a cross to close with, not a letter)
        self.remove.setAutoRaise(True)
        self.remove.setToolTip(self.tr("Take this variable out"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.name, 2)
        row.addWidget(QLabel("="))
        row.addWidget(self.value, 3)
        row.addWidget(self.remove)
        self.number(number)

    def number(self, number: int) -> None:
        self.name.setAccessibleName(self.tr("Name of variable {0}").format(number))
        self.value.setAccessibleName(self.tr("Value of variable {0}").format(number))
        self.remove.setAccessibleName(self.tr("Take variable {0} out").format(number))
