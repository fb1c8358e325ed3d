"""What may surprise in a schedule: clock changes, days that do not exist, runs that meet."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.clock_changes import clock_changes, sentences
from ridgeline_desktop.core.cron_expressions import AcceptedWithWarning, parse_cron
from ridgeline_desktop.core.cron_words import joined
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.fire_times import latest_fire, next_fire, shortest_gap
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.schedules import (
    Arrives,
    ByHand,
    CronRule,
    Every,
    MonthlyDay,
    Schedule,
    duration_in_words,
)

_LOOK_AHEAD = timedelta(days=731)
_HOUR = timedelta(hours=1)
_MOST_NAMED = 3
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_SHORT_MONTHS = {
    29: "The 29th of February exists in leap years only; without it there is no run that month",
    30: "The 30th does not exist in February; there is no run that month",
    31: "The 31st does not exist in 5 months; there is no run then",
}


def cautions_of(job: Job, *, zone: ZoneInfo, now: datetime) -> tuple[str, ...]:
    """Sentences, without a full stop, about the job's schedule on the clock of `zone` from `now` on.

    Clock changes are those of the next two years; every date is named.
    """
    schedule = job.schedule
    if isinstance(schedule.rule, Arrives | ByHand):
        return ()
    found = [*_about_days(schedule), *_about_deadline(job, _least_gap(schedule, zone, now))]
    if next_fire(schedule, zone=zone, after=now) is None:
        return (*found, "No run is left: its dates are over")
    if not (isinstance(schedule.rule, Every) and schedule.rule.interval <= _HOUR):
        found += sentences(clock_changes(schedule, zone=zone, after=now, until=now + _LOOK_AHEAD))
    return tuple(found)


def shared_minutes(
    job: Job, others: Sequence[Job], fires: Sequence[datetime], *, zone: ZoneInfo, shop_zone: ZoneInfo
) -> tuple[str, ...]:
    """Say which other jobs start at the same minute as one of `fires` (UTC), once for each time of day.

    Jobs that run many times a day meet all others and are left out, on either side.
    """
    if _is_frequent(job):
        return ()
    met: dict[str, dict[str, None]] = {}
    for fire in fires:
        for other in others:
            its_zone = zone_of(other.schedule, shop_zone)
            if not _is_frequent(other) and latest_fire(other.schedule, zone=its_zone, at=fire) == fire:
                met.setdefault(f"{fire.astimezone(zone):%H:%M}", {})[other.title] = None
    return tuple(_meeting(moment, list(titles)) for moment, titles in met.items())


def _meeting(moment: str, titles: list[str]) -> str:
    if len(titles) == 1:
        return f"Another job starts at {moment}: {titles[0]}"
    number = _NUMBERS[len(titles)] if len(titles) < len(_NUMBERS) else str(len(titles))
    left = len(titles) - _MOST_NAMED
    named = [*titles[:_MOST_NAMED], *([f"{left} more"] if left > 0 else [])]
    return f"{number} other jobs start at {moment}: {joined(named)}"


def _is_frequent(job: Job) -> bool:
    rule = job.schedule.rule
    if isinstance(rule, CronRule):
        return len(rule.expression.minutes) * len(rule.expression.hours) > 24
    return isinstance(rule, Every) and rule.interval < _HOUR


def _least_gap(schedule: Schedule, zone: ZoneInfo, now: datetime) -> timedelta | None:
    if isinstance(schedule.rule, Every):
        return schedule.rule.interval
    return shortest_gap(schedule, zone=zone, around=now)


def _about_days(schedule: Schedule) -> Iterator[str]:
    rule = schedule.rule
    if isinstance(rule, MonthlyDay) and rule.day in _SHORT_MONTHS:
        yield _SHORT_MONTHS[rule.day]
    if isinstance(rule, CronRule):
        answer = parse_cron(rule.expression.text)
        for text in answer.warnings if isinstance(answer, AcceptedWithWarning) else ():
            yield text.rstrip(".")


def _about_deadline(job: Job, gap: timedelta | None) -> Iterator[str]:
    if gap and job.run.deadline and job.run.deadline > gap:
        allowed, between = duration_in_words(job.run.deadline), duration_in_words(gap)
        yield (
            f"A run may take {allowed}, and the next one starts after {between}: while one is still running, "
            "the next is left out"
        )
