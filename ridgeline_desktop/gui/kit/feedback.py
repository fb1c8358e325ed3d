"""What a window says back: a bar with [Undo], a box for what did not work, and a question."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone, plain_label
from ridgeline_desktop.gui.kit.icons import Shape, icon
from ridgeline_desktop.gui.kit.owners import is_there, owner_of
from ridgeline_desktop.gui.kit.palette import is_dark_palette
from ridgeline_desktop.gui.kit.words import Trouble

SHOWN_FOR_MS = 10_000
MARGIN = 16
WIDTH_IN_LETTERS = 62
Action = Callable[[], None]


class Feedback(Card):
    """A bar that says what has been done, for ten seconds, and can take it back.

    It is hidden while there is nothing to say. `fail` opens a box; equal troubles are counted in it, and
    another trouble waits until it is closed.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.BLUE, parent)
        self._undo: Action | None = None
        self._open: ErrorDialog | None = None
        self._waiting: list[tuple[Trouble, Action | None, int]] = []
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._undo_button = QPushButton(self.tr("Undo"))
        self._undo_button.clicked.connect(self._take_back)
        self._close_button = QToolButton()
        self._close_button.setAutoRaise(True)
        self._close_button.setAccessibleName(self.tr("Hide this message"))
        self._close_button.setToolTip(self.tr("Hide this message"))
        self._close_button.clicked.connect(self.clear)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_FOR_MS)
        self._timer.timeout.connect(self.clear)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.addWidget(Mark(Shape.DONE))
        row.addWidget(self._text, 1)
        row.addWidget(self._undo_button)
        row.addWidget(self._close_button)
        self._colour()
        self.hide()

    def say(self, text: str, undo: Action | None = None) -> None:
        """Show a sentence for ten seconds, with [Undo] where `undo` takes back what it tells of."""
        self._undo = undo
        self._text.setText(text)
        self._undo_button.setVisible(undo is not None)
        self.show()
        self._timer.start()

    @Slot()
    def clear(self) -> None:
        """Hide the bar; what it told of can no longer be taken back from here."""
        self._undo = None
        self._timer.stop()
        self.hide()

    def fail(self, trouble: Trouble, retry: Action | None = None) -> None:
        """Open a box that says what did not work; [Try again] calls `retry`."""
        if self._open is None:
            self._open_box(trouble, retry, 1)
        elif _is_like(self._open.trouble, trouble):
            self._open.count_another()
        else:
            self._wait(trouble, retry)

    @property
    def error_box(self) -> "ErrorDialog | None":
        """The box that is open now, None where nothing has failed."""
        return self._open

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the cross in the colours there are now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        self._close_button.setIcon(icon(Shape.CLOSE, dark=is_dark_palette(self.palette())))

    @Slot()
    def _take_back(self) -> None:
        undo = self._undo
        self.clear()
        if undo is not None:
            undo()

    def _wait(self, trouble: Trouble, retry: Action | None) -> None:
        for place, (known, kept, times) in enumerate(self._waiting):
            if _is_like(known, trouble):
                self._waiting[place] = (known, kept, times + 1)
                return
        self._waiting.append((trouble, retry, 1))

    def _open_box(self, trouble: Trouble, retry: Action | None, times: int) -> None:
        self._open = ErrorDialog(trouble, retry=retry, times=times, parent=self.window())
        self._open.finished.connect(self._next)
        self._open.open()

    @Slot()
    def _next(self) -> None:
        self._open = None
        if self._waiting:
            self._open_box(*self._waiting.pop(0))


