"""All that a view of the jobs needs, judged at one instant; windows, tables and JSON only render it."""

from datetime import datetime, timedelta

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.core.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonLine:
    """One cause: a code for machines, a sentence for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """One job at one instant. Instants are UTC; `job` is None where its file is broken or gone.

    `summary` is the judgement in one line, with its numbers. `last_run` leaves the running one out.
    """

    job_id: str
    title: str
    health: Health
    quiet: bool
    attention: Attention
    due: datetime | None
    grace: timedelta
    last_success: RunRecord | None
    last_run: RunRecord | None
    running: RunRecord | None
    next_fire: datetime | None
    registration: RegistrationState
    summary: str
    reasons: tuple[ReasonLine, ...]
    job: Job | None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Every job at `taken_at`, and what concerns them all. Holds until `valid_until`, None = a write."""

    taken_at: datetime
    rows: tuple[JobRow, ...]
    banners: tuple[str, ...]
    attention: Attention
    valid_until: datetime | None
