"""The window "When should … run?": the form, what it means, and what became of saving it."""

from PySide6.QtCore import QDate, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.drafts import Repeat
from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.form_dialog import FormDialog
from ridgeline_desktop.gui.kit.moved_card import MovedCard
from ridgeline_desktop.gui.schedules.form import ScheduleForm
from ridgeline_desktop.gui.schedules.outcomes import DifferenceCard, said_by
from ridgeline_desktop.gui.schedules.preview import PreviewPane
from ridgeline_desktop.services.editing import JobSource, Saved
from ridgeline_desktop.services.previews import SchedulePreview

PREVIEW_PAUSE_MS = 30


class ScheduleDialog(FormDialog):
    """`check_wanted` asks what a draft means; the room answers with `show_preview`."""

    undo_wanted = Signal(object)
    theirs_wanted = Signal()

    def __init__(self, source: JobSource, *, clock: Clock, parent: QWidget | None = None) -> None:
        form, preview = ScheduleForm(), PreviewPane()
        super().__init__(form, preview, parent=parent)
        self.form, self.preview = form, preview
        self.setWindowTitle(self.tr("When should “{0}” run?").format(source.job.title))
        self.save.setText(self.tr("&Save schedule"))
        self._clock = clock
        self._sentence = ""
        self._fitted_kind: Repeat | None = None
        self._pause.setInterval(PREVIEW_PAUSE_MS)
        self.preview.time_wanted.connect(self._use_time)
        self.show_source(source)

    def show_source(self, source: JobSource) -> None:
        """Show what the job's file says, in place of whatever the form shows."""
        now = self._clock.now().astimezone(source.around.shop.zone)
        self.drop_outcome()
        self.form.set_draft(
            source.schedule,
            shop_zone=source.around.shop.zone.key,
            today=QDate(now.year, now.month, now.day),
        )
        self._set_saving(False)
        self.ask_check()

    def show_preview(self, preview: SchedulePreview) -> None:
        """Show what the form means, or what is wrong with it."""
        self.show_problems((*self.form.own_problems(), *preview.problems))
        draft = self.form.draft()
        if any(problem.blocks for problem in self._problems):
            self.preview.show_problems()
        else:
            self._sentence = preview.sentence
            times = draft.times if draft.repeat not in (Repeat.EVERY, Repeat.CUSTOM) else ()
            self.preview.show_preview(preview, times, now=self._clock.now())
        if draft.repeat is not self._fitted_kind:
            self._fitted_kind = draft.repeat
            self.fit()

    def show_difference(self, saved: Saved) -> None:
        """Say that the file is saved, but that the computer's schedule does not say the same."""
        card = DifferenceCard(saved)
        card.again_wanted.connect(self._save)
        card.undo_wanted.connect(self._undo)
        self.show_outcome(card)

    def show_moved(self, error: JobFileMoved) -> None:
        """Say that somebody changed the job's file meanwhile, and show both."""
        theirs = said_by(error.theirs) if error.theirs is not None else ""
        card = MovedCard(error, mine=self._sentence, theirs=theirs)
        card.mine_wanted.connect(self._save)
        card.theirs_wanted.connect(self.theirs_wanted)
        self.show_outcome(card)

    def _would_lose(self) -> bool:
        return not self._is_written() and super()._would_lose()

    def _loss(self) -> str:
        return self.tr("What you changed in this form has not been saved. The job keeps its schedule.")

    def _saving_words(self) -> str:
        return self.tr("Saving, then reading it back from this computer's schedule…")

    def _is_written(self) -> bool:
        return isinstance(self.outcome, DifferenceCard)

    @Slot()
    def _save(self) -> None:
        if not self.form.own_problems():
            super()._save()

    @Slot()
    def _undo(self) -> None:
        if isinstance(self.outcome, DifferenceCard):
            self._set_saving(True)
            self.undo_wanted.emit(self.outcome.saved)

    @Slot(str, str)
    def _use_time(self, old: str, new: str) -> None:
        self.form.use_time(old, new)
        self.ask_check()

    def _show_state(self) -> None:
        super()._show_state()
        self.cancel.setText(self.tr("Close") if self._is_written() else self.tr("Cancel"))
