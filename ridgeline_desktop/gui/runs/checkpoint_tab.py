"""How far a job's script has come, and what that means for its next run."""

from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QShowEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from ridgeline_desktop.core.by_hand import Checkpoint
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import ago_text, utc_text, when_text
from ridgeline_desktop.services.runs import Runs


class CheckpointTab(QWidget):
    """Shows the saved progress of one job, and reads it only while it can be seen."""

    def __init__(self, *, runs: Runs, tasks: Tasks, clock: Clock) -> None:
        super().__init__()
        self._runs, self._tasks, self._clock = runs, tasks, clock
        self._zone: ZoneInfo | None = None
        self._wanted: tuple[str, object] | None = None
        self._loaded: tuple[str, object] | None = None
        self.saved = _label()
        font = self.saved.font()
        font.setBold(True)
        self.saved.setFont(font)
        self.meaning = _label()
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.tr("What the job saved"))
        layout = QVBoxLayout(self)
        for widget in (self.saved, self.meaning):
            layout.addWidget(widget)
        layout.addWidget(self.text, 1)
        layout.addStretch(0)
        self.show_job("", state=None, zone=None)

    def show_job(self, job_id: str, *, state: object, zone: ZoneInfo | None) -> None:
        """Show this job's progress ("" = none); it is read anew when `state` is another than before."""
        self._zone = zone
        self._wanted = (job_id, state) if job_id else None
        if self._wanted is None:
            self._loaded = None
            self._say("", "")
        elif self.isVisible():
            self._load()

    def _load(self) -> None:
        wanted = self._wanted
        if wanted is None or wanted == self._loaded:
            return
        if self._loaded is None or self._loaded[0] != wanted[0]:
            self._say("", "")
        self._loaded = wanted
        self._tasks.run(partial(_read, self._runs, wanted[0]), then=self._take, failed=self._fail)

    def _take(self, answer: tuple[str, Checkpoint | None]) -> None:
        job_id, found = answer
        if self._wanted is None or job_id != self._wanted[0] or self._zone is None:
            return
        if found is None:
            self._say(
                self.tr("This job has saved no progress."),
                self.tr("Each of its runs starts from the beginning, or keeps its place somewhere else."),
            )
            return
        now = self._clock.now()
        when = when_text(found.saved_at, zone=self._zone, now=now)
        ago = ago_text(found.saved_at, now=now)
        saved = self.tr("Saved {when}, {ago}").format(when=when, ago=ago)
        if found.sentence:
            saved = self.tr("The next run {continues}").format(continues=found.sentence) + " · " + saved
        meaning = self.tr("A run that stops half-way leaves this note. The next one goes on from here.")
        self._say(saved, meaning, found.text)
        self.saved.setToolTip(utc_text(found.saved_at))

    def _fail(self, error: Exception) -> None:
        self._loaded = None
        self._say(self.tr("The saved progress cannot be read."), str(error))

    def _say(self, saved: str, meaning: str, text: str = "") -> None:
        self.saved.setText(saved)
        self.saved.setToolTip("")
        self.meaning.setText(meaning)
        self.text.setPlainText(text)
        self.text.setVisible(bool(text))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Read what has been asked for meanwhile."""
        super().showEvent(event)
        self._load()


def _label() -> QLabel:
    label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _read(runs: Runs, job_id: str) -> tuple[str, Checkpoint | None]:
    return job_id, runs.checkpoint(job_id)
