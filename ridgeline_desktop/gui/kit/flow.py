"""A layout that puts things beside each other and goes on in the next line where there is no more room."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

GAP = 6


class FlowLayout(QLayout):
    """Widgets in reading order, each at the size it asks for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(GAP)

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802 (Qt's name)
        """Take an item at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are, hidden ones among them."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """The item at a place, None beyond the end, which is how Qt finds the end."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 (Qt's name)
        """The item at a place, which is then no longer here; None beyond the end."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 (Qt's name)
        """It takes no more room than its widgets need."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """How high its lines are at this width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The room for its widest widget; it is content with that."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:  # noqa: N802 (Qt's name)
        """The room for its widest widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 (Qt's name)
        """Put everything in its place."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        x, y, height = rect.left(), rect.top(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if x > rect.left() and x + size.width() > rect.right() + 1:
                x, y, height = rect.left(), y + height + self.spacing(), 0
            if move:
                item.setGeometry(QRect(self._mirrored(x, size.width(), rect), size).translated(0, y))
            x, height = x + size.width() + self.spacing(), max(height, size.height())
        return y + height - rect.top()

    def _mirrored(self, x: int, width: int, rect: QRect) -> QPoint:
        parent = self.parentWidget()
        is_mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        return QPoint(rect.right() - (x - rect.left()) - width + 1 if is_mirrored else x, 0)
