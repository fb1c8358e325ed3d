"""Keeps a run's whole output in a file of the user's choice, off the GUI thread."""

from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.services.runs import Runs


class OutputSaver(QObject):
    """Asks where to and writes there. `saved` carries the path; a failure goes to what answers for Tasks."""

    saved = Signal(str)

    def __init__(self, *, runs: Runs, tasks: Tasks, parent: QWidget) -> None:
        super().__init__(parent)
        self._runs, self._tasks, self._window = runs, tasks, parent
        self._record: RunRecord | None = None

    def ask(self, record: RunRecord) -> QFileDialog:
        """Ask for a file, and write the output of this run there."""
        self._record = record
        box = QFileDialog(self._window, self.tr("Save the full output"), f"{record.job_id}.txt")
        box.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setDefaultSuffix("txt")
        box.fileSelected.connect(self.save)
        box.open()
        return box

    def save(self, path: str) -> None:
        """Write the output to `path`, over what is there."""
        if self._record is not None and path:
            self._tasks.run(partial(_write, self._runs, self._record, path), then=self.saved.emit)


def _write(runs: Runs, record: RunRecord, path: str) -> str:
    offset = 0
    with open(path, "wb") as file:
        while piece := runs.output(record, offset=offset):
            offset += len(piece)
            file.write(piece)
    return path
