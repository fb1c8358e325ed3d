"""The whole program with windows on a throwaway home: real services, the clock of the office, no tray."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from office import Office
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.application import Application
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.parts import Parts, SampleControls
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.wiring.desktop import watched_paths


@dataclass
class Login:
    """Whether Ridgeline starts at login, in memory."""

    on: bool = False

    def is_on(self) -> bool:
        return self.on

    def set(self, on: bool) -> None:
        self.on = on


@dataclass
class Web:
    """The sample shop's API, as far as a window sees it."""

    broken: bool = True
    asked: list[str] = field(default_factory=list)

    def controls(self) -> SampleControls:
        return SampleControls(
            break_it=partial(self._set, True),
            mend=partial(self._set, False),
            is_broken=lambda: self.broken,
            status_page="http://127.0.0.1:8080/status",
        )

    def _set(self, broken: bool) -> None:
        self.broken = broken


def desk_of(office: Office) -> Desk:
    return Desk(
        jobs=office.jobs,
        scheduling=office.scheduling,
        monitoring=office.monitoring,
        runs=office.runs,
        locks=office.lock_desk,
        runbooks=Runbooks(jobs=office.jobs),
        editing=office.editing,
        settings=office.settings_desk,
        checking=office.checking,
        clock=office.clock,
        facts=dict,
    )


def words(widget: QWidget) -> str:
    """All that the labels of a widget say on screen."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    return " ".join(label.text() for label in labels)


class Program:
    """An open application, and short words for what tests do with it."""

    def __init__(
        self, qtbot: QtBot, office: Office, *, web: Web | None = None, stops: tuple[str, ...] = ()
    ) -> None:
        self.qtbot, self.office, self.closed = qtbot, office, []
        self.application = Application(
            Parts(
                desk=desk_of(office),
                look=office.monitoring.snapshot,
                places=partial(watched_paths, office.folders, office.jobs),
                in_app_jobs=lambda: stops,
                close=partial(self.closed.append, True),
                window_file=office.folders.in_state("window.ini"),
                home=str(office.root),
                state=office.folders.state,
                autostart=Login(),
                scheme=Scheme.LIGHT,
                sample=web.controls() if web else None,
            )
        )
        self.window, self.rooms = self.application.window, self.application.rooms
        self.window.show()
        self.settle()

    def settle(self) -> None:
        """Wait until everything that was asked for has been answered and shown."""
        self.qtbot.waitUntil(lambda: self.application.snapshot is not None and self.application.is_idle)

    def until(self, claim: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(claim, timeout=10_000)

    def row(self, job_id: str) -> JobRow:
        return next(row for row in self.application.snapshot.rows if row.job_id == job_id)

    def close(self) -> None:
        self.settle()
        self.application.close()


__all__ = ["Login", "Program", "Web", "words"]
