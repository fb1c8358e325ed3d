"""Schedules as values: the rules a job file can state, their cron lines, their dates and their words."""

import re
from collections.abc import Iterable
from datetime import date, time, timedelta
from enum import StrEnum

from ridgeline_desktop.core.cron_expressions import MONTH_NAMES, CronExpression, Refused, parse_cron
from ridgeline_desktop.core.cron_words import cron_in_words, joined, weekday_words
from ridgeline_desktop.core.values import dataclass


class Weekday(StrEnum):
    """A day of the week, in a job file's spelling, Monday first."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"
    SUN = "sun"


class MisfirePolicy(StrEnum):
    """What becomes of a fire time at which the computer was off."""

    RUN_ONCE = "run-once"
    SKIP = "skip"


class BackendName(StrEnum):
    """The scheduler that starts a job; NONE = something outside Ridgeline, or a person."""

    AUTO = "auto"
    CRON = "cron"
    SCHTASKS = "schtasks"
    SYSTEMD = "systemd"
    IN_APP = "in-app"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    """A steady interval counted from local midnight; both ends of `between` included; no days = all days."""

    interval: timedelta
    between: tuple[time, time] | None = None
    days: tuple[Weekday, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily:
    """Every day at these local times: sorted, distinct, whole minutes (as in all the rules below)."""

    times: tuple[time, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekly:
    """On these weekdays at these times."""

    days: tuple[Weekday, ...]
    times: tuple[time, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyDay:
    """On one day of each month; None = the last. Months without that day are left out."""

    day: int | None
    times: tuple[time, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthlyNth:
    """On the first to fourth such weekday of each month; None = the last."""

    nth: int | None
    weekday: Weekday
    times: tuple[time, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CronRule:
    """Whatever a cron expression says."""

    expression: CronExpression


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrives:
    """When a file matching the pattern arrives; it has no fire times."""

    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """When a person starts it; it has no fire times."""


Rule = Every | Daily | Weekly | MonthlyDay | MonthlyNth | CronRule | Arrives | ByHand


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When a job should run. `zone` None = the shop's; `starts` and `ends` are local dates, both included.

    `expect` is the longest silence allowed where the rule has no fire times; None = any.
    """

    rule: Rule
    zone: str | None = None
    if_missed: MisfirePolicy = MisfirePolicy.RUN_ONCE
    starts: date | None = None
    ends: date | None = None
    expect: timedelta | None = None
    backend: BackendName = BackendName.AUTO


DAY = timedelta(days=1)
_UNITS = {
    "week": timedelta(weeks=1),
    "day": DAY,
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}
_LONGEST_DURATION = timedelta(days=3650)
_MOST_OF_A_UNIT = 120
_CRON_WEEKDAYS = {day: (number + 1) % 7 for number, day in enumerate(Weekday)}
_ORDINALS = {None: "last", 1: "first", 2: "second", 3: "third", 4: "fourth"}


def parse_duration(text: str) -> timedelta:
    """Read "15 minutes", "1 day" and the like; ValueError says what is allowed."""
    found = re.fullmatch(r"([0-9]{1,9}) ?(second|minute|hour|day|week)s?", text.strip())
    duration = int(found[1]) * _UNITS[found[2]] if found else timedelta(0)
    if not timedelta(0) < duration <= _LONGEST_DURATION:
        raise ValueError(
            f'"{text}" is not a duration; write a whole number and seconds, minutes, hours, days or weeks, '
            'such as "15 minutes" (at most 3650 days)'
        )
    return duration


