"""Everything about locks: the tab of the selected job and the dialog with the evidence."""

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.locks.tab import LockTab
from ridgeline_desktop.services.locks import LockDesk

if TYPE_CHECKING:
    from ridgeline_desktop.gui.locks.dialog import LockDialog


class LocksRoom(QObject):
    """`changed` = a lock was cleared. `stop_asked` carries the id of a job whose run shall be stopped."""

    changed = Signal()
    stop_asked = Signal(str)

    def __init__(
        self, *, locks: LockDesk, tasks: Tasks, feedback: Feedback, clock: Clock, window: QWidget
    ) -> None:
        super().__init__(window)
        self._locks, self._tasks, self._feedback = locks, tasks, feedback
        self._clock, self._window = clock, window
        self._row: JobRow | None = None
        self._zone = ZoneInfo("UTC")
        self._tab = LockTab()
        self._tab.look_asked.connect(self._look)

    def tabs(self) -> tuple[tuple[str, QWidget], ...]:
        """The tab of the detail pane."""
        return ((self.tr("Lock"), self._tab),)

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Follow the selection and the snapshot."""
        self._row, self._zone = row, snapshot.zone
        self._tab.show_row(row, snapshot)

    def open(self, row: JobRow) -> "LockDialog":
        """Show the evidence about this job's lock; does not wait for the answer."""
        from ridgeline_desktop.gui.locks.dialog import LockDialog  # rarely opened; it would slow every start

        dialog = LockDialog(
            row.job_id,
            row.title,
            usual=row.usual,
            zone=self._zone,
            locks=self._locks,
            tasks=self._tasks,
            feedback=self._feedback,
            clock=self._clock,
            parent=self._window,
        )
        dialog.cleared.connect(self.changed)
        dialog.stop_asked.connect(self.stop_asked)
        dialog.open()
        return dialog

    @Slot(str)
    def _look(self, job_id: str) -> None:
        if self._row is not None and self._row.job_id == job_id:
            self.open(self._row)
