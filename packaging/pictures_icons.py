"""One picture of everything the icon near the clock can say, at every size, on a dark and a light panel."""

from pathlib import Path

from pictures_taking import save
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from ridgeline_desktop.core.health import Attention
from ridgeline_desktop.gui.kit.icons import TRAY_SIZES, tray_icon

STATES = (
    ("everything OK", Attention.GREEN, 0, False),
    ("OK, one running", Attention.GREEN, 0, True),
    ("1 late", Attention.AMBER, 1, False),
    ("12 late", Attention.AMBER, 12, False),
    ("2 late, one running", Attention.AMBER, 2, True),
    ("1 overdue", Attention.RED, 1, False),
    ("7 overdue", Attention.RED, 7, False),
    ("12 overdue", Attention.RED, 12, False),
    ("1 overdue, one running", Attention.RED, 1, True),
    ("cannot tell", Attention.GREY, 0, False),
)
PANELS = (("#1B1E23", "#E6E9ED"), ("#F5F6F8", "#1F2328"))
ROW, NAME, EDGE, GAP = 76, 190, 16, 18


def draw_icons(path: Path) -> None:
    """Write the sheet: a row for each state, a column for each size, a panel for each colour."""
    width = 2 * EDGE + NAME + sum(size + GAP for size in TRAY_SIZES)
    image = QImage(width * len(PANELS), 2 * EDGE + ROW * len(STATES), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for number, (ground, ink) in enumerate(PANELS):
        painter.fillRect(QRect(number * width, 0, width, image.height()), QColor(ground))
        painter.setPen(QColor(ink))
        for row in range(len(STATES)):
            _draw_row(painter, number * width + EDGE, EDGE + row * ROW, row)
    painter.end()
    save(image, path)


def _draw_row(painter: QPainter, left: int, top: int, row: int) -> None:
    name, attention, count, running = STATES[row]
    painter.drawText(QRect(left, top, NAME, ROW), Qt.AlignmentFlag.AlignVCenter, name)
    icon = tray_icon(attention, count, running=running)
    left += NAME
    for size in TRAY_SIZES:
        painter.drawPixmap(left, top + (ROW - size) // 2, icon.pixmap(size, size))
        left += size + GAP
