"""Judges every job at one instant, from job files, records, locks and schedulers; looking never writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.diagnosis import (
    JobFacts,
    diagnose,
    did_not_work,
    last_ended,
    refused_by_lock,
)
from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.expectations import (
    Expectation,
    Pause,
    deadline_of,
    zone_of,
)
from ridgeline_desktop.core.fire_times import next_fire
from ridgeline_desktop.core.health import (
    Assessment,
    Attention,
    Health,
    RunInProgress,
    assess,
    attention_of,
    shown,
    worst,
)
from ridgeline_desktop.core.job_files import JobFile
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.locks import LockEvidence, Verdict, VerdictKind, judge
from ridgeline_desktop.core.memories import remember
from ridgeline_desktop.core.ports import Clock, Locks, RunLogs, Store, StoreDoor
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import RunRecord, RunStatus, is_from_the_future
from ridgeline_desktop.core.settings import DeadLock
from ridgeline_desktop.core.snapshots import Banner, BannerKind, JobRow, ReasonLine, Snapshot
from ridgeline_desktop.core.texts import judgement_text, pause_text
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.surveying import Surveying

RECENT = 20
TAIL_BYTES = 8192
NOTHING_STARTS_IT = (
    RegistrationState.NEVER_REGISTERED,
    RegistrationState.MISSING,
    RegistrationState.DISABLED,
    RegistrationState.PROGRAM_GONE,
    RegistrationState.SCHEDULER_STOPPED,
)
UNEXPECTED = Expectation(due=None, grace=timedelta(0))


def is_going_on(record: RunRecord, evidence: LockEvidence, verdict: Verdict) -> bool:
    """Whether a RUNNING record is backed by its lock; one that is not belongs to a runner that died."""
    if verdict.kind not in (VerdictKind.HELD, VerdictKind.CANNOT_TELL):
        return False
    return evidence.run_id in ("", record.run_id)


@dataclass(frozen=True, kw_only=True)
class Monitoring:
    """Gives the snapshot that every view renders."""

    jobs: Jobs
    surveying: Surveying
    stores: StoreDoor
    locks: Locks
    logs: RunLogs
    clock: Clock

    def snapshot(self) -> Snapshot:
        """All jobs now, worst first. What cannot be read is "can't tell", never green."""
        shop = self.jobs.look()
        now = self.clock.now()
        try:
            with self.stores.reading() as store:
                return self._judged(shop, store, now)
        except StoreUnreadable as error:
            rows = [self._unreadable_row(file, str(error)) for file in shop.files]
            text = f"The run records cannot be read, so no light can be trusted: {error}"
            banners = (Banner(kind=BannerKind.RECORDS_UNREADABLE, text=text),)
            return _snapshot(rows, banners, shop.zone, now)

    def _judged(self, shop: Shop, store: Store, now: datetime) -> Snapshot:
        findings = self.surveying.findings(shop, store.registrations(), self.surveying.read())
        running = store.running()
        rows = []
        for file in shop.files:
            if file.job is None:
                rows.append(_broken_row(file))
            else:
                finding = findings.get(file.job_id)
                rows.append(self._row(file.job, shop, store, running, finding, now))
        there = {file.job_id for file in shop.files}
        gone = sorted({state.job_id for state in store.job_states()} - there)
        command = self.surveying.launcher.spoken()
        why = shop.error or ("" if shop.files else "Its job file is gone, and all others with it")
        rows += [_vanished_row(job_id, why, command) for job_id in gone]
        orphans = sorted(f.job_id for f in findings.values() if f.state is RegistrationState.ORPHAN)
        recovered = store.meta("recovered")
        banners = _banners(shop, findings, len(gone), orphans, recovered, command)
        return _snapshot(rows, banners, shop.zone, now, has_trouble=bool(orphans or recovered))

    def _row(
        self,
        job: Job,
        shop: Shop,
        store: Store,
        running: Sequence[RunRecord],
        finding: Finding | None,
        now: datetime,
    ) -> JobRow:
        evidence = self.locks.inspect(job.job_id)
        verdict = judge(evidence)
        mine = (record for record in running if record.job_id == job.job_id)
        going_on = next((record for record in mine if is_going_on(record, evidence, verdict)), None)
        judged = self._judge(job, shop, store, going_on, now)
        records = _recent(store, job.job_id, now)
        facts = JobFacts(
            assessment=judged.assessment,
            records=records,
            running=going_on,
            finding=finding,
            verdict=verdict,
            tail=self._tail(last_ended(records)),
            paused=judged.paused,
            clock_was_wrong=judged.clock_was_wrong,
            runner_is_gone=verdict.kind is VerdictKind.HELD
            and going_on is not None
            and evidence.runner is not None
            and evidence.runner.is_dead,
        )
        asks = shop.settings.dead_lock is DeadLock.ASK
        return _judged_row(
            job,
            judged,
            facts,
            attention=_attention(judged.assessment, facts, lock_is_asked_about=asks),
            next_fire_at=_next_fire(job, shop, finding, judged.pause, now),
        )

    def _tail(self, last: RunRecord | None) -> bytes:
        if last is None or not did_not_work(last):
            return b""
        return self.logs.tail(last.job_id, last.run_id, size=TAIL_BYTES)

    def _judge(self, job: Job, shop: Shop, store: Store, run: RunRecord | None, now: datetime) -> "_Judged":
        memory = remember(store, job, zone=shop.zone, now=now)
        elsewhere = job.job_id in shop.settings.runs_elsewhere
        expected = UNEXPECTED if elsewhere else memory.expectation()
        ended = memory.success.finished_at if memory.success else None
        assessment = assess(last_success=ended, due=expected.due, grace=expected.grace, now=now)
        in_progress = None
        if run is not None:
            limit = deadline_of(job, around=run.started_at, zone=shop.zone)
            in_progress = RunInProgress(started_at=run.started_at, deadline=limit)
        assessment = shown(assessment, due=expected.due, grace=expected.grace, run=in_progress, now=now)
        wrong_clock = store.has_future_success(job.job_id, now=now)
        if memory.success is None and wrong_clock:
            assessment = Assessment(health=Health.UNKNOWN)
        summary = judgement_text(assessment, expected, last_success=ended, zone=shop.zone, now=now)
        paused = ""
        if memory.pause is not None and memory.is_paused:
            paused = pause_text(memory.pause, zone=shop.zone, now=now)
            assessment, summary = Assessment(health=Health.PAUSED, valid_until=memory.pause.until), paused
        return _Judged(
            assessment=assessment,
            expected=expected,
            last_success=memory.success,
            summary="it runs on another computer" if elsewhere else summary,
            paused=paused,
            pause=memory.pause,
            clock_was_wrong=wrong_clock,
        )

    def _unreadable_row(self, file: JobFile, why: str) -> JobRow:
        if file.job is None:
            return _broken_row(file)
        reason = ReasonLine(code="records-unreadable", text=f"The run records cannot be read: {why}")
        return _blind_row(file.job_id, file.job.title, Attention.GREY, reason, job=file.job)


def _recent(store: Store, job_id: str, now: datetime) -> tuple[RunRecord, ...]:
    """The newest records, those left out that a clock running ahead has put before them."""
    limit = RECENT
    while True:
        found = store.recent_runs(job_id, limit=limit)
        honest = [record for record in found if not is_from_the_future(record, now=now)]
        if len(honest) >= RECENT or len(found) < limit:
            return tuple(honest[:RECENT])
        limit *= 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    assessment: Assessment
    expected: Expectation
    last_success: RunRecord | None
    summary: str
    paused: str
    pause: Pause | None
    clock_was_wrong: bool


def _judged_row(
    job: Job, judged: _Judged, facts: JobFacts, *, attention: Attention, next_fire_at: datetime | None
) -> JobRow:
    assessment, finding = judged.assessment, facts.finding
    return JobRow(
        job_id=job.job_id,
        title=job.title,
        health=assessment.health,
        quiet=assessment.quiet,
        attention=attention,
        due=judged.expected.due,
        grace=judged.expected.grace,
        last_success=judged.last_success,
        last_run=next((r for r in facts.records if r.status is not RunStatus.RUNNING), None),
        running=facts.running,
        next_fire=next_fire_at,
        registration=finding.state if finding else RegistrationState.UNVERIFIABLE,
        summary=judged.summary,
        reasons=diagnose(facts),
        job=job,
        valid_until=assessment.valid_until,
    )


def _next_fire(
    job: Job, shop: Shop, finding: Finding | None, pause: Pause | None, now: datetime
) -> datetime | None:
    """The next start; None where nothing on this computer would start the job."""
    state = finding.state if finding else RegistrationState.UNVERIFIABLE
    elsewhere = state is RegistrationState.NOT_WANTED and job.is_scheduled
    if elsewhere or state in NOTHING_STARTS_IT:
        return None
    after = now
    if pause is not None and pause.end(now=now) is None:
        if pause.until is None:
            return None
        after = pause.until
    return next_fire(job.schedule, zone=zone_of(job.schedule, shop.zone), after=after)


def _attention(assessment: Assessment, facts: JobFacts, *, lock_is_asked_about: bool) -> Attention:
    state = facts.finding.state if facts.finding else RegistrationState.UNVERIFIABLE
    has_drift = state in DRIFT or state is RegistrationState.NEVER_REGISTERED
    if assessment.health is Health.PAUSED:
        return Attention.AMBER if has_drift else Attention.GREEN
    dead_lock = facts.verdict is not None and facts.verdict.kind is VerdictKind.DEAD
    claim = attention_of(
        assessment,
        last_run_failed=did_not_work(last_ended(facts.records)),
        has_drift=has_drift,
        refused_by_lock=refused_by_lock(facts.records)
        or (dead_lock and lock_is_asked_about)
        or facts.runner_is_gone,
    )
    unclear = facts.verdict is not None and facts.verdict.kind is VerdictKind.CANNOT_TELL
    unsure = state is RegistrationState.UNVERIFIABLE or unclear
    return Attention.GREY if claim is Attention.GREEN and unsure else claim


def _broken_row(file: JobFile) -> JobRow:
    text = "; ".join(file.sentences())
    return _blind_row(
        file.job_id, file.job_id, Attention.AMBER, ReasonLine(code="broken-job-file", text=text), job=None
    )


def _vanished_row(job_id: str, all_gone: str, command: str) -> JobRow:
    text = all_gone or (
        f"Its job file has vanished from the shop folder. If that is meant: {command} unregister {job_id}"
    )
    reason = ReasonLine(code="job-file-vanished", text=text)
    return _blind_row(job_id, job_id, Attention.GREY, reason, job=None)


def _blind_row(job_id: str, title: str, claim: Attention, reason: ReasonLine, *, job: Job | None) -> JobRow:
    return JobRow(
        job_id=job_id,
        title=title,
        health=Health.UNKNOWN,
        quiet=False,
        attention=claim,
        due=None,
        grace=timedelta(0),
        last_success=None,
        last_run=None,
        running=None,
        next_fire=None,
        registration=RegistrationState.UNVERIFIABLE,
        summary="can't tell",
        reasons=(reason,),
        job=job,
    )


def _banners(
    shop: Shop,
    findings: Mapping[str, Finding],
    gone: int,
    orphans: Sequence[str],
    recovered: str,
    command: str,
) -> tuple[Banner, ...]:
    banners = [Banner(kind=BannerKind.RECOVERED, text=recovered)] if recovered else []
    if shop.error:
        banners.append(Banner(kind=BannerKind.NO_SHOP, text=f"No job files: {shop.error}"))
    elif gone and not shop.files:
        were = "1 job was" if gone == 1 else f"{gone} jobs were"
        text = f"{were} here before, and now the shop folder holds none. Is it the right folder?"
        banners.append(Banner(kind=BannerKind.SHOP_EMPTY, text=text))
    idle = (RegistrationState.NOT_WANTED, RegistrationState.ORPHAN)
    wanted = [f for f in findings.values() if f.state not in idle]
    never = tuple(sorted(f.job_id for f in wanted if f.state is RegistrationState.NEVER_REGISTERED))
    if never:
        banners.append(_never_registered(never, command, is_all=len(never) == len(wanted)))
    if orphans:
        text = f"This computer's schedule still starts what no job here wants: {', '.join(orphans)}."
        how = f"Take it out: {command} unregister {' '.join(orphans)}"
        banners.append(Banner(kind=BannerKind.ORPHANS, text=text, job_ids=tuple(orphans), commands=how))
    return tuple(banners)


def _never_registered(never: tuple[str, ...], command: str, *, is_all: bool) -> Banner:
    if not is_all:
        text = f"This computer has never registered: {', '.join(never)}"
        return Banner(kind=BannerKind.SOME_NEVER_REGISTERED, text=text, job_ids=never)
    these = f"these {len(never)} jobs" if len(never) > 1 else "the shop's jobs"
    return Banner(
        kind=BannerKind.NEVER_REGISTERED,
        text=f"This computer runs none of {these}: {', '.join(never)}.",
        job_ids=never,
        commands=f"Register them here: {command} register --all. "
        f"They run elsewhere: {command} unregister --all",
    )


def _snapshot(
    rows: Sequence[JobRow],
    banners: tuple[Banner, ...],
    zone: ZoneInfo,
    now: datetime,
    *,
    has_trouble: bool = False,
) -> Snapshot:
    ranked = sorted(rows, key=lambda row: (_RANK[row.attention], _HEALTH_RANK[row.health], row.job_id))
    ends = [row.valid_until for row in rows if row.valid_until is not None and row.valid_until >= now]
    claims = (overall(rows), Attention.AMBER) if has_trouble else (overall(rows),)
    return Snapshot(
        taken_at=now,
        rows=tuple(ranked),
        banners=banners,
        attention=worst(claims),
        valid_until=min(ends, default=None),
        zone=zone,
    )


def overall(rows: Sequence[JobRow]) -> Attention:
    """The worst claim of these rows; none at all, or all paused, is grey."""
    all_paused = all(row.health is Health.PAUSED for row in rows)
    return worst((row.attention for row in rows), all_paused=all_paused)


_RANK = {Attention.RED: 0, Attention.AMBER: 1, Attention.GREY: 2, Attention.GREEN: 3}
_HEALTH_RANK = {
    health: rank
    for rank, health in enumerate(
        (Health.OVERDUE, Health.NEVER_SUCCEEDED, Health.LATE, Health.UNKNOWN, Health.OK, Health.PAUSED)
    )
}
