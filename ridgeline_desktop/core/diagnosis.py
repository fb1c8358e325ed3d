"""Why a light is not green: one rule per cause, the most specific first, each with its proof."""

import re
from collections.abc import Callable
from itertools import takewhile

from ridgeline_desktop.core.health import Assessment, Health
from ridgeline_desktop.core.locks import Verdict, VerdictKind
from ridgeline_desktop.core.registrations import DRIFT, Finding, RegistrationState
from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import ReasonLine
from ridgeline_desktop.core.values import dataclass

_TELLING = re.compile(
    r"""
      error | exception | fatal | fail | abort | panic | denied | refused | killed | invalid | unreachable
    | unable | cannot | can't | could\ not | not\ found | not\ permitted | no\ such | no\ space | timed?\ ?out
    | (?:\b|_)(?:http(?:/[\d.]+)?|status|code|response|answered|returned|got)\W{1,3}[45]\d\d\b
    | (?-i:\b[45]\d\d\ [A-Z][a-z])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ALL_WELL = re.compile(
    r"\b(?:0|no|without) (?:errors?|failures?|failed|exceptions?)\b|(?:errors?|failures?|failed) ?[:=] ?0\b",
    re.IGNORECASE,
)
_TRACEBACK = "Traceback (most recent call last)"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
_BAD = {
    RunStatus.FAILED: ("failed", "failed"),
    RunStatus.TIMED_OUT: ("ran out of time", "ran out of time"),
    RunStatus.INTERRUPTED: ("was cut short", "were cut short"),
}
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
    runner_is_gone: bool = False


def diagnose(facts: JobFacts) -> tuple[ReasonLine, ...]:
    """The causes that hold, most specific first; empty only where nothing is wrong.

    A job that is red, amber or grey for no known cause says so, instead of saying nothing.
    """
    found = tuple(line for rule in _RULES if (line := rule(facts)) is not None)
    silent = facts.assessment.is_red or facts.assessment.health in (Health.LATE, Health.UNKNOWN)
    if found or not (silent or refused_by_lock(facts.records)):
        return found
    return (_newest_event(facts),)


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
    """Whether the newest two starts were refused by a lock that no run has given back since."""
    refused = tuple(takewhile(_met_a_lock, records))
    if sum(record.count for record in refused) < 2:
        return False
    last = refused[0].finished_at or refused[0].started_at
    earlier = records[len(refused) :]
    return not any(record.finished_at is not None and record.finished_at >= last for record in earlier)


def _met_a_lock(record: RunRecord) -> bool:
    return record.status is RunStatus.REFUSED and record.reason_code in (
        Reason.LOCK_HELD,
        Reason.LOCK_UNCLEAR,
    )


def telling_line(output: bytes) -> str:
    """The line of a run's output that says most about its failure, "" where there is none.

    That is the last one that speaks of trouble, the exception at a traceback's end among them; else the last.
    """
    lines = [line for line in map(_plain, output.decode("utf-8", "replace").splitlines()) if line.strip()]
    line = next(reversed(_spoken(lines) or lines), "").strip()
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def _spoken(lines: list[str]) -> list[str]:
    found, in_traceback = [], False
    for line in lines:
        if _TRACEBACK in line:
            in_traceback = True
        elif not (in_traceback and line[0] == " "):
            if in_traceback or (_TELLING.search(line) and not _ALL_WELL.search(line)):
                found.append(line)
            in_traceback = False
    return found


def _plain(line: str) -> str:
    """The line without a terminal's colours, and a space for whatever else cannot be shown."""
    return "".join(char if char.isprintable() else " " for char in _ESCAPE.sub("", line)).rstrip()


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
    if facts.runner_is_gone:
        text = (
            f"its runner is gone and its job runs on, so nobody ends it at its deadline: {verdict.sentence}"
        )
        return ReasonLine(code="runner-gone", text=_sentence(text))
    if verdict.kind is VerdictKind.HELD and facts.running is not None and not refused_by_lock(facts.records):
        return None
    words = {
        VerdictKind.HELD: "another run holds the lock",
        VerdictKind.DEAD: "a run ended without giving back its lock, which can be cleared",
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
    statuses = _failures_in_a_row(facts.records)
    one, several = _BAD[record.status]
    if len(statuses) == 1:
        text = f"the last run {one}"
    elif len(set(statuses)) == 1:
        text = f"the last {len(statuses)} runs {several}"
    else:
        text = f"the last {len(statuses)} runs did not work, and the newest {one}"
    text = f"{text}: {record.reason}" if record.reason else text
    said = telling_line(facts.tail)
    return ReasonLine(
        code=record.status.value, text=_sentence(f"{text}; it said: “{said}”" if said else text)
    )


def _failures_in_a_row(records: tuple[RunRecord, ...]) -> list[RunStatus]:
    """The newest failures since a success; refusals and runs that a person stopped are passed over."""
    statuses = [record.status for record in records]
    end = statuses.index(RunStatus.COMPLETED) if RunStatus.COMPLETED in statuses else len(statuses)
    return [status for status in statuses[:end] if status in _BAD]


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


def _newest_event(facts: JobFacts) -> ReasonLine:
    """What happened last, where no rule knows the cause."""
    if facts.running is not None:
        return ReasonLine(code="running", text="A run is going on, and it has not succeeded yet")
    newest = next((record for record in facts.records if record.status is not RunStatus.RUNNING), None)
    if newest is not None and newest.status is RunStatus.STOPPED:
        return ReasonLine(code="stopped", text=_sentence(f"the last run was ended: {newest.reason}"))
    if newest is not None and newest.status is RunStatus.REFUSED:
        return ReasonLine(code="refused", text=_sentence(f"the last start was refused: {newest.reason}"))
    return ReasonLine(code="not-known", text="Ridgeline does not know why: no run has been recorded since")


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
