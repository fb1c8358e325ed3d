"""Looks again when something on disk changes, when a light's time has come, and once a minute."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.gui.kit.tasks import Tasks

SETTLED = 100
LONGEST = timedelta(seconds=60)
SHORTEST = timedelta(seconds=1)
JUMP = timedelta(seconds=5)

Look = Callable[[], Snapshot]
Places = Callable[[], Sequence[str]]


class Watcher(QObject):
    """Gives a new snapshot whenever one is due. `look` takes it, `places` the paths to watch, in a thread.

    `failed` is told what kept it from looking; it goes on trying. `ticked` comes once a second with the
    present while `show_seconds` is on.
    """

    taken = Signal(object)
    failed = Signal(object)
    ticked = Signal(object)

    def __init__(self, *, look: Look, places: Places, tasks: Tasks, clock: Clock) -> None:
        super().__init__()
        self._look, self._places, self._tasks, self._clock = look, places, tasks, clock
        self._is_looking = self._is_stale = False
        self._files = QFileSystemWatcher(self)
        self._files.fileChanged.connect(self._changed)
        self._files.directoryChanged.connect(self._changed)
        self._settling = self._timer(self.look_now)
        self._next = self._timer(self.look_now)
        self._second = self._timer(self._tick)
        self._second.setSingleShot(False)
        self._second.setInterval(1000)
        self._ticked_at: datetime | None = None

    def _timer(self, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(then)
        return timer

    @property
    def is_looking(self) -> bool:
        """Whether a look is under way."""
        return self._is_looking

    @property
    def rest(self) -> float:
        """Seconds from one look to the next, as planned after the last one."""
        return self._next.interval() / 1000

    @property
    def armed(self) -> int:
        """How many timers wait to go off; each is a wake-up."""
        return sum(timer.isActive() for timer in (self._settling, self._next, self._second))

    def look_now(self) -> None:
        """Look again; while a look is under way, once more after it."""
        if self._is_looking:
            self._is_stale = True
            return
        self._is_looking, self._is_stale = True, False
        self._settling.stop()
        self._next.stop()
        self._tasks.run(self._look_whole, then=self._took)

    def show_seconds(self, is_on: bool) -> None:
        """Tick each second, for a window that is on screen."""
        self._ticked_at = None
        if is_on:
            self._second.start()
        else:
            self._second.stop()

    def stop(self) -> None:
        """Look no more."""
        self._settling.stop()
        self._next.stop()
        self._second.stop()
        self._is_looking = True

    def _changed(self, _path: str) -> None:
        if not self._settling.isActive():
            self._settling.start(SETTLED)

    def _look_whole(self) -> tuple[Snapshot | Exception, Sequence[str] | None]:
        """The snapshot, or what kept us from it, and what to watch, None = as before. In a thread."""
        answer: Snapshot | Exception
        paths: Sequence[str] | None = None
        try:
            paths = self._places()
            answer = self._look()
        except Exception as error:  # noqa: BLE001 (whatever it is, the window says it)
            answer = error
        return answer, paths

    def _took(self, found: tuple[Snapshot | Exception, Sequence[str] | None]) -> None:
        answer, paths = found
        if paths is not None:
            self._watch(paths)
        if isinstance(answer, Exception):
            self._rest(LONGEST)
            self.failed.emit(answer)
        else:
            until = answer.valid_until
            self._rest(LONGEST if until is None else until - self._clock.now() + SHORTEST / 10)
            self.taken.emit(answer)
        self._over()

    def _over(self) -> None:
        self._is_looking = False
        if self._is_stale:
            self.look_now()

    def _rest(self, length: timedelta) -> None:
        """Look again after that long, at most a minute from now: computers sleep, and clocks are set."""
        length = min(max(length, SHORTEST), LONGEST)
        self._next.start(length // timedelta(milliseconds=1))

    def _watch(self, paths: Sequence[str]) -> None:
        """Watch these. A file that was replaced has to be added again, so all are that are not watched."""
        watched = {*self._files.files(), *self._files.directories()}
        gone = sorted(watched.difference(paths))
        if gone:
            self._files.removePaths(gone)
        missing = [path for path in paths if path not in watched]
        if missing and len(self._files.addPaths(missing)) < len(missing):
            self._changed("")  # it may have changed between the look and now

    def _tick(self) -> None:
        now, before = self._clock.now(), self._ticked_at
        self._ticked_at = now
        if before is not None and abs(now - before) > JUMP:
            self.look_now()
        self.ticked.emit(now)
