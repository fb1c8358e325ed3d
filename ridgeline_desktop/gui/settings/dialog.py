"""The settings window: the form, and saving it."""

from PySide6.QtWidgets import QWidget

from ridgeline_desktop.gui.kit.form_dialog import FormDialog
from ridgeline_desktop.gui.settings.form import SettingsForm


class SettingsDialog(FormDialog):
    """`check_wanted` asks what is wrong with a draft; the room answers with `show_problems`."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        form = SettingsForm()
        super().__init__(form, parent=parent)
        self.form = form
        self.setWindowTitle(self.tr("Settings"))
        self.save.setText(self.tr("&Save settings"))
        self.form.fold.toggled.connect(self.fit)

    def _loss(self) -> str:
        return self.tr("What you changed in the settings has not been saved.")
