"""What stands in the place of the list where there is nothing to list: why, and what to do."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.gui.kit.cards import Mark
from ridgeline_desktop.gui.kit.icons import Shape

WIDTH_IN_LETTERS = 52


class Notice(QWidget):
    """A mark, a heading, a sentence and at most one button; `asked` carries the name of what it does."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ""
        self._mark = Mark(Shape.INFO, scale=2.2)
        self._heading, self._text = QLabel(), QLabel()
        font = self._heading.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self._heading.setFont(font)
        for label in (self._heading, self._text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
        self._button = QPushButton()
        self._button.clicked.connect(self._on_click)
        self._lay_out()

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setMaximumWidth(self.fontMetrics().averageCharWidth() * WIDTH_IN_LETTERS)
        box = QVBoxLayout(inner)
        box.setSpacing(10)
        middle = Qt.AlignmentFlag.AlignHCenter
        box.addStretch(1)
        box.addWidget(self._mark, 0, middle)
        box.addWidget(self._heading)
        box.addWidget(self._text)
        box.addSpacing(4)
        box.addWidget(self._button, 0, middle)
        box.addStretch(2)
        row = QHBoxLayout(self)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)

    @property
    def words(self) -> str:
        """Heading and sentence, as they are read."""
        return " ".join(part for part in (self._heading.text(), self._text.text()) if part)

    @property
    def button(self) -> QPushButton:
        """Its button, hidden where there is nothing to press."""
        return self._button

    def say(self, shape: Shape, heading: str, text: str = "", *, button: str = "", name: str = "") -> None:
        """Show this; `name` is what `asked` carries when the button is pressed, "" = no button."""
        self._name = name
        self._mark.set_shape(shape)
        self._heading.setText(heading)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._button.setText(button)
        self._button.setVisible(bool(name))

    @Slot()
    def _on_click(self) -> None:
        self.asked.emit(self._name)
