"""The list of jobs as Qt's views read it: one row a job, in the order asked for."""

from collections.abc import Callable
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.jobs import cells
from ridgeline_desktop.gui.jobs.cells import Cell, Moment
from ridgeline_desktop.gui.kit.words import plain_tip

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
CELL_ROLE = Qt.ItemDataRole.UserRole + 2
SORT_ROLE = Qt.ItemDataRole.UserRole + 3


class Col(IntEnum):
    """The columns, in their order."""

    HEALTH = 0
    JOB = 1
    LAST_RUN = 2
    NEXT_RUN = 3
    HISTORY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    row: JobRow
    rank: int


class JobTable(QAbstractTableModel):
    """Rows of the last snapshot. ROW_ROLE is the JobRow, CELL_ROLE the Cell that a delegate paints.

    Worst first until `sort` says otherwise. Where the jobs and their order stay the same, only rows that
    changed are said to have; otherwise it is reset, and the view restores what was selected.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[_Line, ...] = ()
        self._moment: Moment | None = None
        self._column, self._order = Col.HEALTH, Qt.SortOrder.AscendingOrder

    def set_rows(self, rows: tuple[JobRow, ...], moment: Moment) -> None:
        """Show these rows, given worst first, as they are at `moment`."""
        was, before = self._lines, self._moment
        lines = self._sorted(tuple(_Line(row=row, rank=rank) for rank, row in enumerate(rows)), moment)
        if [line.row.job_id for line in was] != [line.row.job_id for line in lines]:
            self.beginResetModel()
            self._lines, self._moment = lines, moment
            self.endResetModel()
            return
        self._lines, self._moment = lines, moment
        is_same_day = before is not None and _day(before) == _day(moment)
        for place, (old, new) in enumerate(zip(was, lines, strict=True)):
            if old != new or not is_same_day:
                self.dataChanged.emit(self.index(place, 0), self.index(place, len(Col) - 1))
        self._tell_running()

    def set_now(self, now: datetime) -> None:
        """Bring what counts minutes up to date; at midnight every "Today" too."""
        before = self._moment
        if before is None:
            return
        self._moment = Moment(now=now, zone=before.zone)
        if _day(before) != _day(self._moment) and self._lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._lines) - 1, len(Col) - 1))
        else:
            self._tell_running()

    def row_at(self, place: int) -> JobRow | None:
        """The job at a place of the list, None beyond its ends."""
        return self._lines[place].row if 0 <= place < len(self._lines) else None

    def place_of(self, job_id: str) -> int:
        """Where a job stands now, -1 where it is not shown."""
        return next((at for at, line in enumerate(self._lines) if line.row.job_id == job_id), -1)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 (Qt's name)
        """How many jobs are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 (Qt's name)
        """How many columns there are."""
        return 0 if parent is not None and parent.isValid() else len(Col)

    def headerData(  # noqa: N802 (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The headings of the columns."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Col):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings()[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a view shows of a cell."""
        if self._moment is None or not index.isValid() or index.row() >= len(self._lines):
            return None
        line, moment = self._lines[index.row()], self._moment
        if role == ROW_ROLE:
            return line.row
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(_tips(moment)[Col(index.column())](line.row))
        cell = _cell(Col(index.column()), line, moment)
        if role == Qt.ItemDataRole.DisplayRole:
            return "" if index.column() == Col.HISTORY else cell.text
        return {
            Qt.ItemDataRole.AccessibleTextRole: cell.spoken or cell.text,
            CELL_ROLE: cell,
            SORT_ROLE: cell.key,
        }.get(Qt.ItemDataRole(role) if role < Qt.ItemDataRole.UserRole else role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Keep the list in this order from now on; what is selected goes along."""
        if not 0 <= column < len(Col):
            column, order = Col.HEALTH, Qt.SortOrder.AscendingOrder
        self._column, self._order = Col(column), order
        if self._moment is None:
            return
        self.layoutAboutToBeChanged.emit()
        before = self._lines
        self._lines = self._sorted(before, self._moment)
        places = {line.row.job_id: at for at, line in enumerate(self._lines)}
        for old in self.persistentIndexList():
            new = places[before[old.row()].row.job_id]
            self.changePersistentIndex(old, self.index(new, old.column()))
        self.layoutChanged.emit()

    def _sorted(self, lines: tuple[_Line, ...], moment: Moment) -> tuple[_Line, ...]:
        ranked = sorted(lines, key=lambda line: line.rank)
        is_reversed = self._order is Qt.SortOrder.DescendingOrder
        column = self._column
        return tuple(sorted(ranked, key=lambda line: _cell(column, line, moment).key, reverse=is_reversed))

    def _tell_running(self) -> None:
        for place, line in enumerate(self._lines):
            if line.row.running is not None:
                at = self.index(place, Col.LAST_RUN)
                self.dataChanged.emit(at, at)

    def _headings(self) -> tuple[str, ...]:
        return (
            self.tr("Health"),
            self.tr("Job"),
            self.tr("Last run"),
            self.tr("Next run"),
            self.tr("Last 20 runs"),
        )


def _cell(column: Col, line: _Line, moment: Moment) -> Cell:
    if column is Col.HEALTH:
        return cells.health_cell(line.row, line.rank)
    if column is Col.JOB:
        return cells.job_cell(line.row)
    if column is Col.LAST_RUN:
        return cells.last_run_cell(line.row, moment)
    if column is Col.NEXT_RUN:
        return cells.next_run_cell(line.row, moment)
    return cells.history_cell(line.row)


def _tips(moment: Moment) -> dict[Col, Callable[[JobRow], str]]:
    return {
        Col.HEALTH: cells.health_tip,
        Col.JOB: cells.job_tip,
        Col.LAST_RUN: cells.last_run_tip,
        Col.NEXT_RUN: lambda row: cells.next_run_tip(row, moment),
        Col.HISTORY: cells.history_tip,
    }


def _day(moment: Moment) -> object:
    return moment.now.astimezone(moment.zone).date()
