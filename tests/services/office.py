"""The services of one computer, put together by hand: real files, records and locks, and a clock that waits.

The edge is a crontab command of the test's own; nothing here starts a job.
"""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import apsw
import pytest

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.in_app_book import InAppBook
from ridgeline_desktop.core.registrations import RegistrationState, ServiceState
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.account import DiskPrograms
from ridgeline_desktop.host.checkpoint_files import DiskCheckpoints
from ridgeline_desktop.host.folders import Folders, open_folders
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses
from ridgeline_desktop.host.run_files import DiskRunLogs, DiskStopRequests, new_run_id
from ridgeline_desktop.host.run_starts import DiskRunStarts
from ridgeline_desktop.host.settings_file import DiskSettingsFile
from ridgeline_desktop.services.checking import Checking, CheckReport
from ridgeline_desktop.services.editing import Editing
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.locks import LockDesk
from ridgeline_desktop.services.monitoring import Monitoring
from ridgeline_desktop.services.runs import Runs
from ridgeline_desktop.services.scheduling import Scheduling
from ridgeline_desktop.services.settings import SettingsDesk
from ridgeline_desktop.services.surveying import Surveying
from ridgeline_desktop.store import FileSpool
from ridgeline_desktop.wiring.headless import DiskStores, InstalledCommand, shop_of

TORONTO = ZoneInfo("America/Toronto")
ACTOR = Actor(name="Theo", host="till", via="cli")
CRONTAB = """#!/bin/sh
cd "$(dirname "$0")" || exit 9
if [ -e trouble ]; then cat trouble >&2; exit 1; fi
case "$1" in
-l) if [ -e table ]; then cat table; else echo "no crontab for theo" >&2; exit 1; fi;;
-h) echo "usage error" >&2; exit 1;;
*) if [ -e full ]; then echo "no space left" >&2; exit 1; fi; cat "$1" > table;;
esac
"""
# Takes a job's lock as a runner does, starts the job, and is gone without a word.
RUNNER = """
import subprocess, sys
from datetime import UTC, datetime
from ridgeline_desktop.host.locks import FileLocks
folder, job_id, run_id = sys.argv[1:]
held = FileLocks(folder).acquire(
    job_id, run_id=run_id, trigger="schedule", started_at=datetime.now(UTC), least_fence=1, settle=True)
held.publish()
job = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True, stdout=-3, stderr=-3)
held.publish_child(job.pid, ["/bin/sleep", "60"])
print(job.pid, flush=True)
import os
os._exit(0)
"""


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.wall = local("2026-02-28T12:00")

    def now(self) -> datetime:
        return self.wall

    def steady(self) -> float:
        return self.wall.timestamp()


class Launcher:
    """The scheduled command is a program that a test can take away; by hand it is real, or another."""

    def __init__(self, program: Path, folders: Folders) -> None:
        self.program, self.folders, self.trouble = program, folders, ""
        self.by_hand_program: tuple[str, ...] = ()

    def command(self, job_id: str) -> tuple[str, ...]:
        return (str(self.program), "run", job_id, "--trigger", "schedule")

    def by_hand(self, job_id: str, *, run_id: str, by: str, again: bool) -> tuple[str, ...]:
        if self.by_hand_program:
            return self.by_hand_program
        real = InstalledCommand(folders=self.folders)
        return real.by_hand(job_id, run_id=run_id, by=by, again=again)

    def spoken(self) -> str:
        return "ridgeline"

    def objection(self) -> str:
        return self.trouble


class Cron(CronBackend):
    """Real but for the daemon, which lives or not as the test says."""

    alive: bool | None = True

    def service_state(self) -> ServiceState:
        words = {True: "cron is running", False: "no cron program is running", None: "cannot tell"}
        return ServiceState(running=self.alive, sentence=words[self.alive])


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=TORONTO).astimezone(UTC)


