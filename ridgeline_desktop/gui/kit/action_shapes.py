"""Paints what buttons and menus do, in the colour of their text."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from ridgeline_desktop.gui.kit.palette import Colours
from ridgeline_desktop.gui.kit.shapes import Shape, closed, dot, fill, lines, pen, triangle

THIN = 1.5


def _outline(painter: QPainter, colour: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(colour, THIN))


def _run(painter: QPainter, c: Colours) -> None:
    fill(painter, closed((4.5, 3), (13, 8), (4.5, 13)), c.running)


def _pause(painter: QPainter, c: Colours) -> None:
    lines(painter, c.text, 2.4, ((5.5, 3.6), (5.5, 12.4)), ((10.5, 3.6), (10.5, 12.4)))


def _resume(painter: QPainter, c: Colours) -> None:
    lines(painter, c.text, 2.2, ((3.6, 3.6), (3.6, 12.4)))
    fill(painter, closed((7.2, 3.6), (13.6, 8), (7.2, 12.4)), c.text)


def _stop(painter: QPainter, c: Colours) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.text)
    painter.drawRoundedRect(QRectF(3.4, 3.4, 9.2, 9.2), 1.4, 1.4)


def _schedule(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    painter.drawEllipse(QPointF(8, 8), 6.2, 6.2)
    lines(painter, c.text, THIN, ((8, 4.4), (8, 8.2), (10.6, 9.8)))


def _runbook(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    for side in (1, -1):
        page = QPainterPath(QPointF(8, 4.4))
        page.cubicTo(8 - side * 2, 2.8, 8 - side * 4.6, 2.8, 8 - side * 6.2, 3.6)
        page.lineTo(8 - side * 6.2, 12.4)
        page.cubicTo(8 - side * 4.6, 11.6, 8 - side * 2, 11.6, 8, 13.2)
        painter.drawPath(page)
    lines(painter, c.text, THIN, ((8, 4.4), (8, 13.2)))


def _add(painter: QPainter, c: Colours) -> None:
    lines(painter, c.text, 2.0, ((8, 2.8), (8, 13.2)), ((2.8, 8), (13.2, 8)))


def _output(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    painter.drawRoundedRect(QRectF(1.8, 2.4, 12.4, 11.2), 1.6, 1.6)
    lines(painter, c.text, THIN, ((4.6, 5.8), (6.8, 8), (4.6, 10.2)), ((8.6, 10.4), (11.4, 10.4)))


def _edit(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    painter.drawPath(closed((2.6, 13.4), (3.4, 10), (11, 2.4), (13.6, 5), (6, 12.6)))
    lines(painter, c.text, THIN, ((9.2, 4.2), (11.8, 6.8)))


def _settings(painter: QPainter, c: Colours) -> None:
    for y, x in ((4.2, 10.4), (11.8, 5.6)):
        lines(painter, c.text, THIN, ((2.2, y), (13.8, y)))
        dot(painter, c.text, x, y, 2.3)


def _lock(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    painter.drawArc(QRectF(4.8, 1.8, 6.4, 8.4), 0, 180 * 16)
    lines(painter, c.text, THIN, ((4.8, 6), (4.8, 7.4)), ((11.2, 6), (11.2, 7.4)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.text)
    painter.drawRoundedRect(QRectF(2.8, 7, 10.4, 7.2), 1.4, 1.4)


def _warning(painter: QPainter, c: Colours) -> None:
    fill(painter, triangle(), c.fill_late)
    lines(painter, c.glyph, 2.0, ((8, 6.0), (8, 9.6)))
    dot(painter, c.glyph, 8, 12.5, 1.15)


def _info(painter: QPainter, c: Colours) -> None:
    dot(painter, c.fill_running, 8, 8, 7)
    dot(painter, c.glyph, 8, 4.6, 1.2)
    lines(painter, c.glyph, 2.0, ((8, 7.6), (8, 11.6)))


def _find(painter: QPainter, c: Colours) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(c.muted, 1.7))
    painter.drawEllipse(QPointF(6.8, 6.8), 4.3, 4.3)
    lines(painter, c.muted, 2.0, ((10.2, 10.2), (13.6, 13.6)))


def _check(painter: QPainter, c: Colours) -> None:
    _outline(painter, c.text)
    painter.drawArc(QRectF(2.8, 2.8, 10.4, 10.4), 40 * 16, 280 * 16)
    fill(painter, closed((13.6, 2.6), (13.6, 6.4), (9.8, 6.2)), c.text)


def _close(painter: QPainter, c: Colours) -> None:
    lines(painter, c.text, 1.7, ((4.2, 4.2), (11.8, 11.8)), ((11.8, 4.2), (4.2, 11.8)))


def _menu(painter: QPainter, c: Colours) -> None:
    rows = (4.0, 8.0, 12.0)
    lines(painter, c.text, 1.8, *(((2.6, y), (13.4, y)) for y in rows))


def _drift(painter: QPainter, c: Colours) -> None:
    lines(
        painter,
        c.late,
        1.9,
        ((2.8, 5.8), (13.2, 5.8)),
        ((2.8, 10.2), (13.2, 10.2)),
        ((10.6, 2.6), (5.4, 13.4)),
    )


ACTIONS = {
    Shape.RUN: _run,
    Shape.PAUSE: _pause,
    Shape.RESUME: _resume,
    Shape.STOP: _stop,
    Shape.SCHEDULE: _schedule,
    Shape.RUNBOOK: _runbook,
    Shape.ADD: _add,
    Shape.OUTPUT: _output,
    Shape.EDIT: _edit,
    Shape.SETTINGS: _settings,
    Shape.LOCK: _lock,
    Shape.WARNING: _warning,
    Shape.INFO: _info,
    Shape.FIND: _find,
    Shape.CHECK: _check,
    Shape.CLOSE: _close,
    Shape.MENU: _menu,
    Shape.DRIFT: _drift,
}
