"""Causes that lie outside a job's program: this computer's schedule, its lock, its clock, a pause."""

from datetime import datetime

from ridgeline_desktop.core import next_steps
from ridgeline_desktop.core.job_facts import JobFacts, refused_by_lock
from ridgeline_desktop.core.locks import Liveness, LockEvidence, Verdict, VerdictKind
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import started_how
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.core.snapshots import ReasonLine, Step, StepKind
from ridgeline_desktop.core.texts import clock_text, last_success_text, length_text, pause_text, sentence_of

# What is said in the place of a scheduler's own words, which then are the proof.
_PLAINLY = {
    RegistrationState.SCHEDULER_STOPPED: "What starts jobs at their times is not running on this computer",
    RegistrationState.UNVERIFIABLE: "It cannot be told whether this computer's schedule starts it",
}
_HINTS = {
    RegistrationState.MISSING: "It was registered here before. A rebuilt computer has lost such entries",
    RegistrationState.CHANGED: "Somebody changed the entry outside Ridgeline, or the job file since",
    RegistrationState.PROGRAM_GONE: "That happens when Ridgeline was moved or installed anew",
    RegistrationState.DUPLICATE: "Each of its entries starts it",
}
_REGISTER = {
    RegistrationState.MISSING: "Register it again, if it should run on this computer",
    RegistrationState.NEVER_REGISTERED: "Register it, if it should run on this computer",
    RegistrationState.CHANGED: "Register it again, as its job file says",
    RegistrationState.DUPLICATE: "Register it again: one entry stays",
    RegistrationState.DISABLED: "Register it again: that switches it on",
    RegistrationState.PROGRAM_GONE: "Register it again, with the program that is here now",
}
_REFUSED = (RegistrationState.MISSING, RegistrationState.NEVER_REGISTERED)


def registration(facts: JobFacts) -> ReasonLine | None:
    """The schedule of this computer does not start the job as it should, or that cannot be told."""
    finding = facts.finding
    if finding is None or finding.state not in DRIFT | {
        RegistrationState.NEVER_REGISTERED,
        RegistrationState.UNVERIFIABLE,
    }:
        return None
    said = sentence_of(finding.sentence)
    if finding.state is RegistrationState.SCHEDULER_STOPPED and finding.backend is BackendName.IN_APP:
        text, hint = "Ridgeline itself starts this job, and only while it is open", ""
    elif finding.state in _PLAINLY:
        text, hint = _PLAINLY[finding.state], said
    else:
        text, hint = said, _HINTS.get(finding.state, "") if _helps_to_register(finding) else ""
    return ReasonLine(
        code=finding.state.value,
        text=text,
        proof=tuple(filter(None, (hint, _silence(facts)))),
        steps=(*_steps_to_register(facts, finding), next_steps.ask(facts)),
    )


def _steps_to_register(facts: JobFacts, finding: Finding) -> list[Step]:
    state = finding.state
    if state is RegistrationState.SCHEDULER_STOPPED:
        keep = Step(kind=StepKind.WAIT, text="Keep Ridgeline open: it then starts the job at its times")
        return [*([keep] if finding.backend is BackendName.IN_APP else []), next_steps.run_now(facts)]
    if state in _REGISTER and _helps_to_register(finding):
        return [Step(kind=StepKind.REGISTER, text=_REGISTER[state])]
    if state in _REFUSED or state is RegistrationState.NEXT_RUN_DIFFERS:
        return [Step(kind=StepKind.EDIT_SCHEDULE, text="Choose times that this computer can keep")]
    return []


def _helps_to_register(finding: Finding) -> bool:
    """Whether registering can mend it: not where the scheduler refuses the entry, or none is wanted."""
    return finding.wanted != "" and not finding.sentence.startswith("it cannot be registered")


