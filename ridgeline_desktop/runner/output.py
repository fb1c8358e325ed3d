"""What a job prints: kept as bytes in a log of limited size, and searched for texts while it passes."""

import os

HEAD = 8 << 20
SEGMENT = 1 << 20
COPY = 256 << 10
TAIL_SUFFIXES = (".tail-a", ".tail-b")


class RunLog:
    """The log of one run: its beginning, and its end in two files that take turns until `close`.

    The end is on disk while the job runs, so that a runner that dies takes no last words with it. A log
    that cannot be written stops nothing: `problem` says why, and what follows is dropped. No output, no
    file.
    """

    def __init__(self, path: str, *, head: int = HEAD, segment: int = SEGMENT) -> None:
        self.problem = ""
        self._path = path
        self._head = head
        self._segment = segment
        self._tails = tuple(path.removesuffix(".log") + suffix for suffix in TAIL_SUFFIXES)
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
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._segments == 0:
            return
        try:
            self._join()
        except OSError as error:
            self.problem = self.problem or _words(error)

    def _next_file(self) -> None:
        if self._file < 0:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            self._file, self._room = _created(self._path), self._head
            return
        file = _created(self._tails[self._segments % 2])
        os.close(self._file)
        self._file, self._room = file, self._segment
        self._segments += 1

    def _join(self) -> None:
        newest = (self._segments - 1) % 2
        tails = (self._tails[1 - newest], self._tails[newest])[-min(self._segments, 2) :]
        missing = self._total - self._head - sum(os.path.getsize(tail) for tail in tails)
        with open(self._path, "ab", buffering=0) as log:
            if missing:
                log.write(f"\n--- {missing} bytes left out ---\n".encode())
            for tail in tails:
                with open(tail, "rb", buffering=0) as part:
                    while chunk := part.read(COPY):
                        _write_all(log.fileno(), chunk)
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
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(path, flags, 0o600)
    os.fchmod(file, 0o600)
    return file


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _words(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
