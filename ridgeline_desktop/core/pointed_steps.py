"""Steps that say where: the place in the runbook that fits, and where a repeat goes on."""

from ridgeline_desktop.core.runbooks import failure_of, heading_for
from ridgeline_desktop.core.snapshots import JobRow, Step, StepKind
from ridgeline_desktop.core.values import replace


def pointed(row: JobRow, *, runbook: str, progress: str) -> JobRow:
    """The row with its steps made precise; `runbook` and `progress` are "" where there are none.

    `runbook` is the whole text, `progress` a phrase such as "continues after 5047".
    """
    heading = heading_for(runbook, failure_of(row))
    reasons = tuple(
        replace(reason, steps=tuple(_pointed(step, heading, progress) for step in reason.steps))
        for reason in row.reasons
    )
    return replace(row, reasons=reasons)


def _pointed(step: Step, heading: str, progress: str) -> Step:
    if step.kind is StepKind.OPEN_RUNBOOK and heading:
        return replace(step, text=f"Open the runbook at “{heading}”", heading=heading)
    if step.kind is StepKind.RUN_NOW and progress:
        return replace(step, text=f"{step.text}: it {progress}")
    return step
