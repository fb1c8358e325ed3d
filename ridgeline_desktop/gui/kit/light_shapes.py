"""Paints the lights of jobs and the marks of how runs ended."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from ridgeline_desktop.gui.kit.palette import Colours
from ridgeline_desktop.gui.kit.shapes import (
    STROKE,
    Shape,
    closed,
    dot,
    fill,
    hollow_square,
    lines,
    octagon,
    pen,
    question,
    ring,
    triangle,
)


def _ok(painter: QPainter, c: Colours) -> None:
    dot(painter, c.fill_ok, 8, 8, 7.5)
    lines(painter, c.glyph, STROKE, ((4.6, 8.3), (7.1, 10.8), (11.5, 5.6)))


def _late(painter: QPainter, c: Colours) -> None:
    fill(painter, triangle(), c.fill_late)
    lines(painter, c.glyph, STROKE, ((8, 6.0), (8, 9.6)))
    dot(painter, c.glyph, 8, 12.5, 1.15)


def _overdue(painter: QPainter, c: Colours) -> None:
    fill(painter, octagon(), c.fill_overdue)
    lines(painter, c.glyph, STROKE, ((5.4, 5.4), (10.6, 10.6)), ((10.6, 5.4), (5.4, 10.6)))


def _never(painter: QPainter, c: Colours) -> None:
    fill(painter, closed((8, 0.6), (15.4, 8), (8, 15.4), (0.6, 8)), c.fill_never)
    painter.save()
    painter.translate(1.2, 1.25)
    painter.scale(0.85, 0.85)
    question(painter, c.glyph)
    painter.restore()


def _paused(painter: QPainter, c: Colours) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(c.paused, 1.7))
    painter.drawEllipse(QPointF(8, 8), 6.6, 6.6)
    lines(painter, c.paused, 1.9, ((6.1, 5.7), (6.1, 10.3)), ((9.9, 5.7), (9.9, 10.3)))


def _unknown(painter: QPainter, c: Colours) -> None:
    hollow_square(painter, c.unknown)


def _running(painter: QPainter, c: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.fill_running)
    painter.drawRoundedRect(QRectF(1, 1, 14, 14), 3.4, 3.4)
    fill(painter, closed((6.2, 4.9), (11.2, 8), (6.2, 11.1)), c.glyph)


def _done(painter: QPainter, c: Colours) -> None:
    lines(painter, c.ok, 2.1, ((3.2, 8.4), (6.6, 11.8), (12.8, 4.6)))


def _failed(painter: QPainter, c: Colours) -> None:
    lines(painter, c.overdue, 2.3, ((4, 4), (12, 12)), ((12, 4), (4, 12)))


def _timed_out(painter: QPainter, c: Colours) -> None:
    ring(painter, c.overdue)
    lines(painter, c.overdue, 1.8, ((8, 4.6), (8, 8.2), (10.6, 9.8)))


def _refused(painter: QPainter, c: Colours) -> None:
    ring(painter, c.late)
    lines(painter, c.late, 2.0, ((5, 8), (11, 8)))


def _interrupted(painter: QPainter, c: Colours) -> None:
    lines(painter, c.overdue, 2.0, ((9.6, 2.2), (5.4, 8.2), (10.4, 8.2), (6.2, 13.8)))


def _stopped(painter: QPainter, c: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.paused)
    painter.drawRoundedRect(QRectF(4, 4, 8, 8), 1.2, 1.2)


LIGHTS = {
    Shape.OK: _ok,
    Shape.LATE: _late,
    Shape.OVERDUE: _overdue,
    Shape.NEVER: _never,
    Shape.PAUSED: _paused,
    Shape.UNKNOWN: _unknown,
    Shape.RUNNING: _running,
    Shape.DONE: _done,
    Shape.FAILED: _failed,
    Shape.TIMED_OUT: _timed_out,
    Shape.REFUSED: _refused,
    Shape.INTERRUPTED: _interrupted,
    Shape.STOPPED: _stopped,
}
