"""One run from start to record: checks, lock, record, attempts, end; whatever happens it is written down."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from ridgeline_desktop.core.environments import Account, RunVariables, compose
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.expectations import deadline_of, zone_of
from ridgeline_desktop.core.fire_times import is_no_fire_time, served_fire_time
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.locks import LockEvidence, ProcessIdentity, judge
from ridgeline_desktop.core.memories import remember, take_note, write_off
from ridgeline_desktop.core.runs import (
    EXIT_NOT_RECORDED,
    Actor,
    Reason,
    RunRecord,
    RunStatus,
    Trigger,
    exit_code_of,
)
from ridgeline_desktop.core.settings import DeadLock, Settings
from ridgeline_desktop.core.values import dataclass, field, replace
from ridgeline_desktop.runner import outcomes, refusals
from ridgeline_desktop.runner.attempts import Attempts, Tried
from ridgeline_desktop.runner.child import Launch
from ridgeline_desktop.runner.outcomes import RunOutcome
from ridgeline_desktop.runner.output import RunLog
from ridgeline_desktop.runner.records import Records
from ridgeline_desktop.runner.refusals import Place, Refusal
from ridgeline_desktop.runner.signals import Signals
from ridgeline_desktop.runner.supervision import Limits, Supervisor

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from random import Random
    from zoneinfo import ZoneInfo

    from ridgeline_desktop.core.ports import Clock, HeldLock, Locks, Processes, Spool, StopRequests, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What is to be run and why. `started_at` is when the command began (aware UTC).

    `scheduled_for` None = work out the fire time where the trigger is the schedule. `zone` is the shop's.
    `home` is "" where Ridgeline uses its default folders.
    """

    job: Job
    trigger: Trigger
    actor: Actor
    run_id: str
    started_at: datetime
    zone: ZoneInfo
    settings: Settings
    account: Account
    checkpoint: str
    log: str
    home: str = ""
    scheduled_for: datetime | None = None
    event_key: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs jobs on this computer, one per call, in a process of one thread.

    `open_store` may raise StoreUnreadable: the job runs all the same and its record goes to the spool.
    `free_bytes` says how much room the folder of the records has.
    """

    clock: Clock
    open_store: Callable[[], Store]
    spool: Spool
    locks: Locks
    processes: Processes
    stops: StopRequests
    new_random: Callable[[], Random]
    free_bytes: Callable[[], int]
    limits: Limits = field(default_factory=Limits)

    def run(self, request: RunRequest) -> RunOutcome:
        """Run the job, or refuse to; returns when all of it is over and on record."""
        job, own_zone = request.job, zone_of(request.job.schedule, request.zone)
        by_schedule = request.trigger is Trigger.SCHEDULE
        fire = request.scheduled_for if by_schedule or request.trigger is Trigger.CATCH_UP else None
        if by_schedule and fire is None:
            if is_no_fire_time(job.schedule, zone=own_zone, start=request.started_at):
                return RunOutcome(record=None, exit_code=0, sentence="")
            fire = served_fire_time(job.schedule, zone=own_zone, start=request.started_at)
        records = Records(self.open_store, self.spool)
        run = _Run(runner=self, request=request, records=records, begun=self.clock.steady(), fire=fire)
        return run.through()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One run under way: what all its steps need."""

    runner: Runner
    request: RunRequest
    records: Records
    begun: float
    fire: datetime | None

    def through(self) -> RunOutcome:
        job, request = self.request.job, self.request
        refusal = self._refused_early()
        self.records.ask(self._note_job, otherwise=None)
        path = dict(job.environment).get("PATH", request.settings.path)
        place = refusal or refusals.placed(job, home=request.account.home, path=path)
        if isinstance(place, Refusal):
            return self._refuse(place)
        if self.runner.free_bytes() < self.runner.limits.least_free:
            return self._refuse(refusals.could_not("the disk is full: a run could not be recorded"))
        with Signals() as signals:
            return self._locked(place, signals)

    def _note_job(self, store: Store) -> None:
        """Remember the job and its rule before the run can change what was expected of it."""
        request = self.request
        take_note(store, remember(store, request.job, zone=request.zone, now=request.started_at))

    def _refused_early(self) -> Refusal | None:
        job, now = self.request.job, self.request.started_at
        refusal = None
        if self.request.trigger is Trigger.SCHEDULE:
            pause = self.records.ask(lambda store: store.pause_of(job.job_id), otherwise=None)
            refusal = refusals.missed(job, fire=self.fire, started_at=now)
            refusal = refusal or refusals.paused(pause, now=now, zone=self.request.zone)
        if refusal is None and job.secrets:
            names = ", ".join(name for _, name in job.secrets)
            return refusals.could_not(f"this version cannot hand secrets to jobs yet; it asks for {names}")
        return refusal

    def _locked(self, place: Place, signals: Signals) -> RunOutcome:
        request, job_id = self.request, self.request.job.job_id
        try:
            held = self.runner.locks.acquire(
                job_id,
                run_id=request.run_id,
                trigger=request.trigger,
                started_at=request.started_at,
                least_fence=self.records.ask(lambda store: store.next_fence(job_id), otherwise=1),
                settle=request.settings.dead_lock is DeadLock.SETTLE,
            )
        except (OSError, RidgelineError) as error:
            return self._refuse(refusals.could_not(f"its lock cannot be taken: {_words(error)}"))
        if isinstance(held, LockEvidence):
            return self._refuse(refusals.locked(held))
        released = _Release(held)
        try:
            return self._holding(held, released, place, signals)
        finally:
            released.now()

    def _holding(self, held: HeldLock, release: _Release, place: Place, signals: Signals) -> RunOutcome:
        request = self.request
        for evidence in held.cleared:
            self._settle(evidence)
        refusal = refusals.not_safe(
            request.job, self.records, trigger=request.trigger, again=request.again
        )  # asked under the lock, so that of two at once only the first is free
        if refusal is not None:
            return self._refuse(refusal)
        started = replace(self._draft(), fence=held.fence)
        if not self.records.ask(lambda store: store.start_run(started), otherwise=True):
            sentence = "another run already serves the same fire time"
            return self._refuse(Refusal(code=Reason.DUPLICATE, sentence=sentence))
        try:
            tried = self._started(held, place, signals)
        except BaseException as error:
            release.wait_for_proof()
            self._finish(started, _broken(error))
            raise
        if tried.survivors:
            release.wait_for_proof()
        return self._finish(started, tried)

    def _settle(self, evidence: LockEvidence) -> None:
        """Write down that the run which left a dead lock behind is over, who found it so, and why."""
        runner, request = self.runner, self.request

        def write(store: Store) -> None:
            write_off(
                store,
                runner.spool,
                job_id=request.job.job_id,
                run_id=evidence.run_id,
                why=judge(evidence).sentence,
                actor=request.actor,
                now=runner.clock.now(),
            )

        self.records.ask(write, otherwise=None)

    def _started(self, held: HeldLock, place: Place, signals: Signals) -> Tried:
        """The attempts, once the run's start is on record."""
        request, runner = self.request, self.runner
        try:
            self.records.reserve(request.run_id)
            held.publish()
        except (OSError, RidgelineError) as error:
            end = outcomes.could_not_start(f"the run could not be put on record: {_words(error)}")
            return Tried(end=end, attempt=1, survivors=())
        allowed = deadline_of(request.job, around=request.started_at, zone=request.zone)
        log = RunLog(request.log, head=runner.limits.log_head, segment=runner.limits.log_segment)
        attempts = Attempts(
            job=request.job,
            launch=self._launch(held, place, allowed),
            lock=held,
            log=log,
            supervisor=self._supervisor(signals, allowed),
            new_random=runner.new_random,
            started_at=request.started_at,
            home=request.account.home,
        )
        self.records.rest()
        try:
            tried = attempts.run()
        finally:
            log.close()
        note = f"its log is incomplete: {log.problem}" if log.problem else ""
        return replace(tried, end=tried.end.adding(note))

    def _launch(self, held: HeldLock, place: Place, allowed: timedelta | None) -> Launch:
        request = self.request
        variables = RunVariables(
            run_id=request.run_id,
            fence=held.fence,
            deadline=request.started_at + allowed if allowed is not None else None,
            checkpoint=request.checkpoint,
            home=request.home,
        )
        environment = compose(
            request.job,
            account=request.account,
            path=request.settings.path,
            zone=request.zone.key,
            variables=variables,
        )
        return Launch(
            program=place.program,
            argv=place.argv,
            folder=place.folder,
            environment=environment,
            guard_fd=held.guard_fd,
        )

    def _supervisor(self, signals: Signals, allowed: timedelta | None) -> Supervisor:
        runner = self.runner
        return Supervisor(
            run_id=self.request.run_id,
            clock=runner.clock,
            processes=runner.processes,
            stops=runner.stops,
            signals=signals,
            limits=runner.limits,
            deadline=None if allowed is None else self.begun + allowed.total_seconds(),
            adopts=False,
        )

    def _draft(self) -> RunRecord:
        request = self.request
        identity = self.runner.processes.identity(os.getpid())
        return RunRecord(
            run_id=request.run_id,
            host_id=self.records.ask(lambda store: store.host_id(), otherwise=""),
            job_id=request.job.job_id,
            trigger=request.trigger,
            status=RunStatus.RUNNING,
            started_at=request.started_at,
            actor=request.actor,
            scheduled_for=self.fire,
            event_key=request.event_key,
            definition=request.job.definition,
            identity=_written(identity) if identity else "",
        )

    def _refuse(self, refusal: Refusal) -> RunOutcome:
        now = self.runner.clock.now()
        record = replace(
            self._draft(),
            status=RunStatus.REFUSED,
            finished_at=now,
            recorded_at=now,
            reason_code=refusal.code,
            reason=refusal.sentence,
        )
        return outcomes.refused(record, kept=self.records.refuse(record))

    def _finish(self, started: RunRecord, tried: Tried) -> RunOutcome:
        now = self.runner.clock.now()
        record = replace(
            started,
            status=tried.end.status,
            finished_at=now,
            recorded_at=now,
            duration=self.runner.clock.steady() - self.begun,
            exit_code=tried.end.exit_code,
            attempt=tried.attempt,
            reason_code=tried.end.reason_code,
            reason=tried.end.reason,
        )
        kept = self.records.finish(record)
        with suppress(OSError):  # nobody reads it any more
            self.runner.stops.withdraw(record.run_id)
        said = outcomes.sentence(record)
        if self.records.problem:
            where = "its record waits in the spool" if kept else "the run could not be recorded"
            said = f"{said or f'{record.job_id} completed'}; {where}: {self.records.problem}"
        code = exit_code_of(record) if kept else EXIT_NOT_RECORDED
        return RunOutcome(record=record, exit_code=code, sentence=said)


class _Release:
    """Releases the lock at the end, except where processes of the run may live on.

    Then the evidence stays: the next start finds them by it, and clears it once they are gone.
    """

    def __init__(self, held: HeldLock) -> None:
        self._held: HeldLock | None = held

    def wait_for_proof(self) -> None:
        """Leave the evidence where it is."""
        self._held = None

    def now(self) -> None:
        """Release, unless the evidence has to stay."""
        if self._held is not None:
            with suppress(OSError):  # the kernel frees the guard; names left over are judged dead
                self._held.release()


def _written(who: ProcessIdentity) -> str:
    parts = (who.machine_id, who.boot_id, who.pid_namespace, who.time_namespace, str(who.pid), who.start)
    return "|".join(parts)


def _words(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)


def _broken(error: BaseException) -> Tried:
    """The end of a run whose supervision failed: a fault of Ridgeline, not of the job."""
    end = outcomes.End(
        status=RunStatus.INTERRUPTED,
        reason_code=Reason.RUNNER_DIED,
        reason=f"Ridgeline itself failed: {type(error).__name__}: {error}",
    )
    return Tried(end=end, attempt=1, survivors=())
