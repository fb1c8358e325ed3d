"""One open database of one thread: how it is opened, locked and told about, and its errors in words."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from typing import Any

import apsw

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.private_files import make_folder, open_file
from ridgeline_desktop.store.guard import take
from ridgeline_desktop.store.schema import MIGRATIONS, Format, Migration, format_of, refuse_newer, upgrade

DATABASE = "ridgeline.sqlite3"
GUARD = "store.guard"
MARKER = "store.damaged"
REVISION = "revision"
BACKUPS = "backups"
DAMAGE = (apsw.CorruptError, apsw.NotADBError)

_BUSY_MILLISECONDS = 15_000
_GUARD_SECONDS = 5.0
_REVISION_SECONDS = 1.0
_INDEX_BYTES = 32_768


class StoreDamaged(StoreUnreadable):
    """The file of the run records is not as SQLite left it; recovery is for whoever may wait."""


class Database:
    """A connection with everything that hangs on it; made by `open_database` and `open_for_looking`.

    Each statement outside `transaction` is a transaction of its own. Every method raises StoreUnreadable.
    """

    def __init__(
        self, connection: apsw.Connection, *, found: Format, folder: str, guard: int | None, looking: bool
    ) -> None:
        self.connection = connection
        self.host_id = found.host_id
        self.folder = folder
        self._guard = guard
        self._looking = looking
        self._closed = False

    def read(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self.in_words():
            return self.connection.execute(sql, values).fetchall()

    def write(self, sql: str, values: Mapping[str, Any] | None = None) -> int:
        """Carry out one change; give how many rows it touched."""
        with self.in_words():
            self.connection.execute(sql, values).fetchall()
            changed = self.connection.changes()
        if changed and not self.connection.in_transaction:
            raise_revision(self.folder)
        return changed

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside happens or nothing; other writers wait from the beginning."""
        with self.in_words():
            self.connection.execute("begin immediate")
            try:
                yield
                self.connection.execute("commit")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                raise
        raise_revision(self.folder)

    def close(self) -> None:
        """Let go of the file and of the guard; closing twice is no error."""
        if self._closed:
            return
        self._closed = True
        self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        self.connection.close()
        if self._guard is not None:
            os.close(self._guard)

    def in_words(self) -> AbstractContextManager[None]:
        """As `in_words` below; damage met while writing is allowed is marked for whoever may repair it."""
        return in_words(self.folder, mark=not self._looking)


