"""Two small boxes of the Help menu: the keys that do something, and what Ridgeline is."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from ridgeline_desktop import __version__
from ridgeline_desktop.gui.kit.cards import plain_label
from ridgeline_desktop.gui.kit.feedback import text_label
from ridgeline_desktop.gui.kit.icons import app_icon

translate = QCoreApplication.translate
PICTURE, MARGIN = 48, 16


def shortcuts_box(actions: Iterable[QAction], parent: QWidget) -> QDialog:
    """A box that lists these actions' keys, and those of the list of jobs; the caller opens it."""
    box = _box(translate("help", "Keyboard shortcuts"), parent)
    grid = QGridLayout()
    grid.setHorizontalSpacing(24)
    grid.setVerticalSpacing(7)
    for line, (keys, text) in enumerate((*_keys_of(actions), *_keys_of_the_list())):
        for column, label in enumerate((plain_label(keys, is_bold=True), plain_label(text))):
            label.setWordWrap(False)
            grid.addWidget(label, line, column)
    grid.setColumnStretch(1, 1)
    _finish(box, grid)
    return box


def about_box(parent: QWidget) -> QDialog:
    """A box that says what Ridgeline is and which version; the caller opens it."""
    box = _box(translate("help", "About Ridgeline"), parent)
    grid = QGridLayout()
    grid.setHorizontalSpacing(16)
    picture = QLabel()
    picture.setPixmap(app_icon().pixmap(PICTURE, PICTURE))
    title = plain_label(translate("help", "Ridgeline {version}").format(version=__version__), is_bold=True)
    font = title.font()
    font.setPointSizeF(font.pointSizeF() * 1.3)
    title.setFont(font)
    words = translate(
        "help",
        "Watches the jobs that run by themselves, says when one falls silent and why, and runs them by hand. "
        "Jobs on this computer's schedule keep running while this window is closed.",
    )
    grid.addWidget(picture, 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
    grid.addWidget(title, 0, 1)
    grid.addWidget(text_label(words), 1, 1)
    _finish(box, grid)
    return box


def _box(title: str, parent: QWidget) -> QDialog:
    box = QDialog(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    return box


def _finish(box: QDialog, grid: QGridLayout) -> None:
    column = QVBoxLayout(box)
    column.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    column.setSpacing(14)
    column.addLayout(grid)
    column.addStretch(1)
    buttons = QDialogButtonBox()
    buttons.addButton(translate("help", "Close"), QDialogButtonBox.ButtonRole.RejectRole)
    buttons.rejected.connect(box.reject)
    column.addWidget(buttons)


def _keys_of(actions: Iterable[QAction]) -> list[tuple[str, str]]:
    form = QKeySequence.SequenceFormat.NativeText
    found: dict[str, list[str]] = {}
    for action in actions:
        if not action.shortcut().isEmpty():
            found.setdefault(action.shortcut().toString(form), []).append(action.text().rstrip("…"))
    return [(keys, ", ".join(texts)) for keys, texts in found.items()]


def _keys_of_the_list() -> tuple[tuple[str, str], ...]:
    return (
        (translate("help", "Up, Down, Home, End"), translate("help", "Go through the list of jobs")),
        (translate("help", "Letters"), translate("help", "Go to the job whose name begins with them")),
        (translate("help", "Enter"), translate("help", "Go from the list to the job's details")),
        (translate("help", "Escape"), translate("help", "Empty the box to find a job")),
    )
