"""Entries as a shop has them, and a clock that moves only when told."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.registrations import Entry
from ridgeline_desktop.core.schedules import Daily, Every, Rule, Schedule, Weekday, Weekly

TORONTO = ZoneInfo("America/Toronto")
PYTHON = "/srv/ridge line/bin/python"
QUARTER_HOURS = Every(interval=timedelta(minutes=15))
MONDAYS = Weekly(days=(Weekday.MON,), times=(time(6, 30),))
TWO_LINES = Daily(times=(time(6, 30), time(18, 0)))


def entry(
    name: str, rule: Rule = QUARTER_HOURS, *, argv: tuple[str, ...] = (), zone: ZoneInfo = TORONTO
) -> Entry:
    command = argv or (PYTHON, "-I", "-m", "ridgeline_desktop", "run", name, "--trigger", "schedule")
    return Entry(name=name, argv=command, schedule=Schedule(rule=rule), zone=zone)


class SteppedClock:
    """`pause` lets time pass at once and remembers how long it was asked for."""

    def __init__(self, now: datetime = datetime(2026, 1, 15, 14, 0, 0, tzinfo=UTC)) -> None:
        self._now = now
        self.pauses: list[float] = []

    def now(self) -> datetime:
        return self._now

    def steady(self) -> float:
        return self._now.timestamp()

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._now += timedelta(seconds=seconds)
