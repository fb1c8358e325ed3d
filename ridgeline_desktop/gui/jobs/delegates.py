"""Paints the cells of the list: a mark beside words in the colour of their meaning, and bars for runs."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.jobs.cells import Cell
from ridgeline_desktop.gui.jobs.table_model import CELL_ROLE, ROW_ROLE, Col
from ridgeline_desktop.gui.kit.icons import colour_of, paint
from ridgeline_desktop.gui.kit.palette import Colours, colours_of

Index = QModelIndex | QPersistentModelIndex
PAD = 7
GAP = 6
EDGE = 3
BARS = 20
BAR_GAP = 2.0
LOWEST = 0.16
NOTCH = 2.0
NO_RUN_HEIGHT = 4.0
ROW_PADDING = 12


class CellDelegate(QStyledItemDelegate):
    """Selected rows keep the colours of their states, and have a stripe at their beginning."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell."""
        c = colours_of(option.palette)
        painter.save()
        if index.column() == 0:
            _stripe(painter, option, index, c)
        cell = index.data(CELL_ROLE)
        if index.column() == Col.HISTORY:
            paint_runs(painter, QRectF(option.rect).adjusted(PAD, 5, -PAD, -5), index.data(ROW_ROLE), c)
        elif isinstance(cell, Cell):
            _words(painter, option, cell, c, is_bold=index.column() == Col.HEALTH)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 (Qt's name)
        """What the cell's mark and words need."""
        metrics = option.fontMetrics
        height = row_height(metrics)
        cell = index.data(CELL_ROLE)
        if index.column() == Col.HISTORY or not isinstance(cell, Cell):
            return QSize(history_width(), height)
        font = QFont(option.font)
        font.setBold(index.column() == Col.HEALTH)
        return QSize(cell_width(cell, QFontMetrics(font)), height)


def row_height(metrics: QFontMetrics) -> int:
    """The pixels a row of the list needs in this font."""
    return metrics.height() + ROW_PADDING


def cell_width(cell: Cell, metrics: QFontMetrics) -> int:
    """The pixels a cell's mark and words need in this font."""
    mark = metrics.height() + GAP if cell.shape is not None else 0
    return metrics.horizontalAdvance(cell.text) + mark + 2 * PAD


def history_width() -> int:
    """The pixels twenty bars need to be told apart."""
    return round(BARS * (BAR_GAP + 3.5)) + 2 * PAD


def paint_runs(painter: QPainter, rect: QRectF, row: JobRow, c: Colours) -> None:
    """One bar a run, the oldest at the left, as high as it was long; each end has a form of its own."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    step = rect.width() / BARS
    longest = max((run.duration or 0.0 for run in row.recent if _is_measured(run)), default=0.0)
    for place, run in enumerate(row.recent[:BARS]):
        left = rect.right() - (place + 1) * step
        slot = QRectF(left + BAR_GAP / 2, rect.top(), max(1.5, step - BAR_GAP), rect.height())
        _bar(painter, slot, run, _share(run, longest), c)


def _stripe(painter: QPainter, option: QStyleOptionViewItem, index: Index, c: Colours) -> None:
    """Mark the selected row's beginning; the view itself fills the ground of rows."""
    view = option.widget
    # What `option.state` says comes as names of QStyle, whose hundreds would be made at every start.
    if isinstance(view, QAbstractItemView) and view.selectionModel().isRowSelected(index.row()):
        stripe = option.rect.adjusted(0, 0, EDGE - option.rect.width(), 0)
        painter.fillRect(stripe, c.accent if view.hasFocus() else c.border)


def _words(painter: QPainter, option: QStyleOptionViewItem, cell: Cell, c: Colours, *, is_bold: bool) -> None:
    rect = option.rect.adjusted(PAD, 0, -PAD, 0)
    side = option.fontMetrics.height()
    if cell.shape is not None:
        top = rect.top() + (rect.height() - side) / 2
        paint(painter, QRectF(rect.left(), top, side, side), cell.shape, c)
        rect.setLeft(rect.left() + side + GAP)
    font = QFont(option.font)
    font.setBold(is_bold)
    painter.setFont(font)
    painter.setPen(_ink(cell, c))
    text = painter.fontMetrics().elidedText(cell.text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def _ink(cell: Cell, c: Colours) -> QColor:
    if cell.ink is not None:
        return colour_of(cell.ink, c)
    return c.muted if cell.is_quiet else c.text


def _is_measured(run: RunRecord) -> bool:
    return run.status in (RunStatus.COMPLETED, RunStatus.STOPPED)


def _share(run: RunRecord, longest: float) -> float:
    """How much of the height a run takes; those that went wrong take all of it."""
    if not _is_measured(run):
        return 1.0
    return max(LOWEST, min(1.0, (run.duration or 0.0) / longest)) if longest else LOWEST


def _bar(painter: QPainter, slot: QRectF, run: RunRecord, share: float, c: Colours) -> None:
    solid = slot.adjusted(0, slot.height() * (1 - share), 0, 0)
    if run.status is RunStatus.COMPLETED:
        painter.fillRect(solid, c.bar)
    elif run.status is RunStatus.STOPPED:
        painter.fillRect(solid, c.fill_paused)
    elif run.status is RunStatus.FAILED:
        _in_pieces(painter, slot, c.overdue, (0.0, 0.28), (0.28 + NOTCH / slot.height(), 1.0))
    elif run.status is RunStatus.INTERRUPTED:
        _in_pieces(painter, slot, c.overdue, (0.0, 0.3), (0.7, 1.0))
    elif run.status is RunStatus.TIMED_OUT:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(c.overdue, 1.2))
        painter.drawRect(slot.adjusted(0.6, 0.6, -0.6, -0.6))
    elif run.status is RunStatus.REFUSED:
        painter.fillRect(slot.adjusted(0, slot.height() - NO_RUN_HEIGHT, 0, 0), c.late)
    else:
        _play(painter, slot, c)


def _in_pieces(painter: QPainter, slot: QRectF, colour: QColor, *pieces: tuple[float, float]) -> None:
    for begin, end in pieces:
        top = slot.top() + slot.height() * begin
        painter.fillRect(QRectF(slot.left(), top, slot.width(), slot.height() * (end - begin)), colour)


def _play(painter: QPainter, slot: QRectF, c: Colours) -> None:
    """A run that is going on: a bar with a point."""
    peak = QPointF(slot.center().x(), slot.top() + slot.height() * 0.25)
    shoulder = slot.top() + slot.height() * 0.5
    corners = [
        peak,
        QPointF(slot.right(), shoulder),
        slot.bottomRight(),
        slot.bottomLeft(),
        QPointF(slot.left(), shoulder),
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(c.running)
    painter.drawPolygon(QPolygonF(corners))
