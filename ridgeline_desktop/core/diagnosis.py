"""Why a light is not green: one rule per cause, the most specific first, with proof and what to do."""

from collections.abc import Callable
from datetime import timedelta

from ridgeline_desktop.core import next_steps, outside_causes
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.job_facts import JobFacts, failures_in_a_row, last_ended, refused_by_lock
from ridgeline_desktop.core.output_lines import last_lines, telling_line, telling_lines, without_stamp
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import ReasonLine, Step, StepKind
from ridgeline_desktop.core.texts import (
    began_text,
    clock_text,
    end_text,
    last_success_text,
    length_text,
    sentence_of,
)
from ridgeline_desktop.core.values import replace

MANY_TIMES_LONGER = 3
WORTH_A_LOOK = timedelta(minutes=1)
NO_CHECK_SINCE = timedelta(minutes=15)
QUOTED_LINES = 3
PERHAPS = "Perhaps the computer was off or asleep at that time, or nobody was logged in"
_ENDED = {
    RunStatus.FAILED: ("failed", "failed"),
    RunStatus.TIMED_OUT: ("ran out of time", "ran out of time"),
    RunStatus.INTERRUPTED: ("was cut short", "were cut short"),
}


def diagnose(facts: JobFacts) -> tuple[ReasonLine, ...]:
    """The causes that hold, most specific first; empty only where nothing is wrong.

    A job that is red, amber or grey for no known cause says so, instead of saying nothing.
    """
    found = [line for rule in _RULES if (line := rule(facts)) is not None]
    if not found and (facts.is_silent or refused_by_lock(facts.records)):
        found.append(_newest_event(facts))
    return _said_once(found)


def _said_once(lines: list[ReasonLine]) -> tuple[ReasonLine, ...]:
    """The same without what an earlier one has proven already."""
    said: set[str] = set()
    told = []
    for line in lines:
        told.append(replace(line, proof=tuple(proof for proof in line.proof if proof not in said)))
        said.update(line.proof)
    return tuple(told)


def _could_not_start(facts: JobFacts) -> ReasonLine | None:
    record = last_ended(facts.records)
    if record is None or record.status is not RunStatus.REFUSED:
        return None
    when = clock_text(record.finished_at or record.started_at, zone=facts.zone, now=facts.now)
    times = f"{record.count} times, the last time " if record.count > 1 else ""
    return ReasonLine(
        code="could-not-start",
        text=f"It could not start: {record.reason}",
        proof=(f"It was tried {times}{when}", _last_success(facts)),
        steps=(
            *next_steps.open_runbook(facts),
            Step(kind=StepKind.EDIT_JOB, text="Put right what is missing, or what its job file says of it"),
            next_steps.run_now(facts),
            next_steps.ask(facts),
        ),
    )


def _running_long(facts: JobFacts) -> ReasonLine | None:
    if facts.running is None or facts.usual is None:
        return None
    so_far = facts.now - facts.running.started_at
    if so_far < max(MANY_TIMES_LONGER * facts.usual, WORTH_A_LOOK):
        return None
    began = clock_text(facts.running.started_at, zone=facts.zone, now=facts.now)
    wait = "Wait for it"
    if facts.deadline is not None and facts.deadline > so_far:
        ends = clock_text(facts.running.started_at + facts.deadline, zone=facts.zone, now=facts.now)
        wait = f"Wait for it. Ridgeline ends it {ends}, if it is not done by then"
    return ReasonLine(
        code="running-long",
        text=f"A run takes {length_text(so_far)} so far; usually it takes {length_text(facts.usual)}",
        proof=(f"It began {began}", "A long time proves nothing: it may still be at work"),
        steps=(
            Step(kind=StepKind.SHOW_OUTPUT, text="Read what it says: does it still come on?"),
            Step(kind=StepKind.WAIT, text=wait),
            next_steps.ask(facts),
        ),
    )


def _failed(facts: JobFacts) -> ReasonLine | None:
    record = last_ended(facts.records)
    if record is None or record.status not in _ENDED:
        return None
    failures = failures_in_a_row(facts.records)
    one, several = _ENDED[record.status]
    if len(failures) == 1:
        text = f"The last run {one}"
    elif all(each.status is record.status for each in failures):
        text = f"The last {len(failures)} runs {several}"
    else:
        text = f"The last {len(failures)} runs did not work, and the newest {one}"
    why = _why_it_failed(facts, record)
    return ReasonLine(
        code=record.status.value,
        text=f"{text}: {why}" if why else text,
        proof=tuple(filter(None, _proof_of_failure(facts, record, failures))),
        steps=_steps_after_failure(facts, record),
    )


def _why_it_failed(facts: JobFacts, record: RunRecord) -> str:
    if record.status is RunStatus.TIMED_OUT and record.duration is not None:
        return f"ended after {length_text(timedelta(seconds=record.duration))}"
    if record.reason_code in (Reason.SUCCESS_RULE, Reason.REPORTED):
        return record.reason
    if record.reason_code in _ENDED_FROM_OUTSIDE:
        return _ENDED_FROM_OUTSIDE[record.reason_code]
    return without_stamp(telling_line(facts.tail)) if record.status is RunStatus.FAILED else ""


