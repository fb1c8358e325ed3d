"""The box to find a job by its name, its tags or what it does."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QAction, QIcon, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from ridgeline_desktop.gui.kit.icons import Shape, icon
from ridgeline_desktop.gui.kit.palette import is_dark_palette

LETTERS = 26
MARK = "mark"
WAYS_OUT = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down)


class FindBox(QLineEdit):
    """Escape empties it; `left` says that a key leads from it to the list."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Find a job"))
        self.setAccessibleName(self.tr("Find a job"))
        self.setToolTip(self.tr("Looks in names, tags and what a job does. Escape empties it."))
        self.textChanged.connect(self._offer_to_empty)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * LETTERS)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.addAction(self._picture(), QLineEdit.ActionPosition.LeadingPosition).setObjectName(MARK)

    def start(self) -> None:
        """Put the caret into it, over what was looked for before."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Escape in the box empties it; Escape, Enter and Down lead from it to the list."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in WAYS_OUT:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the colours."""
        super().changeEvent(event)
        mark = self.findChild(QAction, MARK) if event.type() == QEvent.Type.PaletteChange else None
        if isinstance(mark, QAction):  # none while the box is made, or taken down
            mark.setIcon(self._picture())

    @Slot(str)
    def _offer_to_empty(self, text: str) -> None:
        """Have the button that empties it from the first letter on; it would slow every start."""
        if text:
            self.setClearButtonEnabled(True)

    def _picture(self) -> QIcon:
        return icon(Shape.FIND, dark=is_dark_palette(self.palette()))
