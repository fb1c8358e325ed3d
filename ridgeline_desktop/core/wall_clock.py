"""From a local time of day to instants, through gaps and repeats, as Debian's cron 3.0pl1 passes them."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
# When the clock has jumped forward by less than this, cron makes up for each time it jumped over.
_FIXED_CATCHES_UP = timedelta(minutes=180)
_WILD_CATCHES_UP = timedelta(minutes=5)
# When it has jumped back by no more than this, fixed times wait until it has caught up.
_FIXED_WAITS = timedelta(minutes=180)


def steady_midnight(zone: ZoneInfo, day: date) -> datetime | None:
    """The instant (UTC) of a local day's start; None where the clocks change during or around that day."""
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    offset = start.utcoffset()
    # fold=0 and fold=1 ask for the offset before and after a change that touches the midnight itself.
    if offset is None or (start + DAY).replace(fold=1).utcoffset() != offset:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC) - offset


def wall_instants(zone: ZoneInfo, day: date, minute: int) -> tuple[datetime, ...]:
    """The instants (UTC) at which local clocks show this minute of the day: one, none in a gap, or two."""
    first, second = _readings(zone, day, minute)
    return () if first > second else (first,) if first == second else (first, second)


def cron_starts(zone: ZoneInfo, day: date, minute: int, *, wild: bool) -> tuple[datetime, ...]:
    """The instants (UTC) at which cron starts a job of this local minute; see `CronExpression.is_wild`."""
    first, second = _readings(zone, day, minute)
    if first == second:
        return (first,)
    if first < second:
        once = not wild and second - first <= _FIXED_WAITS
        return (first,) if once else (first, second)
    made_up = first - second < (_WILD_CATCHES_UP if wild else _FIXED_CATCHES_UP)
    return (_change_between(zone, second, first),) if made_up else ()


def _readings(zone: ZoneInfo, day: date, minute: int) -> tuple[datetime, datetime]:
    """The instant by the clock before a change and by the clock after it: later first in a gap."""
    wall = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    return wall.astimezone(UTC), wall.replace(fold=1).astimezone(UTC)


def _change_between(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The first minute (UTC) of the new offset, which `after` has and `before` has not."""
    offset = after.astimezone(zone).utcoffset()
    while after - before > MINUTE:
        middle = before + (after - before) // MINUTE // 2 * MINUTE
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after
