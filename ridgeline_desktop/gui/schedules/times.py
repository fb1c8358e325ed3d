"""Inputs of the schedule form for times of day: a list of them, and a first and last one."""

from PySide6.QtCore import QTime, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTimeEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.gui.kit.forms import as_high_as_a_line
from ridgeline_desktop.gui.kit.keeps_still import KeepsStill

_FORMAT = "HH:mm"
_IN_A_ROW = 3
_MOST = 24


class TimesInput(QWidget):
    """One or more times of day, each with its own way out, and [+ another time]."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._cells: list[_TimeCell] = []
        self._still = KeepsStill(self)
        self.another = QPushButton(self.tr("+ another time"))
        self.another.setAutoDefault(False)
        self.another.clicked.connect(self._add_one)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(_IN_A_ROW, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        self.set_times(("06:30",))

    @property
    def edits(self) -> tuple[QTimeEdit, ...]:
        """The inputs, one for each time, in the order shown."""
        return tuple(cell.edit for cell in self._cells)

    def times(self) -> tuple[str, ...]:
        """The times as shown, each "06:30"."""
        return tuple(edit.time().toString(_FORMAT) for edit in self.edits)

    def set_times(self, times: tuple[str, ...]) -> None:
        """Show these times, at least one."""
        wanted = times or ("06:30",)
        while len(self._cells) > len(wanted):
            self._drop(self._cells[-1])
        while len(self._cells) < len(wanted):
            self._make_cell()
        for edit, text in zip(self.edits, wanted, strict=True):
            edit.setTime(QTime.fromString(text, _FORMAT))
        self._lay_out()

    def replace(self, old: str, new: str) -> None:
        """Show `new` where `old` stands; a time that stands there already is not shown twice."""
        kept = dict.fromkeys(new if text == old else text for text in self.times())
        self.set_times(tuple(kept))
        self.changed.emit()

    def _add_one(self) -> None:
        last = self.edits[-1].time()
        self._make_cell().edit.setTime(last.addSecs(3600))
        self._lay_out()
        self._cells[-1].edit.setFocus()
        self.changed.emit()

    def _make_cell(self) -> "_TimeCell":
        cell = _TimeCell()
        self._still.watch((cell.edit,))
        as_high_as_a_line((cell.edit,))
        cell.edit.timeChanged.connect(self.changed)
        cell.remove.clicked.connect(self._remove_clicked)
        self._cells.append(cell)
        return cell

    def _remove_clicked(self) -> None:
        [cell] = [cell for cell in self._cells if cell.remove is self.sender()]
        place = self._cells.index(cell)
        self._drop(cell)
        self._lay_out()
        self._cells[max(place - 1, 0)].edit.setFocus()
        self.changed.emit()

    def _drop(self, cell: "_TimeCell") -> None:
        self._cells.remove(cell)
        self._grid.removeWidget(cell)
        cell.hide()
        cell.deleteLater()

    def _lay_out(self) -> None:
        for place, cell in enumerate(self._cells):
            self._grid.addWidget(cell, place // _IN_A_ROW, place % _IN_A_ROW)
            cell.number(place + 1, alone=len(self._cells) == 1)
        row = (len(self._cells) - 1) // _IN_A_ROW
        if len(self._cells) % _IN_A_ROW:
            self._grid.addWidget(self.another, row, len(self._cells) % _IN_A_ROW, 1, 2)
        else:
            self._grid.addWidget(self.another, row + 1, 0, 1, 2)
        self.another.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.another.setEnabled(len(self._cells) < _MOST)
        self.setFocusProxy(self._cells[0].edit)
        before: QWidget = self._cells[0].remove
        for cell in self._cells[1:]:
            QWidget.setTabOrder(before, cell.edit)
            QWidget.setTabOrder(cell.edit, cell.remove)
            before = cell.remove
        QWidget.setTabOrder(before, self.another)


class _TimeCell(QWidget):
    """One time of day and the button that takes it out."""

    def __init__(self) -> None:
        super().__init__()
        self.edit, self.remove = QTimeEdit(), QToolButton()
        self.edit.setDisplayFormat(_FORMAT)
        self.remove.setText("×")  # noqa: RUF001 (a cross to close with, not a letter)
        self.remove.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        row.addWidget(self.edit)
        row.addWidget(self.remove)

    def number(self, number: int, *, alone: bool) -> None:
        self.edit.setAccessibleName(self.tr("Time {0}").format(number))
        self.remove.setAccessibleName(self.tr("Take time {0} out").format(number))
        self.remove.setToolTip(self.tr("Take this time out"))
        self.remove.setVisible(not alone)


class BetweenInput(QWidget):
    """All day, or only between two times of day."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = QCheckBox(self.tr("only between"))
        self.first, self.last = QTimeEdit(), QTimeEdit()
        self.first.setAccessibleName(self.tr("First time of the day"))
        self.last.setAccessibleName(self.tr("Last time of the day"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.box, self.first, QLabel(self.tr("and")), self.last):
            row.addWidget(widget)
        row.addStretch(1)
        self.setFocusProxy(self.box)
        for edit in (self.first, self.last):
            edit.setDisplayFormat(_FORMAT)
            edit.timeChanged.connect(self.changed)
            self.box.toggled.connect(edit.setEnabled)
        self.box.toggled.connect(self.changed)
        self.set_between(("", ""))

    def between(self) -> tuple[str, str]:
        """Both ends, or "" twice for all day."""
        if not self.box.isChecked():
            return "", ""
        return self.first.time().toString(_FORMAT), self.last.time().toString(_FORMAT)

    def set_between(self, ends: tuple[str, str]) -> None:
        """Show both ends, or all day."""
        self.box.setChecked(any(ends))
        for edit, text, usual in ((self.first, ends[0], "08:00"), (self.last, ends[1], "18:00")):
            edit.setTime(QTime.fromString(text or usual, _FORMAT))
            edit.setEnabled(any(ends))
