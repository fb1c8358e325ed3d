"""Files that belong to runs: ids, captured output, stop requests, checkpoints."""

import fcntl
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from ridgeline_desktop import private_files
from ridgeline_desktop.core.runs import TAIL, left_out
from ridgeline_desktop.host.folders import make_private

CHUNK = 1 << 20


def new_run_id(now: datetime) -> str:
    """A UUID of version 7: ids sort by the time they were made."""
    value = int(now.timestamp() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def is_run_id(text: str) -> bool:
    """Whether `text` has the shape of a run's id, and so may be part of a path."""
    parts = text.split("-")
    shape = [len(part) for part in parts] == [8, 4, 4, 4, 12]
    return shape and all(char in "0123456789abcdef" for part in parts for char in part)


class DiskRunLogs:
    """`<folder>/<job>/<run id>.log`, as bytes.

    Beside it stand the newest pieces of the output's end while a runner writes, and after one was killed.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def path(self, job_id: str, run_id: str) -> str:
        """Where the output of a run is kept, whether it exists or not."""
        return os.path.join(self._folder, job_id, f"{run_id}.log")

    def tail(self, job_id: str, run_id: str, *, size: int) -> bytes:
        """The last `size` bytes, b"" where nothing was kept."""
        end = b""
        try:
            for path in reversed((self.path(job_id, run_id), *self._tails(job_id, run_id))):
                with open(path, "rb") as file:
                    wanted = size - len(end)
                    file.seek(max(0, os.fstat(file.fileno()).st_size - wanted))
                    end = file.read(wanted) + end
        except OSError:
            return end
        return end

    def read(self, job_id: str, run_id: str, *, offset: int) -> bytes:
        """The output from byte `offset` on, at most a mebibyte, b"" at its end.

        While it is written, the end is where its beginning ends: what follows moves until the run is over.
        """
        try:
            with open(self.path(job_id, run_id), "rb") as file:
                grows = _is_written(file.fileno())
                size = os.fstat(file.fileno()).st_size
                file.seek(offset)
                piece = file.read(CHUNK)
            return piece if piece or grows else self._left_behind(job_id, run_id, offset - size)
        except OSError:
            return b""

    def _left_behind(self, job_id: str, run_id: str, offset: int) -> bytes:
        """What a killed runner did not join to its log, as it would have been joined."""
        tails = self._tails(job_id, run_id)
        # All pieces but the last are full, and so were those that are gone.
        missing = int(tails[0].rpartition("-")[2]) * os.path.getsize(tails[0]) if tails else 0
        line = left_out(missing)
        if offset < len(line):
            return line[offset:]
        offset -= len(line)
        for tail in tails:
            with open(tail, "rb") as file:
                file.seek(offset)
                if piece := file.read(CHUNK):
                    return piece
                offset -= os.fstat(file.fileno()).st_size
        return b""

    def delete(self, job_id: str, run_ids: Sequence[str]) -> None:
        """Drop the output of these runs."""
        doomed = frozenset(run_ids)
        for name in self._names(job_id):
            if name.partition(".")[0] in doomed:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._folder, job_id, name))

    def _names(self, job_id: str) -> list[str]:
        """What the job's folder holds, by run and age."""
        try:
            return sorted(os.listdir(os.path.join(self._folder, job_id)))
        except FileNotFoundError:
            return []

    def _tails(self, job_id: str, run_id: str) -> list[str]:
        """The pieces of the output's end that are not part of its log, oldest first."""
        names = (name for name in self._names(job_id) if name.startswith(run_id + TAIL))
        return [os.path.join(self._folder, job_id, name) for name in names]

    def trim(self, job_id: str, *, megabytes: int, keep: Sequence[str]) -> None:
        """Drop the oldest outputs until the job's stay below the size; those in `keep` stay."""
        room = megabytes * 1_000_000
        for name in reversed(self._names(job_id)):
            path = os.path.join(self._folder, job_id, name)
            room -= os.stat(path).st_size
            if room < 0 and name.partition(".")[0] not in keep:
                os.unlink(path)


class DiskStopRequests:
    """One file per run that was asked to stop; its text is who asked."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def ask(self, run_id: str, *, by: str) -> None:
        """Ask the run to stop."""
        make_private(self._folder)
        beside = self._path(run_id) + ".new"
        descriptor = private_files.open_file(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(by)
        os.replace(beside, self._path(run_id))

    def asked(self, run_id: str) -> str | None:
        """Who asked the run to stop, or None."""
        try:
            with open(self._path(run_id), encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return None

    def withdraw(self, run_id: str) -> None:
        """Forget the request."""
        with suppress(FileNotFoundError):
            os.unlink(self._path(run_id))

    def _path(self, run_id: str) -> str:
        return os.path.join(self._folder, run_id)


def _is_written(log: int) -> bool:
    """Whether a runner still has the log open; an empty one may have been made this very moment."""
    if os.fstat(log).st_size == 0:
        return True
    try:
        fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    fcntl.flock(log, fcntl.LOCK_UN)
    return False
