"""Why a light is not green: one rule per cause, the most specific first, each with its proof."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.locks import Verdict, VerdictKind
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import ReasonLine

_TELLING = re.compile(
    r"error|exception|traceback|fail|denied|refused|no space|not found|timed? ?out|\b[45]\d\d\b",
    re.IGNORECASE,
)
_BAD = (RunStatus.FAILED, RunStatus.TIMED_OUT, RunStatus.INTERRUPTED)
LONGEST_LINE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFacts:
    """What is known of one job. `records` are newest first; `tail` is the end of the newest run's output."""

    assessment: Assessment
    records: tuple[RunRecord, ...]
    running: RunRecord | None
    finding: Finding | None
    verdict: Verdict | None
    tail: bytes = b""
    paused: str = ""
    clock_was_wrong: bool = False


def diagnose(facts: JobFacts) -> tuple[ReasonLine, ...]:
    """The causes that hold, most specific first; empty only where nothing is wrong.

    A job that is red or amber for no known cause says so, instead of saying nothing.
    """
    found = tuple(line for rule in _RULES if (line := rule(facts)) is not None)
    wrong = facts.assessment.is_red or facts.assessment.health in (Health.LATE, Health.UNKNOWN)
    if wrong and not found:
        return (
            ReasonLine(code="not-known", text="Ridgeline does not know why: no run has been recorded since"),
        )
    return found


def last_ended(records: tuple[RunRecord, ...]) -> RunRecord | None:
    """The newest record that says something about the job's work: no running one, no mere refusal."""
    for record in records:
        refused = record.status is RunStatus.REFUSED and record.reason_code is not Reason.COULD_NOT_START
        if record.status is not RunStatus.RUNNING and not refused:
            return record
    return None


def did_not_work(record: RunRecord | None) -> bool:
    """Whether a run is a failure that somebody should look at; one stopped by a person is not."""
    if record is None:
        return False
    could_not_start = record.status is RunStatus.REFUSED and record.reason_code is Reason.COULD_NOT_START
    return record.status in _BAD or could_not_start


def refused_by_lock(records: tuple[RunRecord, ...]) -> bool:
    """Whether the newest two starts were refused by one and the same lock."""
    newest = next((record for record in records if record.status is not RunStatus.RUNNING), None)
    if newest is None or newest.status is not RunStatus.REFUSED or newest.count < 2:
        return False
    return newest.reason_code in (Reason.LOCK_HELD, Reason.LOCK_UNCLEAR)


def telling_line(output: bytes) -> str:
    """The line of a run's output that says most about its failure, "" where there is none."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines:
        return ""
    spoken = [line for line in lines if _TELLING.search(line)]
    line = "".join(char if char.isprintable() else " " for char in (spoken or lines)[-1])
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def _registration(facts: JobFacts) -> ReasonLine | None:
    finding = facts.finding
    if finding is None or finding.state not in DRIFT | {
        RegistrationState.NEVER_REGISTERED,
        RegistrationState.UNVERIFIABLE,
    }:
        return None
    return ReasonLine(code=finding.state.value, text=_sentence(finding.sentence))


def _lock(facts: JobFacts) -> ReasonLine | None:
    verdict = facts.verdict
    if verdict is None or verdict.kind is VerdictKind.FREE:
        return None
    if verdict.kind is VerdictKind.HELD and facts.running is not None and not refused_by_lock(facts.records):
        return None
    words = {
        VerdictKind.HELD: "another run holds the lock",
        VerdictKind.DEAD: "a run ended without cleaning up; the next start or check clears its lock",
        VerdictKind.CANNOT_TELL: "it cannot be told whether another run is still going on",
    }
    return ReasonLine(
        code=f"lock-{verdict.kind.value}", text=_sentence(f"{words[verdict.kind]}: {verdict.sentence}")
    )


def _could_not_start(facts: JobFacts) -> ReasonLine | None:
    record = last_ended(facts.records)
    if record is None or record.status is not RunStatus.REFUSED:
        return None
    return ReasonLine(code="could-not-start", text=_sentence(f"it could not start: {record.reason}"))


def _failed(facts: JobFacts) -> ReasonLine | None:
    record = last_ended(facts.records)
    if record is None or record.status not in _BAD:
        return None
    count = _failures_in_a_row(facts.records)
    runs = "the last run" if count == 1 else f"the last {count} runs"
    said = telling_line(facts.tail)
    reason = record.reason or record.status.value
    if record.status is RunStatus.TIMED_OUT:
        text = f"{runs} ran out of time: {reason}"
    elif record.status is RunStatus.INTERRUPTED:
        text = (
            f"{runs} was cut short: {reason}" if count == 1 else f"{runs} did not work; the newest: {reason}"
        )
    else:
        text = f"{runs} failed: {reason}"
    return ReasonLine(
        code=record.status.value, text=_sentence(f"{text}; it said: “{said}”" if said else text)
    )


def _failures_in_a_row(records: tuple[RunRecord, ...]) -> int:
    count = 0
    for record in records:
        if record.status in _BAD:
            count += 1
        elif record.status is RunStatus.COMPLETED:
            break
    return count


def _never_ran(facts: JobFacts) -> ReasonLine | None:
    red = facts.assessment.health is Health.NEVER_SUCCEEDED and facts.assessment.is_red
    if not red or last_ended(facts.records) is not None:
        return None
    return ReasonLine(code="never-ran", text="It never had a first run on this computer")


def _paused(facts: JobFacts) -> ReasonLine | None:
    return ReasonLine(code="paused", text=_sentence(facts.paused)) if facts.paused else None


def _clock(facts: JobFacts) -> ReasonLine | None:
    if not facts.clock_was_wrong:
        return None
    text = "This computer's clock was wrong: a run is recorded as finished in the future, and does not count"
    return ReasonLine(code="clock-wrong", text=text)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_RULES: tuple[Callable[[JobFacts], ReasonLine | None], ...] = (
    _registration,
    _lock,
    _could_not_start,
    _failed,
    _never_ran,
    _paused,
    _clock,
)
