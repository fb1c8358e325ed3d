"""Short English for instants, lengths of time and judgements, for tables, check lines and reasons."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import Expectation, Pause
from ridgeline_desktop.core.health import Assessment, Health


def minutes_ago(since: datetime, *, now: datetime) -> str:
    """A length of time in whole minutes, rounded down, as "67 minutes"; below one minute in seconds.

    Never negative: a clock that was set back makes an instant look a little ahead.
    """
    seconds = max(0, int((now - since).total_seconds()))
    return plural(seconds, "second") if seconds < 60 else plural(seconds // 60, "minute")


def plural(number: int, word: str) -> str:
    """The number with its word: "1 minute", "2 minutes"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


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