def lock(facts: JobFacts) -> ReasonLine | None:
    """Another run holds the lock, left it behind, or nobody can tell."""
    verdict = facts.verdict
    if verdict is None or verdict.kind is VerdictKind.FREE:
        return None
    if facts.runner_is_gone:
        return _runner_gone(facts, verdict)
    if verdict.kind is VerdictKind.HELD and facts.running is not None and not refused_by_lock(facts.records):
        return None
    began = _began(facts)
    look = "Look at the lock"
    if verdict.kind is VerdictKind.HELD:
        text = f"Another run holds the lock and is still going on{f': it {began}' if began else ''}"
        steps = [Step(kind=StepKind.WAIT, text="Wait for it: two runs at once could do harm")]
    elif verdict.kind is VerdictKind.DEAD:
        text = f"A run is over but left its lock behind{f': it {began}' if began else ''}"
        look, steps = "Look at the lock and clear it. The next run can then start", []
    else:
        text, steps = "It cannot be told whether another run is still going on", []
    steps.append(Step(kind=StepKind.SHOW_LOCK, text=look))
    if verdict.kind is not VerdictKind.DEAD:
        steps.append(next_steps.ask(facts))
    proof = tuple(filter(None, (*_lock_proof(facts.evidence, verdict), _silence(facts))))
    return ReasonLine(code=f"lock-{verdict.kind.value}", text=text, proof=proof, steps=tuple(steps))


def _runner_gone(facts: JobFacts, verdict: Verdict) -> ReasonLine:
    return ReasonLine(
        code="runner-gone",
        text="The job runs on, but what watches over it is gone, so nobody ends it when its time is over",
        proof=_lock_proof(facts.evidence, verdict),
        steps=(
            Step(kind=StepKind.SHOW_LOCK, text="Look at the lock: it says which program still runs"),
            Step(kind=StepKind.WAIT, text="Wait for it to end. The next check then puts things in order"),
            next_steps.ask(facts),
        ),
    )


def paused(facts: JobFacts) -> ReasonLine | None:
    """Somebody paused the job."""
    if facts.pause is None:
        return None
    begun = clock_text(facts.pause.begun_at, zone=facts.zone, now=facts.now)
    return ReasonLine(
        code="paused",
        text=sentence_of(pause_text(facts.pause, zone=facts.zone, now=facts.now)),
        proof=(f"Paused since {begun}", _last_success(facts)),
        steps=(Step(kind=StepKind.RESUME, text="Resume it, if the schedule should start it again"),),
    )


def clock(facts: JobFacts) -> ReasonLine | None:
    """A record can only have been written while the clock ran ahead."""
    if not facts.clock_was_wrong:
        return None
    return ReasonLine(
        code="clock-wrong",
        text="This computer's clock was wrong: a run is recorded as ended in the future, and does not count",
        proof=(f"The clock now says {facts.now.astimezone(facts.zone):%Y-%m-%d %H:%M}", _last_success(facts)),
        steps=(next_steps.run_now(facts), next_steps.ask(facts)),
    )


def _silence(facts: JobFacts) -> str:
    return _last_success(facts) if facts.is_silent else ""


def _last_success(facts: JobFacts) -> str:
    ended = facts.last_success.finished_at if facts.last_success else None
    return last_success_text(facts.expected, last_success=ended, zone=facts.zone, now=facts.now)


def _began(facts: JobFacts) -> str:
    """When and by whom the run began that holds the lock, as far as its record says so."""
    evidence = facts.evidence
    if evidence is None:
        return ""
    by = started_how(evidence.trigger)
    try:
        moment = datetime.fromisoformat(evidence.started_at).astimezone(facts.zone)
    except (ValueError, OverflowError):
        return f"was started {by}" if by else ""
    ago = f", {length_text(facts.now - moment)} ago" if moment <= facts.now else ""
    return f"began {clock_text(moment, zone=facts.zone, now=facts.now)}{f' {by}' if by else ''}{ago}"


def _lock_proof(evidence: LockEvidence | None, verdict: Verdict) -> tuple[str, ...]:
    """The processes behind the verdict, or its own sentence where none was examined."""
    lines = []
    for name, finding in (("Its runner", evidence.runner), ("Its job", evidence.child)) if evidence else ():
        if finding is None:
            continue
        if finding.liveness is Liveness.ALIVE:
            lines.append(f"{name}, process {finding.pid}, is still there")
        elif finding.is_dead:
            lines.append(f"{name}, process {finding.pid}, is gone")
    if evidence and evidence.survivors:
        lines.append(f"Still there of that run: process {', '.join(map(str, evidence.survivors))}")
    if verdict.kind is VerdictKind.CANNOT_TELL or not lines:
        lines.insert(0, sentence_of(verdict.sentence))
    return tuple(lines)
