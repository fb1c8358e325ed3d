"""Ends of runs that the store could not take: one small file each, its space set aside at the start."""

import json
import os
from binascii import crc32

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.private_files import make_folder, open_file, sync_folder
from ridgeline_desktop.store.rows import run_of, run_row

SIZE = 4096

_SUFFIX = ".end"
# One line before the JSON: its length and its checksum. Anything else is a reserve, or torn.
_HEAD = b"run-end 1 %08x %08x\n"
_HEAD_SIZE = len(_HEAD % (0, 0))


class FileSpool:
    """The spool in one folder, made 0700 when first needed. What fails raises OSError."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)

    def reserve(self, run_id: str) -> None:
        """Set 4 KiB aside on the disk for the end of this run; OSError where it has no room for it."""
        path = self._path(run_id)
        try:
            self._put(path, b" " * SIZE)
        except OSError:
            if os.path.exists(path):
                os.remove(path)
            raise

    def write(self, record: RunRecord) -> None:
        """Keep the record, in its reserved space where there is some.

        A reason that does not fit is shortened. OSError where even that fails.
        """
        is_new = not os.path.exists(self._path(record.run_id))
        self._put(self._path(record.run_id), _packed(record))
        if is_new:
            sync_folder(self._folder)

    def release(self, run_id: str) -> None:
        """Give the space back unless it holds a record; nothing happens where there is none."""
        if _record_in(self._path(run_id)) is None:
            self.discard(run_id)

    def records(self) -> tuple[RunRecord, ...]:
        """All records waiting, by run id; a torn file is left out and stays. StoreUnreadable in words."""
        waiting = [_record_in(path) for path in self._paths()]
        return tuple(record for record in waiting if record is not None)

    def torn(self) -> tuple[str, ...]:
        """The paths of files that hold something, but no record that can be read; a reserve is none."""
        return tuple(path for path in self._paths() if not _is_reserve(path) and _record_in(path) is None)

    def _paths(self) -> list[str]:
        try:
            names = sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreUnreadable(
                f"The records waiting in {self._folder} cannot be read ({error}). Check that the folder "
                "belongs to you."
            ) from error
        return [os.path.join(self._folder, name) for name in names if name.endswith(_SUFFIX)]

    def discard(self, run_id: str) -> None:
        """Drop the file of a run, whatever it holds; one that is not there is no error."""
        try:
            os.remove(self._path(run_id))
        except FileNotFoundError:
            return

    def _path(self, run_id: str) -> str:
        if not run_id.isascii() or not run_id.replace("-", "").isalnum():
            raise ValueError(f"{run_id!r} cannot be the name of a file: a run's id has letters, digits and -")
        return os.path.join(self._folder, run_id + _SUFFIX)

    def _put(self, path: str, content: bytes) -> None:
        make_folder(self._folder)
        # Never truncated: the blocks that are there are the ones set aside.
        handle = open_file(path, os.O_WRONLY | os.O_CREAT)
        try:
            written = 0
            while written < len(content):
                written += os.pwrite(handle, content[written:], written)
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_reserve(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return not file.read().strip()
    except FileNotFoundError:
        return True  # taken in meanwhile
    except OSError:
        return False


def _record_in(path: str) -> RunRecord | None:
    try:
        with open(path, "rb") as file:
            return _unpacked(file.read())
    except OSError:
        return None


def _packed(record: RunRecord) -> bytes:
    row = run_row(record)
    text = _json(row)
    excess = len(text) - (SIZE - _HEAD_SIZE)
    if excess > 0:
        # A character takes one byte or more, and the mark that something is missing takes three.
        row["reason"] = row["reason"][: max(0, len(row["reason"]) - excess - 3)] + "…"
        text = _json(row)
    return (_HEAD % (len(text), crc32(text)) + text).ljust(SIZE)


def _unpacked(content: bytes) -> RunRecord | None:
    head, _, rest = content.partition(b"\n")
    try:
        length = int(head.split()[2], 16)
    except (IndexError, ValueError):
        return None
    text = rest[:length]
    if head + b"\n" != _HEAD % (length, crc32(text)):
        return None
    return run_of(json.loads(text))


def _json(row: dict[str, object]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
