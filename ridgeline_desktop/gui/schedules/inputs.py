"""Single inputs of the schedule form; each speaks the texts of a draft and says when a person changed it."""

from datetime import timedelta

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QGridLayout,
    QHBoxLayout,
    QSpinBox,
    QWidget,
)

from ridgeline_desktop.core.schedules import Weekday, parse_duration

_DIVIDING = {
    "minutes": (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30),
    "hours": (1, 2, 3, 4, 6, 8, 12, 24),
}
_SIZES = {
    "seconds": timedelta(seconds=1),
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
    "weeks": timedelta(weeks=1),
}
_OFFERED = ("minutes", "hours", "days")
_DATE = "yyyy-MM-dd"


class EveryInput(QWidget):
    """A number and a unit, offered only where they divide the hour or the day: "15 minutes"."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.number, self.unit = QComboBox(), QComboBox()
        self.number.setAccessibleName(self.tr("How many minutes or hours"))
        self.unit.setAccessibleName(self.tr("Minutes or hours"))
        self._name_units()
        self._offer("minutes")
        _row(self, self.number, self.unit)
        self.setFocusProxy(self.number)
        self.unit.currentIndexChanged.connect(self._unit_changed)
        self.number.currentIndexChanged.connect(self.changed)

    def text(self) -> str:
        """The length as a draft spells it."""
        return _spelled(int(self.number.currentData()), str(self.unit.currentData()))

    def set_text(self, text: str) -> None:
        """Show a length; one that does not divide the hour or the day is shown as the nearest smaller one."""
        count, unit = _number_and_unit(text, ("minutes", "hours"))
        self.unit.setCurrentIndex(self.unit.findData(unit))
        self._offer(unit)
        smaller = [number for number in _DIVIDING[unit] if number <= count]
        self.number.setCurrentIndex(self.number.findData(smaller[-1] if smaller else _DIVIDING[unit][0]))

    def _name_units(self) -> None:
        self.unit.addItem(self.tr("minutes"), "minutes")
        self.unit.addItem(self.tr("hours"), "hours")

    def _unit_changed(self) -> None:
        self._offer(str(self.unit.currentData()))
        self.changed.emit()

    def _offer(self, unit: str) -> None:
        before = self.number.currentData()
        self.number.blockSignals(True)
        self.number.clear()
        for number in _DIVIDING[unit]:
            self.number.addItem(str(number), number)
        self.number.setCurrentIndex(max(self.number.findData(before), 0))
        self.number.blockSignals(False)


class LengthInput(QWidget):
    """A whole number of minutes, hours or days: "10 minutes"."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.number, self.unit = QSpinBox(), QComboBox()
        self.number.setRange(1, 999_999)
        self._offer(())
        _row(self, self.number, self.unit)
        self.setFocusProxy(self.number)
        self.set_text("10 minutes")
        self.number.valueChanged.connect(self.changed)
        self.unit.currentIndexChanged.connect(self.changed)

    def set_name(self, name: str) -> None:
        """Say what it is the length of, for those who cannot see it."""
        self.number.setAccessibleName(name)
        self.unit.setAccessibleName(self.tr("{0}: unit").format(name))

    def text(self) -> str:
        """The length as a draft spells it."""
        return _spelled(self.number.value(), str(self.unit.currentData()))

    def set_text(self, text: str) -> None:
        """Show a length; a unit that is not offered is offered from then on."""
        count, unit = _number_and_unit(text, tuple(_SIZES))
        if self.unit.findData(unit) < 0:
            self._offer((unit,))
        self.unit.setCurrentIndex(self.unit.findData(unit))
        self.number.setValue(count)

    def _offer(self, more: tuple[str, ...]) -> None:
        names = {
            "seconds": self.tr("seconds"),
            "minutes": self.tr("minutes"),
            "hours": self.tr("hours"),
            "days": self.tr("days"),
            "weeks": self.tr("weeks"),
        }
        self.unit.clear()
        for unit in _SIZES:
            if unit in (*_OFFERED, *more):
                self.unit.addItem(names[unit], unit)


class DaysInput(QWidget):
    """The seven days of the week to tick."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        self.boxes = {day: QCheckBox(text) for day, text in self._names().items()}
        for number, box in enumerate(self.boxes.values()):
            grid.addWidget(box, 0, number)
            box.toggled.connect(self.changed)
        grid.setColumnStretch(len(self.boxes), 1)
        self.setFocusProxy(self.boxes[Weekday.MON])

    def days(self) -> tuple[Weekday, ...]:
        """The ticked days, Monday first."""
        return tuple(day for day, box in self.boxes.items() if box.isChecked())

    def set_days(self, days: tuple[Weekday, ...]) -> None:
        """Tick these days and no others."""
        for day, box in self.boxes.items():
            box.setChecked(day in days)

    def _names(self) -> dict[Weekday, str]:
        return {
            Weekday.MON: self.tr("Mon"),
            Weekday.TUE: self.tr("Tue"),
            Weekday.WED: self.tr("Wed"),
            Weekday.THU: self.tr("Thu"),
            Weekday.FRI: self.tr("Fri"),
            Weekday.SAT: self.tr("Sat"),
            Weekday.SUN: self.tr("Sun"),
        }


class DateInput(QWidget):
    """A date that is only meant while its box is ticked; taking the tick away clears it."""

    changed = Signal()

    def __init__(self, text: str, *, name: str) -> None:
        super().__init__()
        self.box, self.date = QCheckBox(text), QDateEdit()
        self.date.setDisplayFormat("d MMM yyyy")
        self.date.setCalendarPopup(True)
        self.date.setAccessibleName(name)
        self.date.setEnabled(False)
        _row(self, self.box, self.date)
        self.setFocusProxy(self.box)
        self.box.toggled.connect(self.date.setEnabled)
        self.box.toggled.connect(self.changed)
        self.date.dateChanged.connect(self.changed)

    def text(self) -> str:
        """The date as "2026-03-01", "" where none is meant."""
        return self.date.date().toString(_DATE) if self.box.isChecked() else ""

    def set_text(self, text: str, *, today: QDate) -> None:
        """Show a date, or none; `today` is what a first tick would mean."""
        date = QDate.fromString(text, _DATE)
        self.date.setDate(date if date.isValid() else today)
        self.box.setChecked(date.isValid())


def _row(widget: QWidget, *inputs: QWidget) -> None:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    for one in inputs:
        row.addWidget(one)
    row.addStretch(1)


def _spelled(count: int, unit: str) -> str:
    return f"{count} {unit.removesuffix('s') if count == 1 else unit}"


def _number_and_unit(text: str, units: tuple[str, ...]) -> tuple[int, str]:
    """A draft's length as a number of the largest of `units` that goes into it without rest."""
    try:
        length = parse_duration(text)
    except ValueError:
        length = _SIZES["minutes"] * 15
    written = text.split(" ")[-1].removesuffix("s") + "s"
    for unit in (written, *reversed(units)):
        if unit in units and length % _SIZES[unit] == timedelta(0):
            return length // _SIZES[unit], unit
    return max(length // _SIZES[units[0]], 1), units[0]
