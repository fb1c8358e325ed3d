"""Work off the GUI thread: asked for with what is to happen then, answered on the GUI thread."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

Result = TypeVar("Result")
Then = Callable[[Result], None]
Failed = Callable[[Exception], None]
THREADS = 4


class Tasks(QObject):
    """Runs work in a few threads; it outlives every window.

    `failed` is what answers an exception where `run` is given nothing else. Receivers are bound methods;
    those of a QObject that is gone by then are not called.
    """

    _done = Signal(object, object)

    def __init__(self, *, failed: Failed) -> None:
        super().__init__()
        self._failed = failed
        self._pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="ridgeline")
        self._done.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._closed = False
        self._pending = 0

    @property
    def pending(self) -> int:
        """How many pieces of work have not been answered yet."""
        return self._pending

    def run(
        self, work: Callable[[], Result], *, then: Then[Result] | None = None, failed: Failed | None = None
    ) -> None:
        """Do `work` in a thread, then call `then` with its result, or `failed`, on the GUI thread."""
        if self._closed:
            return
        self._pending += 1
        self._pool.submit(self._work, work, then, failed or self._failed)

    def close(self) -> None:
        """Take no more work and answer none of what is under way, which ends by itself."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self, work: Callable[[], Result], then: Then[Result] | None, failed: Failed) -> None:
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 (whatever it is, a person must hear of it)
            self._emit(failed, error)
        else:
            self._emit(then, result)

    def _emit(self, receiver: Callable[[Result], None] | None, answer: Result) -> None:
        try:
            self._done.emit(receiver, answer)
        except RuntimeError:
            return  # the application has ended meanwhile

    @Slot(object, object)
    def _answer(self, receiver: Callable[[object], None] | None, answer: object) -> None:
        self._pending -= 1
        if self._closed or receiver is None or not _is_there(receiver):
            return
        receiver(answer)


def _is_there(receiver: Callable[[object], None]) -> bool:
    """Whether the Qt object whose method this is still exists; other callables always do."""
    from shiboken6 import isValid

    owner = getattr(receiver, "__self__", None) or getattr(getattr(receiver, "func", None), "__self__", None)
    return not isinstance(owner, QObject) or isValid(owner)
