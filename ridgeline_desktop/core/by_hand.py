"""Runs that a person starts and watches: what is asked first, what is seen, how far a script has come."""

import json
from datetime import datetime
from enum import StrEnum
from typing import Any

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.jobs import SafeToRerun
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass

LONGEST_CHECKPOINT = 2000


class RerunAnswer(StrEnum):
    """What stands between a person and a run: FREE starts at once, ASK after a yes, NEVER not at all."""

    FREE = "free"
    ASK = "ask"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedRun:
    """A run that was set going at `started_at` (UTC). It may still be refused: follow it."""

    job_id: str
    run_id: str
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as it stands. `output` is what came since the offset asked for, at most a mebibyte.

    `record` is None until the run is on record. It is over, and all of it read, once `is_going_on` is
    False and `output` empty. `trouble` is what was said of a run that came to no record, else "".
    """

    record: RunRecord | None
    output: bytes
    is_going_on: bool
    trouble: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """How far a job's script has come: its JSON, indented and at most 2,000 characters, saved at (UTC).

    `sentence` is "continues after 5047" where it is one number or word, else "".
    """

    text: str
    saved_at: datetime
    sentence: str = ""


def by_hand_needs(row: JobRow) -> RerunAnswer:
    """What running this job by hand needs, as far as the row can tell; the runner has the last word."""
    if row.job is None:
        return RerunAnswer.NEVER
    if not has_run(row) or row.job.safe_to_rerun is SafeToRerun.YES:
        return RerunAnswer.FREE
    return RerunAnswer.ASK if row.job.safe_to_rerun is SafeToRerun.ASK else RerunAnswer.NEVER


def has_run(row: JobRow) -> bool:
    """Whether the row knows of a run, or cannot know of none; a start that was refused is no run."""
    if row.history_lost:
        return True
    known = (row.last_success, row.running, row.last_run, *row.recent)
    return any(record is not None and record.status is not RunStatus.REFUSED for record in known)


def checkpoint_of(content: bytes, *, saved_at: datetime) -> Checkpoint:
    """The checkpoint in a file's content; an error in words where that is no JSON."""
    try:
        value = json.loads(content)
        # Half a character pair, which JSON can spell, is nothing that can be shown.
        text = json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "replace").decode()
    except (ValueError, RecursionError) as error:
        raise RidgelineError(
            f"The saved progress cannot be understood ({error}). The job may start over, or refuse to run."
        ) from error
    if len(text) > LONGEST_CHECKPOINT:
        text = text[: LONGEST_CHECKPOINT - 1] + "…"
    return Checkpoint(text=text, saved_at=saved_at, sentence=_continues(value))


def _continues(value: Any) -> str:
    is_mark = isinstance(value, int | float | str) and not isinstance(value, bool)
    mark = " ".join(str(value).encode("utf-8", "replace").decode().split()) if is_mark else ""
    return f"continues after {mark}" if 0 < len(mark) <= 80 else ""
