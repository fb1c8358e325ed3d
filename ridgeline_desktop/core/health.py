"""A job's light: the arithmetic of due and grace, what is shown of it, and the tray's worst-of-all."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from ridgeline_desktop.core.values import dataclass, replace

LATE_SHOWS_AFTER = timedelta(seconds=90)
ENDLESS_RUN = timedelta(hours=24)


class Health(StrEnum):
    """A job's light. PAUSED and UNKNOWN stand beside the four that `assess` gives."""

    OK = "ok"
    LATE = "late"
    OVERDUE = "overdue"
    NEVER_SUCCEEDED = "never-succeeded"
    PAUSED = "paused"
    UNKNOWN = "unknown"


class Attention(StrEnum):
    """What the tray shows."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    GREY = "grey"


_WORST_FIRST = (Attention.RED, Attention.AMBER, Attention.GREY, Attention.GREEN)
CHECK_EXIT_CODES = {Attention.GREEN: 0, Attention.AMBER: 1, Attention.RED: 2, Attention.GREY: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """A light and until when it holds without being asked again (None = until a run is recorded).

    `quiet` belongs to NEVER_SUCCEEDED: the first run is not overdue yet.
    """

    health: Health
    quiet: bool = False
    valid_until: datetime | None = None

    @property
    def is_red(self) -> bool:
        """Whether silence has lasted too long."""
        return self.health is Health.OVERDUE or (self.health is Health.NEVER_SUCCEEDED and not self.quiet)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInProgress:
    """The run that is going on: when it started, and how long it may take (None = no limit)."""

    started_at: datetime
    deadline: timedelta | None

    def ends_by(self) -> datetime:
        """The instant after which it no longer excuses silence."""
        return self.started_at + (ENDLESS_RUN if self.deadline is None else self.deadline)


def assess(
    *, last_success: datetime | None, due: datetime | None, grace: timedelta, now: datetime
) -> Assessment:
    """Judge one job at `now`; all instants UTC. `due` is None when nothing is expected (by hand, ended).

    Both bounds are inclusive: exactly at `due` it is still OK, exactly at `due + grace` still LATE.
    """
    limit = None if due is None else due + grace
    if last_success is None:
        quiet = limit is None or now <= limit
        return Assessment(health=Health.NEVER_SUCCEEDED, quiet=quiet, valid_until=limit if quiet else None)
    if due is None or now <= due:
        return Assessment(health=Health.OK, valid_until=due)
    if limit is not None and now <= limit:
        return Assessment(health=Health.LATE, valid_until=limit)
    return Assessment(health=Health.OVERDUE)


def shown(
    judged: Assessment, *, due: datetime | None, grace: timedelta, run: RunInProgress | None, now: datetime
) -> Assessment:
    """What window, tray and JSON show of a judgement, so that lights do not flicker.

    LATE shows only from 90 s after `due`. A run that started by then and is inside its deadline keeps
    the light as it was before `due`; one that started later, but inside the grace, keeps it LATE.
    """
    if due is None or now <= due:
        return judged
    inside = run is not None and now <= run.ends_by()
    if run is not None and inside and run.started_at <= due + LATE_SHOWS_AFTER:
        return _as_before_due(judged, until=run.ends_by())
    if judged.health is Health.LATE and now <= due + LATE_SHOWS_AFTER:
        return replace(judged, health=Health.OK, valid_until=due + min(LATE_SHOWS_AFTER, grace))
    if run is not None and inside and judged.is_red and run.started_at <= due + grace:
        if judged.health is Health.OVERDUE:
            return replace(judged, health=Health.LATE, valid_until=run.ends_by())
        return replace(judged, quiet=True, valid_until=run.ends_by())
    return judged


def _as_before_due(judged: Assessment, *, until: datetime) -> Assessment:
    if judged.health is Health.NEVER_SUCCEEDED:
        return replace(judged, quiet=True, valid_until=until)
    return Assessment(health=Health.OK, valid_until=until)


def attention_of(
    assessment: Assessment,
    *,
    last_run_failed: bool = False,
    has_drift: bool = False,
    refused_by_lock: bool = False,
) -> Attention:
    """One job's claim on the tray."""
    if assessment.is_red:
        return Attention.RED
    if assessment.health is Health.LATE or last_run_failed or has_drift or refused_by_lock:
        return Attention.AMBER
    if assessment.health is Health.UNKNOWN:
        return Attention.GREY
    return Attention.GREEN


def worst(claims: Iterable[Attention], *, all_paused: bool = False) -> Attention:
    """The tray's colour; nothing to watch, or everything paused, is grey and never green."""
    found = set(claims)
    for attention in _WORST_FIRST:
        if attention in found:
            return Attention.GREY if attention is Attention.GREEN and all_paused else attention
    return Attention.GREY
