"""From how an attempt ended to what its record says: status, reason and exit code."""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime, timedelta

from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import EXIT_REFUSED, Reason, RunRecord, RunStatus
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.runner.supervision import Cause, Ending

CLOCK_TICK = timedelta(milliseconds=10)  # file times are those of the kernel's last tick
WHOLE_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """What a record says of its end; `exit_code` None = the job never ended by itself."""

    status: RunStatus
    reason_code: Reason = Reason.NONE
    reason: str = ""
    exit_code: int | None = None

    def adding(self, *notes: str) -> End:
        """The same end with more said about it."""
        return replace(self, reason="; ".join(filter(None, (self.reason, *notes))))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """What `ridgeline run` came to: the record (None = there is none), exit code, a line for stderr or ""."""

    record: RunRecord | None
    exit_code: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the success rules are held against: texts seen in this attempt's output, and its start."""

    must_print: bool
    must_not_print: bool
    started_at: datetime
    home: str


def end_of(ending: Ending, job: Job, seen: Seen) -> End:
    """The end that one attempt, or an interrupted wait, gives to the record."""
    return _ended(ending, job, seen).adding(*_leftovers(ending))


def _ended(ending: Ending, job: Job, seen: Seen) -> End:
    if ending.cause is Cause.NOT_STARTED:
        return could_not_start(ending.detail)
    if ending.cause is Cause.DEADLINE:
        return End(
            status=RunStatus.TIMED_OUT,
            reason_code=Reason.DEADLINE,
            reason="not finished by its deadline",
        )
    if ending.cause is Cause.STOPPED:
        reason = f"stopped by {ending.detail}"
        return End(status=RunStatus.STOPPED, reason_code=Reason.STOPPED_BY, reason=reason)
    if ending.cause is Cause.SIGNALLED:
        return End(
            status=RunStatus.INTERRUPTED,
            reason_code=Reason.RUNNER_SIGNALLED,
            reason=f"the runner was told to end by signal {signal_name(ending.signal)}",
            exit_code=128 + ending.signal,
        )
    return _exited(ending, job, seen)


def _exited(ending: Ending, job: Job, seen: Seen) -> End:
    if os.WIFSIGNALED(ending.wait_status):
        number = os.WTERMSIG(ending.wait_status)
        words = (signal.strsignal(number) or "unnamed").lower()
        return End(
            status=RunStatus.FAILED,
            reason_code=Reason.SIGNAL,
            reason=f"ended by signal {signal_name(number)} ({words})",
            exit_code=128 + number,
        )
    code = os.waitstatus_to_exitcode(ending.wait_status)
    if code not in job.run.success.exit_codes:
        reason = f"exit code {code}"
        return End(status=RunStatus.FAILED, reason_code=Reason.EXIT_CODE, reason=reason, exit_code=code)
    broken = _broken_rule(job, seen)
    if broken:
        return End(status=RunStatus.FAILED, reason_code=Reason.SUCCESS_RULE, reason=broken, exit_code=code)
    return End(status=RunStatus.COMPLETED, exit_code=code)


def _broken_rule(job: Job, seen: Seen) -> str:
    rules = job.run.success
    if rules.must_not_print and seen.must_not_print:
        return f'it printed "{rules.must_not_print}", which it must not'
    if rules.must_print and not seen.must_print:
        return f'it did not print "{rules.must_print}"'
    if rules.fresh_file:
        return stale(expanded(rules.fresh_file, seen.home), since=seen.started_at)
    return ""


def stale(path: str, *, since: datetime) -> str:
    """Why the file at `path` is not one written since that instant, "" if it is."""
    try:
        written = os.stat(path).st_mtime_ns
    except OSError as error:
        words = os.strerror(error.errno).lower() if error.errno else str(error)
        return f"the file {path} that it should write cannot be found: {words}"
    instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=written // 1000)
    # A time without a fraction comes from a file system that counts whole seconds.
    start = since.replace(microsecond=0) if written % WHOLE_SECOND == 0 else since - CLOCK_TICK
    if instant >= start:
        return ""
    return f"the file {path} was last written {instant:%Y-%m-%d %H:%M:%S} UTC, before the run started"


def could_not_start(reason: str) -> End:
    """The end of a run whose program never began."""
    return End(status=RunStatus.REFUSED, reason_code=Reason.COULD_NOT_START, reason=reason)


def may_retry(end: End, job: Job) -> bool:
    """Whether this kind of end is one the job file wants tried again."""
    return end.reason_code is Reason.EXIT_CODE and end.exit_code in job.run.retry.exit_codes


def refused(record: RunRecord, *, kept: bool) -> RunOutcome:
    """The outcome of a start that was refused, and `kept` on record or not."""
    said = sentence(record) + ("" if kept else " (and this could not be recorded)")
    return RunOutcome(record=record, exit_code=EXIT_REFUSED, sentence=said)


def sentence(record: RunRecord) -> str:
    """One line for the person or the log behind stderr, "" where all is well."""
    if record.status is RunStatus.COMPLETED:
        return ""
    did = "did not start" if record.status is RunStatus.REFUSED else record.status.value
    return f"{record.job_id} {did}: {record.reason}"


def signal_name(number: int) -> str:
    """A signal as people write it: TERM, KILL, 35."""
    try:
        return signal.Signals(number).name.removeprefix("SIG")
    except ValueError:
        return str(number)


def expanded(path: str, home: str) -> str:
    """A path of the job file with its leading ~ spelled out."""
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def _leftovers(ending: Ending) -> tuple[str, ...]:
    ended = ending.left_behind - len(ending.survivors)
    notes = []
    if ending.left_behind and ended == 1:
        notes.append("1 process it left behind was ended")
    elif ending.left_behind and ended > 1:
        notes.append(f"{ended} processes it left behind were ended")
    if ending.survivors:
        notes.append(f"these processes could not be ended: {', '.join(map(str, ending.survivors))}")
    return tuple(notes)
