"""What a cron expression says, in plain English, and the lists of days, months and times such words need."""

from collections.abc import Iterable, Sequence

from ridgeline_desktop.core.cron_expressions import MONTH_NAMES, WEEKDAY_NAMES, CronExpression

_MOST_TIMES = 6
_MOST_MINUTES = 12
ALL_HOURS = tuple(range(24))


def cron_in_words(expression: CronExpression) -> str:
    """Say when it runs as a fragment ("every 15 minutes, Monday to Friday"); too complex = quote it."""
    minutes, hours = expression.minutes, expression.hours
    times = [f"{hour:02}:{minute:02}" for hour in hours for minute in minutes]
    days, months = _day_words(expression), _month_words(expression.months)
    rhythm = _rhythm_words(minutes, hours, times)
    if rhythm:
        return ", ".join(part for part in (rhythm, days, months) if part)
    if len(times) > _MOST_TIMES:
        return f'by the cron expression "{expression.text}"'
    if days and not days.startswith("on ") and " to " not in days:
        days = f"every {days}"
    at = f"{days or 'every day'} at {joined(times)}"
    return f"{at} {months}" if months else at


def joined(items: Iterable[str], word: str = "and") -> str:
    """Join with commas and a last `word`: "a, b and c"."""
    *first, last = items
    return f"{', '.join(first)} {word} {last}" if first else last


def weekday_words(weekdays: Iterable[int]) -> str:
    """Name weekdays (0 = Sunday), Monday first: "Monday to Friday", "Monday and Thursday"."""
    monday_first = sorted((day - 1) % 7 for day in weekdays)
    return _run_or_list(monday_first, (*WEEKDAY_NAMES[1:], WEEKDAY_NAMES[0]))


def _run_or_list(numbers: Sequence[int], names: Sequence[str]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{names[numbers[0]]} to {names[numbers[-1]]}"
    return joined(names[number] for number in numbers)


def _rhythm_words(minutes: tuple[int, ...], hours: tuple[int, ...], times: list[str]) -> str | None:
    """Words for a steady rhythm through the day; None where single times say it better or nothing does."""
    all_day = hours == ALL_HOURS
    if not all_day and len(times) <= _MOST_TIMES:
        return None
    window = "" if all_day else f", {times[0]} to {times[-1]}"
    if hours == tuple(range(hours[0], hours[-1] + 1)):
        step = 60 // len(minutes)
        if minutes == tuple(range(0, 60, step)):
            return f"every {_counted(step)}{window}"
        if len(minutes) <= _MOST_MINUTES:
            return f"at {joined(f':{minute:02}' for minute in minutes)} of every hour{window}"
        return None
    step = 24 // len(hours)
    if hours == tuple(range(0, 24, step)) and len(minutes) == 1:
        return f"every {step} hours from {times[0]}"
    return None


def _counted(minutes: int) -> str:
    return {1: "minute", 60: "hour"}.get(minutes, f"{minutes} minutes")


def _day_words(expression: CronExpression) -> str:
    """Which days, "" for all: weekdays bare ("Monday to Friday"), everything else beginning with "on "."""
    every_day, every_weekday = len(expression.days) == 31, len(expression.weekdays) == 7
    if (every_day and every_weekday) or (not expression.days_and and (every_day or every_weekday)):
        return ""
    if not expression.days_and:
        names = [WEEKDAY_NAMES[day] for day in expression.weekdays]
        return f"on {joined([f'day {day}' for day in expression.days] + names, 'or')}"
    if every_day:
        return weekday_words(expression.weekdays)
    days = f"day {_run_or_list(expression.days, [str(day) for day in range(32)])}"
    if every_weekday:
        return f"on {days} of the month"
    names = [WEEKDAY_NAMES[day] for day in expression.weekdays]
    return f"on {days} of the month where that is a {joined(names, 'or')}"


def _month_words(months: tuple[int, ...]) -> str:
    return "" if len(months) == 12 else f"in {_run_or_list(months, ('', *MONTH_NAMES))}"
