"""The room of runs on an office's real services, and short words for what its tests look at."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from at_forms import nameless
from office import Office
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.runs.room import RunsRoom
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.services.runs import Runs
from ridgeline_desktop.wiring.headless import InstalledCommand

OFFSCREEN = pytest.mark.qt_log_ignore("This plugin does not support")


def make_room(
    office: Office, tasks: Tasks, window: QWidget, *, can_start: bool = False, runs: Runs | None = None
) -> RunsRoom:
    """The room; with `can_start` a run is what `ridgeline run` makes of it. `runs` None = the office's."""
    real = runs or office.runs
    return RunsRoom(
        runs=replace(real, launcher=InstalledCommand(folders=office.folders)) if can_start else real,
        runbooks=Runbooks(jobs=office.jobs),
        tasks=tasks,
        feedback=Feedback(window),
        clock=office.clock,
        window=window,
    )


def say(office: Office, record: RunRecord, output: bytes) -> Path:
    """Write what a run wrote."""
    path = Path(office.logs.path(record.job_id, record.run_id))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(output)
    return path


def begin(office: Office, job_id: str, *, minutes_ago: float = 0) -> tuple[RunRecord, object]:
    """A run that is going on, and its lock, which this process holds."""
    run_id = "00000000-0000-7000-8000-00000000abcd"
    lock = office.take_lock(job_id, run_id)
    began = office.clock.now() - timedelta(minutes=minutes_ago)
    return office.run(job_id, began, "running", run_id=run_id), lock


def question() -> QDialog | None:
    """The dialog that is open now."""
    found = QApplication.activeModalWidget()
    return found if isinstance(found, QDialog) else None


def press(window: QWidget, word: str) -> None:
    """Press the button that says this."""
    [button] = [each for each in window.findChildren(QPushButton) if each.text() == word]
    button.click()


__all__ = ["OFFSCREEN", "begin", "make_room", "nameless", "press", "question", "say"]
