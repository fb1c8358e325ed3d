"""A runbook in a window of its own."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.gui.runbooks.page import RunbookPage

WIDTH_IN_LETTERS, HEIGHT_IN_LINES = 104, 42


class RunbookWindow(QDialog):
    """A runbook beside the main window, so that it can be read while something else is done."""

    def __init__(self, page: RunbookPage, *, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.page = page
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Runbook of “{job}”").format(job=title))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(page)
        for button in page.findChildren(QPushButton):
            button.setAutoDefault(False)  # else Enter anywhere in the window would press one of them
        metrics = self.fontMetrics()
        self.resize(metrics.averageCharWidth() * WIDTH_IN_LETTERS, metrics.height() * HEIGHT_IN_LINES)
