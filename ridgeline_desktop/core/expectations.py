"""When a job's next success is due, how much grace it has, and how long one of its runs may take."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.fire_times import gap_at, next_fire, shortest_gap
from ridgeline_desktop.core.health import ENDLESS_RUN, assess
from ridgeline_desktop.core.jobs import DEFAULT_DEADLINE, Grace, Job
from ridgeline_desktop.core.runs import FUTURE_TOLERANCE, Actor
from ridgeline_desktop.core.schedule_tables import schedule_from_text
from ridgeline_desktop.core.schedules import BackendName, Every, MisfirePolicy, Schedule
from ridgeline_desktop.core.values import dataclass, replace

DEFAULT_FRACTION = 0.05
LEAST_GRACE = timedelta(minutes=2)
MOST_GRACE = timedelta(days=1)
DEADLINE_SHARE = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """What is remembered of one job on one computer; instants UTC.

    `schedule_text` is the rule last seen, `changed_at` when it became so (None = never changed).
    `held_due` and `held_grace` are the expectation a job was overdue by when it was paused or its
    schedule changed, at `held_at`; they stand until a success serves that due.
    """

    job_id: str
    first_seen: datetime
    schedule_text: str
    changed_at: datetime | None = None
    held_due: datetime | None = None
    held_grace: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The newest pause of a job; `until` None = until somebody resumes it, `ended_at` set by resuming."""

    job_id: str
    begun_at: datetime
    until: datetime | None
    reason: str
    actor: Actor
    ended_at: datetime | None = None

    def end(self, *, now: datetime) -> datetime | None:
        """When the pause ended, or None while it still lasts at `now`."""
        if self.ended_at is not None:
            return self.ended_at
        return self.until if self.until is not None and self.until <= now else None

    def excused_until(self, *, now: datetime) -> datetime:
        """The instant up to which it excuses silence: its end, or `now` while it lasts."""
        return self.end(now=now) or now


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The instant a success is due (None = nothing is expected) and the grace after it."""

    due: datetime | None
    grace: timedelta


def zone_of(schedule: Schedule, shop_zone: ZoneInfo) -> ZoneInfo:
    """The zone whose clock the schedule reads."""
    return ZoneInfo(schedule.zone) if schedule.zone else shop_zone


def new_state(job: Job, *, now: datetime) -> JobState:
    """The state of a job this computer sees for the first time."""
    return JobState(job_id=job.job_id, first_seen=now, schedule_text=job.schedule_text)


def expectation_of(
    job: Job,
    state: JobState,
    *,
    anchor: datetime | None,
    resumed_at: datetime | None,
    zone: ZoneInfo,
    now: datetime | None = None,
) -> Expectation:
    """What is expected of `job`. `anchor` is what its newest success speaks for, None without one.

    `resumed_at` is what its last pause is `excused_until`. `zone` is the shop's, for schedules that
    name none. With `now`, what is remembered from a clock that ran ahead excuses nothing.
    """
    if state.held_due is not None and (anchor is None or anchor < state.held_due):
        return Expectation(due=state.held_due, grace=state.held_grace)
    since = [at for at in (state.first_seen, state.changed_at, resumed_at) if at is not None]
    if now is not None:
        since = [at for at in since if at <= now + FUTURE_TOLERANCE]
    base = max([anchor, *since] if anchor else since, default=now or state.first_seen)
    own_zone = zone_of(job.schedule, zone)
    due = _due(job.schedule, base=base.astimezone(UTC), zone=own_zone)
    return Expectation(due=due, grace=grace_of(job, due=due, zone=own_zone))


def _due(schedule: Schedule, *, base: datetime, zone: ZoneInfo) -> datetime | None:
    if schedule.expect is not None:
        if schedule.starts is not None:
            base = max(base, datetime.combine(schedule.starts, time(), tzinfo=zone).astimezone(UTC))
        due = base + schedule.expect
        ended = schedule.ends is not None and due.astimezone(zone).date() > schedule.ends
        return None if ended else due
    fire = next_fire(schedule, zone=zone, after=base)
    if fire is None or not isinstance(schedule.rule, Every):
        return fire
    return max(base + schedule.rule.interval, fire)


def grace_of(job: Job, *, due: datetime | None, zone: ZoneInfo) -> timedelta:
    """The grace after `due`. Set by hand it is taken as it stands; else 5 % of the gap to the next.

    The default is at least the deadline and two minutes, and at most a day; a fire time that stands
    alone has no gap and always gets the default.
    """
    asked = job.run.grace or Grace(fraction=DEFAULT_FRACTION)
    if asked.fixed is not None:
        return asked.fixed
    gap = _gap(job.schedule, due=due, zone=zone)
    share = (gap or timedelta(0)) * (asked.fraction or DEFAULT_FRACTION)
    if due is None or (job.run.grace is not None and gap is not None):
        return share
    deadline = deadline_of(job, around=due, zone=zone) or ENDLESS_RUN
    return min(max(share, deadline, LEAST_GRACE), MOST_GRACE)


def _gap(schedule: Schedule, *, due: datetime | None, zone: ZoneInfo) -> timedelta | None:
    """What a fraction is a fraction of; None where a fire time stands alone."""
    if isinstance(schedule.rule, Every):
        return schedule.rule.interval
    if schedule.expect is not None:
        return schedule.expect
    return gap_at(schedule, zone=zone, fire=due) if due else None


def deadline_of(job: Job, *, around: datetime, zone: ZoneInfo) -> timedelta | None:
    """How long one run of `job` may take with its retries; None = as long as it likes."""
    if job.run.no_deadline:
        return None
    if job.run.deadline is not None:
        return job.run.deadline
    gap = _shortest(job.schedule, around=around, zone=zone)
    return DEFAULT_DEADLINE if gap is None else min(DEFAULT_DEADLINE, gap * DEADLINE_SHARE)


def _shortest(schedule: Schedule, *, around: datetime, zone: ZoneInfo) -> timedelta | None:
    if isinstance(schedule.rule, Every):
        return schedule.rule.interval
    return shortest_gap(schedule, zone=zone_of(schedule, zone), around=around)


def after_change(
    job: Job,
    state: JobState,
    *,
    anchor: datetime | None,
    resumed_at: datetime | None,
    zone: ZoneInfo,
    now: datetime,
) -> JobState:
    """The state once the job's present schedule has been noticed; the same object if its text is the same.

    A job that was overdue under its old rule keeps that rule's due: an edit turns no red light green.
    """
    if state.schedule_text == job.schedule_text:
        return state
    old = schedule_from_text(state.schedule_text)
    if old is not None:
        if _expects(old, zone) == _expects(job.schedule, zone):
            return replace(state, schedule_text=job.schedule_text)
        before = replace(job, schedule=old)
        state = held_if_overdue(before, state, anchor=anchor, resumed_at=resumed_at, zone=zone, now=now)
    return replace(state, schedule_text=job.schedule_text, changed_at=now)


def _expects(schedule: Schedule, zone: ZoneInfo) -> Schedule:
    """The schedule with only what decides when a success is due."""
    return replace(
        schedule,
        zone=zone_of(schedule, zone).key,
        if_missed=MisfirePolicy.RUN_ONCE,
        backend=BackendName.AUTO,
    )


def held_if_overdue(
    job: Job,
    state: JobState,
    *,
    anchor: datetime | None,
    resumed_at: datetime | None,
    zone: ZoneInfo,
    now: datetime,
) -> JobState:
    """The state with its expectation held fast where the job is overdue at `now`, else unchanged."""
    wanted = expectation_of(job, state, anchor=anchor, resumed_at=resumed_at, zone=zone, now=now)
    if not assess(last_success=anchor, due=wanted.due, grace=wanted.grace, now=now).is_red:
        return state
    return replace(state, held_due=wanted.due, held_grace=wanted.grace)
