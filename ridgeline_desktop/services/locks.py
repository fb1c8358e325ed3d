"""The lock of a job: shown with its evidence, cleared only as its verdict allows."""

from ridgeline_desktop.core.errors import LockMoved
from ridgeline_desktop.core.locks import LockEvidence, Verdict, VerdictKind, judge
from ridgeline_desktop.core.memories import write_off
from ridgeline_desktop.core.ports import Clock, Locks, Spool, StoreDoor
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.jobs import Jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class LockDesk:
    """`actor` is who asks."""

    jobs: Jobs
    stores: StoreDoor
    spool: Spool
    locks: Locks
    clock: Clock
    actor: Actor

    def show(self, job_id: str) -> tuple[LockEvidence, Verdict]:
        """The facts about a job's lock and the verdict; looking writes nothing."""
        evidence = self.locks.inspect(job_id)
        verdict = judge(evidence)
        if verdict.kind is VerdictKind.FREE:
            self.jobs.job(job_id)
        return evidence, verdict

    def clear(self, job_id: str, *, run_id: str, force_run_id: str | None = None) -> str:
        """Clear the lock of `run_id` if proven dead and settle its run; the sentence says what was done.

        `run_id` is what the person looked at ("" = its record names none). LockMoved where the lock is
        another's by now, or nobody's; NotCleared where the verdict does not allow it. `force_run_id` clears
        that very run's lock though death is not proven; one that the operating system reports held stays.
        """
        _, verdict = self.show(job_id)
        if verdict.kind is VerdictKind.FREE:
            raise LockMoved(f'job "{job_id}" has no lock to clear')
        run_id = force_run_id or run_id
        judged = self.locks.clear(job_id, run_id=run_id, force=force_run_id is not None)
        why = judge(judged).sentence
        action = "clear-lock-forced" if force_run_id else "clear-lock"
        with self.stores.writing() as store:
            now = self.clock.now()
            store.journal(at=now, actor=self.actor, action=action, job_id=job_id, run_id=run_id, detail=why)
            write_off(store, self.spool, job_id=job_id, run_id=run_id, why=why, actor=self.actor, now=now)
        return f"The lock of run {run_id} is cleared. {why}."
