"""`ridgeline run`: puts one run together. Its imports are felt at every start, so they stay few."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ridgeline_desktop.cli import run_words
from ridgeline_desktop.core.errors import RidgelineError, StoreUnreadable, UnknownJob
from ridgeline_desktop.core.jobs import Job, SafeToRerun
from ridgeline_desktop.core.runs import EXIT_REFUSED, Actor, Trigger
from ridgeline_desktop.host.account import own_account
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.folders import Folders, make_private, open_folders
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.processes import LinuxProcesses
from ridgeline_desktop.host.run_files import DiskStopRequests, new_run_id
from ridgeline_desktop.host.settings_file import DiskSettingsFile
from ridgeline_desktop.host.shop_folder import DiskShopFolder
from ridgeline_desktop.host.zones import system_zone
from ridgeline_desktop.runner.one_run import Runner, RunRequest
from ridgeline_desktop.runner.outcomes import RunOutcome
from ridgeline_desktop.runner.records import Records
from ridgeline_desktop.runner.unready import refuse_unready
from ridgeline_desktop.store import FileSpool, SqliteStore, open_store
from ridgeline_desktop.wiring.run_arguments import RunArguments, read_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random


def run_command(argv: Sequence[str]) -> int:
    """Run one job as `argv` (without the word "run") says; give the exit code, at most a line on stderr."""
    clock = SystemClock()
    now = clock.now()
    arguments = read_arguments(argv, now=now)
    try:
        folders = open_folders(arguments.home)
        desk = _Desk(folders, clock, arguments, run_id=arguments.run_id or new_run_id(now), now=now)
    except RidgelineError as error:
        run_words.say(str(error))
        return EXIT_REFUSED
    if arguments.run_id and desk.is_on_record(arguments.run_id):
        run_words.say(f"a run {arguments.run_id} is on record already; leave --run-id out for a new one")
        return EXIT_REFUSED
    outcome = desk.run()
    run_words.say(outcome.sentence + run_words.hint(outcome.record, command=folders.command))
    return outcome.exit_code


class _Desk:
    """What one run needs, put together from arguments, folders and settings."""

    def __init__(
        self, folders: Folders, clock: SystemClock, arguments: RunArguments, *, run_id: str, now: datetime
    ) -> None:
        make_private(folders.state)
        self.folders = folders
        self.clock = clock
        self.arguments = arguments
        self.run_id = run_id
        self.now = now
        self.has_file = False
        self.account = own_account()
        self.settings, self.problems = DiskSettingsFile(folders.settings_file).read()
        self.zone = ZoneInfo(self.settings.zone) if self.settings.zone else system_zone()

    def run(self) -> RunOutcome:
        """Run the job, or put on record that it could not even be put together."""
        try:
            request = self.request(self.job())
        except RidgelineError as error:
            return refuse_unready(
                Records(self.open_store, self.spool()),
                run_id=self.run_id,
                job_id=self.arguments.job_id,
                has_file=self.has_file,
                trigger=self.arguments.trigger,
                actor=self.actor(),
                at=self.now,
                why=str(error),
            )
        return self.runner().run(request)

    def is_on_record(self, run_id: str) -> bool:
        """Whether a run of this id is known; no where that cannot be told."""
        try:
            with self.open_store() as store:
                return store.run(run_id) is not None
        except StoreUnreadable:
            return False

    def job(self) -> Job:
        """The job asked for; an error in words where its file, settings or the shop folder are not right."""
        if self.problems:
            first = self.problems[0]
            raise RidgelineError(f"settings.toml:{first.line or '?'}: {first.message}")
        settings = self.settings
        root = os.path.expanduser(settings.shop_folder) or self.folders.default_shop
        folder = DiskShopFolder(root, shared_allowed=settings.trust_shared_folder)
        file = folder.read_job(self.arguments.job_id, shop_zone=self.zone.key)
        if file is None:
            raise UnknownJob(
                f'there is no job "{self.arguments.job_id}" in {folder.jobs_folder}; '
                f"see: {self.folders.command} list"
            )
        self.has_file = True
        if file.job is None:
            raise RidgelineError("; ".join(file.sentences()))
        return file.job

    def runner(self) -> Runner:
        """The runner of this computer."""
        state = self.folders.state
        processes = LinuxProcesses()
        return Runner(
            clock=self.clock,
            open_store=self.open_store,
            spool=self.spool(),
            locks=FileLocks(self.folders.in_state("locks"), processes=processes),
            processes=processes,
            stops=DiskStopRequests(self.folders.in_state("stops")),
            new_random=_new_random,
            free_bytes=lambda: _free_bytes(state),
        )

    def request(self, job: Job) -> RunRequest:
        """What the runner is to do."""
        arguments, in_state = self.arguments, self.folders.in_state
        make_private(in_state("checkpoints"))
        return RunRequest(
            job=job,
            trigger=arguments.trigger,
            actor=self.actor(),
            run_id=self.run_id,
            started_at=self.now,
            zone=self.zone,
            settings=self.settings,
            account=self.account,
            checkpoint=in_state("checkpoints", f"{job.job_id}.json"),
            log=in_state("logs", job.job_id, f"{self.run_id}.log"),
            home=self.folders.home,
            scheduled_for=arguments.scheduled_for,
            event_key=arguments.event_key,
            again=arguments.again or self._agreed(job),
        )

    def _agreed(self, job: Job) -> bool:
        """Whether somebody at a terminal says yes to repeating a job that wants to be asked about."""
        by_hand = self.arguments.trigger is Trigger.MANUAL
        if not by_hand or job.safe_to_rerun is not SafeToRerun.ASK or not run_words.can_ask():
            return False
        try:
            with self.open_store() as store:
                ran = store.has_run(job.job_id)
        except StoreUnreadable:
            ran = True
        return ran and run_words.is_to_run_again(job.title)

    def actor(self) -> Actor:
        """Who asked for this run."""
        by_hand = self.arguments.trigger is Trigger.MANUAL
        name = self.arguments.by or (self.settings.name or self.account.user if by_hand else "the schedule")
        return Actor(
            name=name, host=os.uname().nodename, via="cli" if by_hand else self.arguments.trigger.value
        )

    def open_store(self) -> SqliteStore:
        """The store, made where there is none. A damaged one is left to `check`, the spool helps out."""
        return open_store(self.folders.state, now=self.now, create=True)

    def spool(self) -> FileSpool:
        """Where records wait that the store cannot take."""
        return FileSpool(self.folders.in_state("spool"))


def _new_random() -> Random:
    from random import Random

    return Random()


def _free_bytes(folder: str) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
