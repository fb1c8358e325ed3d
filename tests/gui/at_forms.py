"""What a person does at a form, and what must hold for every one."""

import re

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QScrollArea, QWidget


def reached_by_tab(first: QWidget) -> set[QWidget]:
    """The widgets that Tab leads to, beginning with `first`, whose window is active."""
    first.setFocus()
    reached: set[QWidget] = set()
    for _ in range(80):
        focused = QApplication.focusWidget()
        reached.add(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    return reached


def takes_keyboard(window: QWidget) -> set[QWidget]:
    """The visible widgets that want to be reached by Tab, but for those that speak for another."""
    return {
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisibleTo(window)
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    }


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it; the inside of another widget goes by its own name."""
    if widget.objectName().startswith("qt_"):
        return widget.objectName()
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def nameless(window: QWidget) -> list[str]:
    """The kinds of widgets that can have the focus and have no name for a screen reader."""
    return [type(widget).__name__ for widget in takes_keyboard(window) if not name_of(widget)]


def cut_off(window: QWidget) -> list[str]:
    """The texts of several lines that have less room than they need."""
    return [
        label.text()
        for label in window.findChildren(QLabel)
        if label.isVisible() and label.wordWrap() and label.height() < label.heightForWidth(label.width())
    ]


def scrolled_by(dialog: QDialog) -> int:
    """How many pixels of what the window holds cannot be seen at once."""
    return dialog.findChild(QScrollArea).verticalScrollBar().maximum()


def scroll_over(field: QWidget) -> None:
    """Turn the wheel one notch towards oneself, the mouse over the field."""
    place = QPointF(field.rect().center())
    event = QWheelEvent(
        place,
        QPointF(field.mapToGlobal(place.toPoint())),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, event)


def mnemonics(dialog: QDialog) -> list[str]:
    """The letters that Alt leads to what is visible by, sorted; one that stands twice is a conflict."""
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible() and label.buddy()]
    texts += [button.text() for button in dialog.findChildren(QAbstractButton) if button.isVisible()]
    found = (re.search("&([A-Za-z])", text) for text in texts)
    return sorted(match[1].lower() for match in found if match)
