"""Every picture of the windows and of the tray, painted: shapes that can be told apart without colour."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QIcon,
    QPainter,
    QPainterPath,
    QPixmap,
    QPolygonF,
)

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.kit.action_shapes import ACTIONS
from ridgeline_desktop.gui.kit.light_shapes import LIGHTS
from ridgeline_desktop.gui.kit.palette import Colours, colours
from ridgeline_desktop.gui.kit.shapes import GRID, Shape, fill, hollow_square, octagon, pen, triangle

TRAY_SIZES = (16, 20, 22, 24, 32, 44, 48, 64)
# A menu's and the tool bar's, at one and a half and at two pixels for one; each costs every start.
ICON_SIZES = (16, 18, 24, 36)
APP_SIZES = (16, 32, 48, 128)
MOST_COUNTED = 9
_PAINTERS = LIGHTS | ACTIONS


_OF_HEALTH = {
    Health.OK: Shape.OK,
    Health.LATE: Shape.LATE,
    Health.OVERDUE: Shape.OVERDUE,
    Health.NEVER_SUCCEEDED: Shape.NEVER,
    Health.PAUSED: Shape.PAUSED,
    Health.UNKNOWN: Shape.UNKNOWN,
}
_OF_STATUS = {
    RunStatus.RUNNING: Shape.RUNNING,
    RunStatus.COMPLETED: Shape.DONE,
    RunStatus.FAILED: Shape.FAILED,
    RunStatus.TIMED_OUT: Shape.TIMED_OUT,
    RunStatus.REFUSED: Shape.REFUSED,
    RunStatus.INTERRUPTED: Shape.INTERRUPTED,
    RunStatus.STOPPED: Shape.STOPPED,
}
_OF_ATTENTION = {
    Attention.GREEN: Shape.OK,
    Attention.AMBER: Shape.LATE,
    Attention.RED: Shape.OVERDUE,
    Attention.GREY: Shape.UNKNOWN,
}


def shape_of(row: JobRow) -> Shape:
    """A job's light as a shape."""
    return _OF_HEALTH[row.health]


def shape_of_status(status: RunStatus) -> Shape:
    """How a run stands or ended as a mark."""
    return _OF_STATUS[status]


def colour_of(shape: Shape, c: Colours) -> QColor:
    """The colour of the word that stands beside a shape."""
    named = {
        Shape.OK: c.ok,
        Shape.DONE: c.ok,
        Shape.LATE: c.late,
        Shape.WARNING: c.late,
        Shape.DRIFT: c.late,
        Shape.OVERDUE: c.overdue,
        Shape.FAILED: c.overdue,
        Shape.TIMED_OUT: c.overdue,
        Shape.INTERRUPTED: c.overdue,
        Shape.NEVER: c.never,
        Shape.PAUSED: c.paused,
        Shape.UNKNOWN: c.unknown,
        Shape.REFUSED: c.late,
        Shape.STOPPED: c.paused,
        Shape.RUNNING: c.running,
        Shape.INFO: c.running,
    }
    return named.get(shape, c.text)


def paint(painter: QPainter, rect: QRectF, shape: Shape, colours: Colours) -> None:
    """Paint the shape into the largest square in the middle of `rect`."""
    side = min(rect.width(), rect.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2)
    painter.scale(side / GRID, side / GRID)
    _PAINTERS[shape](painter, colours)
    painter.restore()


def pixmap(shape: Shape, size: int, *, dark: bool, ratio: float = 1.0) -> QPixmap:
    """The shape on nothing, `size` device-independent pixels wide and high."""
    made = _canvas(size, ratio)
    painter = QPainter(made)
    paint(painter, QRectF(0, 0, size, size), shape, colours(dark=dark))
    painter.end()
    return made


@lru_cache(maxsize=96)
def icon(shape: Shape, *, dark: bool) -> QIcon:
    """The shape at every size a window asks for; selecting an item does not recolour it."""
    made = QIcon()
    for size in ICON_SIZES:
        painted = pixmap(shape, size, dark=dark)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Active, QIcon.Mode.Selected):
            made.addPixmap(painted, mode)
        made.addPixmap(_faded(painted), QIcon.Mode.Disabled)
    return made