def duration_in_words(duration: timedelta) -> str:
    """Say a duration as `parse_duration` reads it ("90 minutes", "1 day").

    Uneven ones are said in their two largest units, rounded down: "3 hours 5 minutes".
    """
    seconds = duration // _UNITS["second"]
    sizes = {name: unit // _UNITS["second"] for name, unit in _UNITS.items()}
    for name, size in sizes.items():
        if seconds % size == 0 and 0 < seconds // size <= _MOST_OF_A_UNIT:
            return _counted(seconds // size, name)
    parts = []
    for name, size in sizes.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(_counted(count, name))
    return " ".join(parts[:2]) or "0 seconds"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def every_problem(rule: Every) -> str | None:
    """Say why an `every` rule cannot be kept by the clock; None where it can."""
    minutes, rest = divmod(rule.interval, _UNITS["minute"])
    hours, odd_minutes = divmod(minutes, 60)
    by_minutes = 0 < minutes < 60 and 60 % minutes == 0
    by_hours = hours > 0 and not odd_minutes and 24 % hours == 0
    if rest or not (by_minutes or by_hours):
        return (
            "every must be minutes that divide 60 (1 2 3 4 5 6 10 12 15 20 30) or hours that divide 24 "
            "(1 2 3 4 6 8 12 24); for another rhythm list the times under daily, or use cron"
        )
    if rule.between and rule.between[0] > rule.between[1]:
        return "between may not cross midnight: the second time must be after the first"
    if not _window_minutes(rule):
        return "between leaves no time to run: every is counted from midnight and none of its times is inside"
    return None


def _window_minutes(rule: Every) -> list[int]:
    """Minutes of the day, counted from local midnight, inside the window."""
    first, last = rule.between or (time.min, time(23, 59))
    times = range(0, 1440, rule.interval // _UNITS["minute"])
    return [minute for minute in times if first <= time(minute // 60, minute % 60) <= last]


def wall_patterns(schedule: Schedule) -> tuple[CronExpression, ...]:
    """Give the fewest cron lines that start this schedule; no two share a minute, all have the same days.

    Where cron cannot say the rule they are the smallest superset (see `allows`). Empty for arrivals, by hand,
    and an `every` rule with an `every_problem`.
    """
    rule = schedule.rule
    if isinstance(rule, CronRule):
        return (rule.expression,)
    if isinstance(rule, Arrives | ByHand) or (isinstance(rule, Every) and every_problem(rule)):
        return ()
    if isinstance(rule, Every):
        lines = [f"{clock} * * {_weekday_field(rule.days)}" for clock in _every_fields(rule)]
    else:
        lines = [f"{clock} {_day_fields(rule)}" for clock in _time_fields(rule.times)]
    answers = [parse_cron(line) for line in lines]
    return tuple(answer.expression for answer in answers if not isinstance(answer, Refused))


def _every_fields(rule: Every) -> list[str]:
    """Minute and hour fields; whole steps are written with `*`, so that cron follows the clock's changes."""
    step = rule.interval // _UNITS["minute"]
    whole_hour, whole_day = tuple(range(0, 60, step)), tuple(range(0, 24, max(step // 60, 1)))
    fields = []
    for minutes, hours in _rows(_window_minutes(rule)):
        minute_field = _step(step) if minutes == whole_hour and step < 60 else _field(minutes)
        hour_field = _step(max(step // 60, 1)) if hours == whole_day and len(hours) > 1 else _field(hours)
        fields.append(f"{minute_field} {hour_field}")
    return fields


def _time_fields(times: tuple[time, ...]) -> list[str]:
    """Minute and hour fields without `*`: cron makes up for such times when the clocks skip them."""
    rows = _rows([moment.hour * 60 + moment.minute for moment in times])
    return [f"{_field(minutes)} {_field(hours)}" for minutes, hours in rows]


def _rows(minutes: list[int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Minutes of the day as (minutes, hours) to combine, in as few rows as either way of grouping gives."""
    by_hour = _grouped(minutes, 60)
    by_minute = _grouped((minute % 60 * 24 + minute // 60 for minute in minutes), 24)
    return min(by_hour, [(found, hours) for hours, found in by_minute], key=len)


def _grouped(numbers: Iterable[int], base: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Rows (remainders, quotients): quotients with the same set of remainders share a row."""
    remainders: dict[int, list[int]] = {}
    for number in sorted(numbers):
        remainders.setdefault(number // base, []).append(number % base)
    quotients: dict[tuple[int, ...], list[int]] = {}
    for quotient, found in remainders.items():
        quotients.setdefault(tuple(found), []).append(quotient)
    return [(found, tuple(shared)) for found, shared in quotients.items()]


def _step(step: int) -> str:
    return "*" if step == 1 else f"*/{step}"


def _field(values: tuple[int, ...]) -> str:
    first, last = values[0], values[-1]
    for step, least in ((1, 3), ((last - first) // max(len(values) - 1, 1), 4)):
        if len(values) >= least and values == tuple(range(first, last + 1, step)):
            return f"{first}-{last}" if step == 1 else f"{first}-{last}/{step}"
    return ",".join(str(value) for value in values)


def _weekday_field(days: tuple[Weekday, ...]) -> str:
    return "*" if len(days) in (0, 7) else _field(tuple(sorted(_CRON_WEEKDAYS[day] for day in days)))


def _day_fields(rule: Daily | Weekly | MonthlyDay | MonthlyNth) -> str:
    match rule:
        case Weekly(days=days):
            return f"* * {_weekday_field(days)}"
        case MonthlyDay(day=day):
            return f"{day or '28-31'} * *"
        case MonthlyNth(weekday=weekday):
            return f"* * {_CRON_WEEKDAYS[weekday]}"
    return "* * *"


def is_superset(schedule: Schedule) -> bool:
    """Whether cron alone would also start it on dates that `allows` refuses."""
    match schedule.rule:
        case Arrives() | ByHand():
            return False
        case MonthlyDay(day=None) | MonthlyNth():
            return True
    return schedule.starts is not None or schedule.ends is not None


def allows(schedule: Schedule, day: date) -> bool:
    """Whether the schedule itself runs on a local date on which its cron lines would start it."""
    if (schedule.starts and day < schedule.starts) or (schedule.ends and day > schedule.ends):
        return False
    match schedule.rule:
        case MonthlyDay(day=None):
            return (day + DAY).day == 1
        case MonthlyNth(nth=None):
            return (day + 7 * DAY).month != day.month
        case MonthlyNth(nth=nth):
            return (day.day + 6) // 7 == nth
    return True


def in_words(schedule: Schedule) -> str:
    """Say the rule in one English fragment, such as "every day at 06:30 and 18:00"."""
    words = _rule_in_words(schedule.rule)
    if schedule.starts:
        words += f", from {_date_in_words(schedule.starts)}"
    if schedule.ends:
        words += f", until {_date_in_words(schedule.ends)}"
    return words


def _rule_in_words(rule: Rule) -> str:
    match rule:
        case Every():
            return _every_in_words(rule)
        case Daily(times=times):
            return f"every day {_at(times)}"
        case Weekly(days=days, times=times):
            named = _days_in_words(days)
            return f"{named if ' to ' in named else f'every {named}'} {_at(times)}"
        case MonthlyDay(day=None, times=times):
            return f"the last day of the month {_at(times)}"
        case MonthlyDay(day=int(day), times=times):
            words = f"day {day} of the month {_at(times)}"
            return words if day < 29 else f"{words}, in months that have one"
        case MonthlyNth(nth=nth, weekday=weekday, times=times):
            return f"the {_ORDINALS[nth]} {_days_in_words((weekday,))} of the month {_at(times)}"
        case CronRule(expression=expression):
            return cron_in_words(expression)
        case Arrives(pattern=pattern):
            return f'when a file arrives as "{pattern}"'
    return "by hand"


def _every_in_words(rule: Every) -> str:
    words = duration_in_words(rule.interval).removeprefix("1 ")
    parts = [f"every {words}" if rule.interval < DAY else "every day at 00:00"]
    if rule.between:
        parts.append(f"{rule.between[0]:%H:%M} to {rule.between[1]:%H:%M}")
    if rule.days:
        parts.append(_days_in_words(rule.days))
    return ", ".join(parts)


def _days_in_words(days: tuple[Weekday, ...]) -> str:
    return weekday_words(_CRON_WEEKDAYS[day] for day in days)


def _at(times: tuple[time, ...]) -> str:
    return f"at {joined(f'{moment:%H:%M}' for moment in times)}"


def _date_in_words(day: date) -> str:
    return f"{day.day} {MONTH_NAMES[day.month - 1]} {day.year}"
