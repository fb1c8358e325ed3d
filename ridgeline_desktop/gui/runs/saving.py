"""Keeps a run's whole output in a file of the user's choice, off the GUI thread."""

import errno
import os
import stat
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.runs import Runs

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)


class OutputSaver(QObject):
    """Asks where to, writes there, and says in `feedback` what came of it."""

    def __init__(self, *, runs: Runs, tasks: Tasks, feedback: Feedback, parent: QWidget) -> None:
        super().__init__(parent)
        self._runs, self._tasks, self._feedback, self._window = runs, tasks, feedback, parent
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
        """Write the output to `path`, over what is there, for its owner's eyes only."""
        if self._record is not None and path:
            work = partial(_write, self._runs, self._record, path)
            self._tasks.run(work, then=self._on_saved, failed=partial(self._on_not_saved, path))

    def _on_saved(self, path: str) -> None:
        self._feedback.say(self.tr("The full output is saved in {path}.").format(path=path))

    def _on_not_saved(self, path: str, error: Exception) -> None:
        what = self.tr("The full output was not saved.")
        safe = self.tr("Ridgeline still has all of it.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe), partial(self.save, path))


def _write(runs: Runs, record: RunRecord, path: str) -> str:
    """Write all of it and give the path; what was begun and could not be finished is removed."""
    is_file = False
    try:
        with open(path, "wb", opener=_private) as file:
            is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            if is_file:
                os.chmod(path, 0o600)  # the umask, or whoever made the file before, may have wanted another
            offset = 0
            while piece := runs.output(record, offset=offset):
                offset += len(piece)
                file.write(piece)
    except OSError as error:
        if is_file:
            with suppress(OSError):
                os.unlink(path)
        raise RidgelineError(_why(error, path)) from error
    return path


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _why(error: OSError, path: str) -> str:
    say = QCoreApplication.translate
    if error.errno in NO_ROOM:
        text = say("OutputSaver", "There is no room left for {path}. Free some, or choose another disk.")
    elif error.errno in NOT_OURS:
        text = say("OutputSaver", "Nothing may be written to {path}. Choose another folder.")
    else:
        text = say("OutputSaver", "{path} cannot be written: {why}. Choose another folder.")
    return text.format(path=path, why=error.strerror)
