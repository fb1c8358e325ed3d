"""What stands in each cell of the list: its words, its mark, its tool tip, and what it is sorted by."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.jobs.filters import is_not_as_registered
from ridgeline_desktop.gui.kit.icons import Shape, shape_of, shape_of_status
from ridgeline_desktop.gui.kit.words import (
    NO_TIME,
    health_word,
    last_run_text,
    registration_word,
    so_far_text,
    status_word,
    took_text,
    trigger_word,
    utc_text,
    when_text,
)

translate = QCoreApplication.translate
WENT_WRONG = (RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.INTERRUPTED)
FAR_PAST, FAR_FUTURE = float("-inf"), float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The instant the list is read at, and the zone its times are told in."""

    now: datetime
    zone: ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A mark (None = none), words whose colour is that of `ink` (None = plain text), and the sort key.

    `spoken` is what a screen reader says where that is more than `text`.
    """

    text: str
    shape: Shape | None = None
    ink: Shape | None = None
    key: float | str = ""
    is_quiet: bool = False
    spoken: str = ""


def health_cell(row: JobRow, rank: int) -> Cell:
    """The light; sorted by the rank it has among all jobs, the worst first."""
    shape = shape_of(row)
    spoken = health_word(row.health, row.quiet)
    text = spoken
    if row.health is Health.NEVER_SUCCEEDED:
        text = translate("cells", "Not yet") if row.quiet else translate("cells", "Never")
    return Cell(text=text, shape=shape, ink=shape, key=float(rank), spoken=spoken)


def job_cell(row: JobRow) -> Cell:
    """The job's name."""
    return Cell(text=row.title, key=row.title.casefold())


def last_run_cell(row: JobRow, moment: Moment) -> Cell:
    """The run that is going on, else the last one and how it ended."""
    if row.running is not None:
        text = so_far_text(row.running.started_at, now=moment.now)
        return Cell(text=text, shape=Shape.RUNNING, ink=Shape.RUNNING, key=row.running.started_at.timestamp())
    last = row.last_run
    if last is None:
        return Cell(text=NO_TIME, key=FAR_PAST, is_quiet=True)
    shape = shape_of_status(last.status)
    text = last_run_text(last, zone=moment.zone, now=moment.now)
    return Cell(
        text=text,
        shape=shape,
        ink=None if shape is Shape.DONE else shape,
        key=last.started_at.timestamp(),
    )


def next_run_cell(row: JobRow, moment: Moment) -> Cell:
    """The next start, or why there is none."""
    drift = Shape.DRIFT if is_not_as_registered(row) else None
    if row.health is Health.PAUSED:
        return Cell(text=_paused_text(row), shape=drift, key=FAR_FUTURE, is_quiet=True)
    if row.next_fire is not None:
        text = when_text(row.next_fire, zone=moment.zone, now=moment.now)
        return Cell(text=text, shape=drift, key=row.next_fire.timestamp())
    if drift is not None:
        return Cell(text=_not_started_text(row.registration), shape=drift, ink=drift, key=FAR_FUTURE)
    return Cell(text=_no_start_text(row), key=FAR_FUTURE, is_quiet=True)


def history_cell(row: JobRow) -> Cell:
    """The bars; in words for those who do not see them, and sorted by how many runs went wrong."""
    return Cell(text=history_text(row), key=float(wrong_runs(row)))


def wrong_runs(row: JobRow) -> int:
    """How many of the recent runs began and went wrong."""
    return sum(run.status in WENT_WRONG for run in row.recent)


def history_text(row: JobRow) -> str:
    """The recent runs in a sentence: "1 of the last 20 runs failed"."""
    if not row.recent:
        return translate("cells", "No run yet")
    if len(row.recent) == 1:
        return translate("cells", "One run so far: {end}").format(
            end=status_word(row.recent[0].status).lower()
        )
    wrong, total = wrong_runs(row), len(row.recent)
    if not wrong:
        return translate("cells", "None of the last {total} runs failed").format(total=total)
    return translate("cells", "{wrong} of the last {total} runs failed").format(wrong=wrong, total=total)


def health_tip(row: JobRow) -> str:
    """The judgement in one line, and every cause."""
    lines = (row.summary, *(reason.text for reason in row.reasons))
    return "\n".join(line[:1].upper() + line[1:] for line in lines if line)


def job_tip(row: JobRow) -> str:
    """What the job does, who looks after it, and its id."""
    job = row.job
    about = job.about if job else ""
    by = job.looked_after_by if job else ""
    after = translate("cells", "Looked after by {name}").format(name=by) if by else ""
    return "\n".join(line for line in (row.title, about, after) if line)


def last_run_tip(row: JobRow) -> str:
    """When the run began in UTC, how it ended and why, how long it took, and who started it."""
    run = row.running or row.last_run
    if run is None:
        return translate("cells", "It has not run on this computer yet")
    lines = [
        translate("cells", "{end}: {reason}").format(end=status_word(run.status), reason=run.reason)
        if run.reason
        else status_word(run.status),
        translate("cells", "Started {time}").format(time=utc_text(run.started_at)),
        translate("cells", "Started by: {who}").format(who=trigger_word(run)),
    ]
    if run.duration is not None:
        lines.append(translate("cells", "Took {length}").format(length=took_text(run.duration)))
    if row.usual is not None:
        lines.append(translate("cells", "Usually {length}").format(length=took_text(seconds_of(row.usual))))
    return "\n".join(lines)


def next_run_tip(row: JobRow, moment: Moment) -> str:
    """The next start in UTC, until when the job is paused and why, and how it is registered."""
    lines = []
    if row.pause is not None:
        lines.append(_pause_tip(row, moment))
    if row.next_fire is not None:
        lines.append(translate("cells", "Starts {time}").format(time=utc_text(row.next_fire)))
    lines.append(registration_word(row.registration))
    return "\n".join(lines)


def history_tip(row: JobRow) -> str:
    """The recent runs in a sentence, and how to read the bars."""
    how = translate("cells", "Oldest at the left; a higher bar is a longer run. Failures are full height.")
    return f"{history_text(row)}\n{how}" if row.recent else history_text(row)


def seconds_of(length: timedelta) -> float:
    """A length of time in seconds."""
    return length.total_seconds()


def _paused_text(row: JobRow) -> str:
    who = row.pause.actor.name if row.pause else ""
    return translate("cells", "Paused by {name}").format(name=who) if who else health_word(Health.PAUSED)


def _pause_tip(row: JobRow, moment: Moment) -> str:
    assert row.pause is not None
    if row.pause.until is None:
        until = translate("cells", "Paused until somebody resumes it")
    else:
        when = when_text(row.pause.until, zone=moment.zone, now=moment.now)
        until = translate("cells", "Paused until {time}").format(time=when)
    return f"{until}: {row.pause.reason}" if row.pause.reason else until


def _not_started_text(state: RegistrationState) -> str:
    return {
        RegistrationState.NEVER_REGISTERED: translate("cells", "Not registered"),
        RegistrationState.MISSING: translate("cells", "Entry is gone"),
        RegistrationState.DISABLED: translate("cells", "Switched off"),
        RegistrationState.PROGRAM_GONE: translate("cells", "Program is gone"),
        RegistrationState.SCHEDULER_STOPPED: translate("cells", "Scheduler is off"),
    }.get(state, NO_TIME)


def _no_start_text(row: JobRow) -> str:
    if row.job is None:
        return NO_TIME
    if row.registration is RegistrationState.NOT_WANTED and row.job.is_scheduled:
        return translate("cells", "Elsewhere")
    return NO_TIME if row.job.is_scheduled else translate("cells", "By hand")