def _proof_of_failure(facts: JobFacts, record: RunRecord, failures: tuple[RunRecord, ...]) -> tuple[str, ...]:
    lines = [began_text([each.started_at for each in failures], zone=facts.zone, now=facts.now)]
    lines.append(end_text(record))
    if record.reason_code is Reason.RUNNER_DIED:
        lines.append(sentence_of(record.reason.partition(": ")[2]))
    elif record.reason_code not in (Reason.SUCCESS_RULE, Reason.REPORTED):
        lines.append(sentence_of(record.reason.partition("; ")[2]))
    if record.attempt > 1:
        lines.append(f"It was tried {record.attempt} times in that run")
    if record.status is RunStatus.TIMED_OUT and facts.usual is not None:
        lines.append(f"Its runs usually take {length_text(facts.usual)}")
    lines.append(_last_success(facts))
    lines += [f"It said: “{line}”" for line in telling_lines(facts.tail, most=QUOTED_LINES)]
    return tuple(lines)


def _steps_after_failure(facts: JobFacts, record: RunRecord) -> tuple[Step, ...]:
    steps = [*next_steps.open_runbook(facts), *next_steps.show_output(facts)]
    if record.status is RunStatus.TIMED_OUT:
        limit = f" than {length_text(facts.deadline)}" if facts.deadline is not None else ""
        steps.append(Step(kind=StepKind.EDIT_SCHEDULE, text=f"Give it more time, if it needs more{limit}"))
    if facts.running is not None:
        steps.append(Step(kind=StepKind.WAIT, text="Wait for the run that is going on"))
    else:
        steps.append(next_steps.run_now(facts))
    return (*steps, next_steps.ask(facts))


def _never_ran(facts: JobFacts) -> ReasonLine | None:
    red = facts.assessment.health is Health.NEVER_SUCCEEDED and facts.assessment.is_red
    if not red or last_ended(facts.records) is not None or facts.running is not None:
        return None
    due = clock_text(facts.expected.due, zone=facts.zone, now=facts.now) if facts.expected.due else ""
    return ReasonLine(
        code="never-ran",
        text="It never had a first run on this computer",
        proof=tuple(
            filter(None, (f"Its first run was due {due}" if due else "", PERHAPS, _unchecked(facts)))
        ),
        steps=(*next_steps.open_runbook(facts), next_steps.run_now(facts), next_steps.ask(facts)),
    )


def _newest_event(facts: JobFacts) -> ReasonLine:
    """What happened last, where no rule knows the cause."""
    code, text = "not-known", "Ridgeline does not know why: no run has been recorded since"
    newest = next((record for record in facts.records if record.status is not RunStatus.RUNNING), None)
    steps = [*next_steps.open_runbook(facts), *next_steps.show_output(facts)]
    proof = [_last_success(facts)]
    if facts.running is not None:
        began = clock_text(facts.running.started_at, zone=facts.zone, now=facts.now)
        code, text = "running", "A run is going on, and it has not succeeded yet"
        proof.insert(0, f"It began {began}")
        steps.append(Step(kind=StepKind.WAIT, text="Wait for the run that is going on"))
    else:
        steps.append(next_steps.run_now(facts))
        if newest is not None and newest.status is RunStatus.STOPPED:
            code, text = "stopped", f"The last run was ended: {newest.reason}"
        elif newest is not None and newest.status is RunStatus.REFUSED:
            code, text = "refused", f"The last start was refused: {newest.reason}"
        else:
            proof.append(PERHAPS)
        proof.append(_unchecked(facts))
    proof += [f"Its last run said: “{line}”" for line in last_lines(facts.tail, most=QUOTED_LINES)]
    return ReasonLine(
        code=code, text=text, proof=tuple(filter(None, proof)), steps=(*steps, next_steps.ask(facts))
    )


def _last_success(facts: JobFacts) -> str:
    ended = facts.last_success.finished_at if facts.last_success else None
    return last_success_text(facts.expected, last_success=ended, zone=facts.zone, now=facts.now)


def _unchecked(facts: JobFacts) -> str:
    """That the records may lag behind: what died meanwhile was settled by nobody."""
    if facts.checked_at is None or facts.now - facts.checked_at < NO_CHECK_SINCE:
        return ""
    when = clock_text(facts.checked_at, zone=facts.zone, now=facts.now)
    return f"Nobody has checked since {when}: the background check is silent"


_ENDED_FROM_OUTSIDE = {
    Reason.SIGNAL: "its program crashed, or was ended from outside",
    Reason.RUNNER_DIED: "it ended without a word, as when the power fails",
    Reason.RUNNER_SIGNALLED: "it was told to end, as when the computer shuts down",
}
_RULES: tuple[Callable[[JobFacts], ReasonLine | None], ...] = (
    outside_causes.registration,
    outside_causes.lock,
    _could_not_start,
    _running_long,
    _failed,
    _never_ran,
    outside_causes.paused,
    outside_causes.clock,
)
