"""One run in a window of its own: how it stands, what it writes, and how to stop it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeySequence, QPalette, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.forms import DETAIL_ROWS, Fold, details_box
from ridgeline_desktop.gui.kit.icons import Shape, colour_of, icon, pixmap, shape_of_status
from ridgeline_desktop.gui.kit.palette import colours_of, is_dark_palette
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import NO_TIME, took_text, trigger_word, utc_text, when_text
from ridgeline_desktop.gui.runs.ends import end_text, usual_text
from ridgeline_desktop.gui.runs.follower import Follower, Piece
from ridgeline_desktop.gui.runs.output_view import OutputView
from ridgeline_desktop.gui.runs.saving import OutputSaver
from ridgeline_desktop.services.runs import Runs

MOST_PERCENT = 95
TICK_MS = 1000
# Those whose headline says how long they took, or that took no time.
TELLS_HOW_LONG = (RunStatus.COMPLETED, RunStatus.TIMED_OUT, RunStatus.REFUSED)


class RunConsole(QWidget):
    """Follows one run until it is over; closing the window leaves the run alone.

    `over` is emitted once, when the run has ended or did not start; `stop_asked` carries the job's id.
    `command` is what the job starts, `usual` how long its runs take, both for reading only.
    """

    over = Signal(str)
    stop_asked = Signal(str)
    closed = Signal(str)

    def __init__(
        self,
        *,
        runs: Runs,
        tasks: Tasks,
        clock: Clock,
        job_id: str,
        run_id: str,
        title: str,
        zone: ZoneInfo,
        started_at: datetime | None = None,
        usual: timedelta | None = None,
        command: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("{title}: run").format(title=title))
        self.job_id, self.run_id = job_id, run_id
        self._clock, self._zone, self._usual, self._command = clock, zone, usual, command
        self._started_at = started_at or clock.now()
        self._record: RunRecord | None = None
        self._shape, self._is_over, self._is_stopping = Shape.RUNNING, False, False
        self.details = Fold(self.tr("Technical details"))
        self._details_box = details_box("\n" * DETAIL_ROWS, name=self.tr("Technical details"))
        self.details.set_content(self._details_box)
        self.feedback = Feedback()
        self.saver = OutputSaver(runs=runs, tasks=tasks, feedback=self.feedback, parent=self)
        self._follower = Follower(runs=runs, tasks=tasks, job_id=job_id, run_id=run_id, parent=self)
        self._follower.came.connect(self._take)
        self._follower.stuck.connect(self._on_stuck)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.timeout.connect(self._show_time)
        self._lay_out(title)
        self._follower.start()
        self._show_time()

    @property
    def is_over(self) -> bool:
        """Whether the run has ended, or did not start, and everything it wrote is here."""
        return self._is_over

    def note_stopping(self) -> None:
        """The run has been asked to stop."""
        self._is_stopping = True
        self._show_time()

    def note_not_stopped(self) -> None:
        """It could not be asked to stop; it may be tried again."""
        self._is_stopping = False
        self._show_time()

    # What comes

    def _take(self, piece: Piece) -> None:
        self.output.add(piece.lines.complete, piece.lines.partial)
        self.note.hide()
        record = piece.view.record
        if record is not None:
            self._record, self._started_at = record, record.started_at
            self.output.offer_more(self.tr("Save the full output…"))
        if piece.is_over:
            self._end(piece.view.trouble, piece.telling)
        self._show_time()
        self._show_origin()
        self._show_details()

    def _end(self, trouble: str, telling: str) -> None:
        self._is_over = True
        self._ticker.stop()
        self.bar.hide()
        self.stop_button.hide()
        self.output.set_hint(self.tr("It wrote no output."))
        if self._record is None:
            self._shape = Shape.REFUSED
            self.headline.setText(self.tr("Did not start: {why}").format(why=trouble))
        else:
            ended = self._record.status is not RunStatus.RUNNING
            self._shape = shape_of_status(self._record.status) if ended else Shape.UNKNOWN
            self.headline.setText(end_text(self._record, telling=telling))
        self._paint()
        self.over.emit(self.job_id)

    def _on_stuck(self, error: Exception) -> None:
        said = self.tr("The run cannot be looked at right now: {why}. The run itself is not touched by that.")
        self.note.setText(said.format(why=str(error).rstrip(".")))
        self.note.show()

    # How it stands

    def _show_time(self) -> None:
        if self._is_over:
            return
        seconds = max(0.0, (self._clock.now() - self._started_at).total_seconds())
        self.stop_button.setEnabled(self._record is not None and not self._is_stopping)
        if self._is_stopping:
            said = self.tr("Asked to stop. It ends within a few seconds.")
        elif self._record is None:
            said = self.tr("Starting…")
        elif self._usual:
            said = self.tr("Running for {time} · usually {usual}").format(
                time=took_text(seconds), usual=usual_text(self._usual)
            )
        else:
            said = self.tr("Running for {time}").format(time=took_text(seconds))
        self.headline.setText(said)
        if self._usual:
            share = 100 * seconds / max(1.0, self._usual.total_seconds())
            self.bar.setValue(min(MOST_PERCENT, round(share)))

    def _show_origin(self) -> None:
        record = self._record
        if record is None:
            return
        when = when_text(record.started_at, zone=self._zone, now=self._clock.now())
        said = self.tr("{when} · {who}").format(when=when, who=trigger_word(record))
        says_it_below = record.status not in TELLS_HOW_LONG and record.duration is not None
        took = self.tr(" · took {time}").format(time=took_text(record.duration)) if says_it_below else ""
        self.origin.setText(said + took)
        self.origin.setToolTip(utc_text(record.started_at))

    def _show_details(self) -> None:
        rows = [(self.tr("Run"), self.run_id), (self.tr("Job"), self.job_id)]
        record = self._record
        if self._command:
            rows.append((self.tr("Command"), self._command))
        if record is not None:
            rows += self._of_record(record)
        text = "\n".join(f"{name}: {value}" for name, value in rows)
        if text != self._details_box.toPlainText():
            self._details_box.setPlainText(text)

    def _of_record(self, record: RunRecord) -> list[tuple[str, str]]:
        code = NO_TIME if record.exit_code is None else str(record.exit_code)
        by = f"{record.actor.name} ({record.actor.via}, {record.actor.host})"
        return [
            (self.tr("Status"), record.status.value),
            (self.tr("Exit code"), code),
            (self.tr("Reason"), record.reason or NO_TIME),
            (self.tr("Trigger"), record.trigger.value),
            (self.tr("Started by"), by),
            (self.tr("Started"), utc_text(record.started_at)),
            (self.tr("Ended"), utc_text(record.finished_at) or NO_TIME),
            (self.tr("Attempt"), str(record.attempt)),
            (self.tr("Lock number"), NO_TIME if record.fence is None else str(record.fence)),
        ]

    # The window

    def _lay_out(self, title: str) -> None:
        self._mark, self.headline = QLabel(), _wrapped()
        font = self.headline.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.15)
        self.headline.setFont(font)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("How far it usually is by now"))
        self.bar.setFixedHeight(self.fontMetrics().height() * 2 // 3)
        self.bar.setVisible(self._usual is not None)
        self.stop_button = QPushButton(self.tr("Stop…"))
        self.stop_button.clicked.connect(self._ask_to_stop)
        self.note = _wrapped()
        self.note.hide()
        self.output = OutputView()
        self.output.set_hint(self.tr("It has not written anything yet."))
        self.output.more_asked.connect(self._save)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addLayout(self._head())
        for widget in (self.bar, self.note):
            layout.addWidget(widget)
        layout.addWidget(self.output, 1)
        layout.addWidget(self.details)
        layout.addWidget(self.feedback)
        letter = self.fontMetrics().averageCharWidth()
        self.resize(letter * 110, self.fontMetrics().height() * 32)
        QShortcut(QKeySequence.StandardKey.Close, self, self.close)
        QShortcut(QKeySequence.StandardKey.Find, self, self.output.find_text)
        self._show_details()
        self._paint()

    def _head(self) -> QHBoxLayout:
        self.origin = _wrapped()
        self.origin.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.headline)
        words.addWidget(self.origin)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        head.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _paint(self) -> None:
        dark, c = is_dark_palette(self.palette()), colours_of(self.palette())
        self._mark.setPixmap(pixmap(self._shape, 24, dark=dark, ratio=self.devicePixelRatioF()))
        self.setWindowIcon(icon(self._shape, dark=dark))
        palette = self.headline.palette()
        colour = colour_of(self._shape, c) if self._is_over else c.text
        palette.setColor(self.headline.foregroundRole(), colour)
        self.headline.setPalette(palette)
        self.stop_button.setIcon(icon(Shape.STOP, dark=dark))
        bar = self.bar.palette()
        bar.setColor(QPalette.ColorRole.Highlight, c.fill_running)
        self.bar.setPalette(bar)

    def _ask_to_stop(self) -> None:
        self.stop_asked.emit(self.job_id)

    def _save(self) -> None:
        if self._record is not None:
            self.saver.ask(self._record)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Count the seconds only while somebody can see them."""
        super().showEvent(event)
        if not self._is_over:
            self._ticker.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """See showEvent."""
        super().hideEvent(event)
        self._ticker.stop()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Look at the run no longer; it goes on by itself."""
        self._follower.stop()
        self.closed.emit(self.run_id)
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint anew in other colours; look less often while it is minimised."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._follower.look_seldom(self.isMinimized())
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._paint()


def _wrapped() -> QLabel:
    label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
