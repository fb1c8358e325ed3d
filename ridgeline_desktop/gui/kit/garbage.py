"""Python's garbage collection, kept on the GUI thread.

Left alone it runs in whatever thread makes the next object. A window that is part of a reference cycle would
then be destroyed outside the GUI thread, which ends the process.
"""

import gc

from PySide6.QtCore import QAbstractEventDispatcher, QObject


class Garbage(QObject):
    """Collects on the GUI thread, each time its event loop has nothing else to do and enough has gathered."""

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        gc.freeze()  # what is loaded by now stays, and looking through it would hold up the windows
        self._loop = QAbstractEventDispatcher.instance()
        self._loop.aboutToBlock.connect(self.tidy)

    def tidy(self) -> None:
        """Collect what Python itself would have collected by now."""
        counts, limits = gc.get_count(), gc.get_threshold()
        if counts[0] > limits[0]:
            gc.collect(max((age for age in (1, 2) if counts[age] > limits[age]), default=0))

    def close(self) -> None:
        """Leave it to Python again, for when no other thread runs any more."""
        self._loop.aboutToBlock.disconnect(self.tidy)
        gc.unfreeze()
        gc.enable()
