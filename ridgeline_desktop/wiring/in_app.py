"""Puts together what starts in-app jobs: a program of its own, or the windows while they are open."""

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial

from ridgeline_desktop.core.ports import OpenScheduler
from ridgeline_desktop.host.folders import Folders, open_folders
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.services.in_app import InApp
from ridgeline_desktop.wiring.headless import in_app_book, open_desk


class DetachedProcesses:
    """Starts runs in sessions of their own."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[bytes]] = []

    def start(self, argv: Sequence[str]) -> None:
        """Start it and return at once; those that have ended since are collected."""
        self._started = [process for process in self._started if process.poll() is None]
        self._started.append(
            subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )


def in_app_program(home: str | None) -> AbstractContextManager[Callable[[], None]]:
    """The program that starts the in-app jobs below `home`; what it gives waits until KeyboardInterrupt."""
    import click

    program = in_app_of(open_desk(home, via="in-app"), open_folders(home), say=partial(click.echo, err=True))
    return program.opened()


def in_app_of(desk: Desk, folders: Folders, *, say: Callable[[str], None]) -> InApp:
    """What starts the in-app jobs of these folders; `say` tells a person what is wrong with them."""
    return InApp(
        jobs=desk.jobs,
        surveying=desk.scheduling.surveying,
        book=in_app_book(folders),
        new_scheduler=_new_scheduler,
        launch=DetachedProcesses().start,
        clock=desk.clock,
        pause=time.sleep,
        say=say,
    )


def _new_scheduler(start: Callable[[str, datetime], None]) -> OpenScheduler:
    """The scheduler, loaded where there is something to start."""
    from ridgeline_desktop.backends.in_app import InAppScheduler

    return InAppScheduler(start=start)
