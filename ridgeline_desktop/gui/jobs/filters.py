"""Which jobs the list shows: one kind of them at a time, and those that hold what is looked for."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.job_facts import did_not_work, last_ended
from ridgeline_desktop.core.registrations import DRIFT, RegistrationState
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.kit.icons import Shape

translate = QCoreApplication.translate


class Filter(StrEnum):
    """The kinds of jobs that have a button of their own above the list, in that order."""

    ALL = "all"
    OVERDUE = "overdue"
    NEVER = "never"
    LATE = "late"
    FAILED = "failed"
    RUNNING = "running"
    PAUSED = "paused"
    DRIFT = "drift"
    UNKNOWN = "unknown"


SHAPES = {
    Filter.OVERDUE: Shape.OVERDUE,
    Filter.NEVER: Shape.NEVER,
    Filter.LATE: Shape.LATE,
    Filter.FAILED: Shape.FAILED,
    Filter.RUNNING: Shape.RUNNING,
    Filter.PAUSED: Shape.PAUSED,
    Filter.DRIFT: Shape.DRIFT,
    Filter.UNKNOWN: Shape.UNKNOWN,
}
_HEALTHS = {
    Filter.OVERDUE: Health.OVERDUE,
    Filter.NEVER: Health.NEVER_SUCCEEDED,
    Filter.LATE: Health.LATE,
    Filter.PAUSED: Health.PAUSED,
    Filter.UNKNOWN: Health.UNKNOWN,
}


def last_run_failed(row: JobRow) -> bool:
    """Whether the last run that came to an end did not do its work; starts the lock refused do not count."""
    return did_not_work(last_ended(row.recent))


def is_not_as_registered(row: JobRow) -> bool:
    """Whether this computer's schedule does not hold the job as its file wants it."""
    return row.registration in DRIFT or row.registration is RegistrationState.NEVER_REGISTERED


def fits(row: JobRow, kind: Filter) -> bool:
    """Whether a job is of this kind."""
    if kind in _HEALTHS:
        return row.health is _HEALTHS[kind]
    if kind is Filter.RUNNING:
        return row.running is not None
    if kind is Filter.FAILED:
        return last_run_failed(row)
    return kind is Filter.ALL or is_not_as_registered(row)


def holds(row: JobRow, looked_for: str) -> bool:
    """Whether every word looked for stands in the job's name, id, tags or about; case is no matter."""
    job = row.job
    texts = [row.title, row.job_id, *((job.about, *job.tags) if job else ())]
    place = "\n".join(texts).casefold()
    return all(word in place for word in looked_for.casefold().split())


def counts(rows: Sequence[JobRow]) -> dict[Filter, int]:
    """How many jobs there are of each kind."""
    return {kind: sum(fits(row, kind) for row in rows) for kind in Filter}


def filter_word(kind: Filter) -> str:
    """What the button of a kind says, before its number."""
    return {
        Filter.ALL: translate("filters", "All"),
        Filter.OVERDUE: translate("filters", "Overdue"),
        Filter.NEVER: translate("filters", "Never succeeded"),
        Filter.LATE: translate("filters", "Late"),
        Filter.FAILED: translate("filters", "Last run failed"),
        Filter.RUNNING: translate("filters", "Running"),
        Filter.PAUSED: translate("filters", "Paused"),
        Filter.DRIFT: translate("filters", "Not registered as wanted"),
        Filter.UNKNOWN: translate("filters", "Can't tell"),
    }[kind]


def nothing_of(kind: Filter) -> str:
    """What the list says where there is no job of a kind."""
    return {
        Filter.ALL: translate("filters", "There are no jobs."),
        Filter.OVERDUE: translate("filters", "No job is overdue."),
        Filter.NEVER: translate("filters", "Every job has succeeded before."),
        Filter.LATE: translate("filters", "No job is late."),
        Filter.FAILED: translate("filters", "No job's last run failed."),
        Filter.RUNNING: translate("filters", "No job is running."),
        Filter.PAUSED: translate("filters", "No job is paused."),
        Filter.DRIFT: translate("filters", "Every job is registered as its file wants it."),
        Filter.UNKNOWN: translate("filters", "Every job's state is known."),
    }[kind]
