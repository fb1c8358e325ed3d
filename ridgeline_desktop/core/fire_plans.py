"""A schedule prepared for arithmetic, and the walk through its fire times, a local day at a time."""

from bisect import bisect_right
from calendar import monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.schedules import Schedule, allows, is_superset, wall_patterns
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.core.wall_clock import DAY, MINUTE, cron_starts, steady_midnight

# Weekdays come back to the same dates after 28 years, or 40 across a century without its leap day.
_SEARCH_YEARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The minutes of a local day, each with "is wild" (see `CronExpression.is_wild`), and their days.

    `moments` are the same minutes as times since midnight. `schedule` None = nothing to filter the days by.
    """

    minutes: tuple[tuple[int, bool], ...]
    moments: tuple[timedelta, ...]
    months: tuple[int, ...]
    days: frozenset[int]
    weekdays: frozenset[int]
    days_and: bool
    schedule: Schedule | None

    @property
    def least_gap(self) -> timedelta:
        """The shortest time between its moments on a day without a clock change."""
        following = (*self.moments[1:], self.moments[0] + DAY)
        return min(later - moment for moment, later in zip(self.moments, following, strict=True))

    def runs_on(self, day: date) -> bool:
        """Whether it has fire times on this local date."""
        return (
            day.month in self.months
            and self._matches(day.day, day.isoweekday() % 7)
            and (self.schedule is None or allows(self.schedule, day))
        )

    def dates(self, first: date, step: int) -> Iterator[date]:
        """Yield its dates from `first` on, forwards (step 1) or backwards (step -1)."""
        bounds = (self.schedule.starts, self.schedule.ends) if self.schedule else (None, None)
        begin, limit = bounds[::step]
        if begin and (begin - first) * step > timedelta(0):
            first = begin
        found = year = first.year
        while abs(year - found) <= _SEARCH_YEARS and 1 < year < MAXYEAR:
            for month in self.months[::step]:
                if year == first.year and (month - first.month) * step < 0:
                    continue
                for day in self._month_dates(year, month, first, step):
                    if limit and (day - limit) * step > timedelta(0):
                        return
                    if self.schedule is None or allows(self.schedule, day):
                        found = year
                        yield day
            year += step

    def _month_dates(self, year: int, month: int, first: date, step: int) -> Iterator[date]:
        weekday, length = monthrange(year, month)
        numbers = range(1, length + 1)[::step]
        if (year, month) == (first.year, first.month):
            numbers = numbers[numbers.index(first.day) :]
        for number in numbers:
            if self._matches(number, (weekday + number) % 7):
                yield date(year, month, number)

    def _matches(self, number: int, weekday: int) -> bool:
        if self.days_and:
            return number in self.days and weekday in self.weekdays
        return number in self.days or weekday in self.weekdays


@lru_cache(maxsize=256)
def plan_of(schedule: Schedule, *, as_registered: bool = False) -> Plan:
    """Prepare a schedule; `as_registered` = as its cron lines have it, without the schedule's own dates."""
    patterns = wall_patterns(schedule)
    minutes = sorted(
        (hour * 60 + minute, pattern.is_wild)
        for pattern in patterns
        for hour in pattern.hours
        for minute in pattern.minutes
    )
    # All lines of one rule have the same days.
    days = patterns[0] if patterns else None
    return Plan(
        minutes=tuple(minutes),
        moments=tuple(minute * MINUTE for minute, _wild in minutes),
        months=days.months if days else (),
        days=frozenset(days.days if days else ()),
        weekdays=frozenset(days.weekdays if days else ()),
        days_and=days.days_and if days else True,
        schedule=schedule if is_superset(schedule) and not as_registered else None,
    )


def ascending(plan: Plan, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Yield the fire times strictly after an aware instant, in UTC."""
    # A repeated hour around midnight can bring yesterday back.
    done = date.min
    for day in plan.dates(after.astimezone(zone).date() - DAY, 1):
        if day <= done:
            continue
        midnight = steady_midnight(zone, day)
        if midnight:
            for moment in plan.moments[bisect_right(plan.moments, after - midnight) :]:
                yield midnight + moment
        else:
            done = day + 2 * DAY
            yield from (fire for fire in _around_a_change(plan, zone, day) if fire > after)


def descending(plan: Plan, zone: ZoneInfo, at: datetime) -> Iterator[datetime]:
    """Yield the fire times at or before an aware instant, the latest first, in UTC."""
    done = date.max
    for day in plan.dates(at.astimezone(zone).date() + DAY, -1):
        if day >= done:
            continue
        midnight = steady_midnight(zone, day)
        if midnight:
            for moment in reversed(plan.moments[: bisect_right(plan.moments, at - midnight)]):
                yield midnight + moment
        else:
            done = day - 2 * DAY
            yield from (fire for fire in reversed(_around_a_change(plan, zone, done)) if fire <= at)


def _around_a_change(plan: Plan, zone: ZoneInfo, first: date) -> list[datetime]:
    """The fire times of three dates in order: a change near midnight mixes those of neighbouring dates."""
    dates = [day for day in (first, first + DAY, first + 2 * DAY) if plan.runs_on(day)]
    return sorted(
        {
            fire
            for day in dates
            for minute, wild in plan.minutes
            for fire in cron_starts(zone, day, minute, wild=wild)
        }
    )
