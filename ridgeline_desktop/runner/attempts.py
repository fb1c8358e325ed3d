"""The attempts of one run: fork, gate, watch, judge; and again after a wait where the job file says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.retry import wait_before
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.runner.child import Child, Launch, adopt_orphans, fork_child
from ridgeline_desktop.runner.outcomes import End, Seen, end_of, may_retry
from ridgeline_desktop.runner.output import RunLog, TextWatch
from ridgeline_desktop.runner.supervision import Cause, Ending, Supervisor

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from random import Random

    from ridgeline_desktop.core.ports import HeldLock


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """How the last attempt ended, its number, and processes that could not be ended."""

    end: End
    attempt: int
    survivors: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """All attempts of one run. `new_random` is asked only when a wait is needed."""

    job: Job
    launch: Launch
    lock: HeldLock
    log: RunLog
    supervisor: Supervisor
    new_random: Callable[[], Random]
    started_at: datetime
    home: str

    def run(self) -> Tried:
        """Try until it works, cannot get better, or something ends the run."""
        rules = self.job.run.retry
        rng = None
        attempt = 1
        while True:
            tried = self._try(attempt)
            if not may_retry(tried.end, self.job) or attempt >= rules.attempts:
                return tried
            rng = rng or self.new_random()
            left = self.supervisor.time_left()
            wait = wait_before(attempt, rules, retry_after=None, time_left=left, rng=rng)
            if wait is None:
                return replace(tried, end=tried.end.adding("no time for another attempt before the deadline"))
            cut_short = self.supervisor.wait(wait)
            if cut_short is not None:
                return replace(tried, end=self._judge(cut_short, self._watches()))
            attempt += 1
            self.log.mark(f"attempt {attempt} of {rules.attempts}")

    def _try(self, attempt: int) -> Tried:
        watches = self._watches()
        ending = self.supervisor.interruption() or self._attempt(watches)
        end = self._judge(ending, watches)
        if end.status is RunStatus.REFUSED and attempt > 1:
            end = replace(end, status=RunStatus.FAILED)  # an earlier attempt did run
        if self.job.run.retry.attempts > 1 and end.status is RunStatus.FAILED:
            end = end.adding(f"attempt {attempt} of {self.job.run.retry.attempts}")
        return Tried(end=end, attempt=attempt, survivors=ending.survivors)

    def _attempt(self, watches: tuple[TextWatch, TextWatch]) -> Ending:
        child = self._start()
        if not isinstance(child, Child):
            return Ending(cause=Cause.NOT_STARTED, detail=child)

        def take(data: bytes) -> None:
            self.log.write(data)
            for watch in watches:
                watch.feed(data)

        leave = self.job.run.leave_children
        try:
            return self.supervisor.watch(child, take, leave_children=leave)
        except BaseException:
            self.supervisor.end(child)
            raise

    def _start(self) -> Child | str:
        """The job's process with its program running in it, or why there is none."""
        try:
            child = fork_child(self.launch)
        except OSError as error:
            return f"no process could be made for it: {error.strerror}"
        try:
            self.supervisor.adopts = self.supervisor.adopts or adopt_orphans()
            child.await_session()
            self.lock.publish_child(child.pid, self.launch.argv)
        except OSError as error:
            child.abandon()
            return f"its process could not be put on record: {error.strerror or error}"
        except BaseException:
            child.abandon()
            raise
        problem = child.start()
        if problem:
            self.lock.withdraw_child()
        return problem or child

    def _watches(self) -> tuple[TextWatch, TextWatch]:
        rules = self.job.run.success
        return TextWatch(rules.must_print), TextWatch(rules.must_not_print)

    def _judge(self, ending: Ending, watches: tuple[TextWatch, TextWatch]) -> End:
        seen = Seen(
            must_print=watches[0].seen,
            must_not_print=watches[1].seen,
            started_at=self.started_at,
            home=self.home,
        )
        return end_of(ending, self.job, seen)