def tray_icon(attention: Attention, count: int, *, running: bool = False) -> QIcon:
    """The worst light for a panel of unknown colour, with how many jobs need attention inside it.

    `count` shows on amber and red, "9+" from ten, 0 = the plain shape. `running` adds a small play mark.
    """
    made = QIcon()
    for size in TRAY_SIZES:
        made.addPixmap(_tray_pixmap(attention, count, size, running=running))
    return made


def app_icon() -> QIcon:
    """Ridgeline's own picture, for windows and the task bar."""
    made = QIcon()
    for size in APP_SIZES:
        canvas = _canvas(size, 1.0)
        painter = QPainter(canvas)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / GRID, size / GRID)
        _ridge(painter)
        painter.end()
        made.addPixmap(canvas)
    return made


def _canvas(size: int, ratio: float) -> QPixmap:
    made = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    return made


def _faded(painted: QPixmap) -> QPixmap:
    made = QPixmap(painted.size())
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setOpacity(0.4)
    painter.drawPixmap(0, 0, painted)
    painter.end()
    return made


def _tray_pixmap(attention: Attention, count: int, size: int, *, running: bool) -> QPixmap:
    c = colours(dark=False)
    made = _canvas(size, 1.0)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / GRID, size / GRID)
    if attention is Attention.RED and count > 0:
        fill(painter, octagon(), c.fill_overdue)
        left = 1.4 if running else 0.0
        _digits(painter, count, QRectF(0.5 - left / 2, 0.5 - left / 2, 15 - left, 15 - left), c.glyph)
    elif attention is Attention.AMBER and count > 0:
        fill(painter, triangle(), c.fill_late)
        _digits(painter, count, QRectF(1.5, 5.0, 13, 10.8), c.glyph)
    elif attention is Attention.GREY:
        hollow_square(painter, c.fill_paused)
    else:
        _PAINTERS[_OF_ATTENTION[attention]](painter, c)
    if running:
        _play_corner(painter, c, at_top=attention is Attention.AMBER)
    painter.end()
    return made


def _digits(painter: QPainter, count: int, box: QRectF, colour: QColor) -> None:
    text = str(count) if count <= MOST_COUNTED else f"{MOST_COUNTED}+"
    font = QFont()
    font.setBold(True)
    font.setPixelSize(100)
    drawn = QPainterPath()
    drawn.addText(0, 0, font, text)
    bounds = drawn.boundingRect()
    cap = QFontMetricsF(font).capHeight()
    scale = min(box.height() * 0.62 / cap, box.width() * 0.74 / bounds.width())
    painter.save()
    painter.translate(box.center())
    painter.scale(scale, scale)
    painter.translate(-bounds.center())
    painter.fillPath(drawn, colour)
    painter.restore()


def _play_corner(painter: QPainter, c: Colours, *, at_top: bool) -> None:
    """A blue disc in a right corner; the shape is cut away around it, so both stay readable."""
    y = 3.6 if at_top else 12.4
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.black)
    painter.drawEllipse(QPointF(12.4, y), 4.2, 4.2)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setBrush(c.fill_running)
    painter.drawEllipse(QPointF(12.4, y), 3.5, 3.5)
    painter.setBrush(c.glyph)
    painter.drawPolygon(QPolygonF([QPointF(11.3, y - 2), QPointF(14.6, y), QPointF(11.3, y + 2)]))


def _ridge(painter: QPainter) -> None:
    c = colours(dark=False)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#12343B"))
    painter.drawRoundedRect(QRectF(0.5, 0.5, 15, 15), 3.4, 3.4)
    line = QPolygonF([QPointF(*p) for p in ((2.6, 11.2), (6, 5.4), (8.6, 9.4), (10.6, 6.6), (13.4, 11.2))])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(QColor("#3CCFB0"), 1.9))
    painter.drawPolyline(line)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.glyph)
    painter.drawEllipse(QPointF(11.6, 3.9), 1.1, 1.1)


__all__ = [
    "Shape",
    "app_icon",
    "colour_of",
    "icon",
    "paint",
    "pixmap",
    "shape_of",
    "shape_of_status",
    "tray_icon",
]
