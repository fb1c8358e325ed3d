"""The view of the list: it keeps what is selected and where it was scrolled to, whatever comes and goes."""

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.jobs.cells import Cell, Moment
from ridgeline_desktop.gui.jobs.delegates import CellDelegate, cell_width, history_width, row_height
from ridgeline_desktop.gui.jobs.table_model import Col, JobTable
from ridgeline_desktop.gui.kit.icons import Shape

LEAST_LETTERS, NAME_LETTERS = 6, 16
SIZED = (Col.HEALTH, Col.LAST_RUN, Col.NEXT_RUN, Col.HISTORY)


class JobTableView(QTableView):
    """`moved` carries the row that is selected now (None = none), also where its contents changed.

    `chosen` is Enter or a double click on a job, `menu_asked` where its menu is to open (screen) and its id.
    """

    moved = Signal(object)
    chosen = Signal(str)
    menu_asked = Signal(QPoint, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.jobs = JobTable(self)
        self._told: JobRow | None = None
        self._is_filling = False
        self._history_width = history_width()
        self.setModel(self.jobs)
        self.setItemDelegate(CellDelegate(self))
        self.setAccessibleName(self.tr("Jobs"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self._set_up_headers()
        self.selectionModel().selectionChanged.connect(self._on_selection)
        self.activated.connect(self._on_activated)

    def _set_up_headers(self) -> None:
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_row_height()
        header = self.horizontalHeader()
        letter = self.fontMetrics().averageCharWidth()
        header.setMinimumSectionSize(letter * LEAST_LETTERS)
        header.setHighlightSections(False)
        header.setSectionsMovable(False)
        for column, width in self._first_widths().items():
            self.setColumnWidth(column, width)
        header.setSectionResizeMode(Col.JOB, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(Col.HEALTH, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def _set_row_height(self) -> None:
        """All rows are as high as their font asks; measuring each of them took longer than painting."""
        self.verticalHeader().setMinimumSectionSize(0)
        self.verticalHeader().setDefaultSectionSize(row_height(self.fontMetrics()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the rows as high as the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._set_row_height()

    def _first_widths(self) -> dict[Col, int]:
        """Room for the longest words that are usual; rarer ones end in dots, and the tool tip has them."""
        usual = {
            Col.HEALTH: Cell(text=self.tr("Can't tell"), shape=Shape.UNKNOWN),
            Col.LAST_RUN: Cell(text=self.tr("Today 10:45 ran out of time"), shape=Shape.FAILED),
            Col.NEXT_RUN: Cell(text=self.tr("Scheduler is off"), shape=Shape.DRIFT),
        }
        font = self.font()
        font.setBold(True)
        bold, plain = QFontMetrics(font), self.fontMetrics()
        metrics = {Col.HEALTH: bold}
        widths = {
            column: cell_width(cell, metrics.get(column, plain)) + plain.averageCharWidth()
            for column, cell in usual.items()
        }
        return widths | {Col.HISTORY: history_width()}

    def show_rows(self, rows: tuple[JobRow, ...], moment: Moment) -> None:
        """Show these rows, worst first. What is selected stays so; where it is gone, its neighbour is."""
        selected, place = self.selected_row(), self.currentIndex().row()
        scrolled = self.verticalScrollBar().value(), self.horizontalScrollBar().value()
        self._is_filling = True
        self.jobs.set_rows(rows, moment)
        self._restore(selected, place)
        self._is_filling = False
        self.updateGeometries()
        self.verticalScrollBar().setValue(scrolled[0])
        self.horizontalScrollBar().setValue(scrolled[1])
        self._tell()

    def selected_row(self) -> JobRow | None:
        """The job that is selected, None where none is."""
        return self.jobs.row_at(self.currentIndex().row())

    def select(self, job_id: str) -> bool:
        """Select a job and bring it into sight; False where it is not in the list."""
        place = self.jobs.place_of(job_id)
        if place >= 0:
            self._go_to(place)
            self.scrollTo(self.currentIndex())
        return place >= 0

    def column_widths(self) -> list[str]:
        """The widths people gave the columns, as they are stored; the job's own takes what is left."""
        self._note_history_width()
        widths = {column: self.columnWidth(column) for column in SIZED} | {Col.HISTORY: self._history_width}
        return [str(widths[column]) for column in SIZED]

    def set_column_widths(self, kept: object) -> None:
        """Take widths as `column_widths` gave them; anything else is left alone."""
        if not isinstance(kept, list) or len(kept) != len(SIZED):
            return
        for column, width in zip(SIZED, kept, strict=True):
            if isinstance(width, str) and width.isdecimal():
                self.setColumnWidth(column, int(width))
                if column is Col.HISTORY:
                    self._history_width = int(width)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """The names of jobs matter more than their last runs."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Leave the last runs out for as long as they would cut the names off."""
        self._note_history_width()
        others = sum(self.columnWidth(column) for column in SIZED if column is not Col.HISTORY)
        least = self.fontMetrics().averageCharWidth() * NAME_LETTERS
        room = self.viewport().width() - others - self._history_width
        self.setColumnHidden(Col.HISTORY, room < least)

    def _note_history_width(self) -> None:
        """Qt gives no width for a column that is hidden."""
        if not self.isColumnHidden(Col.HISTORY):
            self._history_width = self.columnWidth(Col.HISTORY)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 (Qt's name)
        """Letters typed go to the job whose name begins with them."""
        here = self.currentIndex()
        if here.isValid() and here.column() != Col.JOB:
            self.setCurrentIndex(here.siblingAtColumn(Col.JOB))
        super().keyboardSearch(search)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Home and End go to the first and the last job."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.jobs.rowCount() - 1}
        if event.key() in ends and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self._go_to(ends[Qt.Key(event.key())])
            self.scrollTo(self.currentIndex())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask for the menu of the job under the mouse, or of the selected one where a key asked."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self.jobs.row_at(index.row())
        if row is None:
            return
        below = self.visualRect(index).bottomLeft()
        place = self.viewport().mapToGlobal(below) if by_key else event.globalPos()
        self.menu_asked.emit(place, row.job_id)

    def _go_to(self, place: int) -> None:
        if 0 <= place < self.jobs.rowCount():
            self.setCurrentIndex(self.jobs.index(place, Col.JOB))

    def _restore(self, selected: JobRow | None, place: int) -> None:
        now = self.jobs.place_of(selected.job_id) if selected else -1
        if now < 0:
            now = max(0, min(place, self.jobs.rowCount() - 1))
        if now != self.currentIndex().row() or not self.selectionModel().hasSelection():
            self._go_to(now)

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, _new: QItemSelection, _old: QItemSelection) -> None:
        if not self._is_filling:
            self._tell()

    def _tell(self) -> None:
        row = self.selected_row()
        if row != self._told:
            self._told = row
            self.moved.emit(row)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        row = self.jobs.row_at(index.row())
        if row is not None:
            self.chosen.emit(row.job_id)
