"""What a job is: the values of one job file, checked, with every default filled in."""

import re
from datetime import timedelta
from enum import StrEnum

from ridgeline_desktop.core.cron_expressions import AcceptedWithWarning, parse_cron
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.core.schedules import Arrives, BackendName, ByHand, CronRule, Schedule
from ridgeline_desktop.core.values import dataclass, field

JOB_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")
JOB_ID_RULE = "1 to 48 of the characters a-z, 0-9 and -, not beginning with -"
WINDOWS_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))]
)
DEFAULT_DEADLINE = timedelta(minutes=20)
DEFAULT_QUEUE_FOR = timedelta(minutes=10)


class SafeToRerun(StrEnum):
    """May the job be run again by hand after it has run before?"""

    YES = "yes"
    ASK = "ask"
    NEVER = "never"


class OverlapPolicy(StrEnum):
    """What happens to a start while the job is still running."""

    SKIP = "skip"
    QUEUE = "queue"
    REPLACE = "replace"


class LockFileFormat(StrEnum):
    """How a script's own lock file names its owner."""

    PID = "pid"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessRules:
    """When a run counts as completed; the texts are looked for in the whole output, "" = not asked."""

    exit_codes: tuple[int, ...] = (0,)
    must_print: str = ""
    must_not_print: str = ""
    fresh_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grace:
    """The allowance after due: a fixed time, or a fraction of the gap to the following fire time."""

    fixed: timedelta | None = None
    fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRules:
    """The [run] table. `grace` None and `deadline` None mean the defaults; `no_deadline` is "none"."""

    grace: Grace | None = None
    deadline: timedelta | None = None
    no_deadline: bool = False
    overlap: OverlapPolicy = OverlapPolicy.SKIP
    queue_for: timedelta = DEFAULT_QUEUE_FOR
    success: SuccessRules = field(default_factory=SuccessRules)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    needs_network: bool = False
    leave_children: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRules:
    """The [alerts] table: channels named in settings, and the secret that holds a ping address."""

    people: tuple[str, ...] = ()
    ping: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockFileRule:
    """One lock file that the job's own script makes."""

    path: str
    format: LockFileFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job. Either `command` (argv) or `shell` (a line) is set. `folder` "" is the home folder.

    `definition` is a digest of the job file's values; comments and order do not change it.
    """

    job_id: str
    title: str
    command: tuple[str, ...] = ()
    shell: str = ""
    about: str = ""
    looked_after_by: str = ""
    folder: str = ""
    runbook: str = ""
    safe_to_rerun: SafeToRerun = SafeToRerun.ASK
    environment: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()
    schedule: Schedule
    run: RunRules = field(default_factory=RunRules)
    alerts: AlertRules = field(default_factory=AlertRules)
    lock_files: tuple[LockFileRule, ...] = ()
    definition: str = ""
    schedule_text: str = ""

    @property
    def is_scheduled(self) -> bool:
        """Whether a scheduler of this computer should start the job by itself."""
        return not isinstance(self.schedule.rule, ByHand) and self.schedule.backend is not BackendName.NONE


def is_job_id(text: str) -> bool:
    """Whether `text` may name a job: the one gate that keeps odd characters out of crontabs and paths."""
    return JOB_ID.fullmatch(text) is not None and text not in WINDOWS_DEVICES


def not_yet_obeyed(job: Job) -> tuple[str, ...]:
    """Sentences about what the job file asks for and this version does not do yet."""
    rules = job.run
    asked = [
        (
            rules.overlap is not OverlapPolicy.SKIP,
            f'overlap = "{rules.overlap}" is read, but treated as "skip"',
        ),
        (rules.needs_network, "needs_network is read, but nothing waits for the network yet"),
        (bool(job.secrets), "this version cannot hand secrets to jobs yet, so every run of it is refused"),
        (bool(job.alerts.people or job.alerts.ping), "alerts are read, but nobody is told yet"),
        (bool(job.lock_files), "lock_file is read, but the script's own lock is not looked at yet"),
        (
            isinstance(job.schedule.rule, Arrives),
            "arrivals are read, but nothing watches for files yet",
        ),
    ]
    return tuple(sentence for is_asked, sentence in asked if is_asked)


def cautions(job: Job) -> tuple[str, ...]:
    """Sentences about what the job file asks for and may not be meant: read otherwise than people think."""
    found: list[str] = []
    if isinstance(job.schedule.rule, CronRule):
        answer = parse_cron(job.schedule.rule.expression.text)
        found += (
            [text.rstrip(".") for text in answer.warnings] if isinstance(answer, AcceptedWithWarning) else ()
        )
    if job.run.no_deadline:
        found.append('deadline = "none": a run that hangs is never ended, and no other can start meanwhile')
    return tuple(found)
