"""How the job stands right now, above its runbook."""

from datetime import datetime

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.cards import Mark
from ridgeline_desktop.gui.kit.icons import Shape, icon, shape_of
from ridgeline_desktop.gui.kit.palette import is_dark_palette
from ridgeline_desktop.gui.kit.words import health_word, utc_text, when_text


class LiveFacts(QWidget):
    """The light with its word, the last success and the next run; `run_asked` = run the job now."""

    run_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = Mark(Shape.UNKNOWN, scale=1.3)
        self._light = QLabel()
        font = self._light.font()
        font.setBold(True)
        self._light.setFont(font)
        self._times = QLabel()
        self._times.setWordWrap(True)
        self._times.setForegroundRole(self._times.palette().ColorRole.PlaceholderText)
        for label in (self._light, self._times):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.run_button = QPushButton(self.tr("Run now"))
        self.run_button.clicked.connect(self.run_asked)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._light)
        words.addWidget(self._times)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark)
        row.addLayout(words, 1)
        row.addWidget(self.run_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._colour()

    def show_row(self, row: JobRow, snapshot: Snapshot) -> None:
        """Show how the job stands in this snapshot."""
        word = health_word(row.health, row.quiet)
        self._mark.set_shape(Shape.RUNNING if row.running else shape_of(row))
        self._light.setText(self.tr("Running now") if row.running else word)
        self._times.setText(self._times_text(row, snapshot))
        self._times.setToolTip(utc_text(row.last_success.finished_at) if row.last_success else "")
        self.run_button.setEnabled(row.running is None and row.job is not None)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the button's picture in the colours there are now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()

    def _colour(self) -> None:
        self.run_button.setIcon(icon(Shape.RUN, dark=is_dark_palette(self.palette())))

    def text(self) -> str:
        """What is said, as one sentence."""
        return f"{self._light.text()}. {self._times.text()}"

    def _times_text(self, row: JobRow, snapshot: Snapshot) -> str:
        def inside(moment: datetime) -> str:
            text = when_text(moment, zone=snapshot.zone, now=snapshot.taken_at)
            near = text.startswith(("Today", "Tomorrow", "Yesterday"))
            return text[:1].lower() + text[1:] if near else text

        if row.last_success is None:
            last = self.tr("No success yet")
        else:
            ended = row.last_success.finished_at or row.last_success.started_at
            last = self.tr("Last success {when}").format(when=inside(ended))
        if row.next_fire is None:
            following = self.tr("starts only by hand") if row.job and not row.job.is_scheduled else ""
        else:
            following = self.tr("next run {when}").format(when=inside(row.next_fire))
        return " · ".join(part for part in (last, following) if part)
