"""Everything about runbooks: the tab of the selected job, and windows of their own."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.late_tab import LateTab
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.services.runbooks import Runbooks

if TYPE_CHECKING:  # a runbook's page is loaded when one is looked at: it would slow every start
    from ridgeline_desktop.gui.runbooks.page import RunbookPage
    from ridgeline_desktop.gui.runbooks.window import RunbookWindow


class RunbooksRoom(QObject):
    """`changed` = a runbook was written.

    `tab_asked` carries the tab to be shown; `run_asked` and `edit_job_asked` the id of a job.
    """

    changed = Signal()
    tab_asked = Signal(str)
    run_asked = Signal(str)
    edit_job_asked = Signal(str)

    def __init__(
        self, *, runbooks: Runbooks, tasks: Tasks, feedback: Feedback, clock: Clock, window: QWidget
    ) -> None:
        super().__init__(window)
        self._runbooks, self._tasks, self._feedback, self._window = runbooks, tasks, feedback, window
        self._row: JobRow | None = None
        self._snapshot: Snapshot | None = None
        self._windows: dict[str, RunbookWindow] = {}
        self._tab = LateTab(self._make_tab)

    def tabs(self) -> tuple[tuple[str, QWidget], ...]:
        """The tab of the detail pane."""
        return ((self.tr("Runbook"), self._tab),)

    @property
    def page(self) -> "RunbookPage":
        """What the tab shows, made when it is first asked for."""
        return self._tab.content()

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Follow the selection and the snapshot; windows of their own follow their job."""
        self._row, self._snapshot = row, snapshot
        if self._tab.is_made:
            self.page.show_row(row, snapshot)
        rows = {each.job_id: each for each in snapshot.rows}
        for job_id, window in self._windows.items():
            if job_id in rows:
                window.page.show_row(rows[job_id], snapshot)

    def open(self, row: JobRow, heading: str = "") -> None:
        """Show the job's runbook in the tab, at this heading or else at the one for its failure."""
        if self._snapshot is not None:
            self.page.show_row(row, self._snapshot)
        self.tab_asked.emit(self.tr("Runbook"))
        self.page.open_at(heading)

    def open_window(self, row: JobRow, snapshot: Snapshot) -> "RunbookWindow":
        """Show the job's runbook in a window of its own; the one that is open already, if there is one."""
        window = self._windows.get(row.job_id)
        if window is None:
            from ridgeline_desktop.gui.runbooks.window import RunbookWindow

            page = self._made_page(is_tab=False)
            window = RunbookWindow(page, title=row.title, parent=self._window)
            self._windows[row.job_id] = window
            window.finished.connect(partial(self._forget, row.job_id))
        window.page.show_row(row, snapshot)
        window.show()
        window.raise_()
        window.activateWindow()
        return window

    def _forget(self, job_id: str, _result: int) -> None:
        self._windows.pop(job_id, None)

    def _make_tab(self) -> "RunbookPage":
        page = self._made_page()
        page.window_asked.connect(self._open_window)
        if self._snapshot is not None:
            page.show_row(self._row, self._snapshot)
        return page

    def _made_page(self, *, is_tab: bool = True) -> "RunbookPage":
        from ridgeline_desktop.gui.runbooks.page import RunbookPage

        page = RunbookPage(runbooks=self._runbooks, tasks=self._tasks, feedback=self._feedback, is_tab=is_tab)
        page.saved.connect(self._on_saved)
        page.run_asked.connect(self.run_asked)
        page.edit_job_asked.connect(self.edit_job_asked)
        return page

    @Slot(str)
    def _on_saved(self, job_id: str) -> None:
        """What has been written in one place is shown in the other."""
        window = self._windows.get(job_id)
        pages = [*((self.page,) if self._tab.is_made else ()), *((window.page,) if window else ())]
        for page in pages:
            if page is not self.sender() and page.isVisible():
                page.refresh()
        self.changed.emit()

    @Slot(str)
    def _open_window(self, job_id: str) -> None:
        snapshot = self._snapshot
        rows = [row for row in snapshot.rows if row.job_id == job_id] if snapshot else []
        if snapshot is not None and rows:
            self.open_window(rows[0], snapshot)
