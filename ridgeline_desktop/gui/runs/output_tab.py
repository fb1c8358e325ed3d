"""The output of one run beside the list of jobs: its end first, all of it if asked; live while it runs."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.runs.follower import Follower, Piece
from ridgeline_desktop.gui.runs.output_view import OutputView
from ridgeline_desktop.gui.runs.terminal_text import plain_text
from ridgeline_desktop.services.runs import Runs

TAIL_BYTES = 200_000


class OutputTab(QWidget):
    """Shows the run it was given last, and reads it only while it can be seen."""

    window_asked = Signal(object)

    def __init__(self, *, runs: Runs, tasks: Tasks) -> None:
        super().__init__()
        self._runs, self._tasks = runs, tasks
        self._record: RunRecord | None = None
        self._shown: tuple[str, RunStatus] | None = None
        self._follower: Follower | None = None
        self._asked = 0
        self.heading = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.window_button = QPushButton(self.tr("Open in a window"))
        self.window_button.clicked.connect(self._ask_for_window)
        self.view = OutputView()
        self.view.more_asked.connect(self.show_all)
        above = QHBoxLayout()
        above.addWidget(self.heading, 1)
        above.addWidget(self.window_button)
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addWidget(self.view, 1)
        self.show_run(None, heading="", hint="")

    def show_run(self, record: RunRecord | None, *, heading: str, hint: str) -> None:
        """Show a run below `heading`; for None there is only `hint`."""
        self.heading.setText(heading)
        self.window_button.setVisible(record is not None)
        self._record = record
        if record is None:
            self._shown = None
            self._stop()
            self.view.empty(hint=hint)
        elif self.isVisible():
            self._load()

    def show_all(self) -> None:
        """Read the run's output from its beginning."""
        if self._record is not None:
            self._follow(self._record)

    def _load(self) -> None:
        record = self._record
        if record is None or self._shown == (record.run_id, record.status):
            return
        self._shown = (record.run_id, record.status)
        if record.status is RunStatus.RUNNING:
            self._follow(record)
            return
        self._stop()
        self.view.empty(hint=self.tr("Reading…"))
        self._tasks.run(
            partial(_tail, self._runs, record, self._asked),
            then=self._take_tail,
            failed=partial(self._no_tail, self._asked),
        )

    def _take_tail(self, answer: tuple[int, list[str], bool]) -> None:
        number, lines, is_cut = answer
        if number != self._asked:
            return
        self.view.empty(hint=self.tr("It wrote no output."))
        self.view.add(lines)
        if is_cut:
            self.view.offer_more(self.tr("Show all"), beginning=self.tr("Showing the end of the output."))

    def _no_tail(self, number: int, error: Exception) -> None:
        if number == self._asked:
            self._shown = None
            self.view.empty(hint=self.tr("The output cannot be read: {why}").format(why=error))

    def _follow(self, record: RunRecord) -> None:
        self._stop()
        self.view.empty(hint=self.tr("It has not written anything yet."))
        self._follower = Follower(
            runs=self._runs, tasks=self._tasks, job_id=record.job_id, run_id=record.run_id, parent=self
        )
        self._follower.came.connect(self._take_piece)
        self._follower.stuck.connect(self._on_stuck)
        self._follower.start()

    def _take_piece(self, piece: Piece) -> None:
        if self.sender() is not self._follower:
            return
        self.view.offer_more("")
        self.view.add(piece.lines.complete, piece.lines.partial)
        if piece.is_over:
            self.view.set_hint(self.tr("It wrote no output."))

    def _on_stuck(self, error: Exception) -> None:
        if self.sender() is self._follower:
            said = self.tr("The output cannot be read right now: {why}").format(why=error)
            self.view.offer_more("", beginning=said)

    def _stop(self) -> None:
        self._asked += 1  # what was asked for before is not shown any more
        if self._follower is not None:
            self._follower.stop()
            self._follower.deleteLater()
            self._follower = None

    def _ask_for_window(self) -> None:
        if self._record is not None:
            self.window_asked.emit(self._record)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Read what has been asked for meanwhile."""
        super().showEvent(event)
        if self._follower is not None:
            self._follower.start()
        self._load()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Read on when it can be seen again."""
        super().hideEvent(event)
        if self._follower is not None:
            self._follower.stop()


def _tail(runs: Runs, record: RunRecord, number: int) -> tuple[int, list[str], bool]:
    """The lines at the end of an output, and whether more stands before them."""
    end = runs.tail(record, size=TAIL_BYTES + 1)
    is_cut = len(end) > TAIL_BYTES
    if is_cut:
        _, _, end = end.partition(b"\n") if b"\n" in end else (b"", b"", end)
    return number, plain_text(end), is_cut
