"""The evidence about a lock in the window's words: a line per fact, and what follows from them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.locks import (
    GuardState,
    Liveness,
    LockEvidence,
    ProcessFinding,
    Verdict,
    VerdictKind,
)
from ridgeline_desktop.core.runs import started_how
from ridgeline_desktop.core.texts import clock_text, plural

translate = QCoreApplication.translate
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")
_NOW_BELONGS = "the number now belongs to "


class Sign(StrEnum):
    """What a fact speaks for: the run being over, its being alive or unknown, or neither."""

    OVER = "over"
    CAREFUL = "careful"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One fact, as a sentence without a full stop."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a person needs to read a lock: the usual length of a run (None = unknown), the time, the zone."""

    usual: timedelta | None
    now: datetime
    zone: ZoneInfo


def sign_word(sign: Sign) -> str:
    """The sign for ears and tool tips."""
    return {
        Sign.OVER: translate("locks", "Over"),
        Sign.CAREFUL: translate("locks", "Careful"),
        Sign.NOTE: translate("locks", "Note"),
    }[sign]


def intro(evidence: LockEvidence, verdict: Verdict, reading: Reading) -> str:
    """What the lock itself says: when a run began and who began it."""
    if verdict.kind is VerdictKind.FREE:
        return translate("locks", "No run holds this lock.")
    started = _instant(evidence.started_at)
    if started is None:
        return translate("locks", "A lock says that a run is going on, but not since when.")
    when = _with_at(clock_text(started, zone=reading.zone, now=reading.now))
    by = started_how(evidence.trigger)
    if not by:
        return translate("locks", "A lock says a run started {when}.").format(when=when)
    return translate("locks", "A lock says a run started {when} (started {by}).").format(when=when, by=by)


def lines(evidence: LockEvidence, verdict: Verdict, reading: Reading) -> tuple[Line, ...]:
    """The facts that the verdict rests on, in the order they were asked, and the age last."""
    if verdict.kind is VerdictKind.FREE:
        return ()
    found = _examined(evidence) or _placed(evidence) or _processes(evidence, reading)
    age = _age(evidence, reading)
    return (*found, age) if age else found


def conclusion(evidence: LockEvidence, verdict: Verdict, reading: Reading) -> str:
    """What follows for the person who asks; "" for a lock that is free."""
    if verdict.kind is VerdictKind.DEAD:
        return translate("locks", "It is safe to clear this lock. The next run can then start.")
    if verdict.kind is VerdictKind.HELD:
        text = translate("locks", "It is still running{which}. Clearing the lock could run it twice.")
        return text.format(which=_which(evidence, reading))
    if verdict.kind is VerdictKind.CANNOT_TELL:
        if evidence.machine_named and not evidence.same_machine and evidence.recorded_host:
            text = translate(
                "locks",
                "It cannot be told from here whether it still runs, so the lock stays. Look on “{host}”.",
            )
            return text.format(host=evidence.recorded_host)
        return translate("locks", "It cannot be told whether it is still running, so the lock stays.")
    return ""


def details(evidence: LockEvidence, verdict: Verdict) -> str:
    """Everything for those who know what it means, a line each."""
    told = [
        verdict.sentence + (f" (line {verdict.line} of the decision table)" if verdict.line else ""),
        f"run {evidence.run_id or '(not named)'}, started {evidence.started_at or '(unknown)'},"
        f" trigger {evidence.trigger or '(unknown)'}",
        f"guard {evidence.guard.value}" + (f": {evidence.guard_detail}" if evidence.guard_detail else ""),
        _process("runner", evidence.runner),
        _process("job", evidence.child),
    ]
    if evidence.survivors:
        told.append(f"survivors: {', '.join(map(str, evidence.survivors))}")
    if evidence.record_detail:
        told.append(f"record: {evidence.record_detail}")
    if evidence.recorded_host:
        told.append(f"taken on {evidence.recorded_host}")
    if verdict.kind is VerdictKind.CANNOT_TELL and evidence.run_id:
        told.append(
            "Only if you are sure that nothing of that run is alive anywhere:\n"
            f"ridgeline lock clear {evidence.job_id} --force {evidence.run_id}"
        )
    return "\n".join(told)


