"""Texts of job files: a form's change put into one that is there, and the text of a new one."""

from typing import Any

from ridgeline_desktop.core.draft_tables import (
    checked,
    details_of,
    details_values,
    schedule_values,
    with_limits,
)
from ridgeline_desktop.core.drafts import JobDraft, ScheduleDraft
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.schedule_tables import KINDS
from ridgeline_desktop.core.toml_edits import toml_value, with_values
from ridgeline_desktop.core.values import replace

TABLES = ("schedule", "run", "alerts", "lock_file")
_SWAPS = (KINDS, ("day", "nth"), ("command", "shell"))
_NOTES = {
    "command": "# The program and its arguments, one text each; no shell reads them.",
    "shell": "# One line for /bin/sh.",
    "folder": "# Where it starts.",
    "environment": "# Variables that it gets beside the usual ones.",
    "safe_to_rerun": "# yes | ask | never: may a person run it again after it has run before?",
}
_END = """
# A [schedule] table says when it runs by itself; without one it runs by hand only.
"""


def edited(text: str, old: ScheduleDraft | JobDraft, new: ScheduleDraft | JobDraft) -> str:
    """The text of a job file that says what `new` says, where `old` is what it says now.

    Only keys whose value differs are touched; drafts that mean the same give the same text. Neither draft
    may have problems. An error in words where the file is written so that the change cannot be made safely.
    """
    before, after = _values(old), _values(new)
    if before == after:
        return text
    changed = with_values(text, before, after, tables=TABLES, swaps=_SWAPS)
    if not _is_as_meant(text, changed, new):
        raise RidgelineError(
            "this job file is written in a way that the form cannot change without touching more; "
            "change it in a text editor"
        )
    return changed


def new_job_text(draft: JobDraft) -> str:
    """The text of a new job file: the form's values, a few comments, and no schedule, so by hand."""
    lines = [f"# {draft.job_id}.toml: one job. Comments are yours; Ridgeline keeps them."]
    for key, value in details_values(draft).items():
        lines += [_NOTES[key]] if key in _NOTES else []
        lines.append(f"{key} = {toml_value(value)}")
    return "\n".join(lines) + "\n" + _END


def _values(draft: ScheduleDraft | JobDraft) -> dict[str, Any]:
    if isinstance(draft, JobDraft):
        return details_values(draft)
    answer = checked(draft)
    if answer.schedule is None or answer.run is None:
        raise ValueError(f"the draft has problems: {answer.problems}")
    return schedule_values(answer.schedule, answer.run)


def _is_as_meant(text: str, changed: str, new: ScheduleDraft | JobDraft) -> bool:
    """Whether the changed text says what the draft says, and everything else as before."""
    job_id = new.job_id if isinstance(new, JobDraft) else "job"
    before, after = _read(text, job_id), _read(changed, job_id)
    if before is None or after is None:
        return False
    if isinstance(new, JobDraft):
        others = (before.schedule, before.run, before.alerts, before.secrets, before.lock_files)
        return others == (after.schedule, after.run, after.alerts, after.secrets, after.lock_files) and (
            details_values(details_of(after)) == _values(new)
        )
    rest = replace(after, schedule=before.schedule, run=with_limits(after.run, before.run))
    return rest == before and schedule_values(after.schedule, after.run) == _values(new)


def _read(text: str, job_id: str) -> Job | None:
    """The job without what depends on how its file is written."""
    job = read_job_file(f"{job_id}.toml", text, shop_zone="UTC").job
    return replace(job, definition="", schedule_text="") if job else None
