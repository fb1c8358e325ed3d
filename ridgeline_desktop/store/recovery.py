"""A damaged database is set aside whole and the newest sound backup takes its place."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime

import apsw

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.private_files import make_folder, sync_folder
from ridgeline_desktop.store.backups import copy_database, is_sound, newest_sound
from ridgeline_desktop.store.database import (
    BACKUPS,
    DAMAGE,
    DATABASE,
    GUARD,
    MARKER,
    connect,
    in_words,
    is_blank,
    mark_damaged,
    raise_revision,
)
from ridgeline_desktop.store.guard import take
from ridgeline_desktop.store.schema import Migration, format_of, refuse_newer, upgrade

RECOVERED = "recovered"

_GUARD_SECONDS = 2.0


def recover(folder: str, *, now: datetime, migrations: Sequence[Migration]) -> None:
    """Repair the records of a state folder; nothing happens where they turn out to be sound.

    What was done is kept as a sentence under the key "recovered". Raises StoreUnreadable where another
    program still has them open, or where the repair itself fails; then the damaged file stays in place.
    """
    with in_words(folder):
        guard = take(os.path.join(folder, GUARD), exclusive=True, seconds=_GUARD_SECONDS)
        if guard is None:
            raise StoreUnreadable(
                f"The run records in {folder} are damaged and cannot be repaired while another program of "
                "Ridgeline has them open. Runs are kept in spool/; the next check tries again."
            )
        try:
            path = os.path.join(folder, DATABASE)
            # Somebody else may have repaired it since, so damage is proven again.
            if not _is_in_order(path):
                mark_damaged(folder)  # whoever comes after a repair that was cut off begins again
                _replace(folder, path, now, migrations)
            if os.path.exists(os.path.join(folder, MARKER)):
                os.remove(os.path.join(folder, MARKER))
            raise_revision(folder)
        finally:
            os.close(guard)


def _is_in_order(path: str) -> bool:
    try:
        return not is_blank(path) and is_sound(path, "integrity_check")
    except (StoreUnreadable, *DAMAGE):
        return False


def _replace(folder: str, path: str, now: datetime, migrations: Sequence[Migration]) -> None:
    aside = os.path.join(folder, BACKUPS, f"damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}")
    backup = newest_sound(folder, now)
    # Ready before the damaged file goes, so that a full disk leaves everything as it was.
    fresh = f"{path}.new"
    _prepare(fresh, backup, _host_id_in(path), _sentence(aside, backup, now), migrations)
    make_folder(aside)
    for part in (f"{path}-shm", f"{path}-wal", path):
        if os.path.exists(part):
            os.rename(part, os.path.join(aside, os.path.basename(part)))
    os.rename(fresh, path)
    sync_folder(folder)


def _prepare(
    fresh: str, backup: str | None, host_id: str, sentence: str, migrations: Sequence[Migration]
) -> None:
    """Make the database that takes the place: the backup or an empty one, with the sentence in it."""
    source = connect(backup or ":memory:")
    try:
        copy_database(source, fresh)
    finally:
        source.close()
    connection = connect(fresh)
    try:
        refuse_newer(format_of(connection), migrations)
        upgrade(connection, migrations)
        connection.execute("insert or replace into meta (key, value) values (?, ?)", (RECOVERED, sentence))
        if host_id:
            connection.execute("update meta set value = ? where key = 'host_id'", (host_id,))
    finally:
        connection.close()


def _host_id_in(path: str) -> str:
    """This computer's id where the damaged file can still tell it, else ""."""
    try:
        connection = connect(path)
        try:
            return format_of(connection).host_id
        finally:
            connection.close()
    except (apsw.Error, StoreUnreadable):
        return ""


def _sentence(aside: str, backup: str | None, now: datetime) -> str:
    when = f"{now.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    words = f"The run records were damaged and were set aside on {when} in {aside}."
    if backup is None:
        return f"{words} There was no backup to restore, so the history begins anew."
    name = os.path.basename(backup)
    return f"{words} They were restored from the backup {name}: runs recorded after it are missing."
