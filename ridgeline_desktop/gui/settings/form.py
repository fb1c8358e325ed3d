"""The inputs of the settings window: shows the settings, gives back what was changed, and holds problems."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
)

from ridgeline_desktop.core.drafts import DraftProblem, SettingsDraft
from ridgeline_desktop.core.settings import CloseButton, DeadLock, Theme
from ridgeline_desktop.gui.kit.draft_form import DraftForm
from ridgeline_desktop.gui.kit.forms import Fold, FormRows, beside, hint_label
from ridgeline_desktop.gui.kit.zone_box import ZoneBox

_PLACES = {"days": "kept", "runs": "kept", "log_megabytes": "kept"}


class SettingsForm(DraftForm[SettingsDraft]):
    """`theme_changed(Theme)` says that the appearance was chosen. The start at login is in no draft."""

    theme_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__(SettingsDraft())
        self._make_inputs()
        self._autostart_was: bool | None = None
        self._technical, self.fold = FormRows(), Fold(self.tr("Technical details"))
        self._lay_out()
        self._connect()
        self._settle_inputs()
        self._end_filling()

    def set_draft(self, draft: SettingsDraft, *, system_zone: str) -> None:
        """Show these settings; `system_zone` is what stands for an empty zone.

        What is not touched comes back from `draft()` just as it was here.
        """
        self._begin_filling(draft)
        self.name.setText(draft.name)
        self.shop_folder.setText(draft.shop_folder)
        self.zone.set_usual(self.tr("This computer's ({0})").format(system_zone))
        self.zone.set_zone(draft.zone)
        self.theme.setCurrentIndex(self.theme.findData(draft.theme))
        self.close_button.setCurrentIndex(self.close_button.findData(draft.close))
        self.dead_lock.setCurrentIndex(self.dead_lock.findData(draft.dead_lock))
        for box, text in (
            (self.days, draft.days),
            (self.runs, draft.runs),
            (self.log_megabytes, draft.log_megabytes),
        ):
            box.setValue(int(text))
        self.path.setText(draft.path)
        self.trust.setChecked(draft.trust_shared_folder)
        self._end_filling()

    def set_autostart(self, is_on: bool | None, trouble: str = "") -> None:
        """Show how the start at login really stands; None = it cannot be told, for the reason given."""
        self._filling = True
        self._autostart_was = is_on
        self.autostart.setChecked(bool(is_on))
        self.autostart.setEnabled(is_on is not None)
        self.autostart_note.setText(trouble)
        self.autostart_note.setVisible(bool(trouble))
        self._filling = False

    def wanted_autostart(self) -> bool | None:
        """Whether to start at login from now on; None where that was not touched."""
        is_on = self.autostart.isChecked()
        return None if self._autostart_was is None or is_on == self._autostart_was else is_on

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to save."""
        return super().is_changed or self.wanted_autostart() is not None

    def set_problems(self, problems: Sequence[DraftProblem]) -> None:
        """Show these problems, each at its field, and no others."""
        super().set_problems(problems)
        if any(self._technical.problem_at(field) for field in ("path", "trust_shared_folder")):
            self.fold.set_open(True)

    def _read(self) -> dict[str, Any]:
        """Each field of a draft as it stands here."""
        return {
            "name": self.name.text(),
            "shop_folder": self.shop_folder.text(),
            "zone": self.zone.zone(),
            "theme": Theme(self.theme.currentData()),
            "close": CloseButton(self.close_button.currentData()),
            "dead_lock": DeadLock(self.dead_lock.currentData()),
            "days": str(self.days.value()),
            "runs": str(self.runs.value()),
            "log_megabytes": str(self.log_megabytes.value()),
            "path": self.path.text(),
            "trust_shared_folder": self.trust.isChecked(),
        }

    def _place_of(self, field: str) -> str:
        return _PLACES.get(field, field)

    def _all_rows(self) -> tuple[FormRows, ...]:
        return self._rows, self._technical

    def _make_inputs(self) -> None:
        self.name, self.shop_folder, self.path, self.zone = QLineEdit(), QLineEdit(), QLineEdit(), ZoneBox()
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setAccessibleName(self.tr("Choose the shop folder"))
        self.choose.setAutoDefault(False)
        self.theme, self.close_button, self.dead_lock = QComboBox(), QComboBox(), QComboBox()
        for box, words in (
            (self.theme, self._theme_words()),
            (self.close_button, self._close_words()),
            (self.dead_lock, self._lock_words()),
        ):
            for value, word in words.items():
                box.addItem(word, value)
        self.days = _number(36_500, self.tr("Days to keep a record"), self.tr(" days"))
        self.runs = _number(1_000_000, self.tr("Runs to keep of each job"), self.tr(" runs"))
        self.log_megabytes = _number(
            100_000, self.tr("Megabytes of output to keep of each job"), self.tr(" MB")
        )
        self.autostart = QCheckBox(self.tr("Start Ridgeline when I &log in, as an icon near the clock"))
        self.autostart_note = hint_label("")
        self.trust = QCheckBox(self.tr("O&ther people may write to the shop folder"))

    def _lay_out(self) -> None:
        rows = self._rows
        folder = beside(self.shop_folder, self.choose)
        rows.add("name", self.tr("Your &name"), self.name, hint=self._name_hint())
        rows.add(
            "shop_folder", self.tr("Shop &folder"), folder, buddy=self.shop_folder, hint=self._folder_hint()
        )
        rows.add("zone", self.tr("Time &zone"), self.zone, hint=self._zone_hint())
        rows.add("theme", self.tr("&Appearance"), beside(self.theme, None), buddy=self.theme)
        rows.add(
            "close",
            self.tr("&Closing the window"),
            beside(self.close_button, None),
            buddy=self.close_button,
            hint=self._close_hint(),
        )
        autostart = QVBoxLayout()
        autostart.addWidget(self.autostart)
        autostart.addWidget(self.autostart_note)
        rows.add("autostart", self.tr("At login"), autostart)
        rows.add(
            "dead_lock",
            self.tr("A loc&k left behind"),
            beside(self.dead_lock, None),
            buddy=self.dead_lock,
            hint=self._lock_hint(),
        )
        kept = beside(self.days, self.runs, self.log_megabytes, None)
        rows.add("kept", self.tr("Keep &records for"), kept, buddy=self.days, hint=self._kept_hint())
        self._lay_out_technical()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (rows, self.fold, self._elsewhere):
            column.addWidget(widget)

    def _lay_out_technical(self) -> None:
        rows = self._technical
        rows.add("path", self.tr("&PATH of jobs"), self.path, hint=self._path_hint())
        trust = beside(self.trust, None)
        rows.add("trust_shared_folder", self.tr("Shared folder"), trust, hint=self._trust_hint())
        width = max(rows.label_width(), self._rows.label_width())
        for part in (rows, self._rows):
            part.set_label_width(width)
        self.fold.set_content(rows)

    def _connect(self) -> None:
        for edit in (self.name, self.shop_folder, self.path):
            edit.textChanged.connect(self._tell)
        for box in (self.theme, self.close_button, self.dead_lock):
            box.currentIndexChanged.connect(self._tell)
        for number in (self.days, self.runs, self.log_megabytes):
            number.valueChanged.connect(self._tell)
        for tick in (self.autostart, self.trust):
            tick.toggled.connect(self._tell)
        self.zone.changed.connect(self._tell)
        self.theme.currentIndexChanged.connect(self._tell_theme)
        self.choose.clicked.connect(self._choose_folder)

    @Slot()
    def _tell_theme(self) -> None:
        if not self._filling:
            self.theme_changed.emit(Theme(self.theme.currentData()))

    @Slot()
    def _choose_folder(self) -> None:
        box = QFileDialog(self, self.tr("Choose the shop folder"), self.shop_folder.text())
        box.setFileMode(QFileDialog.FileMode.Directory)
        box.fileSelected.connect(self.shop_folder.setText)
        box.open()

    def _theme_words(self) -> Mapping[Theme, str]:
        return {
            Theme.SYSTEM: self.tr("As the desktop"),
            Theme.LIGHT: self.tr("Light"),
            Theme.DARK: self.tr("Dark"),
        }

    def _close_words(self) -> Mapping[CloseButton, str]:
        return {
            CloseButton.ASK: self.tr("Ask me the next time, and keep my answer"),
            CloseButton.TRAY: self.tr("Keep watching, as an icon near the clock"),
            CloseButton.QUIT: self.tr("Quit Ridgeline"),
        }

    def _lock_words(self) -> Mapping[DeadLock, str]:
        return {
            DeadLock.SETTLE: self.tr("Clear it by itself at the next start"),
            DeadLock.ASK: self.tr("Leave it until somebody clears it"),
        }

    def _name_hint(self) -> str:
        return self.tr("Stands beside what you do, such as “by Theo”. Empty: the name you log in with.")

    def _folder_hint(self) -> str:
        return self.tr("Jobs and runbooks come from here. Empty: Ridgeline's own folder.")

    def _zone_hint(self) -> str:
        return self.tr("All times are shown on this clock.")

    def _close_hint(self) -> str:
        return self.tr("Jobs on this computer's schedule run in either case.")

    def _lock_hint(self) -> str:
        return self.tr("Only one whose run is proven to be over; any other always stays.")

    def _kept_hint(self) -> str:
        return self.tr("For each job; whatever is reached first. The last success always stays.")

    def _path_hint(self) -> str:
        return self.tr("Where jobs look for programs that are named without a folder.")

    def _trust_hint(self) -> str:
        return self.tr("Everybody who may write there can then run any program as you.")


def _number(most: int, name: str, unit: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(1, most)
    box.setSuffix(unit)
    box.setAccessibleName(name)
    return box
