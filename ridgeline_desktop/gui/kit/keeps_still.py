"""Keeps the mouse wheel from changing what is only scrolled past."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class KeepsStill(QObject):
    """Watches inputs that the wheel would change: it does so only for the one with the caret."""

    def watch(self, inputs: Iterable[QWidget]) -> None:
        """Keep these still from now on."""
        for one in inputs:
            one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Hold back the wheel over an input without the caret, so that the form scrolls instead."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
