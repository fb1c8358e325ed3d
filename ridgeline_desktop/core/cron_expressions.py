"""Cron expressions: a strict reader for what every cron understands alike, with three answers."""

import re
from datetime import date

from ridgeline_desktop.core.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CronExpression:
    """Five fields as sorted values; weekdays count 0 = Sunday to 6.

    `minute_wild` and `hour_wild`: that field begins with `*`, which decides what Debian's cron does when the
    clocks change. `days_and`: a day must match both day fields (one begins with `*`); else either is enough.
    """

    text: str
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    minute_wild: bool
    hour_wild: bool
    days_and: bool

    @property
    def is_wild(self) -> bool:
        """Whether cron just follows the clock: nothing made up after a gap, a repeated hour twice."""
        return self.minute_wild or self.hour_wild

    def runs_on(self, day: date) -> bool:
        """Whether the day and month fields let it run on this local date."""
        if day.month not in self.months:
            return False
        by_day, by_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return by_day and by_weekday if self.days_and else by_day or by_weekday


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """Every cron reads it the way people do."""

    expression: CronExpression


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedWithWarning:
    """Valid, but cron reads it otherwise than people tend to; each warning is a whole sentence."""

    expression: CronExpression
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Not to be given to a cron; one sentence per problem, each naming its field and what to write."""

    problems: tuple[str, ...]

    @property
    def message(self) -> str:
        """All problems as one text."""
        return " ".join(self.problems)


CronAnswer = Accepted | AcceptedWithWarning | Refused


def parse_cron(text: str) -> CronAnswer:
    """Read five fields or a macro such as @daily; never raises.

    Accepts only what the crons of Debian, cronie, FreeBSD and macOS read alike; what one of them takes in its
    own way is refused.
    """
    written = text.strip(" \t")
    if not written:
        return Refused(problems=("The expression is empty: write five fields, such as 30 6 * * 1.",))
    if re.search(r"[^ -~\t]", written):
        return Refused(problems=("The expression must be one line of plain letters, digits and * , - /.",))
    fields = _MACROS.get(written, written).split()
    problem = _shape_problem(written, fields)
    if problem:
        return Refused(problems=(problem,))
    read = [_read_field(kind, part) for kind, part in zip(_FIELDS, fields, strict=True)]
    problems = tuple(values for values in read if isinstance(values, str))
    if problems:
        return Refused(problems=problems)
    expression = _assemble(written, fields, [values for values in read if not isinstance(values, str)])
    never = _never_fires(expression)
    if never:
        return Refused(problems=(never,))
    warnings = tuple(_warnings(expression, fields))
    if warnings:
        return AcceptedWithWarning(expression=expression, warnings=warnings)
    return Accepted(expression=expression)


_MACROS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTH_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LONGEST_STEP = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """One of the five places. `last` is the highest value that is no second spelling (7 is Sunday again)."""

    name: str
    low: int
    high: int
    last: int
    names: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        named = f" or {self.names[0]} to {self.names[-1]}" if self.names else ""
        return f"{self.low} to {self.high}{named}"

    def value(self, text: str, *, part: str) -> int | str:
        """The number, or a sentence saying why it is none; `part` is what it was written in."""
        if re.fullmatch("[0-9]+", text):
            # Crons read numbers into an int without looking: longer ones overflow to something else.
            if len(text) < 9 and self.low <= int(text) <= self.high:
                return int(text)
            return f"{self.name}: {text} is out of range; allowed is {self.allowed}."
        if text.lower() in self.names:
            return self.names.index(text.lower()) + (self.low if self.name == "Month" else 0)
        short = text[:3].lower()
        if short in self.names and text.isalpha():
            return f"{self.name}: names have exactly three letters; write {short} instead of {text}."
        return (
            f'{self.name}: "{part}" is not understood by every cron; '
            f"allowed is {self.allowed}, and a-b, a,b, *, */n, a-b/n."
        )


_FIELDS = (
    _Field(name="Minute", low=0, high=59, last=59),
    _Field(name="Hour", low=0, high=23, last=23),
    _Field(name="Day", low=1, high=31, last=31),
    _Field(name="Month", low=1, high=12, last=12, names=tuple(name[:3].lower() for name in MONTH_NAMES)),
    _Field(name="Weekday", low=0, high=7, last=6, names=tuple(name[:3].lower() for name in WEEKDAY_NAMES)),
)


def _shape_problem(written: str, fields: list[str]) -> str | None:
    if written == "@reboot":
        return "@reboot names no time, and some systems run it at other moments; write five fields instead."
    if written.startswith("@") and written not in _MACROS:
        lower = written.lower()
        if lower in _MACROS:
            return f"Macros are lower case: write {lower} instead of {written}."
        return f"{written} is not a macro of every cron; allowed: {', '.join(_MACROS)}."
    if any(part.startswith(",") or part.endswith(",") for part in fields):
        return "A list has no blanks and no empty places: write 1,2 instead of 1, 2."
    if len(fields) != 5:
        return (
            f"A cron expression has five fields (minute, hour, day, month, weekday); this has {len(fields)}. "
            "There are none for seconds, years or the command."
        )
    return None


def _read_field(kind: _Field, text: str) -> frozenset[int] | str:
    values: set[int] = set()
    for part in text.split(","):
        found = _read_part(kind, part)
        if isinstance(found, str):
            return found
        values.update(found)
    return frozenset(values)


def _read_part(kind: _Field, part: str) -> range | str:
    span, slash, step_text = part.partition("/")
    step = 1
    if slash:
        if not re.fullmatch("[0-9]{1,9}", step_text) or not 1 <= int(step_text) <= _LONGEST_STEP:
            return f"{kind.name}: the step in {part} must be a whole number from 1, such as */5."
        step = int(step_text)
    if span == "*":
        return range(kind.low, kind.high + 1, step)
    first_text, dash, last_text = span.partition("-")
    first = kind.value(first_text, part=part)
    if isinstance(first, str):
        return first
    if not dash:
        if slash:
            return f"{kind.name}: {part} is read differently by crons; write {first}-{kind.last}/{step}."
        return range(first, first + 1)
    last = kind.value(last_text, part=part)
    if isinstance(last, str):
        return last
    if first > last:
        turned = _turned_round(kind, first, last)
        return f"{kind.name}: {span} runs backwards and never matches; write {turned}."
    if slash and step > max(last - first, 1):
        return f"{kind.name}: the step in {part} is longer than the range; write {first}."
    return range(first, last + 1, step)


def _turned_round(kind: _Field, first: int, last: int) -> str:
    ends = ((min(first, kind.last), kind.last), (kind.low, last))
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in ends)


def _assemble(written: str, fields: list[str], read: list[frozenset[int]]) -> CronExpression:
    minutes, hours, days, months, weekdays = read
    return CronExpression(
        text=written,
        minutes=tuple(sorted(minutes)),
        hours=tuple(sorted(hours)),
        days=tuple(sorted(days)),
        months=tuple(sorted(months)),
        weekdays=tuple(sorted({day % 7 for day in weekdays})),
        minute_wild=fields[0].startswith("*"),
        hour_wild=fields[1].startswith("*"),
        days_and=fields[2].startswith("*") or fields[4].startswith("*"),
    )


def _never_fires(expression: CronExpression) -> str | None:
    longest = max(_MONTH_LENGTHS[month - 1] for month in expression.months)
    if not expression.days_and or expression.days[0] <= longest:
        return None
    months = " and ".join(MONTH_NAMES[month - 1] for month in expression.months)
    return f"Day: it would never run: {months} has no day {expression.days[0]}; write a day that exists."


def _warnings(expression: CronExpression, fields: list[str]) -> list[str]:
    found = []
    if fields[4].startswith("*/") and len(expression.weekdays) < 7:
        names = ", ".join(WEEKDAY_NAMES[day] for day in expression.weekdays)
        found.append(f"Weekday: {fields[4]} starts again each Sunday: it runs on {names}.")
    restarts = (
        (fields[0], expression.minutes, 60, "Minute", "each hour", ":{:02}"),
        (fields[1], expression.hours, 24, "Hour", "each day", "{:02}:00"),
        (fields[2], expression.days, 0, "Day", "each month", "day {}"),
        (fields[3], expression.months, 12, "Month", "each year", "month {}"),
    )
    for text, values, whole, name, when, shape in restarts:
        step = re.fullmatch(r"\*/([0-9]+)", text)
        if step and int(step[1]) > 1 and (not whole or whole % int(step[1])):
            found.append(f"{name}: {text} starts again {when}: it runs at {_sequence(values, shape)}.")
    if not expression.days_and:
        found.append("Day and weekday are both given: cron runs it when either matches, not only on both.")
    elif not fields[2].startswith("*"):
        found.extend(_missing_days(expression))
    return found


def _sequence(values: tuple[int, ...], shape: str) -> str:
    """The first few values, the last, and the first again, so that the uneven step shows."""
    shown = [shape.format(value) for value in values]
    if len(shown) == 1:
        return f"{shown[0]} only"
    if len(shown) > 5:
        shown[3:-1] = ["…"]
    return f"{', '.join(shown)} and then {shown[0]}"


def _missing_days(expression: CronExpression) -> list[str]:
    if expression.days == tuple(range(1, 32)):
        return []
    found = []
    for day in expression.days:
        months = [MONTH_NAMES[month - 1] for month in expression.months if _MONTH_LENGTHS[month - 1] < day]
        if months:
            found.append(f"Day: there is no day {day} in {', '.join(months)}, so it does not run then.")
    if 29 in expression.days and 2 in expression.months:
        found.insert(0, "Day: 29 February exists in leap years only.")
    return found
