"""Short English for instants, lengths of time and judgements, for tables, check lines and reasons."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.core.schedules import duration_in_words

MOST_TIMES = 6
SIGNAL_BASE = 128
# What programs agree on; any other number means what the job's author chose.
_CODES = {
    75: "it asks to be tried again later",
    124: "something it started ran out of time",
    126: "the program may not be executed",
    127: "the program was not found",
}
_SIGNALS = {
    1: "its session ended",
    2: "interrupted",
    3: "told to quit",
    6: "it gave up by itself",
    9: "killed",
    11: "it crashed",
    13: "nobody read what it wrote",
    15: "told to end",
}


def minutes_ago(since: datetime, *, now: datetime) -> str:
    """A length of time in whole minutes, rounded down, as "67 minutes"; below one minute in seconds.

    Never negative: a clock that was set back makes an instant look a little ahead.
    """
    seconds = max(0, int((now - since).total_seconds()))
    return plural(seconds, "second") if seconds < 60 else plural(seconds // 60, "minute")


def plural(number: int, word: str) -> str:
    """The number with its word: "1 minute", "2 minutes"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def sentence_of(text: str) -> str:
    """The text with a capital letter first."""
    return text[:1].upper() + text[1:]


def clock_text(moment: datetime, *, zone: ZoneInfo, now: datetime) -> str:
    """An instant on the shop's clock, shorter the nearer it is: "today 06:30", "Mon 2 Mar 06:30"."""
    local, today = moment.astimezone(zone), now.astimezone(zone).date()
    days = (local.date() - today).days
    time_text = f"{local:%H:%M}"
    if days == 0:
        return f"today {time_text}"
    if days in (-1, 1):
        return f"{'tomorrow' if days == 1 else 'yesterday'} {time_text}"
    if abs(days) < 7:
        return f"{local:%a} {time_text}"
    year = f" {local.year}" if local.year != today.year else ""
    return f"{local:%a} {local.day} {local:%b}{year} {time_text}"


def judgement_text(
    assessment: Assessment,
    expected: Expectation,
    *,
    last_success: datetime | None,
    zone: ZoneInfo,
    now: datetime,
) -> str:
    """The judgement with its numbers, such as "overdue: last success 3294 minutes ago, allowed 1560"."""
    due, word = expected.due, assessment.health.value.replace("-", " ")
    if assessment.health is Health.UNKNOWN:
        return "can't tell"
    if last_success is None:
        if due is None:
            return f"{word}: nothing is due"
        if assessment.quiet:
            return f"{word}: first run due {clock_text(due, zone=zone, now=now)}"
        return f"{word}: its first run was due {clock_text(due, zone=zone, now=now)}"
    ago = minutes_ago(last_success, now=now)
    if due is None or assessment.health is Health.OK:
        return f"{word}: last success {ago} ago"
    allowed = (due + expected.grace - last_success) // timedelta(minutes=1)
    return f"{word}: last success {ago} ago, allowed {allowed}"


def pause_text(pause: Pause, *, zone: ZoneInfo, now: datetime) -> str:
    """Who paused the job, until when and why."""
    until = clock_text(pause.until, zone=zone, now=now) if pause.until else "somebody resumes it"
    why = f": {pause.reason}" if pause.reason else ""
    return f"paused by {pause.actor.name} until {until}{why}"


def length_text(length: timedelta) -> str:
    """A length of time as people say it: to the second below a minute, else in its two largest units."""
    seconds = max(0, round(length.total_seconds()))
    if seconds < 60:
        return plural(seconds, "second")
    minutes = seconds // 60
    return plural(minutes, "minute") if minutes < 120 else duration_in_words(timedelta(minutes=minutes))


def last_success_text(
    expected: Expectation, *, last_success: datetime | None, zone: ZoneInfo, now: datetime
) -> str:
    """When it last worked and how long it may be silent: "Last success today 09:45, 67 minutes ago; …"."""
    due = expected.due
    if last_success is None:
        first = f"; its first run was due {clock_text(due, zone=zone, now=now)}" if due and due <= now else ""
        return f"It has never worked on this computer{first}"
    text = (
        f"Last success {clock_text(last_success, zone=zone, now=now)}, {length_text(now - last_success)} ago"
    )
    return f"{text}; allowed {length_text(due + expected.grace - last_success)}" if due else text


def began_text(moments: Sequence[datetime], *, zone: ZoneInfo, now: datetime) -> str:
    """When runs began, of any order: "They began at 10:00, 10:15 and 10:30"; many are said by their ends."""
    ordered = sorted(moments)
    is_today = {moment.astimezone(zone).date() for moment in ordered} == {now.astimezone(zone).date()}
    said = [
        f"{moment.astimezone(zone):%H:%M}" if is_today else clock_text(moment, zone=zone, now=now)
        for moment in ordered
    ]
    at = "at " if is_today else ""
    if len(said) == 1:
        return f"It began {at}{said[0]}"
    if len(said) > MOST_TIMES:
        return f"They began between {said[0]} and {said[-1]}"
    return f"They began {at}{', '.join(said[:-1])} and {said[-1]}"


def end_text(record: RunRecord) -> str:
    """How a run's program ended, as a sentence: its number, or the signal that ended it; "" if neither."""
    code = record.exit_code
    if code is None or record.status is RunStatus.COMPLETED:
        return ""
    number = code - SIGNAL_BASE
    if record.reason_code in (Reason.SIGNAL, Reason.RUNNER_SIGNALLED):
        return f"It was ended by signal {number}{_in_brackets(_SIGNALS.get(number, ''))}"
    meaning = _CODES.get(code, "")
    if not meaning and number in _SIGNALS:
        meaning = f"something it started was ended by signal {number}{_in_brackets(_SIGNALS[number])}"
    return f"It ended with code {code}" + (f": {meaning}" if meaning else "")


def _in_brackets(word: str) -> str:
    return f" ({word})" if word else ""
