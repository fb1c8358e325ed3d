"""`ridgeline check`: brings the records in order, then judges. Two at once do no harm."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ridgeline_desktop.core.errors import LockMoved, NotCleared, RidgelineError, StoreUnreadable
from ridgeline_desktop.core.expectations import after_change, new_state
from ridgeline_desktop.core.health import CHECK_EXIT_CODES, worst
from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.core.ports import Clock, Locks, RunLogs, Spool, Store, StoreDoor
from ridgeline_desktop.core.runs import Actor, RunRecord, anchor_of
from ridgeline_desktop.core.settings import DeadLock
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.monitoring import Monitoring, is_going_on

TIDIED = "tidied-on"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What the check found: the snapshot of the jobs asked for, the exit code, and what it put in order."""

    snapshot: Snapshot
    exit_code: int
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Checking:
    """`actor` is who asks; `backup` keeps a copy of the records."""

    jobs: Jobs
    monitoring: Monitoring
    stores: StoreDoor
    spool: Spool
    locks: Locks
    logs: RunLogs
    clock: Clock
    actor: Actor

    def check(self, job_ids: Sequence[str] = ()) -> CheckReport:
        """Import the spool, settle orphaned runs, apply retention, then judge (none named = all jobs).

        The exit code is the worst job's: 0 all well, 1 amber, 2 red, 3 cannot tell. Records that cannot be
        written do not stop the judging.
        """
        notes: tuple[str, ...] = ()
        try:
            notes = self._put_in_order(self.jobs.look())
        except StoreUnreadable as error:
            notes = (f"nothing could be put in order: {error}",)
        snapshot = self.monitoring.snapshot()
        if job_ids:
            snapshot = _only(snapshot, job_ids)
        return CheckReport(snapshot=snapshot, exit_code=CHECK_EXIT_CODES[snapshot.attention], notes=notes)

    def _put_in_order(self, shop: Shop) -> tuple[str, ...]:
        with self.stores.writing() as store:
            notes = self._import_spool(store)
            notes += [note for record in store.running() if (note := self._settle(record, shop, store))]
            self._note_changes(shop, store)
            self._tidy(shop, store)
        return tuple(notes)

    def _import_spool(self, store: Store) -> list[str]:
        notes = []
        for record in self.spool.records():
            store.add_run(record if record.host_id else replace(record, host_id=store.host_id()))
            self.spool.discard(record.run_id)
            notes.append(f"{record.job_id}: a {record.status} run kept aside was added to the records")
        return notes

    def _settle(self, record: RunRecord, shop: Shop, store: Store) -> str:
        evidence = self.locks.inspect(record.job_id)
        verdict = judge(evidence)
        if is_going_on(record, evidence, verdict):
            return ""
        why = verdict.sentence
        if verdict.kind is VerdictKind.DEAD and evidence.run_id == record.run_id:
            if shop.settings.dead_lock is DeadLock.ASK:
                return ""
            try:
                why = judge(self.locks.clear(record.job_id, run_id=record.run_id)).sentence
            except (LockMoved, NotCleared):
                return ""
        now = self.clock.now()
        if not store.settle_run(record.run_id, at=now, reason=f"the runner died: {why}"):
            return ""
        self.spool.release(record.run_id)
        store.journal(
            at=now, actor=self.actor, action="settle", job_id=record.job_id, run_id=record.run_id, detail=why
        )
        return f"{record.job_id}: a run whose runner died is settled as interrupted ({why})"

    def _note_changes(self, shop: Shop, store: Store) -> None:
        now = self.clock.now()
        for job in shop.jobs():
            state = store.job_state(job.job_id)
            if state is None:
                store.save_job_state(new_state(job, now=now))
                continue
            success = store.last_success(job.job_id, now=now)
            pause = store.pause_of(job.job_id)
            noticed = after_change(
                job,
                state,
                anchor=anchor_of(success) if success else None,
                resumed_at=pause.excused_until(now=now) if pause else None,
                zone=shop.zone,
                now=now,
            )
            if noticed is not state:
                store.save_job_state(noticed)

    def _tidy(self, shop: Shop, store: Store) -> None:
        """Once a day: a backup of the records, then what is too old or too much goes."""
        now = self.clock.now()
        today = now.date().isoformat()
        if store.meta(TIDIED) == today:
            return
        store.backup(now=now)
        keep = shop.settings.retention
        for state in store.job_states():
            self.logs.delete(state.job_id, store.apply_retention(state.job_id, keep=keep, now=now))
            newest = store.last_success(state.job_id, now=now)
            needed = [newest.run_id] if newest else []
            needed += [r.run_id for r in store.running() if r.job_id == state.job_id]
            self.logs.trim(state.job_id, megabytes=keep.log_megabytes, keep=needed)
        store.set_meta(TIDIED, today)


def _only(snapshot: Snapshot, job_ids: Sequence[str]) -> Snapshot:
    known = {row.job_id for row in snapshot.rows}
    for job_id in job_ids:
        if job_id not in known:
            raise RidgelineError(
                f'there is no job "{job_id}"; there are: {", ".join(sorted(known)) or "none yet"}'
            )
    rows = tuple(row for row in snapshot.rows if row.job_id in job_ids)
    return replace(snapshot, rows=rows, attention=worst(row.attention for row in rows))
