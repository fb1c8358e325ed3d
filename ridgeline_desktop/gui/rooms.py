"""The rooms of the main window, made and connected: list, detail and what each tab of it belongs to."""

from datetime import datetime
from typing import TypedDict

from PySide6.QtCore import QObject, QSettings, Signal

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.jobs.detail import DetailPane
from ridgeline_desktop.gui.jobs.room import JobsRoom
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.locks.room import LocksRoom
from ridgeline_desktop.gui.main_window import MainWindow
from ridgeline_desktop.gui.parts import Parts
from ridgeline_desktop.gui.runbooks.room import RunbooksRoom
from ridgeline_desktop.gui.runs.room import RunsRoom
from ridgeline_desktop.gui.schedules.room import SchedulesRoom
from ridgeline_desktop.gui.settings.room import SettingsRoom

TABS = ("Runs", "Output", "Schedule", "Runbook", "Lock", "Checkpoint")


class Shared(TypedDict):
    """What every room is handed."""

    tasks: Tasks
    feedback: Feedback
    clock: Clock
    window: MainWindow


class Rooms(QObject):
    """One room per subject, around one window; `show` hands each what it is to show."""

    step_asked = Signal(str, object)
    changed = Signal()
    run_asked = Signal(str)

    def __init__(self, *, parts: Parts, tasks: Tasks, store: QSettings) -> None:
        super().__init__()
        desk = parts.desk
        self.feedback = Feedback()
        self.detail = DetailPane()
        self.jobs = JobsRoom(editing=desk.editing, tasks=tasks, feedback=self.feedback, clock=desk.clock)
        self.page = self.jobs.page
        self.window = MainWindow(page=self.page, detail=self.detail, store=store, feedback=self.feedback)
        self._make_rooms(
            parts, Shared(tasks=tasks, feedback=self.feedback, clock=desk.clock, window=self.window)
        )
        self._snapshot: Snapshot | None = None
        self._row: JobRow | None = None
        self._add_tabs()
        self._connect()

    def _make_rooms(self, parts: Parts, shared: "Shared") -> None:
        desk = parts.desk
        self.runs = RunsRoom(runs=desk.runs, runbooks=desk.runbooks, **shared)
        self.schedules = SchedulesRoom(editing=desk.editing, **shared)
        self.locks = LocksRoom(locks=desk.locks, **shared)
        self.runbooks = RunbooksRoom(runbooks=desk.runbooks, **shared)
        self.settings = SettingsRoom(settings=desk.settings, autostart=parts.autostart, **shared)

    def _add_tabs(self) -> None:
        rooms = (self.runs, self.schedules, self.locks, self.runbooks)
        tabs = dict(tab for room in rooms for tab in room.tabs())
        for title in TABS:
            self.detail.add_tab(title, tabs[title])

    def _connect(self) -> None:
        self.page.selected.connect(self._select)
        self.detail.step_asked.connect(self.step_asked)
        for room in (self.jobs, self.runs, self.schedules, self.locks, self.runbooks, self.settings):
            room.changed.connect(self.changed)
        for tabbed in (self.runs, self.runbooks):
            tabbed.tab_asked.connect(self.detail.show_tab)
        self.runbooks.run_asked.connect(self.run_asked)
        self.locks.stop_asked.connect(self._stop)
        self.jobs.schedule_asked.connect(self.schedules.edit)
        self.runbooks.edit_job_asked.connect(self.jobs.edit)
        self.page.settings_asked.connect(self.settings.open)

    def show(self, snapshot: Snapshot) -> None:
        """Show a new judgement of all jobs; what is selected stays selected."""
        self._snapshot = snapshot
        self.page.set_snapshot(snapshot)
        self.window.show_snapshot(snapshot)
        self._select(self.page.selected_row())

    def show_nothing(self, snapshot: Snapshot, error: Exception) -> None:
        """Show what kept us from looking, and no job; `snapshot` is the blind one."""
        self._snapshot = snapshot
        self.page.show_error(error)
        self.window.show_nothing()
        self._select(None)

    def tick(self, now: datetime) -> None:
        """Bring what counts seconds up to date."""
        self.page.set_now(now)
        self.window.set_now(now)

    def close(self) -> None:
        """Close every window of every room."""
        self.runs.close()
        self.window.hide()

    def _select(self, row: JobRow | None) -> None:
        self._row = row
        if self._snapshot is None:
            return
        self.window.show_row(row)
        self.detail.show_row(row, self._snapshot)
        for room in (self.runs, self.schedules, self.locks, self.runbooks):
            room.show_row(row, self._snapshot)

    def _stop(self, job_id: str) -> None:
        rows = self._snapshot.rows if self._snapshot else ()
        for row in rows:
            if row.job_id == job_id:
                self.runs.stop(row)
