"""Signals to the runner as bytes in a pipe, so that one select loop sees them in order with all else."""

import os
import signal
from types import TracebackType
from typing import Any

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Signals:
    """While entered, TERM, INT and HUP are noted and not obeyed, and CHLD wakes a select on `fd`.

    A signal that was being ignored already stays so (nohup). Main thread only.
    """

    def __init__(self) -> None:
        self.fd = -1
        self._write = -1
        self._before: dict[int, Any] = {}
        self._old_wakeup = -1
        self._first: int | None = None

    def __enter__(self) -> "Signals":
        self.fd, self._write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._old_wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, _noted)
        self._before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, _noted)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (*ENDING, signal.SIGCHLD))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._old_wakeup)
        os.close(self.fd)
        os.close(self._write)

    def first(self) -> int | None:
        """The first signal that asks the runner to end, None while there was none."""
        try:
            arrived = os.read(self.fd, 4096)
        except BlockingIOError:
            arrived = b""
        if self._first is None:
            self._first = next((number for number in arrived if number in ENDING), None)
        return self._first


def _noted(number: int, frame: object) -> None:
    """Do nothing: the number has gone into the pipe."""
