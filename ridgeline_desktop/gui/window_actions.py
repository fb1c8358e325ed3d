"""Everything the main window can be asked to do, once: tool bar, menus and keys share these actions."""

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.kit.by_hand_words import why_not_by_hand
from ridgeline_desktop.gui.kit.icons import Shape, icon

OF_A_JOB = ("run", "stop", "pause", "resume", "schedule", "edit-job", "runbook", "output", "lock")
GENERAL = ("add", "settings", "check", "quit", "find", "all", "shortcuts", "about")
_SHAPES = {
    "run": Shape.RUN,
    "stop": Shape.STOP,
    "pause": Shape.PAUSE,
    "resume": Shape.RESUME,
    "schedule": Shape.SCHEDULE,
    "edit-job": Shape.EDIT,
    "runbook": Shape.RUNBOOK,
    "output": Shape.OUTPUT,
    "lock": Shape.LOCK,
    "add": Shape.ADD,
    "settings": Shape.SETTINGS,
    "check": Shape.CHECK,
    "find": Shape.FIND,
}
_KEYS = {
    "run": "Ctrl+R",
    "stop": "Ctrl+.",
    "pause": "Ctrl+P",
    "resume": "Ctrl+P",  # only one of the two is ever offered
    "schedule": "Ctrl+E",
    "runbook": "F1",
    "output": "Ctrl+L",
    "add": "Ctrl+N",
    "find": "Ctrl+F",
    "check": "F5",
    "quit": "Ctrl+Q",
}


class WindowActions(QObject):
    """`asked` carries the name of the action that was triggered."""

    asked = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        texts = self._texts()
        self._tips = self._tips_of()
        self._actions: dict[str, QAction] = {}
        for name in (*OF_A_JOB, *GENERAL):
            action = QAction(texts[name], self)
            action.setObjectName(name)
            action.setAutoRepeat(False)  # a key held down would start run after run
            action.setIconText(texts[name])  # Qt's own would leave out the dots that promise a question
            if name in _KEYS:
                action.setShortcut(QKeySequence(_KEYS[name]))
            action.triggered.connect(partial(self._on_triggered, name))
            self._actions[name] = action
            window.addAction(action)
        self.offer(None)

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def all(self) -> tuple[QAction, ...]:
        """Every action, those about a job first."""
        return tuple(self._actions.values())

    def paint(self, *, dark: bool) -> None:
        """Give the actions their pictures in the colours there are now."""
        for name, shape in _SHAPES.items():
            self._actions[name].setIcon(icon(shape, dark=dark))

    def offer(self, row: JobRow | None) -> None:
        """Offer what can be done with the selected job; what cannot says why in its tool tip."""
        is_paused = row is not None and (row.pause is not None or row.health is Health.PAUSED)
        for name in OF_A_JOB:
            objection = self._objection(name, row)
            action = self._actions[name]
            action.setEnabled(not objection)
            action.setToolTip(self._tip(name, objection))
        self._actions["pause"].setVisible(not is_paused)
        self._actions["resume"].setVisible(is_paused)
        for name in GENERAL:
            self._actions[name].setToolTip(self._tip(name))

    def _objection(self, name: str, row: JobRow | None) -> str:
        """Why an action is not to be had now, "" where it is."""
        if row is None:
            return self.tr("Choose a job in the list first.")
        if name == "run":
            return why_not_by_hand(row)
        if name == "stop":
            return "" if row.running is not None else self.tr("It is not running.")
        if name == "output":
            return "" if row.recent else self.tr("It has not run on this computer yet.")
        has_file = row.job is not None or (name == "edit-job" and bool(row.problems))
        if name == "lock" or has_file:
            return ""
        return self.tr("Its job file is missing or has a mistake in it.")

    def _tip(self, name: str, objection: str = "") -> str:
        action = self._actions[name]
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        head = self._tips[name]
        text = self.tr("{tip} ({keys})").format(tip=head, keys=keys) if keys else head
        return f"{text}\n{objection}" if objection else text

    def _on_triggered(self, name: str, _checked: bool = False) -> None:
        self.asked.emit(name)

    def _texts(self) -> dict[str, str]:
        return {
            "run": self.tr("Run now"),
            "stop": self.tr("Stop…"),
            "pause": self.tr("Pause…"),
            "resume": self.tr("Resume"),
            "schedule": self.tr("Schedule…"),
            "edit-job": self.tr("Edit job…"),
            "runbook": self.tr("Runbook"),
            "output": self.tr("Output"),
            "lock": self.tr("Lock…"),
            "add": self.tr("Add job…"),
            "settings": self.tr("Settings…"),
            "check": self.tr("Check now"),
            "quit": self.tr("Quit Ridgeline…"),
            "find": self.tr("Find a job"),
            "all": self.tr("Show all jobs"),
            "shortcuts": self.tr("Keyboard shortcuts"),
            "about": self.tr("About Ridgeline"),
        }

    def _tips_of(self) -> dict[str, str]:
        return {
            "run": self.tr("Run the selected job now"),
            "stop": self.tr("Stop the run that is going on"),
            "pause": self.tr("Leave out the job's scheduled starts for a while"),
            "resume": self.tr("Let the job start at its times again"),
            "schedule": self.tr("Change when the job runs"),
            "edit-job": self.tr("Change what the job runs, and its description"),
            "runbook": self.tr("Read what to do about the job"),
            "output": self.tr("Read what the last run said"),
            "lock": self.tr("See whether a lock keeps the job from starting"),
            "add": self.tr("Add a job"),
            "settings": self.tr("Change how Ridgeline behaves"),
            "check": self.tr("Put the records in order, and look at all jobs again"),
            "quit": self.tr("Close Ridgeline; jobs on this computer's schedule keep running"),
            "find": self.tr("Find a job by its name, its tags or what it does"),
            "all": self.tr("Show every job, whatever was chosen or looked for"),
            "shortcuts": self.tr("List the keys that do something"),
            "about": self.tr("Say what Ridgeline is, and its version"),
        }
