"""The end of the program as the system asks for it, and errors nobody foresaw."""

import signal
import socket
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

ENDING = (signal.SIGTERM, signal.SIGINT, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))


class SystemSignals(QObject):
    """Emits `asked_to_end` on the GUI thread, without a timer that looks for signals."""

    asked_to_end = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._read_end, self._write_end = socket.socketpair()
        for end in (self._read_end, self._write_end):
            end.setblocking(False)
        self._before = signal.set_wakeup_fd(self._write_end.fileno(), warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, _noted) for number in ENDING}
        self._notifier = QSocketNotifier(self._read_end.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._arrived)

    def _arrived(self) -> None:
        if set(self._read_end.recv(4096)) & set(ENDING):
            self.asked_to_end.emit()

    def close(self) -> None:
        """Give the signals back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._before)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._read_end.close()
        self._write_end.close()


def _noted(_number: int, _frame: object) -> None:
    """Nothing: the wake-up tells the event loop."""


class Unforeseen(QObject):
    """Emits each exception that a slot or a thread let through, on the GUI thread, and prints it as well."""

    happened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._hook, self._thread_hook = sys.excepthook, threading.excepthook
        sys.excepthook = self._in_slot
        threading.excepthook = self._in_thread

    def close(self) -> None:
        """Put the former hooks back."""
        sys.excepthook, threading.excepthook = self._hook, self._thread_hook

    def _in_slot(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        self._hook(kind, error, traceback)
        self.happened.emit(error)

    def _in_thread(self, told: threading.ExceptHookArgs) -> None:
        self._thread_hook(told)
        if told.exc_value is not None:
            self.happened.emit(told.exc_value)
