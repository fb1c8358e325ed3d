"""The strip above the sample shop's window: what this is, and the switch that breaks the shop's API."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.parts import SampleControls


class DemoBar(QFrame):
    """Breaks and mends the sample shop's API, and says how it stands."""

    def __init__(self, *, controls: SampleControls, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls, self._tasks = controls, tasks
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._state = QLabel(self)
        self._state.setWordWrap(True)
        self.break_button = QPushButton(self.tr("&Break the shop API"), self)
        self.break_button.clicked.connect(partial(self._switch, controls.break_it))
        self.mend_button = QPushButton(self.tr("&Mend it"), self)
        self.mend_button.clicked.connect(partial(self._switch, controls.mend))
        row = QHBoxLayout(self)
        row.addWidget(self._state, 1)
        row.addWidget(self.break_button)
        row.addWidget(self.mend_button)
        self.refresh()

    def refresh(self) -> None:
        """Ask how the API stands, and show it."""
        self._tasks.run(self._controls.is_broken, then=self._show)

    def _switch(self, switch: Callable[[], None]) -> None:
        self.break_button.setEnabled(False)
        self.mend_button.setEnabled(False)
        self._tasks.run(partial(_and_ask, switch, self._controls.is_broken), then=self._show)

    def _show(self, is_broken: bool) -> None:
        self.break_button.setEnabled(not is_broken)
        self.mend_button.setEnabled(is_broken)
        now = (
            self.tr("Its web shop is broken, so order sync fails.")
            if is_broken
            else self.tr("Its web shop works.")
        )
        text = self.tr("This is a sample shop. Press what you like: it is thrown away when you quit. {state}")
        self._state.setText(text.format(state=now))


def _and_ask(switch: Callable[[], None], question: Callable[[], bool]) -> bool:
    switch()
    return question()