def open_database(folder: str, *, now: datetime, migrations: Sequence[Migration] = MIGRATIONS) -> Database:
    """The database of a state folder for reading and writing, made or upgraded where needed.

    Raises StoreDamaged where it needs recovery, StoreTooNew and StoreUnreadable in words.
    """
    path = os.path.join(folder, DATABASE)
    with in_words(folder), ExitStack() as undo:
        make_folder(folder)
        guard = _share_guard(folder)
        undo.callback(os.close, guard)
        is_new = not os.path.exists(path)
        if is_new:
            _refuse_lost(folder)
        connection = connect(path, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        undo.callback(connection.close)
        if is_new:
            os.chmod(path, 0o600)  # before WAL is switched on: its files take this mode over
        found = format_of(connection)
        if found.version == 0:
            _refuse_lost(folder)
        refuse_newer(found, migrations)
        connection.pragma("journal_mode", "wal")
        if found.version < len(migrations):
            found = upgrade(connection, migrations, keep_copy=lambda old: _copy_before(folder, old, now))
            raise_revision(folder)
        undo.pop_all()
        return Database(connection, found=found, folder=folder, guard=guard, looking=False)


def open_for_looking(folder: str, *, migrations: Sequence[Migration] = MIGRATIONS) -> Database:
    """The database of a state folder for reading only; an empty one in memory where there is none.

    SQLite itself needs to write the files beside the database, so it is opened as if for writing and told
    to refuse every change. A file of an older format is read from an upgraded copy in memory.
    """
    path = os.path.join(folder, DATABASE)
    guard = None
    with in_words(folder), ExitStack() as undo:
        if not os.path.exists(path):
            _refuse_lost(folder)
        if _is_missing(path):
            connection = connect(":memory:")
        else:
            guard = _share_guard(folder)
            undo.callback(os.close, guard)
            connection = connect(path)
        undo.callback(connection.close)
        found = format_of(connection)
        if found.version == 0:
            _refuse_lost(folder)
        refuse_newer(found, migrations)
        if found.version < len(migrations):
            connection = _copy_in_memory(connection)
            found = upgrade(connection, migrations)
        connection.pragma("query_only", 1)
        undo.pop_all()
        return Database(connection, found=found, folder=folder, guard=guard, looking=True)


def connect(path: str, *, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    """A connection as every one of ours is set: it waits 15 s for others and syncs each commit.

    Closed as it is, it leaves the write-ahead log alone: of a damaged database that is evidence.
    """
    connection = apsw.Connection(path, flags=flags)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.pragma("synchronous", "full")
    return connection


def mark_damaged(folder: str) -> None:
    """Leave word that the database was found damaged, so that nobody writes into it before recovery."""
    try:
        os.close(open_file(os.path.join(folder, MARKER), os.O_WRONLY | os.O_CREAT))
    except OSError:
        return  # what cannot be marked is found again by the next who meets the damage


def raise_revision(folder: str) -> None:
    """Write the next number into `revision`, in place: whoever watches that file sees that we wrote.

    It is only a hint, and watchers look by themselves each minute: what fails here fails silently.
    """
    try:
        handle = take(os.path.join(folder, REVISION), exclusive=True, seconds=_REVISION_SECONDS)
    except OSError:
        return
    if handle is None:
        return
    try:
        text = os.pread(handle, 32, 0).strip()
        os.pwrite(handle, b"%020d\n" % ((int(text) if text.isdigit() else 0) + 1), 0)
    except OSError:
        pass
    finally:
        os.close(handle)


@contextmanager
def in_words(folder: str, *, mark: bool = False) -> Iterator[None]:
    """Turn what SQLite and the system raise inside into StoreUnreadable, with what to do about it."""
    try:
        yield
    except (apsw.Error, OSError) as error:
        if mark and isinstance(error, DAMAGE):
            mark_damaged(folder)
        raise _told(error, folder) from error


def _told(error: Exception, folder: str) -> StoreUnreadable:
    where = f"the run records in {os.path.join(folder, DATABASE)}"
    if isinstance(error, DAMAGE):
        return StoreDamaged(
            f"The file of {where} is damaged ({error}). `ridgeline check` sets it aside and restores the "
            "newest backup; runs are kept in spool/ until then."
        )
    is_access = isinstance(error, apsw.CantOpenError | apsw.PermissionsError | apsw.IOError | OSError)
    if isinstance(error, apsw.FullError) or (is_access and _has_no_room(folder)):
        return StoreUnreadable(
            f"The disk is full: {where} cannot be opened or take another line. Free some space."
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreUnreadable(
            f"Another program has been writing to {where} for more than 15 seconds. Try again; if it stays "
            "so, look for a program of Ridgeline that hangs."
        )
    if isinstance(error, apsw.ReadOnlyError):
        return StoreUnreadable(
            f"Nothing can be written to {where}: they were opened for looking only, or the file or its "
            "folder is write-protected."
        )
    if is_access:
        return StoreUnreadable(
            f"It is not possible to read or write {where} ({error}). Check that the file and its folder "
            "belong to you, and that the disk is well."
        )
    return StoreUnreadable(f"SQLite refuses to work with {where}: {error}.")


def _has_no_room(folder: str) -> bool:
    """Whether the disk has not even the space of the index that SQLite keeps beside an open database."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < _INDEX_BYTES


def has_copies(folder: str) -> bool:
    """Whether there are copies of a database here, finished ones."""
    backups = os.path.join(folder, BACKUPS)
    return os.path.isdir(backups) and any(name.endswith(".sqlite3") for name in os.listdir(backups))


def is_blank(path: str) -> bool:
    """Whether nothing of ours stands in the file: gone, a link to nowhere, empty, or without tables."""
    if not os.path.exists(path):
        return True
    if not os.path.isfile(path):
        return False
    connection = connect(path)
    try:
        return format_of(connection).version == 0
    finally:
        connection.close()


def _refuse_lost(folder: str) -> None:
    if has_copies(folder):
        raise StoreDamaged(
            f"The run records in {folder} are gone or empty, but there are copies of them. `ridgeline check` "
            "restores the newest; runs are kept in spool/ until then."
        )


def _share_guard(folder: str) -> int:
    guard = take(os.path.join(folder, GUARD), exclusive=False, seconds=_GUARD_SECONDS)
    if guard is None:
        raise StoreUnreadable(f"The run records in {folder} are being repaired. Try again in a minute.")
    if os.path.exists(os.path.join(folder, MARKER)):
        os.close(guard)
        raise StoreDamaged(
            f"The run records in {folder} were found damaged. `ridgeline check` sets the file aside and "
            "restores the newest backup; runs are kept in spool/ until then."
        )
    return guard


def _is_missing(path: str) -> bool:
    """Whether nothing is there. A path that cannot be looked at raises OSError: that is not the same."""
    try:
        os.stat(path)
    except FileNotFoundError:
        return True
    return False


def _copy_in_memory(source: apsw.Connection) -> apsw.Connection:
    memory = connect(":memory:")
    with memory.backup("main", source, "main") as copying:
        copying.step(-1)
    source.close()
    return memory


def _copy_before(folder: str, version: int, now: datetime) -> None:
    from ridgeline_desktop.store.backups import make_backup

    # From a connection of its own: the upgrading one already holds the write lock.
    source = connect(os.path.join(folder, DATABASE))
    try:
        make_backup(source, folder, f"{now:%Y-%m-%d}-format-{version}")
    finally:
        source.close()
