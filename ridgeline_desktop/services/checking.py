"""`ridgeline check`: brings the records in order, then judges. Two at once do no harm."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta

from ridgeline_desktop.core.errors import LockMoved, NotCleared, RidgelineError
from ridgeline_desktop.core.health import CHECK_EXIT_CODES, Attention, worst
from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.core.memories import remember, take_note, write_off
from ridgeline_desktop.core.ports import Clock, Locks, RunLogs, Spool, Store, StoreDoor
from ridgeline_desktop.core.runs import Actor, RunRecord
from ridgeline_desktop.core.settings import DeadLock
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.monitoring import CHECKED_AT, Monitoring, is_going_on, overall

TIDIED = "tidied-on"
RECOVERED = "recovered"
TOLD_SINCE = "recovered-told-since"
TOLD_FOR = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What the check found: the snapshot of the jobs asked for, the exit code, and what it put in order.

    `in_order` is False where the records could not be put in order; the first note says why.
    """

    snapshot: Snapshot
    exit_code: int
    notes: tuple[str, ...]
    in_order: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
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

        The exit code is the worst job's: 0 all well, 1 amber, 2 red, 3 cannot tell. What cannot be put in
        order is told in a note and does not stop the judging.
        """
        notes: list[str] = []
        claims = [Attention.GREEN]
        is_in_order = False
        try:
            self._put_in_order(self.jobs.look(), notes)
            is_in_order = True
        except (RidgelineError, OSError) as error:
            notes.append(f"the records could not be put in order: {error}")
            claims = [Attention.GREY]  # what could not be taken in may be a failure
        for path in self._torn():
            notes.append(f"a record that was kept aside cannot be read: {path}; look at it, then remove it")
            claims = [Attention.GREY]
        snapshot = self.monitoring.snapshot()
        if job_ids:
            snapshot = _only(snapshot, job_ids)
        elif is_in_order:
            self._note_checked(notes)
        code = CHECK_EXIT_CODES[worst((snapshot.attention, *claims))]
        return CheckReport(snapshot=snapshot, exit_code=code, notes=tuple(notes), in_order=is_in_order)

    def _note_checked(self, notes: list[str]) -> None:
        """Remember that all jobs were looked at, so that silence of the background check shows."""
        try:
            with self.stores.writing() as store:
                store.set_meta(CHECKED_AT, self.clock.now().isoformat())
        except (RidgelineError, OSError) as error:
            notes.append(f"that this check took place could not be recorded: {error}")

    def _torn(self) -> tuple[str, ...]:
        try:
            return self.spool.torn()
        except (RidgelineError, OSError):
            return ()  # told already, where the rest of the spool was taken in

    def _put_in_order(self, shop: Shop, notes: list[str]) -> None:
        with self.stores.writing() as store:
            self._import_spool(store, notes)
            running = store.running()
            ids = {record.job_id for record in running} | {state.job_id for state in store.job_states()}
            for job_id in sorted(ids | {job.job_id for job in shop.jobs()}):
                mine = [record for record in running if record.job_id == job_id]
                self._settle(job_id, mine, shop, store, notes)
            for job in shop.jobs():
                take_note(store, remember(store, job, zone=shop.zone, now=self.clock.now()))
            self._tidy(shop, store)

    def _import_spool(self, store: Store, notes: list[str]) -> None:
        for record in self.spool.records():
            store.add_run(record if record.host_id else replace(record, host_id=store.host_id()))
            self.spool.discard(record.run_id)
            notes.append(f"{record.job_id}: a {record.status} run kept aside was added to the records")

    def _settle(
        self, job_id: str, running: Sequence[RunRecord], shop: Shop, store: Store, notes: list[str]
    ) -> None:
        """Clear the job's lock if its owner is dead, and write off the runs that no lock stands behind."""
        evidence = self.locks.inspect(job_id)
        verdict = judge(evidence)
        lost = [record.run_id for record in running if not is_going_on(record, evidence, verdict)]
        if verdict.kind is VerdictKind.DEAD:
            if shop.settings.dead_lock is DeadLock.ASK:
                lost = [run_id for run_id in lost if run_id != evidence.run_id]
            else:
                try:
                    verdict = judge(self.locks.clear(job_id, run_id=evidence.run_id))
                except (LockMoved, NotCleared):
                    return  # somebody else is at it: the next check sees what came of it
                if evidence.run_id not in lost:
                    self._note_cleared(job_id, evidence.run_id, verdict.sentence, store, notes)
        for run_id in lost:
            why = verdict.sentence
            now = self.clock.now()
            if write_off(store, self.spool, job_id=job_id, run_id=run_id, why=why, actor=self.actor, now=now):
                notes.append(f"{job_id}: a run whose runner is gone is settled as interrupted ({why})")

    def _note_cleared(self, job_id: str, run_id: str, why: str, store: Store, notes: list[str]) -> None:
        now = self.clock.now()
        store.journal(at=now, actor=self.actor, action="clear-lock", job_id=job_id, run_id=run_id, detail=why)
        notes.append(f"{job_id}: the lock of a run whose runner is gone is cleared ({why})")

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
            with suppress(FileNotFoundError):  # another check trims them too
                self.logs.trim(state.job_id, megabytes=keep.log_megabytes, keep=needed)
        _let_banner_go(store, now.date())
        store.set_meta(TIDIED, today)


def _let_banner_go(store: Store, today: date) -> None:
    """Tell of a repair for a week, then no more."""
    sentence = store.meta(RECOVERED)
    if not sentence:
        return
    since, _, told = store.meta(TOLD_SINCE).partition(" ")
    if told != sentence:
        store.set_meta(TOLD_SINCE, f"{today} {sentence}")
    elif today - date.fromisoformat(since) >= TOLD_FOR:
        store.set_meta(RECOVERED, "")
        store.set_meta(TOLD_SINCE, "")


def _only(snapshot: Snapshot, job_ids: Sequence[str]) -> Snapshot:
    known = {row.job_id for row in snapshot.rows}
    for job_id in job_ids:
        if job_id not in known:
            raise RidgelineError(
                f'there is no job "{job_id}"; there are: {", ".join(sorted(known)) or "none yet"}'
            )
    rows = tuple(row for row in snapshot.rows if row.job_id in job_ids)
    return replace(snapshot, rows=rows, attention=overall(rows))
