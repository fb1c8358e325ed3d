"""The settings window: the form, and saving it."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.gui.kit.feedback import ask
from ridgeline_desktop.gui.settings.form import SettingsForm

TYPING_PAUSE_MS = 120
_LETTERS_WIDE, _LINES_HIGH = 108, 44


class SettingsDialog(QDialog):
    """Says what a person asks for; the room answers with `show_…`."""

    check_wanted = Signal()
    save_wanted = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings"))
        self.form = SettingsForm()
        self.save, self.cancel = QPushButton(self.tr("&Save settings")), QPushButton(self.tr("Cancel"))
        self.status = QLabel()
        self.status.setWordWrap(True)
        self._saving = False
        self._problems: tuple[DraftProblem, ...] = ()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._lay_out()
        self.form.changed.connect(self._pause.start)
        self._pause.timeout.connect(self.check_wanted)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.reject)

    def show_problems(self, problems: tuple[DraftProblem, ...]) -> None:
        """Show all that is wrong with the form."""
        self._problems = problems
        self.form.set_problems(problems)
        self._show_state()

    def show_not_saved(self, problems: tuple[DraftProblem, ...] = ()) -> None:
        """Let the person go on: nothing was saved, for these reasons or for one told elsewhere."""
        self._set_saving(False)
        self.show_problems(problems or self._problems)

    def done_with(self) -> None:
        """Close, whatever the form says."""
        self._saving = False
        self.accept()

    def reject(self) -> None:
        """Close; where something would be lost, ask first."""
        if self._saving:
            return
        if not self.form.is_changed:
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw your changes away?"),
            text=self.tr("What you changed in the settings has not been saved."),
            confirm=self.tr("Throw them away"),
            cancel=self.tr("Keep editing"),
            then=self._throw_away,
        )

    @Slot()
    def _throw_away(self) -> None:
        super().reject()

    @Slot()
    def _save(self) -> None:
        self._pause.stop()
        self._set_saving(True)
        self.save_wanted.emit()

    def _set_saving(self, saving: bool) -> None:
        self._saving = saving
        self.form.setEnabled(not saving)
        self.cancel.setEnabled(not saving)
        self._show_state()

    def _show_state(self) -> None:
        count = sum(problem.blocks for problem in self._problems)
        self.save.setEnabled(not count and not self._saving)
        if self._saving:
            text = self.tr("Saving…")
        elif count == 1:
            text = self.tr("One problem to put right before it can be saved")
        elif count:
            text = self.tr("{count} problems to put right before it can be saved").format(count=count)
        elif self._problems:
            text = self.tr("It can be saved all the same.")
        else:
            text = ""
        self.status.setText(text)

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.addWidget(self.form)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QHBoxLayout()
        buttons.addWidget(self.status, 1)
        for button in (self.save, self.cancel):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        box = QVBoxLayout(self)
        box.addWidget(scroll, 1)
        box.addLayout(buttons)
        metrics = self.fontMetrics()
        self.resize(metrics.averageCharWidth() * _LETTERS_WIDE, metrics.lineSpacing() * _LINES_HIGH)
