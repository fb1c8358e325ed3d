"""The windows "Add a job" and "Edit …": the form, what is wrong with it, and saving."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.gui.jobs.job_form import JobForm
from ridgeline_desktop.gui.kit.form_dialog import FormDialog
from ridgeline_desktop.gui.kit.moved_card import MovedCard
from ridgeline_desktop.services.editing import JobSource


class JobDialog(FormDialog):
    """`check_wanted` asks what is wrong with a draft; the room answers with `show_problems`.

    `source` is the job file that the form began with, None for a new job.

    While a job is being added, what is merely not filled in yet is not held against it before [Add job].
    """

    theirs_wanted = Signal()

    def __init__(self, source: JobSource | None, *, parent: QWidget | None = None) -> None:
        form = JobForm(is_new=source is None)
        super().__init__(form, parent=parent)
        self.form = form
        self.source = source
        self._is_new, self._tried = source is None, False
        title = source.job.title if source else ""
        self.setWindowTitle(self.tr("Edit “{0}”").format(title) if source else self.tr("Add a job"))
        self.save.setText(self.tr("Sav&e job") if source else self.tr("Add &job"))
        if source is not None:
            self.show_source(source)
        self.form.title.setFocus()

    def show_source(self, source: JobSource) -> None:
        """Show what the job's file says, in place of whatever the form shows."""
        self.source = source
        self.drop_outcome()
        self.form.set_draft(source.details, source.job)
        self._set_saving(False)
        self.ask_check()

    def show_not_saved(self, problems: tuple[DraftProblem, ...] = ()) -> None:
        """Let the person go on: nothing was saved, for these reasons or for one told elsewhere."""
        self._tried = self._tried or bool(problems)
        super().show_not_saved(problems)

    def show_moved(self, error: JobFileMoved) -> None:
        """Say that somebody changed the job's file meanwhile, and show both."""
        card = MovedCard(error)
        card.mine_wanted.connect(self._save)
        card.theirs_wanted.connect(self.theirs_wanted)
        self.show_outcome(card)

    @Slot()
    def _save(self) -> None:
        self._tried = True
        super()._save()

    def _held_against_it(self) -> tuple[DraftProblem, ...]:
        if self._tried or not self._is_new:
            return self._problems
        touched = self.form.touched()
        return tuple(problem for problem in self._problems if problem.field in touched)
