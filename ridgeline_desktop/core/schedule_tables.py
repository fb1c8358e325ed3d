"""The [schedule] table of a job file: its kinds, its options, and back to text for the records."""

import json
from datetime import date, time
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
    every_problem,
)
from ridgeline_desktop.core.toml_tables import Table, clock_time

KINDS = ("every", "daily", "weekly", "monthly", "cron", "arrives")


def read_schedule(table: Table) -> Schedule:
    """The schedule a [schedule] table asks for; problems are left in `table`."""
    named = [kind for kind in KINDS if table.has(kind)]
    if len(named) > 1:
        table.complain(named[1], f"one kind of schedule only: {' and '.join(named)} are both set")
    rule = _RULES[named[0]](table) if named else None
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
    """The schedule that `schedule_text` wrote down, or None where this version cannot read it.

    A zone that this computer does not know is left out, so the shop's is taken.
    """
    try:
        values = dict(json.loads(text))
        values |= {key: date.fromisoformat(values[key]) for key in ("starts", "ends") if key in values}
    except (ValueError, TypeError):
        return None
    if isinstance(values.get("zone"), str) and not is_zone(values["zone"]):
        del values["zone"]
    table = Table(values, source="")
    schedule = read_schedule(table)
    return None if table.problems else schedule


def _every(table: Table) -> Rule | None:
    interval = table.duration("every", None)
    days = _weekdays(table, "days")
    between = _between(table)
    if interval is None:
        return None
    rule = Every(interval=interval, between=between, days=days)
    problem = every_problem(rule)
    if problem:
        table.complain("between" if problem.startswith("between") else "every", problem)
    return rule


def _between(table: Table) -> tuple[time, time] | None:
    text = table.text("between")
    if not table.has("between") or table.problems_at("between"):
        return None
    first, dash, last = text.partition("-")
    start, end = clock_time(first.strip()), clock_time(last.strip())
    if not dash or start is None or end is None:
        table.complain("between", 'between must be two times such as "08:00-18:00"')
        return None
    return start, end


def _daily(table: Table) -> Rule | None:
    times = table.times("daily")
    return Daily(times=times) if times else None


def _weekly(table: Table) -> Rule | None:
    inner = table.table("weekly")
    days, times = _weekdays(inner, "days"), inner.times("at")
    if not (inner.has("days") and inner.has("at")) and not table.problems_at("weekly"):
        inner.complain("", 'weekly needs both, as in { days = ["mon", "thu"], at = ["06:30"] }')
    table.absorb(inner)
    return Weekly(days=days, times=times) if days and times else None


def _monthly(table: Table) -> Rule | None:
    inner = table.table("monthly")
    times = inner.times("at")
    day, nth = _number_or_last(inner, "day", 31), _number_or_last(inner, "nth", 4)
    weekday = inner.choice("weekday", Weekday, Weekday.MON)
    by_day, by_nth = inner.has("day"), inner.has("nth")
    if (by_day == by_nth or by_nth != inner.has("weekday") or not inner.has("at")) and not table.problems_at(
        "monthly"
    ):
        inner.complain(
            "", 'monthly needs { day = 1, at = ["06:00"] } or { nth = 2, weekday = "tue", at = ["06:00"] }'
        )
    table.absorb(inner)
    if not times:
        return None
    return MonthlyNth(nth=nth, weekday=weekday, times=times) if by_nth else MonthlyDay(day=day, times=times)


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
    if table.has(key) and not names and not table.problems_at(key):
        table.complain(key, f'{key} must name at least one weekday, such as ["mon"]')
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
    if not pattern.startswith("/") and not table.problems_at("arrives"):
        table.complain("arrives", 'arrives must be a full path, * allowed in it, such as "/srv/inbox/*.csv"')
    return Arrives(pattern=pattern)


_RULES = {
    "every": _every,
    "daily": _daily,
    "weekly": _weekly,
    "monthly": _monthly,
    "cron": _cron,
    "arrives": _arrives,
}
