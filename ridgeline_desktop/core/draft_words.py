"""What is wrong with a field of a form, in words for the person who filled it in."""

import re
from datetime import date

from ridgeline_desktop.core.drafts import JobDraft, ScheduleDraft
from ridgeline_desktop.core.schedules import parse_duration
from ridgeline_desktop.core.toml_tables import clock_time

ID_RULE = (
    "Use 1 to 48 small letters a-z, digits and -, not beginning with -; con, nul and the like are taken."
)
_LENGTH = 'Write a whole number and a unit, such as "{0}"; at most 3650 days.'
_DATE = "Write the date as year-month-day, such as 2026-03-01."
_FIXED = {
    "days": "Choose at least one day.",
    "month_day": "Choose a day from 1 to 31, or the last day.",
    "nth": "Choose the first to the fourth, or the last.",
    "arrives": 'Write a full path, such as "/srv/inbox/*.csv"; * stands for anything.',
    "expect": _LENGTH.format("7 days"),
    "grace": 'Write a length of time, such as "10 minutes", or a share of the time between runs, '
    'such as "20 %".',
    "deadline": f'{_LENGTH.format("20 minutes")} Or write "none".',
    "queue_for": _LENGTH.format("10 minutes"),
    "folder": 'Write a full path, such as "/srv/shop", or one that begins with "~/".',
    "runbook": 'Name a file inside the shop folder, such as "runbooks/order-sync.md", or a link that begins '
    "with https://.",
    "title": "Write it on one line.",
    "looked_after_by": "Write it on one line.",
    "about": "Leave out the characters that cannot be printed.",
    "tags": "Write each word on one line.",
}


def schedule_words(field: str, draft: ScheduleDraft, message: str) -> str:
    """The words for a field of a schedule form; `message` is what a job file's reader says of it."""
    match field:
        case "every":
            return _every_words(draft.every)
        case "between":
            return _between_words(*draft.between)
        case "times":
            return _times_words(draft.times)
        case "starts":
            return _date_words(draft.starts)
        case "ends":
            return _date_words(draft.ends, before="The last day is before the first.")
        case "zone":
            zone = draft.zone.strip()
            return f'"{zone}" is not a time zone of this computer; choose one such as America/Toronto.'
    return _FIXED.get(field) or message.removeprefix(f"{field}: ")


def details_words(field: str, draft: JobDraft, message: str) -> str:
    """The words for a field of a job form."""
    if field in ("program", "shell"):
        if draft.shell.strip() and (draft.program.strip() or draft.arguments):
            return "Keep either the program or the shell line, not both."
        if draft.shell.strip() or draft.program.strip():
            return "Write it, and each argument, on one line."
        return "Name the program that is to be started."
    return _FIXED.get(field) or f"{message}."


def _every_words(text: str) -> str:
    if not _is_length(text):
        return _LENGTH.format("15 minutes")
    return (
        "It must divide the hour or the day: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes, or 1, 2, 3, 4, "
        "6, 8, 12 or 24 hours. For other times choose every day, and list them."
    )


def _between_words(first: str, last: str) -> str:
    start, end = clock_time(first.strip().zfill(5)), clock_time(last.strip().zfill(5))
    if start is None or end is None:
        return "Write both times, such as 08:00 and 18:00, or none for all day."
    if start > end:
        return "The second time must be after the first: a night across midnight cannot be given here."
    return "No run falls between these times: the runs are counted from midnight."


def _times_words(times: tuple[str, ...]) -> str:
    wrong = next((text.strip() for text in times if clock_time(text.strip().zfill(5)) is None), None)
    if wrong is not None:
        return f'"{wrong}" is not a time of day; write hours and minutes, such as 06:30.'
    return "The same time stands there twice; keep one of them." if times else "Add at least one time."


def _date_words(text: str, *, before: str = "") -> str:
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        return _DATE
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text.strip()):
        return _DATE
    return before if before and 1970 <= day.year <= 2999 else "Choose a year from 1970 to 2999."


def _is_length(text: str) -> bool:
    try:
        parse_duration(text)
    except ValueError:
        return False
    return True
