"""Copies of the database, made by SQLite itself and kept in backups/; the newest seven stay."""

import os
from datetime import UTC, datetime

import apsw

from ridgeline_desktop.private_files import make_folder, sync_folder
from ridgeline_desktop.store.database import BACKUPS, DAMAGE, connect

KEPT = 7

_PREFIX = "ridgeline-"
_SUFFIX = ".sqlite3"
_UNFINISHED = ".new"


def make_backup(source: apsw.Connection, folder: str, label: str) -> bool:
    """Copy the database into backups/ under the label, a date first; False where that copy exists already.

    A copy that is not sound is thrown away and raises apsw.CorruptError: then the database is not either.
    """
    backups = os.path.join(folder, BACKUPS)
    make_folder(backups)
    target = os.path.join(backups, f"{_PREFIX}{label}{_SUFFIX}")
    if os.path.exists(target):
        return False
    unfinished = f"{target}.{os.getpid()}{_UNFINISHED}"
    try:
        copy_database(source, unfinished)
        os.replace(unfinished, target)
    except BaseException:
        _remove(unfinished)
        raise
    sync_folder(backups)
    _prune(backups, label)
    return True


def copy_database(source: apsw.Connection, target: str) -> None:
    """Copy a whole database into one file, 0600 and without companions, and prove that it is sound."""
    _remove(target)
    copy = connect(target, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    try:
        os.chmod(target, 0o600)
        with copy.backup("main", source, "main") as copying:
            copying.step(-1)
        copy.pragma("journal_mode", "delete")
        if copy.execute("pragma quick_check(1)").fetchall() != [("ok",)]:
            raise apsw.CorruptError("the copy is not sound")
    finally:
        copy.close()


def newest_sound(folder: str, now: datetime) -> str | None:
    """The path of the newest backup that SQLite finds in order, or None.

    One dated after `now` was made under a clock that ran ahead, and comes last.
    """
    backups = os.path.join(folder, BACKUPS)
    kept = _kept(backups, f"{now.astimezone(UTC):%Y-%m-%d}")
    return next((path for path in reversed(kept) if _can_restore(path)), None)


def is_sound(path: str, check: str) -> bool:
    """Whether `quick_check` or `integrity_check` finds nothing to object to in a database file.

    Raises apsw.Error where it cannot be examined at all.
    """
    try:
        connection = connect(path)
    except DAMAGE:
        return False
    try:
        return connection.execute(f"pragma {check}(1)").fetchall() == [("ok",)]
    except DAMAGE:
        return False
    finally:
        connection.close()


def _can_restore(path: str) -> bool:
    try:
        return is_sound(path, "quick_check")
    except apsw.Error:
        return False


def _kept(backups: str, today: str) -> list[str]:
    """The finished copies, oldest first by the date in their names; those of the future count as oldest."""
    if not os.path.isdir(backups):
        return []
    names = [name for name in os.listdir(backups) if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    names.sort(key=lambda name: (name[len(_PREFIX) :][: len(today)] <= today, name))
    return [os.path.join(backups, name) for name in names]


def _prune(backups: str, label: str) -> None:
    for path in _kept(backups, label[: len("2026-03-04")])[:-KEPT]:
        os.remove(path)
    for name in os.listdir(backups):
        # Left by a program that was killed; one of this label another program may be making right now.
        if f"{_SUFFIX}." in name and not name.startswith(f"{_PREFIX}{label}"):
            _remove(os.path.join(backups, name))


def _remove(path: str) -> None:
    for victim in (path, f"{path}-journal", f"{path}-wal", f"{path}-shm"):
        if os.path.exists(victim):
            os.remove(victim)
