"""The time zone of the settings window: the computer's own first, all others to search in."""

from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QSizePolicy


def zone_names() -> tuple[str, ...]:
    """Every zone of this computer that is named after a place, and UTC; reads the disk."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


class ZoneBox(QComboBox):
    """The computer's zone, or one to search by any part of its name. What is typed is kept as typed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setEditable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(24)
        self._own = ""
        self.addItem("")
        completer = QCompleter(self.model(), self)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        self.editTextChanged.connect(self.changed)

    def set_zone(self, zone: str, *, system_zone: str) -> None:
        """Show a zone, "" for the computer's own, which is `system_zone`."""
        self._own = self.tr("This computer's ({0})").format(system_zone)
        self.setItemText(0, self._own)
        self.setCurrentIndex(self.findText(zone) if zone else 0)
        self.setEditText(zone or self._own)

    def offer(self, zones: tuple[str, ...]) -> None:
        """Put these behind the computer's own, without touching what is chosen."""
        chosen = self.currentText()
        self.blockSignals(True)
        while self.count() > 1:
            self.removeItem(1)
        self.addItems(list(zones))
        self.setCurrentIndex(self.findText(chosen))
        self.setEditText(chosen)
        self.blockSignals(False)

    def zone(self) -> str:
        """The zone's name as typed, "" for the computer's own."""
        text = self.currentText().strip()
        return "" if text == self._own else text
