"""The throwaway sample shop that pictures are taken of: its past, its clock, what can be wrong with it."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from ridgeline_desktop import resource_files
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus
from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.seeding import seed
from ridgeline_desktop.demo.shop_api import ShopApi
from ridgeline_desktop.gui.parts import SampleControls
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.folders import open_folders
from ridgeline_desktop.host.locks import FileLocks, HeldFileLock
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses
from ridgeline_desktop.host.run_files import DiskRunLogs, new_run_id
from ridgeline_desktop.wiring.headless import DiskStores, open_desk

TORONTO = ZoneInfo("America/Toronto")
SAM = Actor(name="Sam", host="till", via="gui")
# A Saturday; in the night after it the clocks go forward.
PICTURE_TIME = datetime(2026, 3, 7, 10, 52, 30, tzinfo=TORONTO).astimezone(UTC)
PRINTED_ADDRESS = "http://127.0.0.1:8080"
SETTINGS = 'zone = "America/Toronto"\nname = "Sam"\n'
PYTHON = "/usr/bin/python3"
BROKEN_JOB = """\
title = "Photo resize"
about = "Makes small copies of the new product photos."
looked_after_by = "Theo"
command = ["/srv/shop/bin/photo-resize"]

[schedule]
daily = ["09:30", "25:00"]
"""


class StandingClock:
    """The same moment whenever it is asked, so that pictures of another day show the same times."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        """The moment, aware UTC."""
        return self._moment

    def steady(self) -> float:
        """Seconds, which stand too."""
        return 0.0


class PictureShop:
    """The sample shop in `home`, with methods that bring it into the state of a picture.

    With `api` its jobs can really be run, by the computer's own clock; else the time stands.
    """

    def __init__(self, home: Path, api: ShopApi | None = None) -> None:
        self._api = api
        self.clock: Clock = SystemClock() if api else StandingClock(PICTURE_TIME)
        address = api.address if api else PRINTED_ADDRESS
        shop = lay_out(home, python=sys.executable if api else PYTHON, api_address=address)
        (home / "config" / "settings.toml").write_text(SETTINGS, encoding="utf-8")
        self.jobs_folder, self._home = shop / "jobs", home
        if api is None:
            self._hide_folders(home, shop)
        self.folders = open_folders(str(home))
        self.desk = open_desk(str(home), via="gui", clock=self.clock)
        self._stores = DiskStores(folders=self.folders, clock=self.clock)
        self._logs = DiskRunLogs(self.folders.in_state("logs"))
        self._held: list[HeldFileLock] = []

    @property
    def unseen(self) -> tuple[str, ...]:
        """What must be in no picture: where shop and checkout lie, and what this computer is called."""
        return (str(self._home), str(Path(__file__).resolve().parent.parent), this_machine().host)

    @property
    def controls(self) -> SampleControls | None:
        """What breaks and mends the web shop, where there is one."""
        api = self._api
        if api is None:
            return None
        return SampleControls(
            break_it=api.break_it,
            mend=api.mend,
            is_broken=lambda: api.snapshot().is_broken,
            status_page=f"{api.address}/status",
        )

    def has_a_past(self) -> None:
        """The sample shop's runs of the last weeks; its jobs are on the schedule."""
        self._seed()
        self.desk.scheduling.register(())
        before = StandingClock(self.clock.now() - timedelta(minutes=3))
        open_desk(str(self._home), via="gui", clock=before).checking.check()

    def is_well(self) -> None:
        """All of the past, and a good run of each job after it."""
        self.has_a_past()
        for number, job in enumerate(self.desk.jobs.look().jobs()):
            last = self.desk.runs.history(job.job_id, limit=1)[0]
            if last.status is not RunStatus.COMPLETED:
                self._add(self._good_run(last, minutes_ago=number + 2), b"")

    def is_empty(self) -> None:
        """No job at all."""
        for path in self.jobs_folder.iterdir():
            path.unlink()

    def has_moved(self) -> None:
        """The job files are there, and nothing else: the computer is a new one."""

    def has_a_broken_job(self) -> None:
        """The past, and a job whose file has a mistake in it."""
        self.has_a_past()
        path = self.jobs_folder / "photo-resize.toml"
        path.touch(mode=0o600)
        path.write_text(BROKEN_JOB, encoding="utf-8")

    def lost_its_records(self) -> None:
        """The past, in a file that nobody can read any more."""
        self.has_a_past()
        for path in Path(self.folders.state).glob("*.sqlite3*"):
            path.write_bytes(b"These are no records." * 400)

    def has_a_dead_lock(self) -> None:
        """The past, and a lock that the night's run left behind when the computer went off."""
        self.has_a_past()
        last = self.desk.runs.history("nightly-invoices", limit=1)[0]
        held = self._lock(last, boot_id="another")
        guards.let_go(held.guard_fd)

    def has_a_run(self) -> None:
        """The past, and a run of the order sync that is going on."""
        self.has_a_past()
        begun = self.clock.now() - timedelta(seconds=34)
        last = self.desk.runs.history("order-sync", limit=1)[0]
        record = replace(
            last,
            run_id=new_run_id(begun),
            status=RunStatus.RUNNING,
            started_at=begun,
            scheduled_for=None,
            finished_at=None,
            recorded_at=None,
            duration=None,
            exit_code=None,
            reason_code=Reason.NONE,
            reason="",
        )
        lines = [f"order {number}: shipment {number + 3995}" for number in range(5048, 5063)]
        self._add(record, "".join(f"{line}\n" for line in lines).encode())
        self._held.append(self._lock(record))

    def _seed(self) -> None:
        shop = self.desk.jobs.look()
        checkpoint = self.folders.in_state("checkpoints", "order-sync.json")
        with self._stores.writing() as store:
            seed(
                store,
                shop.jobs(),
                zone=shop.zone,
                now=self.clock.now(),
                actor=SAM,
                log_path=self._logs.path,
                checkpoint=checkpoint,
            )

    def _good_run(self, last: RunRecord, *, minutes_ago: int) -> RunRecord:
        begun = self.clock.now() - timedelta(minutes=minutes_ago)
        return replace(
            last,
            run_id=new_run_id(begun),
            status=RunStatus.COMPLETED,
            started_at=begun,
            finished_at=begun + timedelta(seconds=31),
            recorded_at=begun + timedelta(seconds=31),
            duration=31.0,
            exit_code=0,
            reason_code=Reason.NONE,
            reason="",
        )

    def _add(self, record: RunRecord, output: bytes) -> None:
        with self._stores.writing() as store:
            store.add_run(record)
        Path(self._logs.path(record.job_id, record.run_id)).write_bytes(output)

    def _lock(self, record: RunRecord, **machine: str) -> HeldFileLock:
        """A lock of this very process; with words for `machine`, of one that was on another."""
        processes = LinuxProcesses(replace(this_machine(), **machine))
        held = FileLocks(self.folders.in_state("locks"), processes=processes).acquire(
            record.job_id,
            run_id=record.run_id,
            trigger=record.trigger.value,
            started_at=record.started_at,
            least_fence=record.fence or 1,
            settle=True,
        )
        assert isinstance(held, HeldFileLock)
        held.publish()
        return held

    def _hide_folders(self, home: Path, shop: Path) -> None:
        """Have files name the places of a real shop: nothing is run here, and temporary ones mean nothing."""
        for path in self.jobs_folder.iterdir():
            path.write_text(path.read_text("utf-8").replace(str(shop / "scripts"), "/srv"), "utf-8")
        for path in (shop / "runbooks").iterdir():
            path.write_text(resource_files.read_text(f"demo/runbooks/{path.name}"), "utf-8")


@contextmanager
def picture_shop(*, is_real: bool) -> Iterator[PictureShop]:
    """The shop until the end of the block; `is_real` has its web shop up (and broken) to run jobs against."""
    home = Path(tempfile.mkdtemp(prefix="ridgeline-pictures-")).resolve()
    api = ShopApi(fulfilled_until=5047) if is_real else None
    try:
        if api is not None:
            api.break_it()
            api.start()
        yield PictureShop(home, api)
    finally:
        if api is not None:
            api.stop()
        shutil.rmtree(home, ignore_errors=True)
