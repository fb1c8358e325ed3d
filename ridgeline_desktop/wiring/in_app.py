"""Puts together the program that starts in-app jobs while it is open."""

import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

import click

from ridgeline_desktop.backends.in_app import InAppScheduler
from ridgeline_desktop.host.folders import open_folders
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
    desk = open_desk(home, via="in-app")
    program = InApp(
        jobs=desk.jobs,
        surveying=desk.scheduling.surveying,
        book=in_app_book(open_folders(home)),
        new_scheduler=lambda start: InAppScheduler(start=start),
        launch=DetachedProcesses().start,
        clock=desk.clock,
        pause=time.sleep,
        say=partial(click.echo, err=True),
    )
    return program.opened()
