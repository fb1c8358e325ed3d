"""Unsaved forms: what a person has typed so far, as text, and all that is wrong with it."""

from enum import StrEnum

from ridgeline_desktop.core.jobs import OverlapPolicy, SafeToRerun
from ridgeline_desktop.core.schedules import BackendName, MisfirePolicy, Weekday
from ridgeline_desktop.core.settings import CloseButton, DeadLock, Theme
from ridgeline_desktop.core.values import dataclass


class Repeat(StrEnum):
    """The kinds of schedule a form can show; CUSTOM is whatever a cron expression says."""

    EVERY = "every"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY_DAY = "monthly-day"
    MONTHLY_NTH = "monthly-nth"
    ARRIVES = "arrives"
    BY_HAND = "by-hand"
    CUSTOM = "custom"


# What a form offers: all that this version obeys. Anything else that a job file says stays as it stands.
OFFERED_REPEATS = (
    Repeat.EVERY,
    Repeat.DAILY,
    Repeat.WEEKLY,
    Repeat.MONTHLY_DAY,
    Repeat.MONTHLY_NTH,
    Repeat.BY_HAND,
    Repeat.CUSTOM,
)
OFFERED_BACKENDS = (BackendName.AUTO, BackendName.CRON, BackendName.IN_APP, BackendName.NONE)
OFFERED_OVERLAPS = (OverlapPolicy.SKIP,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleDraft:
    """A schedule form. Texts are as typed: times "06:30", lengths "15 minutes", dates "2026-03-01".

    "" means not set, so the default. `between` holds both ends, or "" twice for all day. `month_day` is
    1 to 31 or "last", `nth` 1 to 4 or "last". `grace` also takes "20 %", `deadline` also "none".
    """

    repeat: Repeat = Repeat.BY_HAND
    every: str = "15 minutes"
    between: tuple[str, str] = ("", "")
    days: tuple[Weekday, ...] = ()
    times: tuple[str, ...] = ("06:30",)
    month_day: str = "1"
    nth: str = "1"
    weekday: Weekday = Weekday.MON
    cron: str = ""
    arrives: str = ""
    zone: str = ""
    if_missed: MisfirePolicy = MisfirePolicy.RUN_ONCE
    starts: str = ""
    ends: str = ""
    expect: str = ""
    backend: BackendName = BackendName.AUTO
    grace: str = ""
    deadline: str = ""
    overlap: OverlapPolicy = OverlapPolicy.SKIP
    queue_for: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDraft:
    """A job form. `arguments` are the program's, one each; `shell` is set instead of `program` or not at all.

    `environment` is in the file's order. "" means not set, so the default.
    """

    job_id: str = ""
    title: str = ""
    about: str = ""
    looked_after_by: str = ""
    program: str = ""
    arguments: tuple[str, ...] = ()
    shell: str = ""
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    runbook: str = ""
    safe_to_rerun: SafeToRerun = SafeToRerun.ASK
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDraft:
    """The settings form. Texts are as typed; "" is the default.

    `days`, `runs` and `log_megabytes` say how much is kept of each job.
    """

    shop_folder: str = ""
    zone: str = ""
    name: str = ""
    path: str = ""
    runs_elsewhere: tuple[str, ...] = ()
    dead_lock: DeadLock = DeadLock.SETTLE
    trust_shared_folder: bool = False
    theme: Theme = Theme.SYSTEM
    close: CloseButton = CloseButton.ASK
    days: str = ""
    runs: str = ""
    log_megabytes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftProblem:
    """What is wrong with one field of a draft, and what to type instead. `field` is the draft's own name.

    One that does not block is worth knowing, and may be saved all the same.
    """

    field: str
    message: str
    blocks: bool = True
