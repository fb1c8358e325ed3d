"""The windows "Add a job" and "Edit …": the form, what is wrong with it, and saving."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.gui.jobs.job_form import JobForm
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone
from ridgeline_desktop.gui.kit.feedback import ask
from ridgeline_desktop.gui.kit.forms import Fold, details_box
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.services.editing import JobSource

TYPING_PAUSE_MS = 120
_LETTERS_WIDE, _LINES_HIGH = 108, 50


class JobDialog(QDialog):
    """Says what a person asks for, as drafts; the room answers with `show_…`.

    While a job is being added, what is merely not filled in yet is not held against it before [Add job].
    """

    check_wanted = Signal(object)
    save_wanted = Signal(object)
    theirs_wanted = Signal()

    def __init__(self, source: JobSource | None, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._is_new, self._tried, self._saving = source is None, False, False
        self._problems: tuple[DraftProblem, ...] = ()
        title = source.job.title if source else ""
        self.setWindowTitle(self.tr("Edit “{0}”").format(title) if source else self.tr("Add a job"))
        self.form = JobForm(is_new=source is None)
        self.save = QPushButton(self.tr("Sav&e job") if source else self.tr("Add &job"))
        self.cancel, self.status = QPushButton(self.tr("Cancel")), QLabel()
        self.status.setWordWrap(True)
        self.moved: MovedCard | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._lay_out()
        self.form.changed.connect(self._pause.start)
        self._pause.timeout.connect(self.ask_check)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.reject)
        if source is not None:
            self.show_source(source)
        self.form.title.setFocus()

    def show_source(self, source: JobSource) -> None:
        """Show what the job's file says, in place of whatever the form shows."""
        self._drop_moved()
        self.form.set_draft(source.details, source.job)
        self._set_saving(False)
        self.ask_check()

    @Slot()
    def ask_check(self) -> None:
        """Ask what is wrong with the form as it stands."""
        self._pause.stop()
        self.check_wanted.emit(self.form.draft())

    def show_problems(self, problems: tuple[DraftProblem, ...]) -> None:
        """Show all that is wrong with the form."""
        self._problems = problems
        self.form.set_problems(self._held_against_it())
        self._show_state()

    def show_not_saved(self, problems: tuple[DraftProblem, ...] = ()) -> None:
        """Let the person go on: nothing was saved, for these reasons or for one told elsewhere."""
        self._set_saving(False)
        if problems:
            self._tried = True
            self.show_problems(problems)
            self.form.focus_first_problem()

    def show_moved(self, error: JobFileMoved) -> None:
        """Say that somebody changed the job's file meanwhile, and show both."""
        self._drop_moved()
        self.moved = MovedCard(error)
        self.moved.mine_wanted.connect(self._save)
        self.moved.theirs_wanted.connect(self.theirs_wanted)
        self._column.insertWidget(0, self.moved)
        self._set_saving(False)
        QTimer.singleShot(0, self._look_at_moved)

    def done_with(self) -> None:
        """Close, whatever the form says."""
        self._saving = False
        self.accept()

    def reject(self) -> None:
        """Close; where something would be lost, ask first."""
        if self._saving:
            return
        if not self.form.is_changed:
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw your changes away?"),
            text=self.tr("What you changed in this form has not been saved."),
            confirm=self.tr("Throw them away"),
            cancel=self.tr("Keep editing"),
            then=self._throw_away,
        )

    @Slot()
    def _throw_away(self) -> None:
        super().reject()

    @Slot()
    def _save(self) -> None:
        self._pause.stop()
        self._tried = True
        self._set_saving(True)
        self.save_wanted.emit(self.form.draft())

    def _held_against_it(self) -> tuple[DraftProblem, ...]:
        if self._tried or not self._is_new:
            return self._problems
        touched = self.form.touched()
        return tuple(problem for problem in self._problems if problem.field in touched)

    def _set_saving(self, saving: bool) -> None:
        self._saving = saving
        for widget in (self.form, self.cancel, self.moved):
            if widget is not None:
                widget.setEnabled(not saving)
        self._show_state()

    def _show_state(self) -> None:
        held = self._held_against_it()
        count = sum(problem.blocks for problem in held)
        self.save.setEnabled(not count and not self._saving and self.moved is None)
        if self._saving:
            text = self.tr("Saving…")
        elif count == 1:
            text = self.tr("One problem to put right before it can be saved")
        elif count:
            text = self.tr("{count} problems to put right before it can be saved").format(count=count)
        elif held:
            text = self.tr("It can be saved all the same.")
        else:
            text = ""
        self.status.setText(text)

    @Slot()
    def _look_at_moved(self) -> None:
        if self.moved is not None:
            self._scroll.ensureWidgetVisible(self.moved)

    def _drop_moved(self) -> None:
        if self.moved is not None:
            self._column.removeWidget(self.moved)
            self.moved.hide()
            self.moved.deleteLater()
            self.moved = None

    def _lay_out(self) -> None:
        inside = QWidget()
        outer, self._column = QVBoxLayout(inside), QVBoxLayout()
        self._column.addWidget(self.form)
        outer.addLayout(self._column)
        outer.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QHBoxLayout()
        buttons.addWidget(self.status, 1)
        for button in (self.save, self.cancel):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        box = QVBoxLayout(self)
        box.addWidget(self._scroll, 1)
        box.addLayout(buttons)
        metrics = self.fontMetrics()
        self.resize(metrics.averageCharWidth() * _LETTERS_WIDE, metrics.lineSpacing() * _LINES_HIGH)


class MovedCard(Card):
    """The job's file was changed by somebody while the form was open; nothing was written."""

    mine_wanted = Signal()
    theirs_wanted = Signal()

    def __init__(self, error: JobFileMoved) -> None:
        super().__init__(Tone.AMBER)
        gone = error.theirs is None
        title = (
            self.tr("The job's file was taken away while you had it open. Nothing of yours has been saved.")
            if gone
            else self.tr(
                "Somebody changed this job while you had it open. Nothing of yours has been saved yet."
            )
        )
        words, heading = QLabel(title), QHBoxLayout()
        words.setWordWrap(True)
        heading.addWidget(Mark(Shape.WARNING), 0, Qt.AlignmentFlag.AlignTop)
        heading.addWidget(words, 1)
        column, texts, buttons = QVBoxLayout(self), QHBoxLayout(), QHBoxLayout()
        column.setContentsMargins(14, 10, 14, 10)
        column.addLayout(heading)
        holder, fold = QWidget(), Fold(self.tr("Technical details"))
        holder.setLayout(texts)
        for name, text in ((self.tr("Yours"), error.ours), (self.tr("Theirs"), error.theirs)):
            side = QVBoxLayout()
            side.addWidget(QLabel(name))
            side.addWidget(details_box(text or "", name=name))
            texts.addLayout(side, 1)
        fold.set_content(holder)
        column.addWidget(fold)
        self.mine, self.theirs = QPushButton(self.tr("&Keep mine")), QPushButton(self.tr("&Use theirs"))
        self.mine.clicked.connect(self.mine_wanted)
        self.theirs.clicked.connect(self.theirs_wanted)
        for button in (self.mine, self.theirs):
            button.setAutoDefault(False)
            button.setVisible(not gone)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addLayout(buttons)
