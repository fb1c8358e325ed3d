"""What a job prints: kept as bytes in a log of limited size, and searched for texts while it passes."""

import fcntl
import os

from ridgeline_desktop import private_files
from ridgeline_desktop.core.runs import TAIL, left_out

HEAD = 8 << 20
SEGMENT = 1 << 20
COPY = 256 << 10


class RunLog:
    """The log of one run: its beginning, and until `close` its end in the newest two of numbered files.

    The end is on disk while the job runs, so that a runner that dies takes no last words with it; the log
    is locked until all of it is written. A log that cannot be written stops nothing: `problem` says why,
    and what follows is dropped. No output, no file.
    """

    def __init__(self, path: str, *, head: int = HEAD, segment: int = SEGMENT) -> None:
        self.problem = ""
        self._path = path
        self._head = head
        self._segment = segment
        self._log = -1
        self._file = -1
        self._room = 0
        self._total = 0
        self._segments = 0
        self._ends_line = True

    def write(self, data: bytes) -> None:
        """Take more output, of any bytes."""
        if not data:
            return
        self._total += len(data)
        self._ends_line = data.endswith(b"\n")
        rest = memoryview(data)
        while rest and not self.problem:
            try:
                if self._room == 0:
                    self._next_file()
                written = os.write(self._file, rest[: self._room])
            except OSError as error:
                self.problem = _words(error)
            else:
                self._room -= written
                rest = rest[written:]

    def mark(self, words: str) -> None:
        """Write a line of our own between two attempts."""
        self.write(b"" if self._ends_line else b"\n")
        self.write(f"--- {words} ---\n".encode())

    def close(self) -> None:
        """Join beginning and end into one file, with a line between them that counts what is missing."""
        if self._log < 0:
            return
        try:
            if self._segments:
                os.close(self._file)
                self._join()
        except OSError as error:
            self.problem = self.problem or _words(error)
        finally:
            os.close(self._log)
            self._log = -1

    def _next_file(self) -> None:
        if self._log < 0:
            private_files.make_folder(os.path.dirname(self._path))
            self._log = self._file = _created(self._path)
            self._room = self._head
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if self._segments > 1:
            os.unlink(self._tail(self._segments - 2))
        file = _created(self._tail(self._segments))
        if self._segments:
            os.close(self._file)
        self._file, self._room = file, self._segment
        self._segments += 1

    def _tail(self, number: int) -> str:
        """Numbers of one width, so that the order of names is the order of time."""
        return f"{self._path.removesuffix('.log')}{TAIL}{number:08d}"

    def _join(self) -> None:
        tails = [self._tail(number) for number in range(max(0, self._segments - 2), self._segments)]
        missing = self._total - self._head - sum(os.path.getsize(tail) for tail in tails)
        try:
            _write_all(self._log, left_out(missing))
            for tail in tails:
                with open(tail, "rb", buffering=0) as part:
                    while chunk := part.read(COPY):
                        _write_all(self._log, chunk)
        except OSError:
            os.ftruncate(self._log, self._head)  # the pieces stay, and are read in its place
            raise
        for tail in tails:
            os.unlink(tail)


class TextWatch:
    """Whether a text has come by, however the output was cut into pieces. "" never counts as seen."""

    def __init__(self, text: str) -> None:
        self._needle = text.encode()
        self._end = b""
        self.seen = False

    def feed(self, data: bytes) -> None:
        """Look at the next piece."""
        if self.seen or not self._needle:
            return
        overlap = len(self._needle) - 1
        seam = self._end + data[:overlap]
        self.seen = self._needle in data or self._needle in seam
        if overlap:
            self._end = data[-overlap:] if len(data) >= overlap else seam[-overlap:]


def _created(path: str) -> int:
    return private_files.open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _words(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
