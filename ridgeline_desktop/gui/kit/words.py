"""The words of the windows for what core knows by code: lights, ends of runs, instants, troubles."""

import traceback
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import Qt

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.locks import VerdictKind
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.snapshots import BannerKind, StepKind
from ridgeline_desktop.core.values import dataclass

MINUTE, HOUR, DAY = 60, 3600, 86400
NO_TIME = "\N{EN DASH}"
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What did not work, why, what is still safe ("" = nothing to say), and what only Jordan reads."""

    what: str
    why: str
    safe: str = ""
    details: str = ""

    def as_text(self) -> str:
        """All of it as it is copied, one paragraph each."""
        return "\n\n".join(part for part in (self.what, self.why, self.safe, self.details) if part)


def trouble_of(error: Exception, *, what: str, safe: str = "") -> Trouble:
    """The trouble an exception means to a person. Errors raised on purpose say themselves why.

    `what` is what did not work, `safe` what is not touched by it; both whole sentences.
    """
    details = "".join(traceback.format_exception(error)).rstrip()
    if isinstance(error, RidgelineError):
        cause = details if error.__cause__ is not None else ""
        return Trouble(what=what, why=_sentence(str(error)), safe=safe, details=cause)
    why = translate("words", "Something went wrong inside Ridgeline.")
    return Trouble(what=what, why=why, safe=safe, details=details)


def plain_tip(text: str) -> str:
    """A tool tip that shows this to the letter: Qt would obey markup in it, whoever wrote that."""
    if not Qt.mightBeRichText(text):
        return text
    import html  # with its two thousand names of letters it would slow every start

    lines = html.escape(text).replace("\n", "<br>")
    return f"<p>{lines}</p>"


def button_text(text: str) -> str:
    """The text of a button or of a menu's entry that shows this to the letter: one "&" would be a key."""
    return text.replace("&", "&&")


def health_word(health: Health, quiet: bool = False) -> str:
    """A light in a word; `quiet` is a job without a success whose first run is not overdue yet."""
    if health is Health.NEVER_SUCCEEDED and quiet:
        return translate("words", "No success yet")
    return {
        Health.OK: translate("words", "OK"),
        Health.LATE: translate("words", "Late"),
        Health.OVERDUE: translate("words", "Overdue"),
        Health.NEVER_SUCCEEDED: translate("words", "Never succeeded"),
        Health.PAUSED: translate("words", "Paused"),
        Health.UNKNOWN: translate("words", "Can't tell"),
    }[health]


def status_word(status: RunStatus) -> str:
    """How a run stands or ended, as a word of its own."""
    return {
        RunStatus.RUNNING: translate("words", "Running"),
        RunStatus.COMPLETED: translate("words", "Worked"),
        RunStatus.FAILED: translate("words", "Failed"),
        RunStatus.TIMED_OUT: translate("words", "Ran out of time"),
        RunStatus.REFUSED: translate("words", "Did not start"),
        RunStatus.INTERRUPTED: translate("words", "Broken off"),
        RunStatus.STOPPED: translate("words", "Stopped"),
    }[status]


def last_run_text(record: RunRecord | None, *, zone: ZoneInfo, now: datetime) -> str:
    """When a run began and, where it did not work, how it ended: "Today 10:45 failed"; a dash for none."""
    if record is None:
        return NO_TIME
    sentence = {
        RunStatus.RUNNING: "{when}",
        RunStatus.COMPLETED: "{when}",
        RunStatus.FAILED: translate("words", "{when} failed"),
        RunStatus.TIMED_OUT: translate("words", "{when} ran out of time"),
        RunStatus.REFUSED: translate("words", "{when} did not start"),
        RunStatus.INTERRUPTED: translate("words", "{when} broken off"),
        RunStatus.STOPPED: translate("words", "{when} stopped"),
    }[record.status]
    return sentence.format(when=when_text(record.started_at, zone=zone, now=now))


