"""Times of day that no clock change touches, to be offered instead of those that one does."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.clock_changes import ClockChange, ClockChangeKind, clock_changes, day_text
from ridgeline_desktop.core.schedules import Daily, Schedule

_STEP = 15
_DAY = 24 * 60
_LOOK_AHEAD = timedelta(days=732)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """A time of day to take instead of another, and what the clocks do to that one.

    `is_alone` says that its caution is about no other time of day.
    """

    old: str
    new: str
    kind: ClockChangeKind
    is_alone: bool

    def words(self) -> str:
        """What its button says."""
        if not self.is_alone:
            text = QCoreApplication.translate("schedules", "Use {new} instead of {old}")
        elif self.kind is ClockChangeKind.REPEATS:
            text = QCoreApplication.translate("schedules", "Use {new}, which never comes twice")
        else:
            text = QCoreApplication.translate("schedules", "Use {new}, which always exists")
        return text.format(new=self.new, old=self.old)


def cures_for(caution: str, times: Sequence[str], *, zone: ZoneInfo, now: datetime) -> tuple[Cure, ...]:
    """What to offer below a caution: for each of these times that it is about, one that is never touched."""
    found = []
    is_alone = sum(text in caution for text in times) == 1
    for text in times:
        named = text in caution
        changes = _changes(text, zone, now) if named else ()
        about = [change for change in changes if _is_dated(caution, change)]
        new = _steady_after(text, zone, now) if about else ""
        if new:
            found.append(Cure(old=text, new=new, kind=about[0].kind, is_alone=is_alone))
    return tuple(found)


def _is_dated(caution: str, change: ClockChange) -> bool:
    return f"{day_text(change.day)} {change.day.year}" in caution


def _changes(text: str, zone: ZoneInfo, now: datetime) -> tuple[ClockChange, ...]:
    return _changes_from(text, zone, now.astimezone(zone).date())


@lru_cache(maxsize=512)
def _changes_from(text: str, zone: ZoneInfo, day: date) -> tuple[ClockChange, ...]:
    """Remembered, since the form asks anew after each key."""
    schedule = Schedule(rule=Daily(times=(time.fromisoformat(text),)))
    after = datetime.combine(day, time.min, tzinfo=zone)
    return clock_changes(schedule, zone=zone, after=after, until=after + _LOOK_AHEAD)


def _steady_after(text: str, zone: ZoneInfo, now: datetime) -> str:
    """The first later quarter of an hour of the same day that no change touches, "" where there is none."""
    moment = time.fromisoformat(text)
    minute = moment.hour * 60 + moment.minute
    for later in range(minute - minute % _STEP + _STEP, _DAY, _STEP):
        candidate = f"{later // 60:02}:{later % 60:02}"
        if not _changes(candidate, zone, now):
            return candidate
    return ""
