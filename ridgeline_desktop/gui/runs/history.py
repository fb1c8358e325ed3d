"""The runs of one job as a table: when, how it ended, how long it took, who started it, and why not."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStackedLayout, QTableView, QWidget

from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.cards import plain_label
from ridgeline_desktop.gui.kit.icons import colour_of, icon, shape_of_status
from ridgeline_desktop.gui.kit.palette import colours_of, is_dark_palette
from ridgeline_desktop.gui.kit.words import (
    plain_tip,
    status_word,
    took_text,
    trigger_word,
    utc_text,
    when_text,
)
from ridgeline_desktop.gui.runs.ends import translate, why_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
RESULT, WHY = 1, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Present:
    """By which clock times are read."""

    zone: ZoneInfo
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One column: its heading, and what it says of a run."""

    heading: str
    text: Callable[[RunRecord, _Present], str]


class RunsModel(QAbstractTableModel):
    """Renders records, newest first, as of an instant."""

    def __init__(self) -> None:
        super().__init__()
        self._records: tuple[RunRecord, ...] = ()
        self._present: _Present | None = None
        self._columns = (
            _Column(heading=self.tr("Started"), text=_started),
            _Column(heading=self.tr("Result"), text=_result),
            _Column(heading=self.tr("Took"), text=_took),
            _Column(heading=self.tr("Started by"), text=_started_by),
            _Column(heading=self.tr("Why"), text=_why),
        )

    def show(self, records: tuple[RunRecord, ...], *, zone: ZoneInfo, now: datetime) -> None:
        """Show these; the same runs in the same order keep selection and scroll."""
        same = [r.run_id for r in records] == [r.run_id for r in self._records]
        present = _Present(zone=zone, now=now)
        if same:
            changed = (records, present) != (self._records, self._present)
            self._records, self._present = records, present
            if changed and records:
                self.dataChanged.emit(self.index(0, 0), self.index(len(records) - 1, len(self._columns) - 1))
            return
        self.beginResetModel()
        self._records, self._present = records, present
        self.endResetModel()

    def record(self, row: int) -> RunRecord:
        """The run in a row."""
        return self._records[row]

    def row_of(self, run_id: str) -> int | None:
        """Where a run stands, None where it is not shown."""
        return next((n for n, record in enumerate(self._records) if record.run_id == run_id), None)

    def rowCount(self, parent: Index = ROOT) -> int:  # noqa: N802 (Qt's name)
        """How many runs."""
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = ROOT) -> int:  # noqa: N802 (Qt's name)
        """How many columns."""
        return 0 if parent.isValid() else len(self._columns)

    def headerData(  # noqa: N802 (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        """The columns' headings."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].heading
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell: its text, the mark of the result, and the exact instant as a tool tip."""
        if not index.isValid() or self._present is None:
            return None
        record, column = self._records[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._columns[column].text(record, self._present)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(why_text(record) if column == WHY else utc_text(record.started_at)) or None
        if column == RESULT:
            return _mark(record, role)
        return None


class RunsTab(QWidget):
    """The runs of the selected job. `chosen` carries the run to look at, `opened` one to open in a window."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model = RunsModel()
        self.table = _Table()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Runs of this job"))
        self.hint = plain_label()
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setForegroundRole(self.hint.palette().ColorRole.PlaceholderText)
        self.hint.setMargin(24)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.hint)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setResizeContentsPrecision(0)  # what is in sight; measuring 200 runs would hold up the window
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)

    def show_runs(self, records: tuple[RunRecord, ...], *, zone: ZoneInfo, now: datetime) -> None:
        """Show these, newest first."""
        kept = self.selected()
        self.model.show(records, zone=zone, now=now)
        if not records:
            self.say(self.tr("This job has not run yet."))
            return
        self._stack.setCurrentWidget(self.table)
        row = self.model.row_of(kept.run_id) if kept else None
        if row is not None and self.table.currentIndex().row() != row:
            self.table.selectRow(row)

    def say(self, text: str) -> None:
        """Show a sentence in the place of the table."""
        self.hint.setText(text)
        self._stack.setCurrentWidget(self.hint)

    def forget(self) -> None:
        """Another job follows: select nothing."""
        self.table.clearSelection()
        self.table.setCurrentIndex(ROOT)

    def selected(self) -> RunRecord | None:
        """The run that somebody has selected."""
        index = self.table.currentIndex()
        return self.model.record(index.row()) if index.isValid() else None

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.record(index.row()))

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self.model.record(current.row()))


class _Table(QTableView):
    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        self.horizontalHeader().setHighlightSections(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


def _mark(record: RunRecord, role: int) -> object:
    palette = QGuiApplication.palette()
    shape = shape_of_status(record.status)
    if role == Qt.ItemDataRole.DecorationRole:
        return icon(shape, dark=is_dark_palette(palette))
    if role == Qt.ItemDataRole.ForegroundRole:
        return colour_of(shape, colours_of(palette))
    return None


def _started(record: RunRecord, present: _Present) -> str:
    return when_text(record.started_at, zone=present.zone, now=present.now)


def _result(record: RunRecord, present: _Present) -> str:
    word = status_word(record.status)
    if record.count > 1:
        return translate("ends", "{word}, {count} times").format(word=word, count=record.count)
    return word


def _took(record: RunRecord, _present: _Present) -> str:
    # The list counts the seconds of one that is going on.
    if record.status in (RunStatus.RUNNING, RunStatus.REFUSED):
        return took_text(None)
    seconds = record.duration
    if seconds is None and record.finished_at is not None:
        seconds = (record.finished_at - record.started_at).total_seconds()
    return took_text(seconds)


def _started_by(record: RunRecord, present: _Present) -> str:
    return trigger_word(record)


def _why(record: RunRecord, present: _Present) -> str:
    text = why_text(record)
    return text[:1].upper() + text[1:]