def trigger_word(record: RunRecord) -> str:
    """Who or what started a run: a person by name, else the schedule, a file, an event."""
    if record.trigger is Trigger.MANUAL:
        return record.actor.name or translate("words", "Somebody")
    return {
        Trigger.SCHEDULE: translate("words", "The schedule"),
        Trigger.CATCH_UP: translate("words", "Made up for a missed start"),
        Trigger.ARRIVAL: translate("words", "A file arrived"),
        Trigger.EVENT: translate("words", "An event"),
    }[record.trigger]


def registration_word(state: RegistrationState) -> str:
    """How a job stands in this computer's schedule, as a short sentence without a full stop."""
    return {
        RegistrationState.REGISTERED: translate("words", "Registered, and read back as wanted"),
        RegistrationState.NEVER_REGISTERED: translate("words", "Never registered on this computer"),
        RegistrationState.MISSING: translate("words", "Its entry is gone from this computer's schedule"),
        RegistrationState.CHANGED: translate("words", "Its entry was changed by somebody else"),
        RegistrationState.DUPLICATE: translate(
            "words", "It stands more than once in this computer's schedule"
        ),
        RegistrationState.DISABLED: translate("words", "Its entry is switched off"),
        RegistrationState.PROGRAM_GONE: translate(
            "words", "Its entry starts a program that no longer exists"
        ),
        RegistrationState.SCHEDULER_STOPPED: translate("words", "This computer's scheduler is not running"),
        RegistrationState.NEXT_RUN_DIFFERS: translate("words", "It does not start as its file says"),
        RegistrationState.UNVERIFIABLE: translate("words", "Nobody can tell whether it is registered"),
        RegistrationState.NOT_WANTED: translate("words", "Not started by this computer's schedule"),
        RegistrationState.ORPHAN: translate("words", "On this computer's schedule, but no job here wants it"),
    }[state]


def step_word(kind: StepKind, who: str = "") -> str:
    """What the button of a step says; `who` looks after the job ("" = nobody is named)."""
    if kind is StepKind.ASK:
        return (
            translate("words", "Ask {who}…").format(who=who) if who else translate("words", "Ask for help…")
        )
    return {
        StepKind.OPEN_RUNBOOK: translate("words", "Open runbook"),
        StepKind.RUN_NOW: translate("words", "Run now"),
        StepKind.SHOW_OUTPUT: translate("words", "Show output"),
        StepKind.SHOW_LOCK: translate("words", "Look at the lock"),
        StepKind.REGISTER: translate("words", "Register it here"),
        StepKind.RESUME: translate("words", "Resume"),
        StepKind.EDIT_JOB: translate("words", "Edit job…"),
        StepKind.EDIT_SCHEDULE: translate("words", "Edit schedule…"),
        StepKind.WAIT: translate("words", "Wait for it"),
    }[kind]


def verdict_word(kind: VerdictKind) -> str:
    """What is known about a lock, in a few words."""
    return {
        VerdictKind.FREE: translate("words", "Nothing holds it"),
        VerdictKind.HELD: translate("words", "Still running"),
        VerdictKind.DEAD: translate("words", "Left behind by a run that is over"),
        VerdictKind.CANNOT_TELL: translate("words", "Can't tell"),
    }[kind]


def banner_word(kind: BannerKind) -> str:
    """The heading of what concerns all jobs at once."""
    return {
        BannerKind.CANNOT_LOOK: translate("words", "The jobs cannot be looked at"),
        BannerKind.RECORDS_UNREADABLE: translate("words", "The run records cannot be read"),
        BannerKind.RECOVERED: translate("words", "The run records were damaged"),
        BannerKind.FIRST_START: translate("words", "There are no jobs yet"),
        BannerKind.NO_SHOP: translate("words", "The shop folder cannot be read"),
        BannerKind.SHOP_EMPTY: translate("words", "The shop folder is empty"),
        BannerKind.NEVER_REGISTERED: translate("words", "No job runs by itself on this computer"),
        BannerKind.SOME_NEVER_REGISTERED: translate(
            "words", "Some jobs do not run by themselves on this computer"
        ),
        BannerKind.ORPHANS: translate("words", "Something runs that no job here wants"),
    }[kind]


