"""The rows of jobs that cannot be judged: a broken or vanished job file, records that cannot be read."""

from datetime import timedelta

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.job_files import JobFile
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.next_steps import looked_after_by
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Step, StepKind
from ridgeline_desktop.core.texts import sentence_of
from ridgeline_desktop.core.toml_tables import Problem


def broken_row(file: JobFile) -> JobRow:
    """A job whose file is not in order."""
    first, more = file.problems[0], file.sentences()[1:]
    line = f"line {first.line}: " if first.line else ""
    reason = ReasonLine(
        code="broken-job-file",
        text=f"Its job file is not in order, so nothing can start it: {line}{first.message}",
        proof=(f"The file is {file.file_name}", *more),
        steps=(
            Step(kind=StepKind.EDIT_JOB, text="Put the file right; the light follows at once"),
            _ask_about(None),
        ),
    )
    return _blind_row(
        file.job_id, file.job_id, Attention.AMBER, reason, job=None, problems=tuple(file.problems)
    )


def vanished_row(job_id: str, all_gone: str, command: str) -> JobRow:
    """A job seen before, without a file now. `all_gone` says why none is there, `command` calls Ridgeline."""
    reason = ReasonLine(
        code="job-file-vanished",
        text=all_gone or "Its job file has vanished from the shop folder",
        proof=() if all_gone else (f"If that is meant: {command} unregister {job_id}",),
        steps=(_ask_about(None),),
    )
    return _blind_row(job_id, job_id, Attention.GREY, reason, job=None)


def unreadable_row(file: JobFile, why: str) -> JobRow:
    """A job whose records cannot be read."""
    if file.job is None:
        return broken_row(file)
    reason = ReasonLine(
        code="records-unreadable",
        text="The run records cannot be read, so its light cannot be trusted",
        proof=(sentence_of(why),),
        steps=(_ask_about(file.job),),
    )
    return _blind_row(file.job_id, file.job.title, Attention.GREY, reason, job=file.job)


def _ask_about(job: Job | None) -> Step:
    who = looked_after_by(job) if job else "whoever looks after the jobs"
    return Step(kind=StepKind.ASK, text=f"Ask {who}")


def _blind_row(
    job_id: str,
    title: str,
    claim: Attention,
    reason: ReasonLine,
    *,
    job: Job | None,
    problems: tuple[Problem, ...] = (),
) -> JobRow:
    return JobRow(
        job_id=job_id,
        title=title,
        health=Health.UNKNOWN,
        quiet=False,
        attention=claim,
        due=None,
        grace=timedelta(0),
        last_success=None,
        last_run=None,
        running=None,
        next_fire=None,
        registration=RegistrationState.UNVERIFIABLE,
        summary="can't tell",
        reasons=(reason,),
        job=job,
        problems=problems,
    )
