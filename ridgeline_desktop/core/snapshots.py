"""All that a view of the jobs needs, judged at one instant; windows, tables and JSON only render it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.locks import Verdict
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.core.values import dataclass

JOBS = "{jobs}"


class StepKind(StrEnum):
    """What a person can do about a cause; a window makes a button of it."""

    OPEN_RUNBOOK = "open-runbook"
    RUN_NOW = "run-now"
    SHOW_OUTPUT = "show-output"
    SHOW_LOCK = "show-lock"
    REGISTER = "register"
    RESUME = "resume"
    EDIT_JOB = "edit-job"
    EDIT_SCHEDULE = "edit-schedule"
    ASK = "ask"
    WAIT = "wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do, as a sentence. `heading` is where in the runbook it is described ("" = its top)."""

    kind: StepKind
    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonLine:
    """One cause: a code for machines, a sentence for people, its proof, and what to do in order."""

    code: str
    text: str
    proof: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


class BannerKind(StrEnum):
    """What concerns all jobs at once."""

    CANNOT_LOOK = "cannot-look"
    RECORDS_UNREADABLE = "records-unreadable"
    RECOVERED = "recovered"
    FIRST_START = "first-start"
    NO_SHOP = "no-shop"
    SHOP_EMPTY = "shop-empty"
    NEVER_REGISTERED = "never-registered"
    SOME_NEVER_REGISTERED = "some-never-registered"
    ORPHANS = "orphans"


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """What concerns all jobs: a sentence, the jobs it names, and what to type about it ("" = nothing).

    Where it names jobs, `text` has JOBS in their place.
    """

    kind: BannerKind
    text: str
    job_ids: tuple[str, ...] = ()
    commands: str = ""

    def text_with(self, names: Mapping[str, str]) -> str:
        """The sentence with these names for the jobs; one that has none there goes by its id."""
        if not self.job_ids:
            return self.text
        return self.text.replace(JOBS, ", ".join(names.get(job_id, job_id) for job_id in self.job_ids))

    def with_commands(self) -> str:
        """The sentence as a terminal shows it: the jobs by their ids, as they are typed, and what to type."""
        text = self.text_with({})
        return f"{text} {self.commands}" if self.commands else text


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """One job at one instant. Instants are UTC; `job` is None where its file is broken or gone.

    `summary` is the judgement in one line, with its numbers. `last_run` leaves the running one out.
    `recent` are its newest records, newest first, at most 20, a running one among them. `usual` is the
    median time of those that completed, None where fewer than two did. `pause` is one that still lasts.
    `problems` are those of a broken job file. With `history_lost` it may have run and nobody can tell.
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
    recent: tuple[RunRecord, ...] = ()
    usual: timedelta | None = None
    verdict: Verdict | None = None
    pause: Pause | None = None
    problems: tuple[Problem, ...] = ()
    history_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Every job at `taken_at`, and what concerns them all. Holds until `valid_until`, None = a write.

    `zone` is the shop's. `checked_at` is when the background check last ended, None = never here.
    """

    taken_at: datetime
    rows: tuple[JobRow, ...]
    banners: tuple[Banner, ...]
    attention: Attention
    valid_until: datetime | None
    zone: ZoneInfo
    checked_at: datetime | None = None


def blind(why: str, *, zone: ZoneInfo, now: datetime) -> Snapshot:
    """What is known where nothing could be read: no job, no light that could be trusted, and why."""
    banner = Banner(kind=BannerKind.CANNOT_LOOK, text=why)
    return Snapshot(
        taken_at=now, rows=(), banners=(banner,), attention=Attention.GREY, valid_until=None, zone=zone
    )
