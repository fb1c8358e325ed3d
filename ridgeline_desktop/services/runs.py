"""Runs as people ask for them: history, output, stop, a result reported from elsewhere, pause and resume."""

from collections.abc import Callable
from datetime import datetime

from ridgeline_desktop.core.by_hand import Checkpoint, RunView, StartedRun, checkpoint_of
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.jobs import SafeToRerun
from ridgeline_desktop.core.locks import judge
from ridgeline_desktop.core.memories import remember, take_note
from ridgeline_desktop.core.ports import (
    Checkpoints,
    Clock,
    Locks,
    RunLauncher,
    RunLogs,
    RunStarts,
    StopRequests,
    Store,
    StoreDoor,
)
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.monitoring import is_going_on

REPORTABLE = (
    RunStatus.COMPLETED,
    RunStatus.FAILED,
    RunStatus.TIMED_OUT,
    RunStatus.INTERRUPTED,
    RunStatus.STOPPED,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """`actor` is who asks."""

    jobs: Jobs
    stores: StoreDoor
    locks: Locks
    logs: RunLogs
    stops: StopRequests
    clock: Clock
    actor: Actor
    new_run_id: Callable[[datetime], str]
    launcher: RunLauncher
    starts: RunStarts
    checkpoints: Checkpoints

    def start_now(self, job_id: str, *, again: bool = False) -> StartedRun:
        """Set a run going that outlives this program; `again` = a repeat was agreed to. Follow what it gives.

        UnknownJob where there is no such job in order, an error in words where it must not be repeated.
        """
        job = self.jobs.job(job_id)
        if job.safe_to_rerun is SafeToRerun.NEVER:
            with self.stores.reading() as store:
                if store.has_run(job_id):
                    raise RidgelineError(
                        f"“{job.title}” ran before, and its job file says that it must never be run again by "
                        "hand. Nothing was started."
                    )
        now = self.clock.now()
        run_id = self.new_run_id(now)
        self.starts.start(
            self.launcher.by_hand(job_id, run_id=run_id, by=self.actor.name, again=again), run_id
        )
        return StartedRun(job_id=job_id, run_id=run_id, started_at=now)

    def follow(self, job_id: str, run_id: str, *, offset: int) -> RunView:
        """A run as it stands, with its output from byte `offset` on."""
        is_starting = self.starts.is_alive(run_id)  # asked first: a start that has ended left its record
        with self.stores.reading() as store:
            record = store.run(run_id)
        if record is None:
            said = "" if is_starting else self.starts.said(run_id)
            trouble = "" if is_starting else _sentence_of(said)
            return RunView(record=None, output=b"", is_going_on=is_starting, trouble=trouble)
        is_going_on = self._is_going_on(record)
        output = self.logs.read(job_id, run_id, offset=offset)
        return RunView(record=record, output=output, is_going_on=is_going_on, trouble="")

    def checkpoint(self, job_id: str) -> Checkpoint | None:
        """How far the job's script has come, None where it saved nothing; an error in words if unreadable."""
        found = self.checkpoints.read(job_id)
        return None if found is None else checkpoint_of(found[0], saved_at=found[1])

    def history(self, job_id: str, *, limit: int) -> tuple[RunRecord, ...]:
        """The newest records, newest first. A job without file or records is an error in words."""
        with self.stores.reading() as store:
            records = store.recent_runs(job_id, limit=limit)
        if not records:
            self.jobs.job(job_id)
        return records

    def find(self, job_id: str, run_id: str | None) -> RunRecord:
        """One run of a job; None = its newest that has output (refused starts have none)."""
        newest = self.history(job_id, limit=1000)
        if run_id is None:
            for record in newest:
                if record.status is not RunStatus.REFUSED:
                    return record
            raise RidgelineError(f'job "{job_id}" has not run yet, so there is no output')
        with self.stores.reading() as store:
            found = store.run(run_id)
        if found is None or found.job_id != job_id:
            raise RidgelineError(f'job "{job_id}" has no run {run_id}; see: ridgeline history {job_id}')
        return found

    def output(self, record: RunRecord, *, offset: int) -> bytes:
        """The run's output from byte `offset` on, at most a mebibyte."""
        return self.logs.read(record.job_id, record.run_id, offset=offset)

    def tail(self, record: RunRecord, *, size: int) -> bytes:
        """The last `size` bytes of the run's output, b"" where nothing was kept."""
        return self.logs.tail(record.job_id, record.run_id, size=size)

    def is_running(self, record: RunRecord) -> bool:
        """Whether the run is still going on, by its record and its lock."""
        with self.stores.reading() as store:
            newest = store.run(record.run_id)
        return newest is not None and self._is_going_on(newest)

    def _is_going_on(self, record: RunRecord) -> bool:
        if record.status is not RunStatus.RUNNING:
            return False
        evidence = self.locks.inspect(record.job_id)
        return is_going_on(record, evidence, judge(evidence))

    def stop(self, job_id: str) -> RunRecord:
        """Ask the running run to stop, and give it; an error in words where nothing runs."""
        with self.stores.reading() as store:
            running = [record for record in store.running() if record.job_id == job_id]
        for record in running:
            evidence = self.locks.inspect(job_id)
            if not is_going_on(record, evidence, judge(evidence)):
                continue
            runner = evidence.runner
            if runner is not None and runner.is_dead:
                raise RidgelineError(
                    f"nobody is there who could stop it: {judge(evidence).sentence}. "
                    "End those processes by hand; the next check then settles the run"
                )
            self.stops.ask(record.run_id, by=self.actor.name)
            return record
        self.jobs.job(job_id)
        raise RidgelineError(f'job "{job_id}" is not running, so there is nothing to stop')

    def report(self, job_id: str, status: RunStatus, *, reason: str, exit_code: int | None) -> RunRecord:
        """Record a run that happened elsewhere and ended just now."""
        job = self.jobs.job(job_id)
        now = self.clock.now()
        with self.stores.writing() as store:
            record = RunRecord(
                run_id=self.new_run_id(now),
                host_id=store.host_id(),
                job_id=job.job_id,
                trigger=Trigger.EVENT,
                status=status,
                started_at=now,
                finished_at=now,
                recorded_at=now,
                duration=0.0,
                actor=self.actor,
                exit_code=exit_code,
                reason_code=Reason.REPORTED,
                reason=reason or f"reported by {self.actor.name}",
                definition=job.definition,
            )
            take_note(store, remember(store, job, zone=self.jobs.zone(self.jobs.settings()), now=now))
            store.add_run(record)
        return record

    def pause(self, job_id: str, *, until: datetime | None, reason: str) -> Pause:
        """Refuse scheduled starts until then (None = until resumed). A job that is overdue stays so."""
        job = self.jobs.job(job_id)
        zone = self.jobs.zone(self.jobs.settings())
        now = self.clock.now()
        if until is not None and until <= now:
            raise RidgelineError("a pause must end in the future; nothing was paused")
        with self.stores.writing() as store:
            store.save_job_state(remember(store, job, zone=zone, now=now).held())
            pause = Pause(job_id=job_id, begun_at=now, until=until, reason=reason, actor=self.actor)
            store.save_pause(pause)
            self._note(store, "pause", job_id, reason)
        return pause

    def resume(self, job_id: str) -> None:
        """End the pause now; an error in words where the job is not paused."""
        now = self.clock.now()
        with self.stores.writing() as store:
            pause = store.pause_of(job_id)
            if pause is None or pause.end(now=now) is not None:
                self.jobs.job(job_id)
                raise RidgelineError(f'job "{job_id}" is not paused')
            store.save_pause(replace(pause, ended_at=now))
            self._note(store, "resume", job_id, "")

    def _note(self, store: Store, action: str, job_id: str, detail: str) -> None:
        store.journal(
            at=self.clock.now(), actor=self.actor, action=action, job_id=job_id, run_id="", detail=detail
        )


def _sentence_of(said: str) -> str:
    """What `ridgeline run` said, as a sentence for a window."""
    lines = [line.removeprefix("ridgeline: ").strip() for line in said.splitlines()]
    return "\n".join(filter(None, lines)) or "The run ended without a word, and is not on record."
