"""What both programs of the window's bench are measured by; each is started in a process of its own.

    python _first_paint.py minimal          a table of 15 rows and a tray icon, nothing else
    python _first_paint.py ridgeline HOME   what `ridgeline --home HOME gui` does, on a home with 15 jobs

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
    from ridgeline_desktop import __main__ as program

    def stay_watched(desk, folders, in_app, look, is_hidden):
        from ridgeline_desktop.wiring import desktop

        class Watched(desktop.Application):
            def stay(self, *, is_hidden=False):
                from PySide6.QtWidgets import QApplication

                self.watch = Stopwatch(self.rooms.page.table, QApplication.instance())
                return super().stay(is_hidden=is_hidden)

        desktop.Application = Watched
        return desktop.stay(desk, folders, in_app, look, is_hidden=is_hidden)

    def open_watched(home, is_hidden):
        from ridgeline_desktop.wiring.opening import open_window

        return open_window(home, is_hidden=is_hidden, stay=stay_watched)

    program._open_window = open_watched
    program.main(["--home", home, "gui"])


if __name__ == "__main__":
    minimal() if sys.argv[1] == "minimal" else ridgeline(sys.argv[2])
