"""The room of schedules: its tab of the detail pane, and the form, with the services behind both."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.late_tab import LateTab
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.editing import Editing, JobSource, Saved
from ridgeline_desktop.services.previews import SchedulePreview

if TYPE_CHECKING:  # loaded when they are first seen: together they would slow every start
    from ridgeline_desktop.gui.schedules.dialog import ScheduleDialog
    from ridgeline_desktop.gui.schedules.open_form import OpenForm
    from ridgeline_desktop.gui.schedules.tab import ScheduleTab

Looked = tuple[JobSource, SchedulePreview]


class SchedulesRoom(QObject):
    """`changed` says that something was written, so that everybody should look again."""

    changed = Signal()

    def __init__(
        self, *, editing: Editing, tasks: Tasks, feedback: Feedback, clock: Clock, window: QWidget
    ) -> None:
        super().__init__(window)
        self._editing, self._tasks, self._feedback = editing, tasks, feedback
        self._clock, self._window = clock, window
        self._row: JobRow | None = None
        self._wanted: object = None
        self._form: OpenForm | None = None
        self._opening = False
        self._tab = LateTab(self._make_tab)

    def tabs(self) -> tuple[tuple[str, QWidget], ...]:
        """Its tab of the detail pane."""
        return ((self.tr("Schedule"), self._tab),)

    @property
    def tab(self) -> "ScheduleTab":
        """What the tab shows, made when it is first asked for."""
        return self._tab.content()

    def _make_tab(self) -> "ScheduleTab":
        from ridgeline_desktop.gui.schedules.tab import ScheduleTab

        made = ScheduleTab()
        made.change_wanted.connect(self._change)
        made.came_to_sight.connect(self._fill)
        return made

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Show this job in the tab, or none."""
        self._row = row
        if self._tab.is_made:
            self._fill()

    @property
    def dialog(self) -> "ScheduleDialog | None":
        """The form that is open, None where none is."""
        return self._form.dialog if self._form else None

    def edit(self, job_id: str) -> None:
        """Open the form for a job; one that is open already comes to the front instead."""
        if self._form is not None:
            self._form.dialog.raise_()
            self._form.dialog.activateWindow()
        elif not self._opening:
            self._opening = True
            work = partial(self._editing.source, job_id)
            self._tasks.run(work, then=self._open, failed=self._not_opened)

    def _open(self, source: JobSource) -> None:
        from ridgeline_desktop.gui.schedules.open_form import OpenForm

        self._opening = False
        self._form = OpenForm(
            source,
            editing=self._editing,
            tasks=self._tasks,
            feedback=self._feedback,
            clock=self._clock,
            window=self._window,
        )
        self._form.saved.connect(self._saved)
        self._form.finished.connect(self._closed)

    def _not_opened(self, error: Exception) -> None:
        self._opening = False
        what = self.tr("The schedule cannot be changed here.")
        safe = self.tr("Nothing was changed.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    @Slot()
    def _closed(self) -> None:
        if self._form is not None:
            self._form.deleteLater()
            self._form = None

    @Slot(object)
    def _saved(self, saved: Saved) -> None:
        undo = partial(self._undo, saved) if saved.undo is not None else None
        self._feedback.say(saved.sentence, undo)
        self.changed.emit()

    def _undo(self, saved: Saved) -> None:
        self._tasks.run(partial(self._editing.undo, saved), then=self._undone, failed=self._not_undone)

    def _undone(self, saved: Saved) -> None:
        self._feedback.say(saved.sentence)
        self.changed.emit()

    def _not_undone(self, error: Exception) -> None:
        what = self.tr("The change was not taken back.")
        self._feedback.fail(trouble_of(error, what=what, safe=self.tr("The job keeps its new schedule.")))

    @Slot()
    def _change(self) -> None:
        if self._row is not None:
            self.edit(self._row.job_id)

    @Slot()
    def _fill(self) -> None:
        row = self._row
        if row is None or row.job is None:
            self._wanted = None
            text = self.tr("Its file is not in order, so nobody can say when it runs.") if row else ""
            self.tab.show_nothing(text)
        elif self.tab.isVisible():
            self._look_up(row)

    def _look_up(self, row: JobRow) -> None:
        definition = row.job.definition if row.job else ""
        wanted = (row.job_id, definition, row.registration, row.next_fire)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        work = partial(_look_up, self._editing, row.job_id)
        self._tasks.run(work, then=partial(self._show, wanted, row), failed=partial(self._not_shown, wanted))

    def _show(self, wanted: object, row: JobRow, looked: Looked) -> None:
        if wanted == self._wanted:
            source, preview = looked
            self.tab.show_schedule(source, preview, row, now=self._clock.now())

    def _not_shown(self, wanted: object, error: Exception) -> None:
        if wanted == self._wanted:
            self._wanted = None
            self.tab.show_nothing(self.tr("Its schedule cannot be shown: {why}").format(why=error))


def _look_up(editing: Editing, job_id: str) -> Looked:
    source = editing.source(job_id)
    return source, editing.preview(source, source.schedule)
