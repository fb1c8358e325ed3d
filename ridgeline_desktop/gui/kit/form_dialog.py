"""The window around a form: says what is wrong with it, saves it, and asks before anything typed is lost."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
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
from ridgeline_desktop.gui.kit.cards import Card
from ridgeline_desktop.gui.kit.draft_form import DraftForm
from ridgeline_desktop.gui.kit.feedback import ask

TYPING_PAUSE_MS = 120
LETTERS_WIDE = 108
TITLE_BAR_LINES = 2


class FormDialog(QDialog):
    """Says what a person asks for, as drafts; a room answers with `show_…`.

    `outcome` is a card above the form about what became of saving; while there is one, only its own buttons
    save. The window is as high as what it holds; where the screen ends, that scrolls.
    """

    check_wanted = Signal(object)
    save_wanted = Signal(object)

    def __init__(self, form: DraftForm[Any], *below: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._form, self._saving = form, False
        self._problems: tuple[DraftProblem, ...] = ()
        self.outcome: Card | None = None
        self.save, self.cancel = QPushButton(self.tr("Save")), QPushButton(self.tr("Cancel"))
        self.status = QLabel()
        self.status.setWordWrap(True)
        self._pause, self._fitting = QTimer(self), QTimer(self)
        self._pause.setInterval(TYPING_PAUSE_MS)
        for timer, then in ((self._pause, self.ask_check), (self._fitting, self._fit)):
            timer.setSingleShot(True)
            timer.timeout.connect(then)
        self._lay_out(below)
        self._may_shrink, self._fitted_height = True, self.height()
        form.changed.connect(self._pause.start)
        self.save.clicked.connect(self._save)
        self.cancel.clicked.connect(self.reject)

    @Slot()
    def ask_check(self) -> None:
        """Ask what is to be said about the form as it stands."""
        self._pause.stop()
        self.check_wanted.emit(self._form.draft())

    def show_problems(self, problems: tuple[DraftProblem, ...]) -> None:
        """Show all that is wrong with the form."""
        self._problems = problems
        self._form.set_problems(self._held_against_it())
        self._show_state()

    def show_not_saved(self, problems: tuple[DraftProblem, ...] = ()) -> None:
        """Let the person go on: nothing was saved, for these reasons or for one told elsewhere."""
        self._set_saving(False)
        if problems:
            self.show_problems(problems)
            self._form.focus_first_problem()

    def show_outcome(self, card: Card) -> None:
        """Put a card about what became of saving above the form, and let the person go on."""
        self.drop_outcome()
        self.outcome = card
        self._outcomes.addWidget(card)
        self._set_saving(False)
        QTimer.singleShot(0, self._look_at_outcome)

    def drop_outcome(self) -> None:
        """Take the card away, where there is one."""
        if self.outcome is not None:
            self._outcomes.removeWidget(self.outcome)
            self.outcome.hide()
            self.outcome.deleteLater()
            self.outcome = None

    def done_with(self) -> None:
        """Close, whatever the form says."""
        self._saving = False
        self.accept()

    def reject(self) -> None:
        """Close; where something would be lost, ask first. Nothing happens while it is being saved."""
        if self._saving:
            return
        if not self._would_lose():
            super().reject()
            return
        ask(
            self,
            title=self.tr("Throw your changes away?"),
            text=self._loss(),
            confirm=self.tr("Throw them away"),
            cancel=self.tr("Keep editing"),
            then=self._throw_away,
        )

    def fit(self) -> None:
        """Be as high as what is shown, even if that is less than before; what a person chose stays."""
        self._may_shrink = True
        if self.isVisible():
            self._fitting.start()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Be as high as the form before anybody sees it, and once more when all of it is laid out."""
        if not event.spontaneous():
            self._fit()
            self.fit()
        super().showEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Grow when the form needs more room."""
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fitting.start()
        return super().eventFilter(watched, event)

    def _held_against_it(self) -> tuple[DraftProblem, ...]:
        """The problems to show by now."""
        return self._problems

    def _would_lose(self) -> bool:
        """Whether closing loses something that a person did."""
        return self._form.is_changed

    def _loss(self) -> str:
        """What closing would lose, in words."""
        return self.tr("What you changed in this form has not been saved.")

    def _saving_words(self) -> str:
        return self.tr("Saving…")

    @Slot()
    def _throw_away(self) -> None:
        super().reject()

    @Slot()
    def _save(self) -> None:
        self._pause.stop()
        self._set_saving(True)
        self.save_wanted.emit(self._form.draft())

    def _set_saving(self, saving: bool) -> None:
        self._saving = saving
        for widget in (self._form, self.cancel, self.outcome):
            if widget is not None:
                widget.setEnabled(not saving)
        self._show_state()

    def _show_state(self) -> None:
        held = self._held_against_it()
        count = sum(problem.blocks for problem in held)
        self.save.setEnabled(not count and not self._saving and self.outcome is None)
        if self._saving:
            text = self._saving_words()
        elif count == 1:
            text = self.tr("One problem to put right before it can be saved")
        elif count:
            text = self.tr("{count} problems to put right before it can be saved").format(count=count)
        else:
            text = self.tr("It can be saved all the same.") if held else ""
        self.status.setText(text)

    @Slot()
    def _look_at_outcome(self) -> None:
        if self.outcome is not None:
            self._scroll.ensureWidgetVisible(self.outcome)

    @Slot()
    def _fit(self) -> None:
        may_shrink, self._may_shrink = self._may_shrink, False
        height = self._height_wanted()
        is_as_it_was = self.height() == self._fitted_height
        if is_as_it_was and (may_shrink or height > self.height()):
            # A scroll bar that is there makes lines wrap, and so stays even where there is room without it.
            self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.resize(self.width(), height)
            self._box.activate()
            self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            self._fitted_height = self.height()
            self._stay_on_screen()

    def _height_wanted(self) -> int:
        """The height of all that the window holds, or what the screen has for it."""
        self._box.activate()
        around = self.height() - self._scroll.height()
        title_bar = self.frameGeometry().height() - self.height()
        title_bar = title_bar or self.fontMetrics().lineSpacing() * TITLE_BAR_LINES
        most = self.screen().availableGeometry().height() - title_bar
        return min(around + self._inside.heightForWidth(self._scroll.width()), most)

    def _stay_on_screen(self) -> None:
        screen = self.screen().availableGeometry()
        below = self.frameGeometry().bottom() - screen.bottom()
        if below > 0:
            self.move(self.x(), max(self.y() - below, screen.top()))

    def _lay_out(self, below: tuple[QWidget, ...]) -> None:
        self._inside, self._outcomes, self._scroll = QWidget(), QVBoxLayout(), QScrollArea()
        column = QVBoxLayout(self._inside)
        column.setSpacing(12)
        column.addLayout(self._outcomes)
        for widget in (self._form, *below):
            column.addWidget(widget)
        column.addStretch(1)
        self._inside.installEventFilter(self)
        self._scroll.setWidget(self._inside)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        buttons = QHBoxLayout()
        buttons.addWidget(self.status, 1)
        for button in (self.save, self.cancel):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self._box = QVBoxLayout(self)
        self._box.addWidget(self._scroll, 1)
        self._box.addLayout(buttons)
        width = self.fontMetrics().averageCharWidth() * LETTERS_WIDE
        self.resize(min(width, self.screen().availableGeometry().width()), self.sizeHint().height())
