"""Clock changes: the dates on which a schedule's time of day does not exist or happens twice."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from enum import StrEnum
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.cron_expressions import MONTH_NAMES, WEEKDAY_NAMES
from ridgeline_desktop.core.cron_words import joined
from ridgeline_desktop.core.fire_plans import Plan, plan_of
from ridgeline_desktop.core.schedules import Schedule
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.core.wall_clock import DAY, cron_starts, steady_midnight, wall_instants

_MOST_NAMED = 3


class ClockChangeKind(StrEnum):
    """What the clocks do to a time of day."""

    VANISHES = "vanishes"
    REPEATS = "repeats"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChange:
    """Local times of one date that all vanish or all repeat, and what Debian's cron makes of them.

    `starts` are the instants (UTC, ascending) at which it starts the job for them; empty = they are left out.
    """

    kind: ClockChangeKind
    day: date
    times: tuple[time, ...]
    starts: tuple[datetime, ...]
    zone: ZoneInfo

    @property
    def runs_twice(self) -> bool:
        """Whether each of the times is started at both of its passes."""
        return len(self.starts) > len(self.times)


def clock_changes(
    schedule: Schedule, *, zone: ZoneInfo, after: datetime, until: datetime
) -> tuple[ClockChange, ...]:
    """Give the changes that touch the schedule on local dates from `after` to `until`, both included.

    One per date and kind of cron line, however many times of day it concerns.
    """
    plan = plan_of(schedule)
    last = until.astimezone(zone).date()
    found: list[ClockChange] = []
    for day in plan.dates(after.astimezone(zone).date(), 1):
        if day > last:
            break
        if steady_midnight(zone, day) is None:
            found.extend(_changes_on(plan, zone, day))
    return tuple(found)


def sentence(change: ClockChange) -> str:
    """Say one change in plain words, beginning with its date: "Sun 1 Nov: the clocks go back and …"."""
    return f"{day_text(change.day)}: {_what(change)}"


def sentences(changes: Iterable[ClockChange]) -> tuple[str, ...]:
    """Say the changes in plain words; those that differ in nothing but the year together, with all dates.

    "In March the clocks go forward and 02:30 does not exist; … (Sun 8 Mar 2026, Sun 14 Mar 2027)".
    """
    alike: dict[tuple[int, str], list[str]] = {}
    for change in changes:
        day = f"{day_text(change.day)} {change.day.year}"
        alike.setdefault((change.day.month, _what(change)), []).append(day)
    return tuple(
        f"In {MONTH_NAMES[month - 1]} {what} ({', '.join(days)})" for (month, what), days in alike.items()
    )


def day_text(day: date) -> str:
    """A date as the sentences name it, without its year: "Sun 8 Mar"."""
    weekday, month = WEEKDAY_NAMES[day.isoweekday() % 7], MONTH_NAMES[day.month - 1]
    return f"{weekday[:3]} {day.day} {month[:3]}"


def note_for(schedule: Schedule, *, zone: ZoneInfo, fire: datetime) -> str:
    """Say in a few words what is odd about one fire time; empty where nothing is."""
    plan = plan_of(schedule)
    local = fire.astimezone(zone)
    # The end of a gap can lie on the date after the time that it stands for.
    nearby = [day for day in (local.date() - DAY, local.date()) if steady_midnight(zone, day) is None]
    for change in (change for day in nearby if plan.runs_on(day) for change in _changes_on(plan, zone, day)):
        if fire not in change.starts:
            continue
        if change.kind is ClockChangeKind.VANISHES:
            shown = (local.hour * 60 + local.minute) in (minute for minute, _wild in plan.minutes)
            also = "also for" if shown and plan.runs_on(local.date()) else "instead of"
            return f"{also} {_named(change.times)}, which {_verb(change, 'does')} not exist"
        if change.runs_twice:
            return f"{'second' if local.fold else 'first'} of two times {local:%H:%M}"
        return f"{local:%H:%M} happens twice; it runs {_passes(change)}"
    return ""


def _changes_on(plan: Plan, zone: ZoneInfo, day: date) -> Iterator[ClockChange]:
    for wild in (False, True):
        minutes = [minute for minute, is_wild in plan.minutes if is_wild is wild]
        passes = {minute: len(wall_instants(zone, day, minute)) for minute in minutes}
        for kind, count in ((ClockChangeKind.VANISHES, 0), (ClockChangeKind.REPEATS, 2)):
            touched = [minute for minute in minutes if passes[minute] == count]
            if touched:
                starts = {start for minute in touched for start in cron_starts(zone, day, minute, wild=wild)}
                yield ClockChange(
                    kind=kind,
                    day=day,
                    times=tuple(time(minute // 60, minute % 60) for minute in touched),
                    starts=tuple(sorted(starts)),
                    zone=zone,
                )


def _what(change: ClockChange) -> str:
    named = _named(change.times)
    if change.kind is ClockChangeKind.REPEATS:
        return f"the clocks go back and {named} {_verb(change, 'happens')} twice; it runs {_passes(change)}"
    then = "does not run then"
    if change.starts:
        then = f"runs at {change.starts[0].astimezone(change.zone):%H:%M} instead"
    return f"the clocks go forward and {named} {_verb(change, 'does')} not exist; it {then}"


def _named(times: tuple[time, ...]) -> str:
    if len(times) <= _MOST_NAMED:
        return joined(f"{moment:%H:%M}" for moment in times)
    return f"{times[0]:%H:%M} to {times[-1]:%H:%M}"


def _verb(change: ClockChange, singular: str) -> str:
    plural = {"happens": "happen", "does": "do"}
    return singular if len(change.times) == 1 else plural[singular]


def _passes(change: ClockChange) -> str:
    return "both times" if change.runs_twice else "the first time"
