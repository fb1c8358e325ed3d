"""One schedule form that is open: carries its questions to the services, and their answers back."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.drafts import ScheduleDraft
from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.gui.kit.zone_box import zone_names
from ridgeline_desktop.gui.schedules.dialog import ScheduleDialog
from ridgeline_desktop.services.editing import Editing, JobSource, Saved
from ridgeline_desktop.services.previews import SchedulePreview


class OpenForm(QObject):
    """`saved` carries what was written, a `Saved`; `finished` says that the form is closed.

    The form is seen once it is known what it means, so that it has its height from the start.
    """

    saved = Signal(object)
    finished = Signal()

    def __init__(
        self,
        source: JobSource,
        *,
        editing: Editing,
        tasks: Tasks,
        feedback: Feedback,
        clock: Clock,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._editing, self._tasks, self._feedback = editing, tasks, feedback
        self._source = source
        self._asked, self._is_seen = 0, False
        self.dialog = ScheduleDialog(source, clock=clock, parent=window)
        self.dialog.check_wanted.connect(self._preview)
        self.dialog.save_wanted.connect(self._save)
        self.dialog.undo_wanted.connect(self._undo)
        self.dialog.theirs_wanted.connect(self._take_theirs)
        self.dialog.finished.connect(self.finished)
        self._preview(source.schedule)
        tasks.run(zone_names, then=self._offer_zones)

    @Slot(object)
    def _preview(self, draft: ScheduleDraft) -> None:
        self._asked += 1
        work = partial(self._editing.preview, self._source, draft)
        self._tasks.run(work, then=partial(self._previewed, self._asked), failed=self._not_previewed)

    def _previewed(self, number: int, preview: SchedulePreview) -> None:
        if number == self._asked:
            self.dialog.show_preview(preview)
            self._let_it_be_seen()

    def _not_previewed(self, error: Exception) -> None:
        self._let_it_be_seen()
        what, safe = self.tr("Nobody can say when it would run."), self.tr("Nothing was changed.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    def _let_it_be_seen(self) -> None:
        if not self._is_seen:
            self._is_seen = True
            self.dialog.open()

    def _offer_zones(self, zones: tuple[str, ...]) -> None:
        self.dialog.form.zone.offer(zones)

    @Slot(object)
    def _save(self, draft: ScheduleDraft) -> None:
        if self.dialog.outcome is not None:
            work = partial(_save_anew, self._editing, self._source.job_id, draft)
        elif draft == self._source.schedule:
            self._feedback.say(self.tr("Nothing was changed."))
            self.dialog.done_with()
            return
        else:
            work = partial(self._editing.save_schedule, self._source, draft)
        self._tasks.run(work, then=self._saved, failed=self._not_saved)

    def _saved(self, saved: Saved) -> None:
        if saved.problems:
            self.dialog.show_not_saved(saved.problems)
            return
        self.saved.emit(saved)
        if saved.done and saved.difference is None:
            self.dialog.done_with()
        else:
            self.dialog.show_difference(saved)

    def _not_saved(self, error: Exception) -> None:
        if isinstance(error, JobFileMoved):
            self.dialog.show_moved(error)
            return
        self.dialog.show_not_saved()
        what = self.tr("The schedule was not saved.")
        safe = self.tr("What you typed is still in the form.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    @Slot(object)
    def _undo(self, saved: Saved) -> None:
        self._tasks.run(partial(self._editing.undo, saved), then=self._undone, failed=self._not_saved)

    def _undone(self, saved: Saved) -> None:
        self.saved.emit(saved)
        self.dialog.done_with()

    @Slot()
    def _take_theirs(self) -> None:
        work = partial(self._editing.source, self._source.job_id)
        self._tasks.run(work, then=self._begin_again, failed=self._not_saved)

    def _begin_again(self, source: JobSource) -> None:
        self._source = source
        self.dialog.show_source(source)


def _save_anew(editing: Editing, job_id: str, draft: ScheduleDraft) -> Saved:
    """Save a draft over what the file says by now, whoever wrote it."""
    return editing.save_schedule(editing.source(job_id), draft)
