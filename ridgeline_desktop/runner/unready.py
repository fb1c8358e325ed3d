"""A start that fails before its job could be read: refused in words, on record where there is such a job."""

from __future__ import annotations

from datetime import datetime

from ridgeline_desktop.core.jobs import is_job_id
from ridgeline_desktop.core.runs import EXIT_REFUSED, Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.runner.outcomes import RunOutcome, refused, sentence
from ridgeline_desktop.runner.records import Records


def refuse_unready(
    records: Records,
    *,
    run_id: str,
    job_id: str,
    has_file: bool,
    trigger: Trigger,
    actor: Actor,
    at: datetime,
    why: str,
) -> RunOutcome:
    """Refuse the start. A job without file that this computer never saw is a slip of the pen: no record."""
    record = RunRecord(
        run_id=run_id,
        host_id=records.ask(lambda store: store.host_id(), otherwise=""),
        job_id=job_id,
        trigger=trigger,
        status=RunStatus.REFUSED,
        started_at=at,
        finished_at=at,
        recorded_at=at,
        actor=actor,
        reason_code=Reason.COULD_NOT_START,
        reason=why,
    )
    seen = has_file or records.ask(lambda store: store.job_state(job_id) is not None, otherwise=True)
    if not (seen and is_job_id(job_id)):
        return RunOutcome(record=None, exit_code=EXIT_REFUSED, sentence=sentence(record))
    return refused(record, kept=records.refuse(record))
