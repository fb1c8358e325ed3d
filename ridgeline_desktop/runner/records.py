"""What a run writes down: into the store, or into the spool while the store cannot be used."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeVar

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.runs import RunRecord

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from collections.abc import Callable

    from ridgeline_desktop.core.ports import Spool, Store

T = TypeVar("T")


class Records:
    """The store, opened at the first question. `problem` says why it cannot be used, "" while it can."""

    def __init__(self, open_store: Callable[[], Store], spool: Spool) -> None:
        self.problem = ""
        self._open_store = open_store
        self._spool = spool
        self._store: Store | None = None

    def ask(self, question: Callable[[Store], T], otherwise: T) -> T:
        """The store's answer; `otherwise` where it cannot be used, which is tried again only at the end."""
        if self.problem:
            return otherwise
        try:
            if self._store is None:
                self._store = self._open_store()
            return question(self._store)
        except StoreUnreadable as error:
            self.problem = str(error) or "the run records cannot be used"
            return otherwise

    def rest(self) -> None:
        """Let go of the store while the job works: what becomes of its file is noticed at the end."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def refuse(self, record: RunRecord) -> bool:
        """Write down a refused start; False where that was impossible."""

        def write(store: Store) -> bool:
            store.refuse_run(record)
            return True

        return self.ask(write, otherwise=False) or self._spooled(record)

    def reserve(self, run_id: str) -> None:
        """Set space aside for the run's end; OSError where there is none."""
        self._spool.reserve(run_id)

    def finish(self, record: RunRecord) -> bool:
        """Write down a run's end, whether or not its start is on record; False where that was impossible."""

        def write(store: Store) -> bool:
            if not store.finish_run(record):
                store.add_run(record)  # its start could not be written, or somebody took it for dead
            return True

        self.problem = ""  # the trouble may have passed, and this is the last chance
        if not self.ask(write, otherwise=False):
            return self._spooled(record)
        with suppress(OSError):  # an empty reserve left over costs 4 KiB, not a record
            self._spool.release(record.run_id)
        return True

    def _spooled(self, record: RunRecord) -> bool:
        try:
            self._spool.write(record)
        except OSError:
            return False
        return True
