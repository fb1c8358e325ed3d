"""Find in page: a bar that looks for words in a text, forwards and backwards, round its ends."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QTextEdit, QWidget

from ridgeline_desktop.gui.kit.finding import find_around


class FindBar(QWidget):
    """Hidden until `open`; Enter finds the next place, Shift+Enter the one before, Escape closes it."""

    def __init__(self, view: QTextEdit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.line = QLineEdit()
        self.line.setPlaceholderText(self.tr("Find in the runbook"))
        self.line.setAccessibleName(self.tr("Find in the runbook"))
        self.line.setClearButtonEnabled(True)
        self.told = QLabel()
        forward = QPushButton(self.tr("Next"))
        back = QPushButton(self.tr("Previous"))
        done = QPushButton(self.tr("Close"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line, 1)
        for part in (self.told, forward, back, done):
            row.addWidget(part)
        self.line.textChanged.connect(self._changed)
        forward.clicked.connect(self.find_next)
        back.clicked.connect(self.find_previous)
        done.clicked.connect(self.close_bar)
        self.hide()

    @Slot()
    def open(self) -> None:
        """Show the bar and type into it."""
        self.show()
        self.line.setFocus()
        self.line.selectAll()

    @Slot()
    def close_bar(self) -> None:
        """Hide the bar; what it found stays selected."""
        self.hide()
        self._view.setFocus()

    @Slot()
    def find_next(self) -> None:
        """Select the next place, from the top again after the last."""
        self._find(backward=False)

    @Slot()
    def find_previous(self) -> None:
        """Select the place before, from the end again before the first."""
        self._find(backward=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Enter, Shift+Enter and Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._find(backward=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    @Slot(str)
    def _changed(self, _text: str) -> None:
        cursor = self._view.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._view.setTextCursor(cursor)
        self._find(backward=False)

    def _find(self, *, backward: bool) -> None:
        text = self.line.text()
        if not text:
            self.told.clear()
            return
        found = find_around(self._view, text, backwards=backward)
        self.told.setText("" if found else self.tr("Not found"))
