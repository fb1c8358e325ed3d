"""Puts the services together for a front end without windows."""

import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from ridgeline_desktop import __version__
from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.in_app_book import InAppBook
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.ports import Backend, Clock, Locks, RunLogs, Store, StoreDoor
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.core.texts import plural
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.host.account import DiskPrograms, own_account
from ridgeline_desktop.host.checkpoint_files import DiskCheckpoints
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.folders import Folders, folders_of_schedulers, make_private, open_folders
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.run_files import DiskRunLogs, DiskStopRequests, new_run_id
from ridgeline_desktop.host.run_starts import DiskRunStarts
from ridgeline_desktop.host.settings_file import DiskSettingsFile
from ridgeline_desktop.host.shop_folder import DiskShopFolder
from ridgeline_desktop.host.zones import system_zone
from ridgeline_desktop.services.checking import Checking
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.services.editing import Editing
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.locks import LockDesk
from ridgeline_desktop.services.monitoring import Monitoring
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.services.runs import Runs
from ridgeline_desktop.services.scheduling import Scheduling
from ridgeline_desktop.services.settings import SettingsDesk
from ridgeline_desktop.services.surveying import Surveying
from ridgeline_desktop.store import FileSpool, open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskStores:
    """Opens the SQLite store in the state folder."""

    folders: Folders
    clock: Clock

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """For looking: writes nothing."""
        with open_store(self.folders.state, now=self.clock.now(), create=False, may_recover=False) as store:
            yield store

    @contextmanager
    def writing(self) -> Iterator[Store]:
        """For recording."""
        make_private(self.folders.state)
        with open_store(self.folders.state, now=self.clock.now(), create=True, may_recover=True) as store:
            yield store


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledCommand:
    """The run command of this installation, pinned to this interpreter and this home."""

    folders: Folders

    def command(self, job_id: str) -> tuple[str, ...]:
        """The argv of a scheduled run."""
        argv = (sys.executable, "-I", "-m", "ridgeline_desktop", "run", job_id, "--trigger", "schedule")
        return (*argv, "--home", self.folders.home) if self.folders.home else argv

    def by_hand(self, job_id: str, *, run_id: str, by: str, again: bool) -> tuple[str, ...]:
        """The argv of a run that `by` asks for."""
        argv = (sys.executable, "-I", "-m", "ridgeline_desktop", "run", job_id, "--trigger", "manual")
        asked = (f"--by={by}", "--run-id", run_id, *(["--again"] if again else []))
        return (*argv, *asked, *(["--home", self.folders.home] if self.folders.home else []))

    def spoken(self) -> str:
        """How a person calls Ridgeline for the same folders."""
        return self.folders.command

    def objection(self) -> str:
        """Why a scheduled run would not find these folders; "" where it would."""
        if self.folders.home or self.folders == folders_of_schedulers():
            return ""
        return (
            "HOME or an XDG variable of this session moves Ridgeline's folders, and schedulers know neither; "
            "use --home or RIDGELINE_HOME instead"
        )


def shop_of(folders: Folders, settings: Settings) -> DiskShopFolder:
    """The shop folder that settings name."""
    root = os.path.expanduser(settings.shop_folder) or folders.default_shop
    return DiskShopFolder(
        root, shared_allowed=settings.trust_shared_folder, may_make=not settings.shop_folder
    )


def own_actor(settings: Settings, *, name: str = "", via: str) -> Actor:
    """Who is asking: the name given, else the one in settings, else the login."""
    return Actor(name=name or settings.name or own_account().user, host=socket.gethostname(), via=via)


def open_desk(
    home: str | None, *, via: str = "cli", clock: Clock | None = None, in_app_only: bool = False
) -> Desk:
    """All services for the folders below `home` (None = the default places), by the computer's clock.

    `in_app_only` leaves the computer's own schedulers alone.
    """
    folders = open_folders(home)
    clock, zone = clock or SystemClock(), system_zone()
    settings_file = DiskSettingsFile(folders.settings_file)
    actor = own_actor(settings_file.read()[0], via=via)
    stores = DiskStores(folders=folders, clock=clock)
    jobs = Jobs(settings_file=settings_file, open_shop=partial(shop_of, folders), system_zone=zone)
    surveying = Surveying(
        backends=(in_app_book(folders),) if in_app_only else _backends(folders, clock, zone),
        launcher=InstalledCommand(folders=folders),
        programs=DiskPrograms(),
    )
    scheduling = Scheduling(
        jobs=jobs,
        surveying=surveying,
        stores=stores,
        settings_file=settings_file,
        clock=clock,
        actor=actor,
    )
    return _desk(folders, scheduling)


