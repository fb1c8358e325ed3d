"""The tab about a job's lock: how it stands, in one sentence, and the way to the evidence."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.locks import VerdictKind
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import when_text

_SHAPES = {
    VerdictKind.FREE: Shape.OK,
    VerdictKind.HELD: Shape.RUNNING,
    VerdictKind.DEAD: Shape.WARNING,
    VerdictKind.CANNOT_TELL: Shape.UNKNOWN,
}
_TONES = {
    VerdictKind.FREE: Tone.PLAIN,
    VerdictKind.HELD: Tone.BLUE,
    VerdictKind.DEAD: Tone.AMBER,
    VerdictKind.CANNOT_TELL: Tone.GREY,
}


class LockTab(QWidget):
    """Follows the selected row; `look_asked` carries the job whose evidence a person wants to see."""

    look_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: JobRow | None = None
        self._card = Card()
        self._mark = Mark(Shape.OK, scale=1.3)
        self.sentence = _label()
        self.button = QPushButton(self.tr("Look closer…"))
        self.button.setToolTip(self.tr("Shows what is known about this lock, fact by fact"))
        self.button.clicked.connect(self._look)
        about = _label()
        about.setForegroundRole(about.palette().ColorRole.PlaceholderText)
        about.setText(self.tr("A lock keeps a job from running twice at the same time."))
        inside = QHBoxLayout(self._card)
        inside.setContentsMargins(14, 10, 12, 10)
        inside.setSpacing(10)
        inside.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self.sentence, 1)
        inside.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        box = QVBoxLayout(self)
        box.setSpacing(10)
        box.addWidget(self._card)
        box.addWidget(about)
        box.addStretch(1)
        self.setEnabled(False)

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Say how the lock of this job stands."""
        self._row = row
        self.setEnabled(row is not None)
        kind = _kind(row) if row else VerdictKind.FREE
        self._mark.set_shape(_SHAPES[kind])
        self._card.set_tone(_TONES[kind])
        self.sentence.setText(state_sentence(row, snapshot) if row else self.tr("No job is selected."))

    def _look(self) -> None:
        if self._row is not None:
            self.look_asked.emit(self._row.job_id)


def state_sentence(row: JobRow, snapshot: Snapshot) -> str:
    """How the job's lock stands, in one sentence."""
    say = QCoreApplication.translate
    if row.verdict is None:
        return say("LockTab", "The lock has not been looked at: the job file or the records are unreadable.")
    kind = row.verdict.kind
    if kind is VerdictKind.HELD and row.running is not None:
        when = when_text(row.running.started_at, zone=snapshot.zone, now=snapshot.taken_at)
        text = say("LockTab", "The run that started {when} is going on and holds the lock.")
        return text.format(when=when[:1].lower() + when[1:] if when.startswith("Today") else when)
    return {
        VerdictKind.FREE: say("LockTab", "No run holds this lock. The next run can start."),
        VerdictKind.HELD: say(
            "LockTab", "A run is going on and holds the lock. No other can start until it ends."
        ),
        VerdictKind.DEAD: say(
            "LockTab", "A run that is over has left its lock behind. It is safe to clear it."
        ),
        VerdictKind.CANNOT_TELL: say(
            "LockTab", "It cannot be told whether a run is still going on, so the lock stays."
        ),
    }[kind]


def _kind(row: JobRow) -> VerdictKind:
    """What the row says of the lock; a lock that nobody has looked at may well be held."""
    return row.verdict.kind if row.verdict else VerdictKind.CANNOT_TELL


def _label() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
