"""Finding words in a text that is shown: the key that means it, and the search round the text's ends."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit


def is_find_key(event: QEvent) -> bool:
    """Whether a key was pressed, or is about to be, that means "find"."""
    return isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Find)


def find_around(view: QTextEdit | QPlainTextEdit, words: str, *, backwards: bool) -> bool:
    """Select the next place, from the other end again after the last; False, and nothing moves, if none."""
    flag = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
    if view.find(words, flag):
        return True
    before = view.textCursor()
    view.moveCursor(QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start)
    if view.find(words, flag):
        return True
    view.setTextCursor(before)
    return False
