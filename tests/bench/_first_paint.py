"""What both programs of the window's bench are measured by; each is started in a process of its own.

    python _first_paint.py minimal          a table of 15 rows and a tray icon, nothing else
    python _first_paint.py ridgeline HOME   the real window on a home with 15 jobs

Prints, once the table has been painted with its rows: the steady clock and the resident memory in MB.
"""

import sys
import time
from pathlib import Path

ROWS = 15
SETTLE_MS = 1500


def resident() -> float:
    """Megabytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


class Stopwatch:
    """Waits for the first paint of a table that has its rows, then for things to settle, then reports."""

    def __init__(self, table, qt):
        from PySide6.QtCore import QEvent, QObject, QTimer

        watch = self

        class Filter(QObject):
            def eventFilter(self, _watched, event):  # noqa: N802 (Qt's name)
                if (
                    event.type() == QEvent.Type.Paint
                    and table.model().rowCount() >= ROWS
                    and not watch.painted
                ):
                    watch.painted = time.monotonic()
                    QTimer.singleShot(SETTLE_MS, watch.report)
                return False

        self.painted, self.qt = 0.0, qt
        self.filter = Filter()
        table.viewport().installEventFilter(self.filter)

    def report(self):
        print(self.painted, resident(), flush=True)
        self.qt.exit(0)


def minimal() -> None:
    from PySide6.QtGui import QIcon, QPixmap, QStandardItem, QStandardItemModel
    from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon, QTableView

    qt = QApplication(sys.argv[:1])
    model = QStandardItemModel(ROWS, 5)
    for row in range(ROWS):
        for column in range(5):
            model.setItem(row, column, QStandardItem(f"{row} {column}"))
    table = QTableView()
    table.setModel(model)
    window = QMainWindow()
    window.setCentralWidget(table)
    pixmap = QPixmap(22, 22)
    pixmap.fill("red")
    tray = QSystemTrayIcon(QIcon(pixmap))
    tray.show()
    window.resize(1180, 640)
    watch = Stopwatch(table, qt)
    window.show()
    qt.exec()
    del watch


def ridgeline(home: str) -> None:
    from PySide6.QtWidgets import QTableView

    from ridgeline_desktop.gui.application import Application, make_qt
    from ridgeline_desktop.host.folders import open_folders
    from ridgeline_desktop.wiring.desktop import parts_of
    from ridgeline_desktop.wiring.headless import open_desk

    qt = make_qt(sys.argv[:1])
    application = Application(parts_of(open_desk(home, via="gui"), open_folders(home)))
    watch = Stopwatch(application.rooms.page.findChild(QTableView), qt)
    application.stay()
    del watch


if __name__ == "__main__":
    minimal() if sys.argv[1] == "minimal" else ridgeline(sys.argv[2])
