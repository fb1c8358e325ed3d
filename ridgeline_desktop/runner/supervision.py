"""Watching one attempt: output, exit, deadline, stop and signals, and the end of its whole tree."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.runner.child import Child
from ridgeline_desktop.runner.output import HEAD, SEGMENT
from ridgeline_desktop.runner.signals import Signals

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from ridgeline_desktop.core.ports import Clock, Processes, StopRequests

CHUNK = 256 << 10
LOOK_AGAIN = 0.05
Sink = Callable[[bytes], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds and bytes that shape a run; tests pass small ones.

    After TERM a tree has `kill_grace` (`signal_grace` where the runner itself must go, `leftover_grace`
    after its job's own exit), then KILL rounds for at most `kill_for`.
    """

    kill_grace: float = 5.0
    signal_grace: float = 1.0
    leftover_grace: float = 0.3
    kill_for: float = 1.0
    drain: float = 0.5
    stop_poll: float = 0.5
    log_head: int = HEAD
    log_segment: int = SEGMENT
    least_free: int = 1 << 20


class Cause(StrEnum):
    """Why an attempt, or the wait for the next one, came to its end."""

    EXITED = "exited"
    NOT_STARTED = "not-started"
    DEADLINE = "deadline"
    STOPPED = "stopped"
    SIGNALLED = "signalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an attempt ended. `wait_status` is the job's own (EXITED only), `signal` the runner's.

    `detail` is who stopped it, or why it did not start; `left_behind` counts processes ended after its
    own exit, `survivors` are those that could not be ended.
    """

    cause: Cause
    wait_status: int = 0
    signal: int = 0
    detail: str = ""
    left_behind: int = 0
    survivors: tuple[int, ...] = ()


class Supervisor:
    """Watches the attempts of one run. `deadline` is on the steady clock, None = none.

    `adopts` says that orphaned descendants become children of this process.
    """

    def __init__(
        self,
        *,
        run_id: str,
        clock: Clock,
        processes: Processes,
        stops: StopRequests,
        signals: Signals,
        limits: Limits,
        deadline: float | None,
        adopts: bool,
    ) -> None:
        self.run_id = run_id
        self.clock = clock
        self.processes = processes
        self.stops = stops
        self.signals = signals
        self.limits = limits
        self.deadline = deadline
        self.adopts = adopts
        self._next_poll = 0.0

    def time_left(self) -> float:
        """Seconds until the deadline, infinite without one."""
        return float("inf") if self.deadline is None else self.deadline - self.clock.steady()

    def interruption(self) -> Ending | None:
        """What asks this run to end now, or None."""
        number = self.signals.first()
        if number is not None:
            return Ending(cause=Cause.SIGNALLED, signal=number)
        now = self.clock.steady()
        if now >= self._next_poll:
            self._next_poll = now + self.limits.stop_poll
            who = self.stops.asked(self.run_id)
            if who is not None:
                return Ending(cause=Cause.STOPPED, detail=who)
        if self.deadline is not None and now >= self.deadline:
            return Ending(cause=Cause.DEADLINE)
        return None

    def wait(self, seconds: float) -> Ending | None:
        """Pass the time between two attempts; what cut it short, or None."""
        until = self.clock.steady() + seconds
        while (left := until - self.clock.steady()) > 0:
            found = self.interruption()
            if found is not None:
                return found
            select.select((self.signals.fd,), (), (), self._patience(left))
        return self.interruption()

    def watch(self, child: Child, sink: Sink, *, leave_children: bool) -> Ending:
        """Follow a started attempt to the end of its tree; its output goes to `sink` as it comes."""
        pump = _Pump(child, sink, self.signals)
        found = None
        while child.status is None:
            found = self.interruption()
            if found is not None:
                break
            pump.turn(self._patience(self.time_left()))
        if found is None:
            ending = self._after_exit(child, pump, leave_children=leave_children)
        else:
            grace = self.limits.signal_grace if found.cause is Cause.SIGNALLED else self.limits.kill_grace
            _, survivors = self._end_tree(child, pump, grace=grace)
            ending = replace(found, survivors=survivors)
        pump.close()
        return ending

    def end(self, child: Child) -> tuple[int, ...]:
        """End what is left of an attempt whose watching broke off; the processes that would not go."""
        return self._end_tree(child, _Pump(child, _dropped, self.signals), grace=0.0)[1]

    def _after_exit(self, child: Child, pump: _Pump, *, leave_children: bool) -> Ending:
        """The job itself is over, but its output need not be, and descendants may live on."""
        until = self.clock.steady() + self.limits.drain
        is_childless = pump.reap()
        while pump.is_open or not (leave_children or is_childless):
            left = until - self.clock.steady()
            if left <= 0:
                break
            pump.turn(left)
            is_childless = pump.reap()
        pump.empty()
        ending = Ending(cause=Cause.EXITED, wait_status=child.status or 0)
        if leave_children or (self.adopts and is_childless):
            return ending
        count, survivors = self._end_tree(child, pump, grace=self.limits.leftover_grace)
        return replace(ending, left_behind=count, survivors=survivors)

    def _end_tree(self, child: Child, pump: _Pump, *, grace: float) -> tuple[int, tuple[int, ...]]:
        """TERM and CONT for all, then KILL in rounds; how many there were, and who would not go."""
        tree = self.processes.tree(self.run_id, child.pid)
        count = len(tree)
        _signal(child, tree, signal.SIGTERM)
        _signal(child, tree, signal.SIGCONT)  # a stopped process takes TERM only once it goes on
        until = self.clock.steady() + grace
        while tree and (left := until - self.clock.steady()) > 0:
            pump.turn(min(left, LOOK_AGAIN))
            tree = self.processes.tree(self.run_id, child.pid)
        until = self.clock.steady() + self.limits.kill_for
        while tree and self.clock.steady() < until:
            _signal(child, tree, signal.SIGKILL)
            pump.turn(LOOK_AGAIN / 5)
            tree = self.processes.tree(self.run_id, child.pid)
        pump.empty()
        pump.reap()
        return count, tuple(tree)

    def _patience(self, seconds: float) -> float:
        return max(0.0, min(seconds, self.limits.stop_poll))


class _Pump:
    """Moves output from the job's pipe to a sink, and collects the exits of children."""

    def __init__(self, child: Child, sink: Sink, signals: Signals) -> None:
        self.is_open = True
        self._child = child
        self._sink = sink
        self._signals = signals

    def turn(self, seconds: float) -> None:
        """Wait at most so long for output, a signal or an exit, and take what there is.

        The signals are read before the exits: one that comes in between ends the wait.
        """
        self._signals.first()
        before = self._child.status
        self.reap()
        if self._child.status != before:
            return
        sources = (self._child.output, self._signals.fd) if self.is_open else (self._signals.fd,)
        if self._child.output in select.select(sources, (), (), max(0.0, seconds))[0]:
            self._read()

    def empty(self) -> None:
        """Take what stands in the pipe, without waiting for more, and no more than a pipe can hold."""
        for _ in range(8):
            if self.is_open and select.select((self._child.output,), (), (), 0)[0]:
                self._read()

    def reap(self) -> bool:
        """Collect the exits; whether no child is left, adopted ones among them."""
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self._child.pid:
                    self._child.status = found[1]
            return False
        return True

    def close(self) -> None:
        """Read no further."""
        if self.is_open:
            self.is_open = False
            os.close(self._child.output)

    def _read(self) -> None:
        chunk = os.read(self._child.output, CHUNK)
        if chunk:
            self._sink(chunk)
        else:
            self.close()


def _dropped(data: bytes) -> None:
    """Output that nobody wants any more."""


def _signal(child: Child, tree: tuple[int, ...], number: int) -> None:
    """Signal each process, and the job's group while its leader is unreaped: then the number is its own."""
    with suppress(ProcessLookupError, PermissionError):
        if child.status is None:
            os.killpg(child.pid, number)
    for pid in tree:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
