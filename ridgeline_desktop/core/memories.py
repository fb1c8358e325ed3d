"""What is remembered of a job when it is judged, gathered in one place; how a lost run is written off."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import (
    Expectation,
    JobState,
    Pause,
    after_change,
    expectation_of,
    held_if_overdue,
    new_state,
)
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import FUTURE_TOLERANCE, Actor, RunRecord, anchor_of
from ridgeline_desktop.core.values import dataclass, replace

TYPE_CHECKING = False  # the ports are names for mypy here; loading them would slow every start
if TYPE_CHECKING:
    from ridgeline_desktop.core.ports import Spool, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A job with what this computer knows of it at `now`: its state, its newest pause and newest success.

    `is_new` says that nothing was remembered yet. `zone` is the shop's.
    """

    job: Job
    state: JobState
    is_new: bool
    pause: Pause | None
    success: RunRecord | None
    zone: ZoneInfo
    now: datetime

    @property
    def anchor(self) -> datetime | None:
        """What the newest success speaks for; None without one."""
        return anchor_of(self.success) if self.success else None

    @property
    def excuse(self) -> datetime | None:
        """Up to when the newest pause excuses silence; None without one."""
        return self.pause.excused_until(now=self.now) if self.pause else None

    @property
    def is_paused(self) -> bool:
        """Whether the pause still lasts."""
        return self.pause is not None and self.pause.end(now=self.now) is None

    def noticed(self) -> JobState:
        """The state once the present schedule has been noticed; the same object where nothing changed.

        Instants that only a clock running ahead can have written become now.
        """
        state = self.state
        latest = self.now + FUTURE_TOLERANCE
        if state.first_seen > latest:
            state = replace(state, first_seen=self.now)
        if state.changed_at is not None and state.changed_at > latest:
            state = replace(state, changed_at=self.now)
        return after_change(
            self.job, state, anchor=self.anchor, resumed_at=self.excuse, zone=self.zone, now=self.now
        )

    def expectation(self) -> Expectation:
        """What is expected of the job, its present schedule noticed."""
        return expectation_of(
            self.job,
            self.noticed(),
            anchor=self.anchor,
            resumed_at=self.excuse,
            zone=self.zone,
            now=self.now,
        )

    def held(self) -> JobState:
        """The noticed state, with what the job is overdue by held fast: for the beginning of a pause."""
        return held_if_overdue(
            self.job,
            self.noticed(),
            anchor=self.anchor,
            resumed_at=self.excuse,
            zone=self.zone,
            now=self.now,
        )


def remember(store: Store, job: Job, *, zone: ZoneInfo, now: datetime) -> Memory:
    """Read what the store knows of `job`; nothing is written."""
    state = store.job_state(job.job_id)
    return Memory(
        job=job,
        state=state or new_state(job, now=now),
        is_new=state is None,
        pause=store.pause_of(job.job_id),
        success=store.last_success(job.job_id, now=now),
        zone=zone,
        now=now,
    )


def take_note(store: Store, memory: Memory) -> None:
    """Write down a job seen for the first time, or a schedule that has changed."""
    noticed = memory.noticed()
    if memory.is_new or noticed is not memory.state:
        store.save_job_state(noticed)


def write_off(
    store: Store, spool: Spool, *, job_id: str, run_id: str, why: str, actor: Actor, now: datetime
) -> bool:
    """Settle a run whose runner is gone as interrupted, and journal who found it and by what proof.

    False where the run was over already.
    """
    proof = why[:1].lower() + why[1:]
    settled = store.settle_run(run_id, at=now, reason=f"its runner ended without a word: {proof}")
    spool.release(run_id)
    if settled:
        store.journal(at=now, actor=actor, action="settle", job_id=job_id, run_id=run_id, detail=why)
    return settled
