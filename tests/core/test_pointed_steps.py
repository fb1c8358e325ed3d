from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.pointed_steps import pointed
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Step, StepKind

RUNBOOK = """# Order sync
## When it fails
### The shop API answers 503
Mend it.
"""
STEPS = (
    Step(kind=StepKind.OPEN_RUNBOOK, text="Open the runbook: it says what to do"),
    Step(kind=StepKind.RUN_NOW, text="Run it now. It is safe to repeat"),
    Step(kind=StepKind.ASK, text="Still red? Ask Jordan"),
)
ROW = JobRow(
    job_id="order-sync",
    title="Order sync",
    health=Health.OVERDUE,
    quiet=False,
    attention=Attention.RED,
    due=datetime(2026, 3, 4, 15, tzinfo=UTC),
    grace=timedelta(minutes=10),
    last_success=None,
    last_run=None,
    running=None,
    next_fire=None,
    registration=RegistrationState.REGISTERED,
    summary="",
    reasons=(
        ReasonLine(code="failed", text="The last 4 runs failed: the shop API answered 503", steps=STEPS),
    ),
    job=None,
)


def steps(*, runbook: str = "", progress: str = "") -> list[tuple[str, str]]:
    [reason] = pointed(ROW, runbook=runbook, progress=progress).reasons
    return [(step.text, step.heading) for step in reason.steps]


def test_the_runbook_step_names_the_heading_that_fits_the_failure():
    heading = "The shop API answers 503"
    assert steps(runbook=RUNBOOK)[0] == (f"Open the runbook at “{heading}”", heading)


def test_the_run_step_says_where_a_repeat_goes_on():
    said = "Run it now. It is safe to repeat: it continues after 5047"
    assert steps(progress="continues after 5047")[1] == (said, "")


def test_without_a_fitting_heading_or_progress_nothing_is_added():
    assert steps(runbook="# Something else") == [(step.text, "") for step in STEPS]


def test_a_row_without_reasons_stays_as_it_is():
    calm = replace(ROW, reasons=())
    assert pointed(calm, runbook=RUNBOOK, progress="continues after 5047") == calm
