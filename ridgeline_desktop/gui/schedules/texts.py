"""What the windows about schedules say: kinds of repeating, next runs, what a file asks for and is kept."""

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from ridgeline_desktop.core.drafts import OFFERED_BACKENDS, Repeat, ScheduleDraft
from ridgeline_desktop.core.jobs import DEFAULT_DEADLINE, Job, OverlapPolicy
from ridgeline_desktop.core.schedules import BackendName, MisfirePolicy, duration_in_words

_EVENING, _MORNING = 18, 5
translate = QCoreApplication.translate


def repeat_words() -> dict[Repeat, str]:
    """The kinds that the form offers, in its order."""
    return {
        Repeat.EVERY: translate("schedules", "Every few minutes or hours"),
        Repeat.DAILY: translate("schedules", "Every day"),
        Repeat.WEEKLY: translate("schedules", "Certain days of the week"),
        Repeat.MONTHLY_DAY: translate("schedules", "Once a month, on a date"),
        Repeat.MONTHLY_NTH: translate("schedules", "Once a month, on a weekday"),
        Repeat.BY_HAND: translate("schedules", "Only by hand"),
        Repeat.CUSTOM: translate("schedules", "Custom (written by hand, for experts)"),
    }


def arrives_word() -> str:
    """The kind that is only shown where a file asks for it."""
    return translate("schedules", "When a file arrives (stays as it is)")


def run_parts(moment: datetime, *, zone: ZoneInfo, now: datetime) -> tuple[str, str]:
    """A future run on the clock of `zone`: "Sun 8 Mar, 01:30", and "tonight" where it is that near."""
    local, today = moment.astimezone(zone), now.astimezone(zone)
    form = "ddd d MMM" if local.year == today.year else "ddd d MMM yyyy"
    day = QLocale(QLocale.Language.English).toString(QDate(local.year, local.month, local.day), form)
    text = translate("schedules", "{day}, {time}").format(day=day, time=f"{local:%H:%M}")
    return text, _nearness(local, today)


def _nearness(local: datetime, now: datetime) -> str:
    days = (local.date() - now.date()).days
    small_hours = local.hour < _MORNING
    tonight = (days == 0 and (local.hour >= _EVENING or (small_hours and now.hour < _MORNING))) or (
        days == 1 and small_hours and now.hour >= _MORNING
    )
    if tonight:
        return translate("schedules", "tonight")
    if days == 0:
        return translate("schedules", "today")
    return translate("schedules", "tomorrow") if days == 1 else ""


def kept_lines(draft: ScheduleDraft, kind: Repeat, backend: BackendName) -> tuple[str, ...]:
    """What the job's file asks for and the form does not offer, while these are chosen: it stays so."""
    lines = []
    if draft.repeat is Repeat.CUSTOM and kind is Repeat.CUSTOM:
        lines.append(
            translate(
                "schedules",
                "This schedule was written by hand. It stays just as it is unless you choose another way "
                "to repeat.",
            )
        )
    if draft.repeat is Repeat.ARRIVES and kind is Repeat.ARRIVES:
        lines.append(
            translate(
                "schedules",
                "Its file says to start it when a file arrives as “{pattern}”. Nothing watches for files "
                "yet.",
            ).format(pattern=draft.arrives)
        )
    return (*lines, *_kept_rules(draft, backend))


def _kept_rules(draft: ScheduleDraft, backend: BackendName) -> tuple[str, ...]:
    """What a file may ask for whatever the kind of repeating."""
    lines = []
    if draft.overlap is not OverlapPolicy.SKIP:
        lines.append(
            translate(
                "schedules",
                "Its file says what to do when it is still running at the next start. That is not done "
                "yet: the next start is left out. The line stays in the file.",
            )
        )
    if draft.if_missed is not MisfirePolicy.RUN_ONCE:
        lines.append(
            translate(
                "schedules",
                "Its file says to leave out a start that was missed, such as while the computer was off. It "
                "is left out, and the line stays in the file.",
            )
        )
    if backend not in OFFERED_BACKENDS:
        lines.append(
            translate(
                "schedules",
                "Its file asks for a way to be started that this version does not know. The line stays in "
                "the file.",
            )
        )
    return tuple(lines)


def starter_choices() -> dict[BackendName, str]:
    """Those that the form offers to start a job, in its order."""
    return {
        BackendName.AUTO: translate("schedules", "This computer's schedule (automatic)"),
        BackendName.CRON: translate("schedules", "This computer's own schedule (cron)"),
        BackendName.IN_APP: translate("schedules", "Ridgeline, only while it is open"),
        BackendName.NONE: translate("schedules", "Something else, or a person"),
    }


def kept_starter_word(backend: BackendName) -> str:
    """One that is only shown where a file asks for it."""
    return translate("schedules", "{name} (stays as it is)").format(name=backend)


def starter_words(backend: BackendName) -> str:
    """Who starts a job, for those who unfold the technical details."""
    return {
        BackendName.CRON: translate("schedules", "Started by this computer's own scheduler, cron."),
        BackendName.IN_APP: translate("schedules", "Started by Ridgeline itself, only while it is open."),
        BackendName.NONE: translate("schedules", "Nothing on this computer starts it by itself."),
    }.get(backend, translate("schedules", "Started by {name}.").format(name=backend))


def grace_words(job: Job) -> str:
    """How late a success of `job` may be."""
    grace = job.run.grace
    if grace is None:
        return translate("schedules", "as usual: 5 % of the time between two runs")
    if grace.fixed is not None:
        return duration_in_words(grace.fixed)
    return translate("schedules", "{percent} % of the time between two runs").format(
        percent=round((grace.fraction or 0) * 100)
    )


def deadline_words(job: Job) -> str:
    """How long a run of `job` may take."""
    if job.run.no_deadline:
        return translate("schedules", "never: a run that hangs is not ended")
    if job.run.deadline is None:
        usual = duration_in_words(DEFAULT_DEADLINE)
        return translate("schedules", "as usual: {usual}, or less for a job that runs often").format(
            usual=usual
        )
    return duration_in_words(job.run.deadline)