def _desk(folders: Folders, scheduling: Scheduling) -> Desk:
    jobs, stores, clock, actor = scheduling.jobs, scheduling.stores, scheduling.clock, scheduling.actor
    locks, logs = FileLocks(folders.in_state("locks")), DiskRunLogs(folders.in_state("logs"))
    spool = FileSpool(folders.in_state("spool"))
    monitoring = Monitoring(
        jobs=jobs,
        surveying=scheduling.surveying,
        stores=stores,
        locks=locks,
        logs=logs,
        checkpoints=DiskCheckpoints(folders.in_state("checkpoints")),
        clock=clock,
    )
    checking = Checking(
        jobs=jobs,
        monitoring=monitoring,
        stores=stores,
        spool=spool,
        locks=locks,
        logs=logs,
        clock=clock,
        actor=actor,
    )
    return Desk(
        jobs=jobs,
        scheduling=scheduling,
        monitoring=monitoring,
        runs=_runs(folders, scheduling, locks, logs),
        locks=LockDesk(jobs=jobs, stores=stores, spool=spool, locks=locks, clock=clock, actor=actor),
        runbooks=Runbooks(jobs=jobs),
        editing=Editing(jobs=jobs, scheduling=scheduling, stores=stores, clock=clock, actor=actor),
        settings=SettingsDesk(
            jobs=jobs, settings_file=jobs.settings_file, programs=scheduling.surveying.programs
        ),
        checking=checking,
        clock=clock,
        facts=partial(_facts, folders, jobs, stores, scheduling.surveying.backends),
    )


def _runs(folders: Folders, scheduling: Scheduling, locks: Locks, logs: RunLogs) -> Runs:
    return Runs(
        jobs=scheduling.jobs,
        stores=scheduling.stores,
        locks=locks,
        logs=logs,
        stops=DiskStopRequests(folders.in_state("stops")),
        clock=scheduling.clock,
        actor=scheduling.actor,
        new_run_id=new_run_id,
        launcher=scheduling.surveying.launcher,
        starts=DiskRunStarts(folders.in_state("starts"), clock=scheduling.clock),
        checkpoints=DiskCheckpoints(folders.in_state("checkpoints")),
    )


def in_app_book(folders: Folders) -> InAppBook:
    """The book of jobs that the in-app scheduler starts."""
    return InAppBook(folders.in_state("in-app.json"))


def _backends(folders: Folders, clock: Clock, zone: ZoneInfo) -> tuple[Backend, ...]:
    cron = CronBackend(
        lock_path=Path(folders.in_state("crontab.lock")),
        backup_folder=Path(folders.in_state("backups", "crontab")),
        clock=clock,
        system_zone=zone,
        home=folders.home,
    )
    return (cron, in_app_book(folders))


def _facts(
    folders: Folders, jobs: Jobs, stores: StoreDoor, backends: tuple[Backend, ...]
) -> Mapping[str, str]:
    facts = {
        "Ridgeline": __version__,
        "Python": f"{sys.version.partition(' ')[0]} ({sys.executable})",
        "home": folders.home or "the default folders",
        "settings": _settings_fact(folders, jobs),
        "state": folders.state,
        "time zone": jobs.system_zone.key,
    }
    facts["shop folder"] = _answer(partial(_shop_fact, folders, jobs))
    facts["records"] = _answer(partial(_records_fact, stores))
    for backend in backends:
        why_not = backend.available()
        facts[str(backend.name)] = why_not or _answer(partial(_service_fact, backend))
    return facts


def _settings_fact(folders: Folders, jobs: Jobs) -> str:
    _, problems = jobs.settings_file.read()
    wrong = "; ".join(f"line {problem.line or '?'}: {problem.message}" for problem in problems)
    return f"{folders.settings_file}: {wrong}" if wrong else folders.settings_file


def _shop_fact(folders: Folders, jobs: Jobs) -> str:
    shop = jobs.look()
    if shop.error:
        return shop.error
    broken = [file.job_id for file in shop.files if file.job is None]
    text = f"{shop_of(folders, shop.settings).root}: {plural(len(shop.files), 'job file')}"
    return text + (f", not in order: {', '.join(broken)}" if broken else "")


def _records_fact(stores: StoreDoor) -> str:
    with stores.reading() as store:
        return f"readable; jobs seen on this computer: {len(store.job_states())}"


def _service_fact(backend: Backend) -> str:
    return backend.service_state().sentence


def _answer(question: Callable[[], str]) -> str:
    try:
        return question()
    except RidgelineError as error:
        return str(error)
