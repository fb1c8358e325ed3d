"""The room of jobs: the list, and the form that adds and edits them, with the services behind it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from ridgeline_desktop.core.drafts import DraftProblem, JobDraft
from ridgeline_desktop.core.errors import JobFileMoved, UnknownJob
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.jobs.page import JobsPage
from ridgeline_desktop.gui.kit.feedback import Feedback, ask
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.editing import Editing, JobSource, Saved

if TYPE_CHECKING:
    from ridgeline_desktop.gui.jobs.job_dialog import JobDialog
    from ridgeline_desktop.gui.kit.text_editor import TextEditor


class JobsRoom(QObject):
    """`changed` says that something was written; `added(str)` carries the new job's id.

    `schedule_asked(str)` asks for the schedule form of a job.
    """

    changed = Signal()
    added = Signal(str)
    schedule_asked = Signal(str)

    def __init__(self, *, editing: Editing, tasks: Tasks, feedback: Feedback, clock: Clock) -> None:
        super().__init__()
        self.page = JobsPage()
        self._editing, self._tasks, self._feedback = editing, tasks, feedback
        self._dialog: JobDialog | None = None
        self._editor: TextEditor | None = None
        self._opening = False
        self._asked = 0
        self._new_id = ""
        self.page.add_asked.connect(self.add)
        self.page.table.jobs.modelReset.connect(self._select_new, Qt.ConnectionType.QueuedConnection)

    @property
    def dialog(self) -> "JobDialog | None":
        """The form that is open, None where none is."""
        return self._dialog

    @property
    def editor(self) -> "TextEditor | None":
        """The editor for a job file that is not in order, None where none is open."""
        return self._editor

    @Slot()
    def add(self) -> None:
        """Open the form for a new job; what is open already comes to the front instead."""
        if not self._is_open():
            self._open(None)

    def edit(self, job_id: str) -> None:
        """Open the form for a job that is there, or its file as text where that is not in order.

        What is open already comes to the front instead.
        """
        if self._is_open():
            return
        self._opening = True
        work = partial(self._editing.source, job_id)
        self._tasks.run(work, then=self._open, failed=partial(self._no_form, job_id))

    def _is_open(self) -> bool:
        """Whether a form is open or about to be."""
        shown = self._dialog or self._editor
        if shown is None:
            return self._opening
        shown.raise_()
        shown.activateWindow()
        return True

    def _open(self, source: JobSource | None) -> None:
        from ridgeline_desktop.gui.jobs.job_dialog import JobDialog  # rarely opened, it would slow starts

        self._opening = False
        self._dialog = dialog = JobDialog(source, parent=self.page.window())
        dialog.check_wanted.connect(self._check)
        dialog.save_wanted.connect(self._save)
        dialog.theirs_wanted.connect(self._take_theirs)
        dialog.finished.connect(self._closed)
        dialog.ask_check()
        dialog.open()

    def _no_form(self, job_id: str, error: Exception) -> None:
        if not isinstance(error, UnknownJob):
            self._not_opened(error)
            return
        work = partial(self._editing.source_text, job_id)
        self._tasks.run(work, then=partial(self._open_text, job_id), failed=self._not_opened)

    def _open_text(self, job_id: str, text: str) -> None:
        from ridgeline_desktop.gui.jobs.text_dialog import job_text_editor  # rarely opened

        self._opening = False
        self._editor = editor = job_text_editor(
            job_id,
            text,
            editing=self._editing,
            tasks=self._tasks,
            feedback=self._feedback,
            parent=self.page.window(),
        )
        editor.saved.connect(self._tell_saved)
        editor.finished.connect(self._closed)
        editor.open()

    def _not_opened(self, error: Exception) -> None:
        self._opening = False
        what = self.tr("The job cannot be edited here.")
        self._feedback.fail(trouble_of(error, what=what, safe=self.tr("Nothing was changed.")))

    @Slot()
    def _closed(self) -> None:
        self._dialog = self._editor = None
        self._asked += 1

    @Slot(object)
    def _check(self, draft: JobDraft) -> None:
        if self._dialog is not None:
            self._asked += 1
            work = partial(self._editing.check_job, draft, is_new=self._dialog.source is None)
            self._tasks.run(work, then=partial(self._checked, self._asked))

    def _checked(self, number: int, problems: tuple[DraftProblem, ...]) -> None:
        if number == self._asked and self._dialog is not None:
            self._dialog.show_problems(problems)

    @Slot(object)
    def _save(self, draft: JobDraft) -> None:
        if self._dialog is None:
            return
        source = self._dialog.source
        if self._dialog.outcome is not None:
            work = partial(_save_anew, self._editing, draft)
        elif source is not None and draft == source.details:
            self._feedback.say(self.tr("Nothing was changed."))
            self._dialog.done_with()
            return
        else:
            work = partial(self._editing.save_job, source, draft)
        self._tasks.run(work, then=self._saved, failed=self._not_saved)

    def _saved(self, saved: Saved) -> None:
        if self._dialog is None:
            return
        if saved.problems:
            self._dialog.show_not_saved(saved.problems)
            return
        is_new = self._dialog.source is None
        self._dialog.done_with()
        self._tell_saved(saved)
        if is_new:
            self._new_id = saved.job_id
            self.added.emit(saved.job_id)
            self._offer_schedule(saved.job_id)

    @Slot(object)
    def _tell_saved(self, saved: Saved) -> None:
        self._feedback.say(saved.sentence, partial(self._undo, saved) if saved.undo is not None else None)
        self.changed.emit()

    @Slot()
    def _select_new(self) -> None:
        """Select the job that was added, once the list has it."""
        if self._new_id:
            self.page.select(self._new_id)
            row = self.page.selected_row()
            if row is not None and row.job_id == self._new_id:
                self._new_id = ""

    def _offer_schedule(self, job_id: str) -> None:
        ask(
            self.page.window(),
            title=self.tr("The job is added"),
            text=self.tr("It runs only by hand so far. Should it run by itself too?"),
            confirm=self.tr("Set a schedule…"),
            cancel=self.tr("Only by hand for now"),
            then=partial(self.schedule_asked.emit, job_id),
        )

    def _not_saved(self, error: Exception) -> None:
        if self._dialog is None:
            return
        if isinstance(error, JobFileMoved) and self._dialog.source is not None:
            self._dialog.show_moved(error)
            return
        self._dialog.show_not_saved()
        what, safe = self.tr("The job was not saved."), self.tr("What you typed is still in the form.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    @Slot()
    def _take_theirs(self) -> None:
        if self._dialog is not None and self._dialog.source is not None:
            work = partial(self._editing.source, self._dialog.source.job_id)
            self._tasks.run(work, then=self._begin_again, failed=self._not_saved)

    def _begin_again(self, source: JobSource) -> None:
        if self._dialog is not None:
            self._dialog.show_source(source)

    def _undo(self, saved: Saved) -> None:
        self._tasks.run(partial(self._editing.undo, saved), then=self._undone, failed=self._not_undone)

    def _undone(self, saved: Saved) -> None:
        self._feedback.say(saved.sentence)
        self.changed.emit()

    def _not_undone(self, error: Exception) -> None:
        what = self.tr("The change was not taken back.")
        self._feedback.fail(trouble_of(error, what=what, safe=self.tr("The job stays as it was saved.")))


def _save_anew(editing: Editing, draft: JobDraft) -> Saved:
    """Save a draft over what the file says by now, whoever wrote it."""
    return editing.save_job(editing.source(draft.job_id), draft)
