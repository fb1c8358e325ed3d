"""What a person can do about a cause, in order; each step as a sentence that says what to expect."""

from ridgeline_desktop.core.job_facts import JobFacts
from ridgeline_desktop.core.jobs import Job, SafeToRerun
from ridgeline_desktop.core.snapshots import Step, StepKind


def open_runbook(facts: JobFacts) -> tuple[Step, ...]:
    """The runbook, where the job has one."""
    if not facts.job.runbook:
        return ()
    return (Step(kind=StepKind.OPEN_RUNBOOK, text="Open the runbook: it says what to do"),)


def show_output(facts: JobFacts, text: str = "Read what the run said") -> tuple[Step, ...]:
    """The output, where there is some."""
    return (Step(kind=StepKind.SHOW_OUTPUT, text=text),) if facts.tail.strip() else ()


def run_now(facts: JobFacts) -> Step:
    """Run it by hand, with what that means for this job; or why not."""
    wish = facts.job.safe_to_rerun
    if not facts.has_run:
        return Step(kind=StepKind.RUN_NOW, text="Run it now: it would be its first run here")
    if wish is SafeToRerun.YES:
        return Step(kind=StepKind.RUN_NOW, text="Run it now. It is safe to repeat")
    if wish is SafeToRerun.ASK:
        return Step(kind=StepKind.RUN_NOW, text="Run it now. It ran before, so Ridgeline asks first")
    why = "its job file says that it must never be run again by hand"
    if facts.job.is_scheduled:
        return Step(kind=StepKind.WAIT, text=f"Wait for its next run by the schedule: {why}")
    return Step(kind=StepKind.ASK, text=f"Ask {looked_after_by(facts.job)} before anything else: {why}")


def ask(facts: JobFacts) -> Step:
    """Who can help, if nothing else did."""
    state = "Still red?" if facts.assessment.is_red else "Still not right?"
    return Step(kind=StepKind.ASK, text=f"{state} Ask {looked_after_by(facts.job)}")


def looked_after_by(job: Job) -> str:
    """The person to ask, by name where the job file has one."""
    return job.looked_after_by or "whoever looks after it"