class Office:
    """A home below `root` with all services, and short words for what tests do there."""

    def __init__(self, root: Path) -> None:
        root.chmod(0o700)
        self.root, self.clock, self.edge = root, Clock(), root / "edge"
        self.folders = open_folders(str(root))
        self.shop, self.settings_path = Path(self.folders.default_shop), Path(self.folders.settings_file)
        for folder in (self.shop / "jobs", self.settings_path.parent, self.edge):
            folder.mkdir(parents=True, mode=0o700)
        for program, text in (("crontab", CRONTAB), ("ridgeline", "#!/bin/sh\n")):
            (self.edge / program).write_text(text)
            (self.edge / program).chmod(0o755)
        self.table, self.trouble, self.full = (self.edge / name for name in ("table", "trouble", "full"))
        self.launcher = Launcher(self.edge / "ridgeline", self.folders)
        self.state = Path(self.folders.state)
        self.database = self.state / "ridgeline.sqlite3"
        self._put_together()
        self._ids = 0
        self.survivors: list[int] = []

    def _put_together(self) -> None:
        state, clock = self.folders.in_state, self.clock
        self.locks, self.logs = FileLocks(state("locks")), DiskRunLogs(state("logs"))
        self.spool, self.stops = FileSpool(state("spool")), DiskStopRequests(state("stops"))
        self.stores, settings_file = (
            DiskStores(folders=self.folders, clock=clock),
            DiskSettingsFile(str(self.settings_path)),
        )
        self.cron = Cron(
            crontab=str(self.edge / "crontab"),
            lock_path=Path(state("crontab.lock")),
            backup_folder=Path(state("backups", "crontab")),
            clock=clock,
            system_zone=TORONTO,
            pause=lambda _: None,
        )
        self.book = InAppBook(state("in-app.json"))
        self.jobs = jobs = Jobs(
            settings_file=settings_file, open_shop=partial(shop_of, self.folders), system_zone=TORONTO
        )
        self.surveying = Surveying(
            backends=(self.cron, self.book), launcher=self.launcher, programs=DiskPrograms()
        )
        shared = {"jobs": jobs, "stores": self.stores, "clock": clock}
        files = {"locks": self.locks, "logs": self.logs}
        self.scheduling = Scheduling(
            **shared, surveying=self.surveying, settings_file=settings_file, actor=ACTOR
        )
        self.checkpoints = DiskCheckpoints(state("checkpoints"))
        self.monitoring = Monitoring(
            **shared, **files, surveying=self.surveying, checkpoints=self.checkpoints
        )
        self.starts = DiskRunStarts(state("starts"), clock=clock)
        self.runs = Runs(
            **shared,
            **files,
            stops=self.stops,
            actor=ACTOR,
            new_run_id=new_run_id,
            launcher=self.launcher,
            starts=self.starts,
            checkpoints=self.checkpoints,
        )
        self.checking = Checking(**shared, **files, monitoring=self.monitoring, spool=self.spool, actor=ACTOR)
        self.editing = Editing(
            jobs=jobs, scheduling=self.scheduling, stores=self.stores, clock=clock, actor=ACTOR
        )
        self.settings_desk = SettingsDesk(
            jobs=jobs, settings_file=settings_file, programs=self.surveying.programs
        )
        self.lock_desk = LockDesk(**shared, spool=self.spool, locks=self.locks, actor=ACTOR)

    def moment(self, text: str) -> datetime:
        """An instant in UTC, written as Toronto's clock shows it."""
        return local(text)

    def at(self, text: str) -> None:
        """Set the clock to what Toronto's shows."""
        self.clock.wall = local(text)

    def pass_time(self, **length: float) -> None:
        self.clock.wall += timedelta(**length)

    def job(self, job_id: str, schedule: str, run: str = "") -> Path:
        return self.file(
            job_id, f'command = ["/bin/true"]\n[schedule]\n{schedule}\n' + (f"[run]\n{run}\n" if run else "")
        )

    def file(self, job_id: str, text: str) -> Path:
        path = self.shop / "jobs" / f"{job_id}.toml"
        path.write_text(text)
        path.chmod(0o600)
        return path

    def settings(self, text: str) -> None:
        self.settings_path.write_text(text)

    def take_shop_away(self, *, leave_empty: bool) -> None:
        shutil.rmtree(self.shop / "jobs")
        if leave_empty:
            (self.shop / "jobs").mkdir(mode=0o700)

    def run(self, job_id: str, ended: str | datetime, status: str = "completed", **said) -> RunRecord:
        """Record a run that took two minutes and ended then; one that is running has only begun then."""
        end = local(ended) if isinstance(ended, str) else ended
        going_on = status == "running"
        self._ids += 1
        with self.stores.writing() as store:
            values = {
                "run_id": f"r{self._ids}",
                "host_id": store.host_id(),
                "job_id": job_id,
                "trigger": Trigger.SCHEDULE,
                "status": RunStatus(status),
                "started_at": end if going_on else end - timedelta(minutes=2),
                "finished_at": None if going_on else end,
                "actor": ACTOR,
            }
            record = RunRecord(**(values | said))
            store.add_run(record)
        return record

    def status(self, record: RunRecord) -> RunStatus | None:
        with self.stores.reading() as store:
            found = store.run(record.run_id)
        return found.status if found else None

    def check(self, *job_ids: str) -> CheckReport:
        return self.checking.check(job_ids)

    def snapshot(self) -> Snapshot:
        return self.monitoring.snapshot()

    def row(self, job_id: str) -> JobRow:
        [row] = [row for row in self.snapshot().rows if row.job_id == job_id]
        return row

    def codes(self, job_id: str) -> list[str]:
        return [reason.code for reason in self.row(job_id).reasons]

    def light(self, job_id: str) -> tuple[str, str]:
        row = self.row(job_id)
        return row.health.value, row.attention.value

    def registration(self, job_id: str) -> RegistrationState:
        [finding] = [found for found in self.scheduling.verify() if found.job_id == job_id]
        return finding.state

    def take_lock(self, job_id: str, run_id: str, **machine: str):
        """A lock held by this very process; with words for `machine`, by one that lives elsewhere."""
        elsewhere = LinuxProcesses(replace(this_machine(), **machine))
        held = FileLocks(self.folders.in_state("locks"), processes=elsewhere).acquire(
            job_id,
            run_id=run_id,
            trigger="schedule",
            started_at=self.clock.now(),
            least_fence=1,
            settle=True,
        )
        held.publish()
        return held

    def leave_lock(self, job_id: str, run_id: str, **machine: str) -> None:
        """The record of a run of before the last restart (proven dead), or of one that lives elsewhere."""
        if not machine and not this_machine().machine_id:
            pytest.skip("not on this platform: without a machine id no earlier boot is told apart")
        guards.let_go(self.take_lock(job_id, run_id, **(machine or {"boot_id": "another"})).guard_fd)

    def leave_survivor(self, job_id: str, run_id: str) -> int:
        """A runner that is gone though its job still runs; gives the job's process id."""
        command = [sys.executable, "-c", RUNNER, self.folders.in_state("locks"), job_id, run_id]
        done = subprocess.run(command, capture_output=True, timeout=30, check=True)
        self.survivors.append(int(done.stdout))
        return self.survivors[-1]

    def end_survivors(self) -> None:
        for pid in self.survivors:
            os.kill(pid, signal.SIGKILL)

    def log(self, job_id: str, run_id: str, size: int = 5) -> Path:
        path = Path(self.logs.path(job_id, run_id))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
        return path

    def sql(self, text: str) -> list[tuple]:
        """Asks or changes the database behind the store's back."""
        with closing(apsw.Connection(str(self.database))) as connection:
            return connection.execute(text).fetchall()

    def journal(self) -> list[tuple]:
        return self.sql("select action, job_id, run_id from journal order by at, rowid")