def length_text(length: timedelta) -> str:
    """A length of time in its largest unit, rounded down: "40 seconds", "2 minutes", "11 hours", "3 days"."""
    seconds = max(0, int(length.total_seconds()))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size * (2 if word == "day" else 1):
            return plural(seconds // size, word)
    return plural(seconds, "second")


def _examined(e: LockEvidence) -> tuple[Line, ...]:
    if e.guard is GuardState.UNOPENABLE:
        return (_careful(translate("locks", "The lock cannot be opened: {why}").format(why=e.guard_detail)),)
    if e.guard is GuardState.HELD:
        return ()
    if not e.local_disk or not e.locks_work:
        text = translate(
            "locks", "The lock lies on a network folder, where other computers cannot be ruled out"
        )
        return (_careful(text),)
    if not e.record_readable:
        text = translate("locks", "What the run wrote about itself cannot be read: {why}")
        return (_careful(text.format(why=e.record_detail or translate("locks", "nobody knows why"))),)
    return ()


def _placed(e: LockEvidence) -> tuple[Line, ...]:
    if e.guard is GuardState.HELD:
        return ()
    if not e.machine_named:
        text = translate(
            "locks", "It began before a restart, and this computer cannot be told from others: it has no id"
        )
    elif not e.same_machine:
        text = translate("locks", "It was started on another computer: {host}").format(
            host=e.recorded_host or translate("locks", "one without a name")
        )
    elif not e.same_state_folder:
        text = translate(
            "locks", "It was started with other folders than these, and cannot be looked for here"
        )
    elif not e.same_boot:
        text = translate("locks", "This computer has restarted since, so nothing of that run can be left")
        return (Line(sign=Sign.OVER, text=text),)
    elif not e.same_pid_namespace:
        text = translate("locks", "It was started inside another container, which cannot be looked into")
    else:
        return ()
    return (_careful(text),)


def _processes(e: LockEvidence, reading: Reading) -> tuple[Line, ...]:
    found: list[Line] = []
    if e.runner is not None:
        found.append(_runner(e.runner, reading))
    if e.runner is None or e.runner.is_dead:
        found += _job(e, reading)
    if e.guard is GuardState.HELD:
        found.append(_careful(translate("locks", "The lock is in its hands: this computer itself says so")))
    return tuple(found)


def _runner(runner: ProcessFinding, reading: Reading) -> Line:
    texts = {
        Liveness.GONE: translate("locks", "That program is gone: there is no process {pid} any more"),
        Liveness.EXITED: translate("locks", "That program is gone: process {pid} has ended"),
        Liveness.REUSED: translate(
            "locks", "That program is gone: process {pid} now belongs to another program, {proof}"
        ),
        Liveness.ALIVE: translate("locks", "That program is still running: process {pid}, {proof}"),
        Liveness.UNREADABLE: translate(
            "locks", "There is a process {pid}, but it cannot be looked at: {proof}"
        ),
    }
    text = texts[runner.liveness].format(pid=runner.pid, proof=_proof(runner, reading))
    return Line(sign=Sign.OVER if runner.is_dead else Sign.CAREFUL, text=text)


def _job(e: LockEvidence, reading: Reading) -> list[Line]:
    child = e.child
    if e.child_recorded and (not e.child_readable or child is None):
        return [_careful(translate("locks", "What the run wrote about its job cannot be read"))]
    if child is not None and child.liveness is Liveness.ALIVE:
        text = translate("locks", "But its job is still running: process {pid}, {proof}")
        return [_careful(text.format(pid=child.pid, proof=_proof(child, reading)))]
    if child is not None and child.liveness is Liveness.UNREADABLE:
        text = translate("locks", "Its job's process {pid} is there, but it cannot be looked at: {proof}")
        return [_careful(text.format(pid=child.pid, proof=_proof(child, reading)))]
    return _after_job(e)


def _after_job(e: LockEvidence) -> list[Line]:
    if e.survivors:
        text = translate("locks", "Something it started is still running: {processes}")
        return [_careful(text.format(processes=_listed(e.survivors)))]
    if e.guard is GuardState.HELD:
        return []
    if not e.survivors_readable:
        text = translate("locks", "Whether something it started is left cannot be seen on this computer")
        return [_careful(text)]
    if e.child is None:
        text = translate("locks", "Its job had not been started, and nothing is left of it")
    else:
        text = translate("locks", "Its job is gone too, and nothing it started is left")
    return [Line(sign=Sign.OVER, text=text)]


def _age(e: LockEvidence, reading: Reading) -> Line | None:
    started = _instant(e.started_at)
    if started is None or started > reading.now:
        return None
    passed = length_text(reading.now - started)
    have = translate("locks", "has") if passed.startswith("1 ") else translate("locks", "have")
    if reading.usual is None:
        text = translate("locks", "{passed} {have} passed since then (age proves nothing)")
    else:
        text = translate("locks", "Runs usually take {usual}; {passed} {have} passed (age proves nothing)")
    usual = length_text(reading.usual) if reading.usual else ""
    return Line(sign=Sign.NOTE, text=text.format(usual=usual, passed=passed, have=have))


def _which(e: LockEvidence, reading: Reading) -> str:
    alive = next((p for p in (e.runner, e.child) if p and p.liveness is Liveness.ALIVE), None)
    who = translate("locks", "process {pid}").format(pid=alive.pid) if alive else _listed(e.survivors)
    started = _instant(e.started_at)
    since = translate("locks", "started {when}").format(when=_clock(started, reading)) if started else ""
    told = ", ".join(part for part in (who, since) if part)
    return f" ({told})" if told else ""


def _proof(finding: ProcessFinding, reading: Reading) -> str:
    """The proof with its instants on the shop's clock."""
    text = finding.proof.removeprefix(_NOW_BELONGS)

    def on_the_shops_clock(match: re.Match[str]) -> str:
        return _clock(datetime.fromisoformat(match[0]), reading)

    return _INSTANT.sub(on_the_shops_clock, text)


def _clock(moment: datetime, reading: Reading) -> str:
    return clock_text(moment, zone=reading.zone, now=reading.now).removeprefix("today ")


def _with_at(when: str) -> str:
    day, _, clock = when.rpartition(" ")
    if day in ("today", "yesterday", "tomorrow"):
        return translate("locks", "{day} at {clock}").format(day=day, clock=clock)
    return translate("locks", "on {day} at {clock}").format(day=day, clock=clock)


def _instant(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _listed(pids: tuple[int, ...]) -> str:
    if not pids:
        return ""
    word = translate("locks", "process") if len(pids) == 1 else translate("locks", "processes")
    return f"{word} {', '.join(map(str, pids))}"


def _process(name: str, finding: ProcessFinding | None) -> str:
    if finding is None:
        return f"{name}: nothing known"
    return f"{name}: process {finding.pid} {finding.liveness.value} ({finding.proof})"


def _careful(text: str) -> Line:
    return Line(sign=Sign.CAREFUL, text=text)
