"""The names of all shapes, and the strokes they are painted with on a grid of 16 by 16."""

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

GRID = 16.0
STROKE = 2.0


class Shape(StrEnum):
    """What can be painted: lights, ends of runs, and what buttons do."""

    OK = "ok"
    LATE = "late"
    OVERDUE = "overdue"
    NEVER = "never"
    PAUSED = "paused"
    UNKNOWN = "unknown"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    TIMED_OUT = "timed-out"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
    RUN = "run"
    PAUSE = "pause"
    RESUME = "resume"
    SCHEDULE = "schedule"
    RUNBOOK = "runbook"
    ADD = "add"
    OUTPUT = "output"
    STOP = "stop"
    EDIT = "edit"
    SETTINGS = "settings"
    LOCK = "lock"
    WARNING = "warning"
    INFO = "info"
    FIND = "find"
    CHECK = "check"
    CLOSE = "close"
    MENU = "menu"
    DRIFT = "drift"


def pen(colour: QColor, width: float = STROKE) -> QPen:
    """A pen with round ends, `width` in sixteenths of the shape."""
    round_cap, round_join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    return QPen(colour, width, Qt.PenStyle.SolidLine, round_cap, round_join)


def fill(painter: QPainter, path: QPainterPath, colour: QColor) -> None:
    """A filled path, its corners rounded by a pen of the same colour."""
    painter.setPen(pen(colour, 1.0))
    painter.setBrush(colour)
    painter.drawPath(path)


def closed(*points: tuple[float, float]) -> QPainterPath:
    """A closed path through these points."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def octagon() -> QPainterPath:
    """The outline of what is overdue."""
    near, far, low, high = 0.9, 15.1, 4.5, 11.5
    return closed(
        (low, near), (high, near), (far, low), (far, high), (high, far), (low, far), (near, high), (near, low)
    )


def triangle() -> QPainterPath:
    """The outline of what is late."""
    return closed((8, 1.2), (15.2, 14.6), (0.8, 14.6))


def lines(painter: QPainter, colour: QColor, width: float, *strokes: tuple[tuple[float, float], ...]) -> None:
    """Strokes through these points."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, width))
    for stroke in strokes:
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in stroke]))


def dot(painter: QPainter, colour: QColor, x: float, y: float, radius: float) -> None:
    """A filled disc."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(x, y), radius, radius)


def question(painter: QPainter, colour: QColor) -> None:
    """A question mark, drawn so that it needs no font."""
    path = QPainterPath(QPointF(5.9, 6.2))
    path.cubicTo(5.9, 3.3, 10.2, 3.3, 10.2, 6.1)
    path.cubicTo(10.2, 7.8, 8.05, 7.7, 8.05, 9.3)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, 1.8))
    painter.drawPath(path)
    dot(painter, colour, 8.05, 12.0, 1.15)


def hollow_square(painter: QPainter, colour: QColor) -> None:
    """The outline of what cannot be told."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, 1.7))
    painter.drawRoundedRect(QRectF(1.35, 1.35, 13.3, 13.3), 2.6, 2.6)
    question(painter, colour)


def ring(painter: QPainter, colour: QColor) -> None:
    """A circle that is not filled."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, 1.7))
    painter.drawEllipse(QPointF(8, 8), 6, 6)
