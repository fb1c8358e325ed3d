"""What a run writes down: into the store, or into the spool while the store cannot be used."""

from collections.abc import Callable
from typing import TypeVar

from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.runs import RunRecord

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from ridgeline_desktop.core.ports import Spool, Store

T = TypeVar("T")


class Records:
    """The store, opened at the first question. `problem` says why it cannot be used, "" while it can."""

    def __init__(self, open_store: "Callable[[], Store]", spool: "Spool") -> None:
        self.problem = ""
        self._open_store = open_store
        self._spool = spool
        self._store: Store | None = None

    def ask(self, question: "Callable[[Store], T]", otherwise: T) -> T:
        """The store's answer; `otherwise` where it cannot be used, which is not tried again before the end."""
        if self.problem:
            return otherwise
        try:
            return question(self._opened())
        except StoreUnreadable as error:
            self.problem = str(error) or "the run records cannot be used"
            return otherwise

    def refuse(self, record: RunRecord) -> bool:
        """Write down a refused start; False where that was impossible."""
        return self._keep(record, lambda store: store.refuse_run(record))

    def finish(self, record: RunRecord) -> bool:
        """Write down a run's end, also where its start is not on record; False where that was impossible."""

        def write(store: "Store") -> None:
            if not store.finish_run(record):
                store.add_run(record)  # its start was not written, or somebody took it for dead

        return self._keep(record, write)

    def reserve(self, run_id: str) -> None:
        """Set space aside for the run's end; OSError where there is none."""
        self._spool.reserve(run_id)

    def _keep(self, record: RunRecord, write: "Callable[[Store], None]") -> bool:
        self.problem = ""  # the trouble may have passed, and this is the last chance
        if self.ask(lambda store: (write(store), True)[1], otherwise=False):
            self._spool.release(record.run_id)
            return True
        try:
            self._spool.write(record)
        except OSError:
            return False
        return True

    def _opened(self) -> "Store":
        if self._store is None:
            self._store = self._open_store()
        return self._store
