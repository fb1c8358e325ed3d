"""The [schedule] table of a job file: its kinds, its options, and back to text for the records."""

import json
from datetime import date, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.schedules import (
    Arrives,
    BackendName,
    ByHand,
    CronRule,
    Daily,
    Every,
    MisfirePolicy,
    MonthlyDay,
    MonthlyNth,
    Rule,
    Schedule,
    Weekday,
    Weekly,
)
from ridgeline_desktop.core.toml_tables import Table, clock_time

KINDS = ("every", "daily", "weekly", "monthly", "cron", "arrives")
DAY = timedelta(days=1)


def read_schedule(table: Table) -> Schedule:
    """The schedule a [schedule] table asks for; problems are left in `table`."""
    named = [kind for kind in KINDS if table.has(kind)]
    if len(named) > 1:
        table.complain(named[1], f"one kind of schedule only: {' and '.join(named)} are both set")
    rule = _RULES[named[0]](table) if named else None
    if rule is None or not isinstance(rule, Every):
        for key in ("between", "days"):
            if table.has(key) and "every" not in named:
                table.complain(key, f"{key} goes with every only")
    zone = table.text("zone")
    if zone and not is_zone(zone):
        table.complain(
            "zone", f'"{zone}" is not a time zone of this computer; write one such as "America/Toronto"'
        )
        zone = ""
    starts, ends = table.day("starts"), table.day("ends")
    if starts and ends and ends < starts:
        table.complain("ends", f"ends ({ends}) is before starts ({starts})")
    expect = table.duration("expect", None)
    if expect and not (rule is None or isinstance(rule, Arrives)):
        table.complain("expect", "expect goes with arrives, or with a job run by hand")
    schedule = Schedule(
        rule=rule or ByHand(),
        zone=zone or None,
        if_missed=table.choice("if_missed", MisfirePolicy, MisfirePolicy.RUN_ONCE),
        starts=starts,
        ends=ends,
        expect=expect,
        backend=table.choice("backend", BackendName, BackendName.AUTO),
    )
    table.refuse_unknown((*KINDS, "between", "days"))
    return schedule


def is_zone(name: str) -> bool:
    """Whether the zone data of this computer knows `name`."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True


def schedule_text(values: dict[str, Any], *, zone: str) -> str:
    """The table as one line of JSON with its zone filled in; equal text means an equal schedule."""
    return json.dumps({"zone": zone, **values}, sort_keys=True, default=str)


def schedule_from_text(text: str) -> Schedule | None:
    """The schedule that `schedule_text` wrote down, or None where this version cannot read it."""
    values = json.loads(text)
    for key in ("starts", "ends"):
        if key in values:
            values[key] = date.fromisoformat(values[key])
    table = Table(values, source="")
    schedule = read_schedule(table)
    return None if table.problems else schedule


def _every(table: Table) -> Rule | None:
    interval = table.duration("every", None)
    days = _weekdays(table, "days")
    between = _between(table)
    if interval is None:
        return None
    minutes = interval // timedelta(minutes=1)
    divides = (minutes < 60 and minutes and 60 % minutes == 0) or (
        minutes >= 60 and minutes % 60 == 0 and minutes <= 1440 and 24 % (minutes // 60) == 0
    )
    if interval % timedelta(minutes=1) or not divides:
        table.complain(
            "every",
            "every must be minutes that divide 60 (1 2 3 4 5 6 10 12 15 20 30) or hours that divide 24 "
            '(1 2 3 4 6 8 12 24); for another rhythm use cron, such as cron = "*/45 * * * *"',
        )
        return None
    return Every(interval=interval, between=between, days=days)


def _between(table: Table) -> tuple[time, time] | None:
    text = table.text("between")
    if not text:
        return None
    first, dash, last = text.partition("-")
    start, end = clock_time(first.strip()), clock_time(last.strip())
    if not dash or start is None or end is None:
        table.complain("between", 'between must be two times such as "08:00-18:00"')
        return None
    if end <= start:
        table.complain("between", "between may not cross midnight: the second time must be after the first")
        return None
    return start, end


def _daily(table: Table) -> Rule | None:
    times = table.times("daily")
    return Daily(times=times) if times else None


def _weekly(table: Table) -> Rule | None:
    inner = table.table("weekly")
    days = _weekdays(inner, "days")
    times = inner.times("at")
    if not inner.has("days") or not inner.has("at"):
        inner.complain("", 'weekly needs both, as in { days = ["mon", "thu"], at = ["06:30"] }')
    elif not days and not inner.problems_at("days"):
        inner.complain("days", "days must name at least one weekday")
    table.absorb(inner)
    return Weekly(days=days, times=times) if days and times else None


def _monthly(table: Table) -> Rule | None:
    inner = table.table("monthly")
    times = inner.times("at")
    rule: Rule | None = None
    if inner.has("day") == inner.has("nth") or not inner.has("at"):
        inner.complain(
            "", 'monthly needs { day = 1, at = ["06:00"] } or { nth = 2, weekday = "tue", at = [...] }'
        )
        table.absorb(inner)
        return None
    if inner.has("day"):
        day = _number_or_last(inner, "day", 31)
        rule = MonthlyDay(day=day, times=times)
    else:
        nth = _number_or_last(inner, "nth", 4)
        weekday = inner.choice("weekday", Weekday, Weekday.MON)
        if not inner.has("weekday"):
            inner.complain("nth", 'nth needs a weekday, as in { nth = 2, weekday = "tue", at = [...] }')
        rule = MonthlyNth(nth=nth, weekday=weekday, times=times)
    table.absorb(inner)
    return rule if times else None


def _number_or_last(table: Table, key: str, most: int) -> int | None:
    value = table.raw(key, (int, str), f'a number from 1 to {most}, or "last"')
    if value == "last" or value is None:
        return None
    if isinstance(value, str) or not 1 <= value <= most:
        table.complain(key, f'{key} must be a number from 1 to {most}, or "last"')
        return None
    return int(value)


def _weekdays(table: Table, key: str) -> tuple[Weekday, ...]:
    names = table.texts(key)
    allowed = [day.value for day in Weekday]
    wrong = [name for name in names if name not in allowed]
    if wrong:
        table.complain(key, f'{key}: "{wrong[0]}" is not a weekday; allowed: {", ".join(allowed)}')
        return ()
    if len(set(names)) != len(names):
        table.complain(key, f"{key} names the same weekday twice")
    return tuple(day for day in Weekday if day.value in names)


def _cron(table: Table) -> Rule | None:
    text = table.text("cron")
    if not table.has("cron") or table.problems_at("cron"):
        return None
    answer = parse_cron(text)
    if isinstance(answer, Refused):
        table.complain("cron", f"cron: {answer.message}")
        return None
    return CronRule(expression=answer.expression)


def _arrives(table: Table) -> Rule | None:
    pattern = table.text("arrives")
    if not pattern.startswith("/"):
        table.complain("arrives", 'arrives must be a full path, * allowed in it, such as "/srv/inbox/*.csv"')
        return None
    return Arrives(pattern=pattern)


_RULES = {
    "every": _every,
    "daily": _daily,
    "weekly": _weekly,
    "monthly": _monthly,
    "cron": _cron,
    "arrives": _arrives,
}
