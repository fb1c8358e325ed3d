"""What is checked before a run starts: reasons to refuse it, each in its own words."""

from __future__ import annotations

import os
import stat
from datetime import datetime, timedelta

from ridgeline_desktop.core.jobs import Job, SafeToRerun
from ridgeline_desktop.core.locks import LockEvidence, VerdictKind, judge
from ridgeline_desktop.core.runs import Reason, Trigger
from ridgeline_desktop.core.schedules import MisfirePolicy
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.runner.outcomes import expanded
from ridgeline_desktop.runner.records import Records

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from ridgeline_desktop.core.expectations import Pause

TOO_LATE = timedelta(minutes=5)
SHELL = "/bin/sh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a run does not start."""

    code: Reason
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is started and where: the program's file, what it is told, and its folder."""

    program: str
    argv: tuple[str, ...]
    folder: str


def missed(job: Job, *, fire: datetime | None, started_at: datetime) -> Refusal | None:
    """Refuses a scheduled start that comes too late for a job whose missed fire times are to be skipped."""
    late = fire is not None and started_at > fire + TOO_LATE
    if not late or job.schedule.if_missed is not MisfirePolicy.SKIP:
        return None
    sentence = 'it came more than 5 minutes after its fire time, and if_missed is "skip"'
    return Refusal(code=Reason.MISSED, sentence=sentence)


def paused(pause: Pause | None, *, now: datetime, zone: ZoneInfo) -> Refusal | None:
    """Refuses a scheduled start while the job is paused; times are said in `zone`."""
    if pause is None or pause.end(now=now) is not None:
        return None
    until = f"{pause.until.astimezone(zone):%Y-%m-%d %H:%M}" if pause.until else "it is resumed"
    why = f": {pause.reason}" if pause.reason else ""
    return Refusal(code=Reason.PAUSED, sentence=f"paused until {until} by {pause.actor.name}{why}")


def not_safe(job: Job, records: Records, *, trigger: Trigger, again: bool) -> Refusal | None:
    """Refuses to repeat by hand what the job file does not call safe; a first run is free."""
    wish = job.safe_to_rerun
    if trigger is not Trigger.MANUAL or wish is SafeToRerun.YES or (again and wish is SafeToRerun.ASK):
        return None
    before = records.ask(lambda store: store.has_run(job.job_id), otherwise=None)
    if before is False:
        return None
    ran = "it ran before" if before else "its records cannot be read, so it may have run before"
    way = "; add --again if a repeat does no harm" if wish is SafeToRerun.ASK else ""
    return Refusal(code=Reason.NOT_SAFE, sentence=f'{ran}, and safe_to_rerun is "{wish}"{way}')


def locked(evidence: LockEvidence) -> Refusal:
    """Refuses a start before whose lock something stands."""
    verdict = judge(evidence)
    if verdict.kind is VerdictKind.HELD:
        return Refusal(code=Reason.LOCK_HELD, sentence=verdict.sentence)
    way = ""
    if verdict.kind is VerdictKind.DEAD:
        way = f'; dead_lock is "ask", so clear it with: ridgeline lock clear {evidence.job_id}'
    return Refusal(code=Reason.LOCK_UNCLEAR, sentence=verdict.sentence + way)


def placed(job: Job, *, home: str, path: str) -> Place | Refusal:
    """The program and folder of the job, or what is wrong with them. `path` is the PATH of jobs."""
    folder = expanded(job.folder, home) or home
    problem = _folder_problem(folder)
    if problem:
        return could_not(problem)
    if job.shell:
        return Place(program=SHELL, argv=(SHELL, "-c", job.shell), folder=folder)
    name = job.command[0]
    if "/" in name:
        program = os.path.join(folder, expanded(name, home))
        problem = _program_problem(program)
    else:
        program = _found(name, path)
        problem = "" if program else f"there is no program {name} on the PATH of jobs ({path})"
    return could_not(problem) if problem else Place(program=program, argv=job.command, folder=folder)


def could_not(sentence: str) -> Refusal:
    """Refuses a start that cannot work."""
    return Refusal(code=Reason.COULD_NOT_START, sentence=sentence)


def _folder_problem(folder: str) -> str:
    try:
        mode = os.stat(folder).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return f"the folder {folder} does not exist"
    except PermissionError:
        return f"no right to enter the folder {folder}"
    except OSError as error:
        return f"the folder {folder} cannot be examined: {error.strerror}"
    if not stat.S_ISDIR(mode):
        return f"{folder} is not a folder"
    return "" if os.access(folder, os.X_OK) else f"no right to enter the folder {folder}"


def _program_problem(program: str) -> str:
    try:
        mode = os.stat(program).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return f"the program {program} does not exist"
    except PermissionError:
        return f"no right to reach the program {program}"
    except OSError as error:
        return f"the program {program} cannot be examined: {error.strerror}"
    if stat.S_ISDIR(mode):
        return f"the program {program} is a folder"
    return "" if os.access(program, os.X_OK) else f"the program {program} is not executable"


def _found(name: str, path: str) -> str:
    for folder in filter(None, path.split(os.pathsep)):
        program = os.path.join(folder, name)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return program
    return ""
