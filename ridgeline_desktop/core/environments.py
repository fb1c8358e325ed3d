"""The environment of a job, composed from nothing, so that it is the same whoever starts the run."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum

from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.values import dataclass

LANG = "C.UTF-8"


class OnDisk(StrEnum):
    """What stands at a path: a PROGRAM is a file that may be executed."""

    NOTHING = "nothing"
    FOLDER = "folder"
    FILE = "file"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The user that jobs run as, from the user database and never from the caller's environment."""

    user: str
    home: str
    shell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunVariables:
    """What a run tells its job. `deadline` is UTC; `home` "" where Ridgeline uses its default folders."""

    run_id: str
    fence: int
    deadline: datetime | None
    checkpoint: str
    home: str
    file: str = ""


def compose(
    job: Job, *, account: Account, path: str, zone: str, variables: RunVariables
) -> Mapping[str, str]:
    """The job's whole environment; what the job file sets wins over the defaults, never over RIDGELINE_*."""
    deadline = variables.deadline.astimezone(UTC).isoformat() if variables.deadline else ""
    ours = {
        "RIDGELINE_RUN_ID": variables.run_id,
        "RIDGELINE_JOB": job.job_id,
        "RIDGELINE_FENCE": str(variables.fence),
        "RIDGELINE_DEADLINE": deadline,
        "RIDGELINE_CHECKPOINT": variables.checkpoint,
        "RIDGELINE_HOME": variables.home,
        "RIDGELINE_FILE": variables.file,
    }
    return {
        "HOME": account.home,
        "USER": account.user,
        "LOGNAME": account.user,
        "SHELL": account.shell,
        "LANG": LANG,
        "TZ": zone,
        "PATH": path,
        **dict(job.environment),
        **{name: value for name, value in ours.items() if value},
    }