class ErrorDialog(QDialog):
    """What did not work, why, and what is still safe; [Try again] where that makes sense.

    It goes once the window is closed whose work it would try again.
    """

    def __init__(
        self,
        trouble: Trouble,
        *,
        retry: Action | None = None,
        times: int = 1,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.trouble = trouble
        self._retry, self._times = retry, times
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("This did not work"))
        self._count = text_label("")
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        box.setSpacing(10)
        box.addWidget(_heading(self, Shape.WARNING, trouble.what))
        for text in (trouble.why, trouble.safe):
            if text:
                box.addWidget(text_label(text))
        box.addWidget(self._count)
        if trouble.details:
            box.addWidget(_folded(self.tr("Technical details"), trouble.details))
        box.addStretch(1)
        box.addWidget(self._buttons())
        self._show_count()

    @property
    def times(self) -> int:
        """How often this has happened since the box opened."""
        return self._times

    def count_another(self) -> None:
        """The same has happened again."""
        self._times += 1
        self._show_count()

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole
        if self._retry is not None and is_there(self._retry):
            again = buttons.addButton(self.tr("Try again"), role.AcceptRole)
            again.clicked.connect(self._try_again)
            if owner := owner_of(self._retry):
                owner.destroyed.connect(again.hide)
        copy = buttons.addButton(self.tr("Copy details"), role.ActionRole)
        copy.clicked.connect(self._copy)
        close = buttons.addButton(self.tr("Close"), role.RejectRole)
        close.clicked.connect(self.reject)
        return buttons

    @Slot()
    def _try_again(self) -> None:
        retry = self._retry
        self.accept()
        if retry is not None and is_there(retry):
            retry()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.trouble.as_text())

    def _show_count(self) -> None:
        self._count.setVisible(self._times > 1)
        self._count.setText(self.tr("This has happened {count} times.").format(count=self._times))


class _Question(QDialog):
    """A question whose answer is what one of two buttons does."""

    def __init__(
        self, parent: QWidget, *, title: str, text: str, details: str, confirm: str, cancel: str
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        box.setSpacing(10)
        box.addWidget(_heading(self, Shape.INFO, title))
        box.addWidget(text_label(text))
        if details:
            box.addWidget(_folded(self.tr("Technical details"), details))
        box.addStretch(1)
        buttons = QDialogButtonBox()
        yes = buttons.addButton(confirm, QDialogButtonBox.ButtonRole.AcceptRole)
        no = buttons.addButton(cancel, QDialogButtonBox.ButtonRole.RejectRole)
        yes.setAutoDefault(False)
        no.setDefault(True)
        no.setFocus()
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box.addWidget(buttons)


def ask(
    parent: QWidget,
    *,
    title: str,
    text: str,
    details: str = "",
    confirm: str,
    cancel: str,
    then: Action,
) -> QDialog:
    """Ask, and call `then` where the answer is `confirm`; Escape, Enter and closing mean `cancel`.

    Does not wait: it gives the box it has opened.
    """
    box = _Question(parent, title=title, text=text, details=details, confirm=confirm, cancel=cancel)
    box.accepted.connect(then)
    box.open()
    return box


def message_box(text: str, more: str, *, title: str, parent: QWidget | None = None) -> QMessageBox:
    """A box with a sentence in bold and more below it, both to the letter; the caller adds the buttons."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setTextFormat(Qt.TextFormat.PlainText)  # it may name jobs, and markup in their names would be obeyed
    box.setText(text)
    box.setInformativeText(more)
    sentence = box.findChild(QLabel, "qt_msgbox_label")
    if isinstance(sentence, QLabel):
        sentence.ensurePolished()  # the style would take its own font back later
        font = sentence.font()
        font.setBold(True)
        sentence.setFont(font)
    return box


def text_label(text: str) -> QLabel:
    """A paragraph: plain text that wraps, can be selected, and is as wide as is good to read."""
    label = plain_label(text, is_selectable=True)
    label.setMinimumWidth(label.fontMetrics().averageCharWidth() * WIDTH_IN_LETTERS)
    return label


def _heading(parent: QWidget, shape: Shape, text: str) -> QWidget:
    holder = QWidget(parent)
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(10)
    words = text_label(text)
    font = words.font()
    font.setBold(True)
    words.setFont(font)
    row.addWidget(Mark(shape, scale=1.5), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(words, 1)
    return holder


def _folded(name: str, details: str) -> QWidget:
    from ridgeline_desktop.gui.kit.forms import Fold, details_box  # rarely needed; it would slow every start

    fold = Fold(name)
    fold.set_content(details_box(details, name=name))
    return fold


def _is_like(one: Trouble, other: Trouble) -> bool:
    """Whether two troubles say the same; their details may name other lines."""
    return (one.what, one.why) == (other.what, other.why)
