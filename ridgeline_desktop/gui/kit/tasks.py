"""Work off the GUI thread: asked for with what is to happen then, answered on the GUI thread."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from ridgeline_desktop.gui.kit.owners import is_there

Result = TypeVar("Result")
Then = Callable[[Result], None]
Failed = Callable[[Exception], None]
THREADS = 4
LAST_WORK = 2.0


class Tasks(QObject):
    """Runs work in a few threads; it outlives every window.

    `failed` is what answers an exception where `run` is given nothing else. Receivers are bound methods;
    those of a QObject that is gone by then are not called.
    """

    _done = Signal(int)

    def __init__(self, *, failed: Failed) -> None:
        super().__init__()
        self._failed = failed
        self._number = 0
        # Whatever a piece of work holds on to is let go on the GUI thread: it may be the last that holds a
        # window, and a window that ends in another thread ends the program. So a thread gets a number only.
        self._asked: dict[int, tuple[Callable[[], Any], Then[Any] | None, Failed]] = {}
        self._answers: dict[int, Any] = {}
        self._queue: SimpleQueue[int] = SimpleQueue()
        self._done.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._is_closed = False
        # A disk that never answers must not keep the program from ending.
        self._threads = [Thread(target=self._serve, daemon=True) for _ in range(THREADS)]
        for thread in self._threads:
            thread.start()

    @property
    def pending(self) -> int:
        """How many pieces of work will still be answered."""
        return 0 if self._is_closed else len(self._asked)

    def run(
        self, work: Callable[[], Result], *, then: Then[Result] | None = None, failed: Failed | None = None
    ) -> None:
        """Do `work` in a thread, then call `then` with its result, or `failed`, on the GUI thread."""
        if self._is_closed:
            return
        self._number += 1
        self._asked[self._number] = (work, then, failed or self._failed)
        self._queue.put(self._number)

    def close(self) -> None:
        """Take no more work and answer none; what is under way has two seconds to become whole."""
        self._is_closed = True
        for _ in self._threads:
            self._queue.put(0)
        end = monotonic() + LAST_WORK
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))

    def _serve(self) -> None:
        while (number := self._queue.get()) and not self._is_closed:
            self._answers[number] = self._worked(number)
            if self._is_closed:
                return
            try:
                self._done.emit(number)
            except RuntimeError:
                return  # the application has ended meanwhile

    def _worked(self, number: int) -> object:
        try:
            return self._asked[number][0]()
        except Exception as error:  # noqa: BLE001 (whatever it is, a person must hear of it)
            return _Failure(error)

    @Slot(int)
    def _answer(self, number: int) -> None:
        _work, then, failed = self._asked.pop(number)
        answer = self._answers.pop(number)
        if self._is_closed:
            return
        if isinstance(answer, _Failure):
            if is_there(failed):
                failed(answer.error)
        elif then is not None and is_there(then):
            then(answer)


class _Failure:
    """What work ended with instead of a result."""

    def __init__(self, error: Exception) -> None:
        self.error = error
