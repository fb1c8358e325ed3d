"""An input for a time zone: the usual one first, all others to search in."""

from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QSizePolicy

_AREAS = frozenset(
    "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific".split(" ")  # noqa: SIM905
)


def zone_names() -> tuple[str, ...]:
    """Every zone of this computer that is named after a place, and UTC; reads the disk."""
    places = (name for name in available_timezones() if name.partition("/")[0] in _AREAS)
    return ("UTC", *sorted(places))


class ZoneBox(QComboBox):
    """The usual zone, or one to search by any part of its name. What is typed is kept as typed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(24)
        self._usual = ""
        self.addItem("")
        completer = QCompleter(self.model(), self)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        self.editTextChanged.connect(self.changed)

    def set_usual(self, words: str) -> None:
        """Say what the usual zone is called here: "Shop time (America/Toronto)"."""
        is_usual = not self.zone()
        self._usual = words
        self.setItemText(0, words)
        if is_usual:
            self.set_zone("")

    def offer(self, zones: tuple[str, ...]) -> None:
        """Put these behind the usual one, without touching what is chosen."""
        chosen = self.currentText()
        self.blockSignals(True)
        while self.count() > 1:
            self.removeItem(1)
        self.addItems(list(zones))
        self.setCurrentIndex(self.findText(chosen))
        self.setEditText(chosen)
        self.blockSignals(False)

    def zone(self) -> str:
        """The zone's name as typed, "" for the usual one."""
        text = self.currentText().strip()
        return "" if text == self._usual else text

    def set_zone(self, zone: str) -> None:
        """Show a zone, "" for the usual one."""
        self.setCurrentIndex(self.findText(zone) if zone else 0)
        self.setEditText(zone or self._usual)
