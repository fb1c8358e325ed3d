"""The program that starts in-app jobs while it is open."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from ridgeline_desktop.backends.in_app import InAppScheduler
from ridgeline_desktop.core.registrations import Entry
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.host.folders import Folders, open_folders
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.wiring.headless import in_app_book, open_desk

LOOK_EVERY = 10.0
CLOCK_JUMP = 2.0


@contextmanager
def starting_jobs(folders: Folders, desk: Desk) -> Iterator[InAppScheduler]:
    """Start the in-app jobs of this home at their fire times until the end of the block.

    A run started here goes on when this program ends. BackendError where another program does it already.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start(job_id: str, fire_time: datetime) -> None:
        started[:] = [process for process in started if process.poll() is None]
        argv = [*desk.scheduling.launcher.command(job_id), "--for", fire_time.isoformat()]
        started.append(
            subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    scheduler = InAppScheduler(start=start)
    with in_app_book(folders).obeyed():
        _follow_book(scheduler, folders, desk)
        scheduler.start()
        try:
            yield scheduler
        finally:
            scheduler.shutdown()


@contextmanager
def in_app_program(home: str | None) -> Iterator[Callable[[], None]]:
    """The program that starts the in-app jobs below `home`; what it gives waits until KeyboardInterrupt."""
    folders, desk = open_folders(home), open_desk(home, via="in-app")
    with starting_jobs(folders, desk) as scheduler:
        yield lambda: keep_open(scheduler, folders, desk)


def keep_open(scheduler: InAppScheduler, folders: Folders, desk: Desk) -> None:
    """Follow changes of the book and jumps of the clock until KeyboardInterrupt."""
    while True:
        wall, steady = desk.clock.now(), desk.clock.steady()
        time.sleep(LOOK_EVERY)
        jump = (desk.clock.now() - wall).total_seconds() - (desk.clock.steady() - steady)
        _follow_book(scheduler, folders, desk)
        if abs(jump) > CLOCK_JUMP or desk.clock.steady() - steady > 2 * LOOK_EVERY:
            scheduler.wake(now=desk.clock.now())


def _follow_book(scheduler: InAppScheduler, folders: Folders, desk: Desk) -> None:
    booked = {found.name: found.native for found in in_app_book(folders).read_back()}
    wanted = {entry.name: entry for entry in _entries(desk) if entry.name in booked}
    there = {found.name: found.native for found in scheduler.read_back()}
    scheduler.remove([name for name in there if name not in wanted])
    scheduler.apply([entry for entry in wanted.values() if there.get(entry.name) != scheduler.preview(entry)])


def _entries(desk: Desk) -> list[Entry]:
    shop = desk.jobs.look()
    mine = (BackendName.AUTO, BackendName.IN_APP)
    jobs = [job for job in shop.jobs() if desk.scheduling.is_wanted(job, shop)]
    return [desk.scheduling.entry(job, shop.zone) for job in jobs if job.schedule.backend in mine]
