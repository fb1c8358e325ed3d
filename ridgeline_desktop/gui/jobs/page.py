"""The list of jobs with what belongs above it: banners, kinds to choose from, and the box to find one."""

from datetime import datetime

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.snapshots import BannerKind, JobRow, Snapshot
from ridgeline_desktop.gui.jobs.banners import Banners
from ridgeline_desktop.gui.jobs.cells import Moment
from ridgeline_desktop.gui.jobs.chips import Chips
from ridgeline_desktop.gui.jobs.filters import Filter, counts, fits, holds, nothing_of
from ridgeline_desktop.gui.jobs.find_box import FindBox
from ridgeline_desktop.gui.jobs.notice import Notice
from ridgeline_desktop.gui.jobs.table import JobTableView
from ridgeline_desktop.gui.kit.icons import Shape

LEAST_LINES = 6
MARGIN = 8


class JobsPage(QWidget):
    """Renders snapshots; what is asked for leaves as signals with ids.

    `selected` carries the job that is selected now (None = none), `activated` the id of one that Enter or a
    double click chose, `menu_asked` where a menu is to open (on the screen) and for which job. `banner_asked`
    carries the banner's kind, what its button does, and the jobs it names.
    """

    selected = Signal(object)
    activated = Signal(str)
    menu_asked = Signal(QPoint, str)
    banner_asked = Signal(object, str, object)
    add_asked = Signal()
    retry_asked = Signal()
    settings_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._error = ""
        self.table = JobTableView()
        self.table.setMinimumHeight(self.table.fontMetrics().height() * LEAST_LINES)
        self.chips = Chips()
        self.banners = Banners()
        self.notice = Notice()
        self.find_box = FindBox()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.notice)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.table)
        self._refresh()

    def _lay_out(self) -> None:
        above = QHBoxLayout()
        above.addWidget(self.chips, 1)
        above.addWidget(self.find_box, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN, 0, MARGIN, MARGIN)
        box.setSpacing(MARGIN)
        box.addWidget(self.banners)
        box.addLayout(above)
        box.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.table.moved.connect(self.selected)
        self.table.chosen.connect(self.activated)
        self.table.menu_asked.connect(self.menu_asked)
        self.banners.asked.connect(self._on_banner)
        self.chips.chosen.connect(self._refresh)
        self.find_box.textChanged.connect(self._refresh)
        self.find_box.left.connect(self._go_to_list)
        self.notice.asked.connect(self._on_notice)

    def set_snapshot(self, snapshot: Snapshot) -> None:
        """Show a new judgement of all jobs; what is selected and where it is scrolled to stays."""
        self._snapshot, self._error = snapshot, ""
        titles = {row.job_id: row.title for row in snapshot.rows}
        banners = [banner for banner in snapshot.banners if banner.kind is not BannerKind.FIRST_START]
        self.banners.show_banners(banners, titles)
        self.chips.set_counts(counts(snapshot.rows))
        self._refresh()

    def show_error(self, error: object) -> None:
        """Say why the jobs cannot be judged; the next snapshot takes its place."""
        known = isinstance(error, RidgelineError | str)
        unknown = self.tr("Something went wrong inside Ridgeline: {error}")
        self._error = str(error) if known else unknown.format(error=error)
        self._refresh()

    def set_now(self, now: datetime) -> None:
        """Bring what counts minutes up to date, without a new judgement."""
        self.table.jobs.set_now(now)

    def selected_row(self) -> JobRow | None:
        """The job that is selected, None where there is none in the list."""
        return self.table.selected_row()

    def select(self, job_id: str) -> None:
        """Select a job and bring it into sight; what keeps it out of the list is cleared first."""
        if not self.table.select(job_id):
            self.show_all()
            self.table.select(job_id)

    def show_all(self) -> None:
        """Show every job, whatever was chosen or looked for."""
        self.chips.choose(Filter.ALL)
        if self.find_box.text():
            self.find_box.clear()
        else:
            self._refresh()

    def filter(self, kind: Filter) -> None:
        """Show the jobs of one kind."""
        self.chips.choose(kind)
        self._refresh()

    @Slot()
    def start_finding(self) -> None:
        """Put the caret into the box to find a job."""
        self.find_box.start()

    @Slot()
    def _go_to_list(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _refresh(self) -> None:
        snapshot = self._snapshot
        rows: tuple[JobRow, ...] = ()
        if snapshot is not None and not self._error:
            kind, text = self.chips.kind, self.find_box.text()
            self.chips.set_counts(counts(snapshot.rows))
            rows = tuple(row for row in snapshot.rows if fits(row, kind) and holds(row, text))
            moment = Moment(now=snapshot.taken_at, zone=snapshot.zone)
            self.table.show_rows(rows, moment)
        self.chips.setVisible(not self._error and snapshot is not None and bool(snapshot.rows))
        if not rows:
            self._explain(snapshot)
        self._turn_to(self.table if rows else self.notice)

    def _turn_to(self, widget: QWidget) -> None:
        had_focus = self.table.hasFocus() or self.notice.button.hasFocus()
        self._stack.setCurrentWidget(widget)
        if had_focus:
            (self.table if widget is self.table else self.notice.button).setFocus()

    def _explain(self, snapshot: Snapshot | None) -> None:
        say = self.notice.say
        if self._error:
            heading = self.tr("Ridgeline cannot tell how the jobs are")
            say(Shape.WARNING, heading, self._error, button=self.tr("Try again"), name="retry")
        elif snapshot is None:
            say(Shape.SCHEDULE, self.tr("Looking at the jobs…"))
        elif not snapshot.rows:
            self._explain_none()
        elif self.find_box.text():
            heading = self.tr("Nothing matches “{text}”.").format(text=self.find_box.text())
            say(Shape.FIND, heading, self._where_looked(), button=self.tr("Clear"), name="clear")
        else:
            say(Shape.DONE, nothing_of(self.chips.kind), button=self.tr("Show all"), name="all")

    def _explain_none(self) -> None:
        text = self.tr(
            "A job is something this computer does by itself, such as fetching orders or making a backup. "
            "Add the first one, and its light turns red when it falls silent."
        )
        self.notice.say(Shape.ADD, self.tr("No jobs yet."), text, button=self.tr("Add a job…"), name="add")

    def _where_looked(self) -> str:
        if self.chips.kind is Filter.ALL:
            return ""
        return self.tr("Only some of the jobs are shown; Clear shows them all.")

    @Slot(object, str, object)
    def _on_banner(self, kind: BannerKind, action: str, job_ids: tuple[str, ...]) -> None:
        if action == "settings":
            self.settings_asked.emit()
        else:
            self.banner_asked.emit(kind, action, job_ids)

    @Slot(str)
    def _on_notice(self, name: str) -> None:
        if name == "add":
            self.add_asked.emit()
        elif name == "retry":
            self.retry_asked.emit()
        else:
            self.show_all()
            self.table.setFocus()
