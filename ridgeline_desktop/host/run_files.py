"""Files that belong to runs: ids, captured output, stop requests, checkpoints."""

import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

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
    """`<folder>/<job>/<run id>.log`, as bytes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def path(self, job_id: str, run_id: str) -> str:
        """Where the output of a run is kept, whether it exists or not."""
        return os.path.join(self._folder, job_id, f"{run_id}.log")

    def tail(self, job_id: str, run_id: str, *, size: int) -> bytes:
        """The last `size` bytes, b"" where nothing was kept."""
        newest = max(self._parts(job_id, run_id), key=os.path.getmtime, default="")
        try:
            with open(newest, "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - size))
                return file.read(size)
        except OSError:
            return b""

    def read(self, job_id: str, run_id: str, *, offset: int) -> bytes:
        """The output from byte `offset` on, at most a mebibyte, b"" at its end."""
        try:
            with open(self.path(job_id, run_id), "rb") as file:
                file.seek(offset)
                return file.read(CHUNK)
        except OSError:
            return b""

    def delete(self, job_id: str, run_ids: Sequence[str]) -> None:
        """Drop the output of these runs."""
        for run_id in run_ids:
            for part in self._parts(job_id, run_id):
                with suppress(FileNotFoundError):
                    os.unlink(part)

    def _parts(self, job_id: str, run_id: str) -> list[str]:
        """The log, and the pieces of its end that a runner keeps beside it until the run is over."""
        base = self.path(job_id, run_id).removesuffix("log")
        return [part for part in (f"{base}log", f"{base}tail-a", f"{base}tail-b") if os.path.exists(part)]

    def trim(self, job_id: str, *, megabytes: int, keep: Sequence[str]) -> None:
        """Drop the oldest outputs until the job's stay below the size; those in `keep` stay."""
        folder = os.path.join(self._folder, job_id)
        if not os.path.isdir(folder):
            return
        room = megabytes * 1_000_000
        for name in sorted(os.listdir(folder), reverse=True):
            path = os.path.join(folder, name)
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
        with open(beside, "w", encoding="utf-8") as file:
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
