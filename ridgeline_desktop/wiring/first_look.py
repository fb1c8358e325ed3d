"""The first look at all jobs, taken in a thread of its own before the windows are loaded."""

from collections.abc import Callable
from threading import Thread

from ridgeline_desktop.core.snapshots import Snapshot

Look = Callable[[], Snapshot]
# Most looks are over sooner, and loading Qt beside one takes longer than one after the other.
PATIENCE = 0.15


class FirstLook:
    """Stands for `look`: it begins at once, the first call gives what it found, each later one looks anew.

    Making it waits a moment for the look; a disk that is slow does not keep the windows from coming up.

    What kept it from looking is raised by the first call. The calls wait, so they are made in a thread.
    """

    def __init__(self, look: Look) -> None:
        self._look = look
        self._found: Snapshot | Exception | None = None
        self._thread: Thread | None = Thread(target=self._begin, name="ridgeline-first-look")
        self._thread.start()
        self._thread.join(PATIENCE)

    def __call__(self) -> Snapshot:
        """The jobs as they are judged; raises what `look` raises."""
        thread, self._thread = self._thread, None
        if thread is None:
            return self._look()
        thread.join()
        found, self._found = self._found, None
        assert found is not None
        if isinstance(found, Exception):
            raise found
        return found

    def _begin(self) -> None:
        try:
            self._found = self._look()
        except Exception as error:  # noqa: BLE001 (whatever it is, the first call raises it)
            self._found = error
