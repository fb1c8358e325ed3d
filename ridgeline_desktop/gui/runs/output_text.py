"""The text of an output: many lines, fluid, with a sign in the margin where a line speaks of trouble."""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ridgeline_desktop.core.output_lines import speaks_of_trouble
from ridgeline_desktop.gui.kit.finding import is_find_key
from ridgeline_desktop.gui.kit.icons import Shape, paint
from ridgeline_desktop.gui.kit.palette import colours_of

MOST_LINES = 20_000


class OutputText(QPlainTextEdit):
    """Shows lines, the newest 20,000 of them; the last one may still grow."""

    find_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setMaximumBlockCount(MOST_LINES)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(self.tr("What the run wrote"))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._is_last_open = True
        self._margin = _Margin(self)
        self.updateRequest.connect(self._scroll_margin)
        self.setViewportMargins(self.margin_width(), 0, 0, 0)

    def empty(self) -> None:
        """Show no line."""
        self.clear()
        self._is_last_open = True

    def add(self, lines: list[str], partial: str) -> None:
        """Add complete lines and then one that still grows ("" = none), in the place of the last such."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._is_last_open:
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        elif lines or partial:
            cursor.insertText("\n")
        cursor.insertText("\n".join([*lines, partial] if partial else lines))
        self._is_last_open = bool(partial) or (self._is_last_open and not lines)

    def margin_width(self) -> int:
        """How wide the margin is, in pixels; it grows with the font."""
        return round(QFontMetricsF(self.font()).height()) + 4

    def event(self, event: QEvent) -> bool:
        """Ctrl+F here means this text, whatever it means to the window around it."""
        if event.type() == QEvent.Type.ShortcutOverride and is_find_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """See event."""
        if is_find_key(event):
            self.find_asked.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102, N802 (Qt's name)
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), self.margin_width(), inside.height()))

    def paint_margin(self, event: QPaintEvent) -> None:
        """A warning sign beside each line in view that speaks of trouble."""
        c = colours_of(self.palette())
        painter = QPainter(self._margin)
        painter.fillRect(event.rect(), c.stripe)
        side = self.margin_width() - 6
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(QPointF(self.contentOffset()))
            if place.top() > event.rect().bottom():
                break
            if speaks_of_trouble(block.text()):
                height = min(place.height(), self.margin_width())
                top = round(place.top() + (height - side) / 2)
                paint(painter, QRectF(3, top, side, side), Shape.WARNING, c)
            block = block.next()
        painter.end()

    def _scroll_margin(self, rect: QRect, dy: int) -> None:
        if dy:
            self._margin.scroll(0, dy)
        else:
            self._margin.update(0, rect.y(), self._margin.width(), rect.height())


class _Margin(QWidget):
    """Where the signs stand; the text knows which."""

    def __init__(self, text: OutputText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self._text.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        self._text.paint_margin(event)
