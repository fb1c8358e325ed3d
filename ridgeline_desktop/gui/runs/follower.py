"""Reads a run's output as it grows, off the GUI thread, never twice at once."""

from PySide6.QtCore import QObject, QTimer, Signal

from ridgeline_desktop.core.by_hand import RunView
from ridgeline_desktop.core.output_lines import telling_line
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.runs.terminal_text import Lines, Terminal
from ridgeline_desktop.services.runs import Runs

EVERY_MS = 250
SELDOM_MS = 2000
TAIL_BYTES = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """How a run stands, and the lines that came since the last piece.

    Once it is over, `telling` is the line of its output that says most about a failure ("" = none).
    """

    view: RunView
    lines: Lines
    is_over: bool
    telling: str = ""


class Follower(QObject):
    """Emits `came` with each Piece until the run is over or nobody wants to know, `stuck` with an error.

    After `stuck` it goes on asking, less often.
    """

    came = Signal(object)
    stuck = Signal(object)

    def __init__(self, *, runs: Runs, tasks: Tasks, job_id: str, run_id: str, parent: QObject) -> None:
        super().__init__(parent)
        self._reading = _Reading(runs, job_id, run_id)
        self._tasks = tasks
        self._is_wanted = self._is_asking = self._is_seldom = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask)

    def start(self) -> None:
        """Read from where it stood."""
        self._is_wanted = True
        self._ask()

    def stop(self) -> None:
        """Ask no more; what is on its way is still given by the next `start`."""
        self._is_wanted = False
        self._timer.stop()

    def look_seldom(self, is_seldom: bool) -> None:
        """Look every two seconds only, while nobody sees what comes; or as often as ever, from now on."""
        was, self._is_seldom = self._is_seldom, is_seldom
        if was and not is_seldom and self._timer.isActive():
            self._timer.start(0)

    @property
    def pause_ms(self) -> int:
        """How long it waits where nothing new has come."""
        return SELDOM_MS if self._is_seldom else EVERY_MS

    def _ask(self) -> None:
        if self._is_wanted and not self._is_asking:
            self._is_asking = True
            self._tasks.run(self._reading.step, then=self._take, failed=self._fail)

    def _take(self, piece: Piece) -> None:
        self._is_asking = False
        if piece.is_over:
            self._is_wanted = False
        elif self._is_wanted:
            is_more_likely = piece.view.output and not self._is_seldom
            self._timer.start(0 if is_more_likely else self.pause_ms)
        self.came.emit(piece)

    def _fail(self, error: Exception) -> None:
        self._is_asking = False
        if self._is_wanted:
            self._timer.start(SELDOM_MS)
        self.stuck.emit(error)


class _Reading:
    """Where one reader stands in one run's output; used by one thread at a time."""

    def __init__(self, runs: Runs, job_id: str, run_id: str) -> None:
        self._runs, self._job_id, self._run_id = runs, job_id, run_id
        self._offset = 0
        self._terminal = Terminal()
        self._tail = b""

    def step(self) -> Piece:
        view = self._runs.follow(self._job_id, self._run_id, offset=self._offset)
        self._offset += len(view.output)
        is_over = not view.is_going_on and not view.output
        lines = self._terminal.feed(view.output, is_last=is_over)
        self._tail = (self._tail + view.output)[-TAIL_BYTES:]
        telling = telling_line(self._tail) if is_over else ""
        return Piece(view=view, lines=lines, is_over=is_over, telling=telling)