def when_text(moment: datetime | None, *, zone: ZoneInfo, now: datetime) -> str:
    """An instant on the shop's clock, shorter the nearer it is: "Today 10:45", "Mon 2 Mar 06:30".

    None is a dash.
    """
    if moment is None:
        return NO_TIME
    local, today = moment.astimezone(zone), now.astimezone(zone).date()
    clock, days = f"{local:%H:%M}", (local.date() - today).days
    near = {
        0: translate("words", "Today {time}"),
        1: translate("words", "Tomorrow {time}"),
        -1: translate("words", "Yesterday {time}"),
    }
    if days in near:
        return near[days].format(time=clock)
    if abs(days) < 7:
        return translate("words", "{weekday} {time}").format(weekday=_weekday(local), time=clock)
    parts = {"weekday": _weekday(local), "day": local.day, "month": _month(local), "time": clock}
    if local.year == today.year:
        return translate("words", "{weekday} {day} {month} {time}").format(**parts)
    return translate("words", "{weekday} {day} {month} {year} {time}").format(**parts, year=local.year)


def utc_text(moment: datetime | None) -> str:
    """An instant for a tool tip, to the second: "2026-03-07 15:45:00 UTC"; "" for None."""
    return "" if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def took_text(seconds: float | None) -> str:
    """A length of time with its two largest units: "40 s", "2 min 14 s", "1 h 5 min"; a dash for None."""
    if seconds is None:
        return NO_TIME
    if 0 < seconds < 1:
        return translate("words", "under 1 s")
    whole = max(0, int(seconds))
    if whole < MINUTE:
        return translate("words", "{seconds} s").format(seconds=whole)
    if whole < HOUR:
        return translate("words", "{minutes} min {seconds} s").format(
            minutes=whole // MINUTE, seconds=whole % MINUTE
        )
    if whole < DAY:
        return translate("words", "{hours} h {minutes} min").format(
            hours=whole // HOUR, minutes=whole % HOUR // MINUTE
        )
    return translate("words", "{days} d {hours} h").format(days=whole // DAY, hours=whole % DAY // HOUR)


def so_far_text(started_at: datetime, *, now: datetime) -> str:
    """How long something has been going on: "40 s so far", "2 min so far"; a clock set back counts as 0 s."""
    return translate("words", "{length} so far").format(length=_roughly(_since(started_at, now)))


def ago_text(moment: datetime | None, *, now: datetime) -> str:
    """How long ago, in one unit, rounded down: "just now", "3 min ago", "2 days ago"; "never" for None."""
    if moment is None:
        return translate("words", "never")
    seconds = _since(moment, now)
    if seconds < MINUTE:
        return translate("words", "just now")
    return translate("words", "{length} ago").format(length=_roughly(seconds))


def _since(moment: datetime, now: datetime) -> int:
    return max(0, int((now - moment).total_seconds()))


def _roughly(seconds: int) -> str:
    if seconds < MINUTE:
        return translate("words", "{seconds} s").format(seconds=seconds)
    if seconds < HOUR:
        return translate("words", "{minutes} min").format(minutes=seconds // MINUTE)
    if seconds < DAY:
        return translate("words", "{hours} h").format(hours=seconds // HOUR)
    days = seconds // DAY
    return translate("words", "1 day") if days == 1 else translate("words", "{days} days").format(days=days)


def _weekday(local: datetime) -> str:
    names = (
        translate("words", "Mon"),
        translate("words", "Tue"),
        translate("words", "Wed"),
        translate("words", "Thu"),
        translate("words", "Fri"),
        translate("words", "Sat"),
        translate("words", "Sun"),
    )
    return names[local.weekday()]


def _month(local: datetime) -> str:
    first = (
        translate("words", "Jan"),
        translate("words", "Feb"),
        translate("words", "Mar"),
        translate("words", "Apr"),
        translate("words", "May"),
        translate("words", "Jun"),
    )
    second = (
        translate("words", "Jul"),
        translate("words", "Aug"),
        translate("words", "Sep"),
        translate("words", "Oct"),
        translate("words", "Nov"),
        translate("words", "Dec"),
    )
    return (first + second)[local.month - 1]


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")
