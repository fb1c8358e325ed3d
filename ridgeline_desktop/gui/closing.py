"""What the close button and Quit do, and what they say first."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QPushButton

from ridgeline_desktop.core.settings import CloseButton
from ridgeline_desktop.gui.kit.feedback import message_box
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.main_window import MainWindow

Remember = Callable[[CloseButton], object]


class Closing(QObject):
    """Hides the window or ends the program; emits `confirmed` when the program is to end.

    `choice` asks what the close button is to do, and is called in a thread like `remember`, which keeps the
    answer. `stops_with_us` names the jobs that nothing starts any more then.
    """

    confirmed = Signal()

    def __init__(
        self,
        *,
        window: MainWindow,
        tasks: Tasks,
        choice: Callable[[], CloseButton],
        remember: Remember,
        stops_with_us: Callable[[], tuple[str, ...]],
        is_sample: bool,
    ) -> None:
        super().__init__(window)
        self._window, self._tasks = window, tasks
        self._choice, self._remember = choice, remember
        self._stops_with_us, self._is_sample = stops_with_us, is_sample
        self._has_tray = False
        self._box: QMessageBox | None = None

    def set_tray(self, is_there: bool) -> None:
        """Whether there is an icon to come back by."""
        self._has_tray = is_there

    def close_asked(self) -> None:
        """The close button was pressed."""
        if self._is_sample:
            self.quit_asked()
        else:
            self._tasks.run(self._choice, then=self._close, failed=self._close_unsure)

    def quit_asked(self) -> None:
        """Quit was asked for: say what that means, and ask."""
        self._tasks.run(self._stops_with_us, then=self._ask_to_quit)

    def _close(self, choice: CloseButton) -> None:
        if choice is CloseButton.QUIT:
            self.quit_asked()
        elif choice is CloseButton.TRAY:
            self._withdraw()
        else:
            self._ask_to_close()

    def _close_unsure(self, _error: Exception) -> None:
        self._withdraw()

    def _withdraw(self) -> None:
        if self._has_tray:
            self._window.hide()
        else:
            self._window.showMinimized()

    def _ask_to_close(self) -> None:
        if self._has_tray:
            text = self.tr("Ridgeline goes on watching your jobs.")
            more = self.tr("Click its icon near the clock to open this window again.")
            stay = self.tr("&Keep watching")
        else:
            text = self.tr("This desktop has no place for Ridgeline's icon.")
            more = self.tr(
                "The window can stay minimised and go on watching. Starting Ridgeline again always brings "
                "it back."
            )
            stay = self.tr("&Keep watching, minimised")
        box = self._question(text, more + "\n" + self.tr("You can change this later in the settings."))
        kept = box.addButton(stay, QMessageBox.ButtonRole.AcceptRole)
        ended = box.addButton(self.tr("&Quit instead"), QMessageBox.ButtonRole.DestructiveRole)
        back = box.addButton(self.tr("&Back"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(kept)
        box.setEscapeButton(back)
        box.buttonClicked.connect(partial(self._answered_close, kept, ended))
        box.open()

    def _answered_close(self, kept: QPushButton, ended: QPushButton, pressed: QPushButton) -> None:
        if pressed is kept:
            self._tasks.run(partial(self._remember, CloseButton.TRAY))
            self._withdraw()
        elif pressed is ended:
            self._tasks.run(partial(self._remember, CloseButton.QUIT))
            self.quit_asked()

    def _ask_to_quit(self, in_app_jobs: tuple[str, ...]) -> None:
        if self._is_sample:
            text, more = (
                self.tr("Close the sample shop?"),
                self.tr("Its jobs and its folder are thrown away."),
            )
        else:
            text = self.tr("Jobs keep running without Ridgeline.")
            more = self.tr("Nobody will be told of silence while Ridgeline is closed.")
            if in_app_jobs:
                stopped = self.tr("These jobs are started only while Ridgeline is open: {jobs}.")
                text, more = stopped.format(jobs=", ".join(in_app_jobs)), more
        box = self._question(text, more + "\n" + self.tr("A run that is going on goes on."))
        leave = self.tr("&Close the shop") if self._is_sample else self.tr("&Quit Ridgeline")
        ended = box.addButton(leave, QMessageBox.ButtonRole.AcceptRole)
        back = box.addButton(self.tr("&Stay"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(ended)
        box.setEscapeButton(back)
        box.buttonClicked.connect(partial(self._answered_quit, ended))
        box.open()

    def _answered_quit(self, ended: QPushButton, pressed: QPushButton) -> None:
        if pressed is ended:
            self.confirmed.emit()

    def _question(self, text: str, more: str) -> QMessageBox:
        """One question at a time: an older one goes."""
        if self._box is not None:
            self._box.close()
        box = message_box(text, more, title="Ridgeline", parent=self._window)
        box.finished.connect(self._forget_box)
        self._box = box
        if not self._window.isVisible():
            self._window.show_again()
        return box

    def _forget_box(self) -> None:
        if self._box is not None:
            self._box.deleteLater()
            self._box = None
