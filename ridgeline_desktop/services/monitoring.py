"""Judges every job at one instant, from job files, records, locks and schedulers; looking never writes."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.by_hand import checkpoint_of
from ridgeline_desktop.core.diagnosis import diagnose
from ridgeline_desktop.core.errors import RidgelineError, StoreUnreadable
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
from ridgeline_desktop.core.job_facts import JobFacts, did_not_work, last_ended, refused_by_lock
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.locks import LockEvidence, Verdict, VerdictKind, judge
from ridgeline_desktop.core.memories import remember
from ridgeline_desktop.core.ports import Checkpoints, Clock, Locks, RunLogs, Store, StoreDoor
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import (
    FUTURE_TOLERANCE,
    RunRecord,
    RunStatus,
    is_from_the_future,
    usual_duration,
)
from ridgeline_desktop.core.settings import DeadLock
from ridgeline_desktop.core.snapshots import (
    Banner,
    BannerKind,
    JobRow,
    Snapshot,
)
from ridgeline_desktop.core.texts import judgement_text, pause_text
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.services.banners import banners_of
from ridgeline_desktop.services.blind_rows import broken_row, unreadable_row, vanished_row
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.surveying import Surveying

RECENT = 20
TAIL_BYTES = 8192
CHECKED_AT = "checked-at"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitoring:
    """Gives the snapshot that every view renders."""

    jobs: Jobs
    surveying: Surveying
    stores: StoreDoor
    locks: Locks
    logs: RunLogs
    checkpoints: Checkpoints
    clock: Clock

    def snapshot(self) -> Snapshot:
        """All jobs now, worst first. What cannot be read is "can't tell", never green."""
        shop = self.jobs.look()
        now = self.clock.now()
        try:
            with self.stores.reading() as store:
                return self._judged(shop, store, now)
        except StoreUnreadable as error:
            rows = [unreadable_row(file, str(error)) for file in shop.files]
            text = f"The run records cannot be read, so no light can be trusted: {error}"
            banners = (Banner(kind=BannerKind.RECORDS_UNREADABLE, text=text),)
            return _snapshot(rows, banners, shop.zone, now)

    def _judged(self, shop: Shop, store: Store, now: datetime) -> Snapshot:
        findings = self.surveying.findings(shop, store.registrations(), self.surveying.read())
        recovered = store.meta("recovered")
        look = _Look(
            shop=shop,
            store=store,
            running=store.running(),
            checked_at=_checked_at(store, now),
            history_lost=bool(recovered),
            now=now,
        )
        rows = [
            broken_row(file) if file.job is None else self._row(file.job, findings.get(file.job_id), look)
            for file in shop.files
        ]
        there = {file.job_id for file in shop.files}
        gone = sorted({state.job_id for state in store.job_states()} - there)
        command = self.surveying.launcher.spoken()
        why = shop.error or ("" if shop.files else "Its job file is gone, and all others with it")
        rows += [vanished_row(job_id, why, command) for job_id in gone]
        orphans = sorted(f.job_id for f in findings.values() if f.state is RegistrationState.ORPHAN)
        return _snapshot(
            rows,
            banners_of(shop, findings, len(gone), orphans, recovered, command),
            shop.zone,
            now,
            has_trouble=bool(orphans or recovered),
            checked_at=look.checked_at,
        )

    def _row(self, job: Job, finding: Finding | None, look: "_Look") -> JobRow:
        evidence = self.locks.inspect(job.job_id)
        verdict = judge(evidence)
        mine = (record for record in look.running if record.job_id == job.job_id)
        going_on = next((record for record in mine if is_going_on(record, evidence, verdict)), None)
        judged = self._judge(job, look.shop, look.store, going_on, look.now)
        facts = _facts(job, judged, finding, evidence, going_on, look)
        last = last_ended(facts.records)
        if last is not None and (did_not_work(last) or facts.is_silent):
            facts = replace(facts, tail=self.logs.tail(job.job_id, last.run_id, size=TAIL_BYTES))
        asks = look.shop.settings.dead_lock is DeadLock.ASK
        row = _judged_row(
            job,
            judged,
            facts,
            attention=_attention(judged.assessment, facts, lock_is_asked_about=asks),
            next_fire_at=_next_fire(job, look.shop, finding, judged.pause, look.now),
        )
        row = replace(row, history_lost=look.history_lost)
        return self._pointed(job, row) if row.reasons else row

    def _pointed(self, job: Job, row: JobRow) -> JobRow:
        """The row with steps that name the place in the runbook, and where a repeat goes on."""
        from ridgeline_desktop.core.pointed_steps import pointed  # slow to load, and no use to a green job

        runbook = progress = ""
        with suppress(RidgelineError):
            runbook = self.jobs.runbook(job) if job.runbook else ""
        with suppress(RidgelineError):
            saved = self.checkpoints.read(job.job_id)
            progress = checkpoint_of(saved[0], saved_at=saved[1]).sentence if saved else ""
        return pointed(row, runbook=runbook, progress=progress)

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
        if memory.pause is not None and memory.is_paused:
            assessment = Assessment(health=Health.PAUSED, valid_until=memory.pause.until)
            summary = pause_text(memory.pause, zone=shop.zone, now=now)
        return _Judged(
            assessment=assessment,
            expected=expected,
            last_success=memory.success,
            summary="it runs on another computer" if elsewhere else summary,
            pause=memory.pause if memory.is_paused else None,
            clock_was_wrong=wrong_clock,
        )


def _checked_at(store: Store, now: datetime) -> datetime | None:
    """When all jobs were checked last; None where that is not known or only a wrong clock says so."""
    try:
        moment = datetime.fromisoformat(store.meta(CHECKED_AT))
    except ValueError:
        return None
    return moment if moment.tzinfo is not None and moment <= now + FUTURE_TOLERANCE else None


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
class _Look:
    """What every job is judged from at one instant."""

    shop: Shop
    store: Store
    running: Sequence[RunRecord]
    checked_at: datetime | None
    history_lost: bool
    now: datetime


def _facts(
    job: Job,
    judged: "_Judged",
    finding: Finding | None,
    evidence: LockEvidence,
    going_on: RunRecord | None,
    look: _Look,
) -> JobFacts:
    records, verdict = _recent(look.store, job.job_id, look.now), judge(evidence)
    around = going_on.started_at if going_on else look.now
    return JobFacts(
        job=job,
        assessment=judged.assessment,
        expected=judged.expected,
        last_success=judged.last_success,
        records=records,
        running=going_on,
        finding=finding,
        verdict=verdict,
        evidence=evidence,
        zone=look.shop.zone,
        now=look.now,
        usual=usual_duration(records),
        deadline=deadline_of(job, around=around, zone=look.shop.zone),
        pause=judged.pause,
        checked_at=look.checked_at,
        clock_was_wrong=judged.clock_was_wrong,
        runner_is_gone=verdict.kind is VerdictKind.HELD
        and going_on is not None
        and evidence.runner is not None
        and evidence.runner.is_dead,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    assessment: Assessment
    expected: Expectation
    last_success: RunRecord | None
    summary: str
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
        recent=facts.records,
        usual=facts.usual,
        verdict=facts.verdict,
        pause=judged.pause,
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
    if pause is not None:
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


def _snapshot(
    rows: Sequence[JobRow],
    banners: tuple[Banner, ...],
    zone: ZoneInfo,
    now: datetime,
    *,
    has_trouble: bool = False,
    checked_at: datetime | None = None,
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
        checked_at=checked_at,
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
