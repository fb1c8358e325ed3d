"""SQL behind ports: the run records of one computer, and the spool for when they cannot be written."""

import os
from collections.abc import Sequence
from datetime import datetime

from ridgeline_desktop.store.database import StoreDamaged, open_database, open_for_looking
from ridgeline_desktop.store.records import SqliteStore
from ridgeline_desktop.store.schema import MIGRATIONS, Migration
from ridgeline_desktop.store.spool import FileSpool

__all__ = ["FileSpool", "SqliteStore", "open_store"]


def open_store(
    state_folder: str | os.PathLike[str],
    *,
    now: datetime,
    create: bool = True,
    may_recover: bool = False,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> SqliteStore:
    """The store of a state folder, for the thread that opens it.

    `create=False` is for looking: no change is possible, and where nothing was ever recorded nothing is
    made on disk. `may_recover` is for callers that may wait: a damaged file is set aside and the newest
    backup restored. Raises StoreUnreadable in words, StoreTooNew where a newer program wrote the records.
    """
    folder = os.fspath(state_folder)
    if not create:
        return SqliteStore(open_for_looking(folder, migrations=migrations))
    try:
        return SqliteStore(open_database(folder, now=now, migrations=migrations))
    except StoreDamaged:
        if not may_recover:
            raise
    from ridgeline_desktop.store.recovery import recover

    recover(folder, now=now, migrations=migrations)
    return SqliteStore(open_database(folder, now=now, migrations=migrations))
