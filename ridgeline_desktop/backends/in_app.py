"""The scheduler inside the program: it starts jobs only while Ridgeline is open."""

import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from apscheduler.executors.base import BaseExecutor  # type: ignore[import-untyped]
from apscheduler.jobstores.base import JobLookupError  # type: ignore[import-untyped]
from apscheduler.jobstores.memory import MemoryJobStore  # type: ignore[import-untyped]
from apscheduler.schedulers.background import BackgroundScheduler  # type: ignore[import-untyped]
from apscheduler.triggers.base import BaseTrigger  # type: ignore[import-untyped]

from ridgeline_desktop.core.fire_times import latest_fire, next_fire
from ridgeline_desktop.core.registrations import Entry


class FireTimeTrigger(BaseTrigger):  # type: ignore[misc] # the library has no types
    """Tells APScheduler the fire times of one entry; its own reading of cron expressions is another one."""

    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None:
        """Give the fire time after the previous one, or after `now` for the first; None where there is none.

        Of several that have passed meanwhile only the newest is given: the others are not made up for.
        """
        schedule, zone = self._entry.schedule, self._entry.zone
        following = next_fire(schedule, zone=zone, after=(previous_fire_time or now).astimezone(UTC))
        if following is None or following > now:
            return following
        return latest_fire(schedule, zone=zone, at=now.astimezone(UTC))


class _Starter(BaseExecutor):  # type: ignore[misc] # the library has no types
    """Hands a due job to `start` with the fire time it serves, which the library's executors keep back."""

    def __init__(self, start: Callable[[str, datetime], None]) -> None:
        super().__init__()
        self._start = start

    def _do_submit_job(self, job: Any, run_times: Sequence[datetime]) -> None:
        # An error of `start` is logged by the scheduler, which then goes on to the next fire time.
        self._start(job.id, run_times[-1].astimezone(UTC))
        self._run_job_success(job.id, [])


class InAppScheduler:
    """Calls `start(job_id, fire_time)` at each fire time of its entries, on a thread of its own.

    `start` must return soon: it launches the run and does not wait for it. Entries live in memory and may
    come and go at any time, before it is started too.
    """

    def __init__(
        self,
        *,
        start: Callable[[str, datetime], None],
        trigger: Callable[[Entry], BaseTrigger] = FireTimeTrigger,
    ) -> None:
        self._trigger = trigger
        self._entries: dict[str, Entry] = {}
        self._scheduler = BackgroundScheduler(
            jobstores={"default": MemoryJobStore()},
            executors={"default": _Starter(start)},
            job_defaults={"misfire_grace_time": None, "coalesce": True},
            timezone=UTC,
        )

    def start(self) -> None:
        """Begin to start jobs."""
        self._scheduler.start()

    def shutdown(self) -> None:
        """Start no more jobs; those that run go on."""
        self._scheduler.shutdown()

    def wake(self, *, now: datetime) -> None:
        """Plan anew by the clock: it was set, or the computer slept, so the planned wait is wrong."""
        for job in self._scheduler.get_jobs():
            planned, upcoming = getattr(job, "next_run_time", None), job.trigger.get_next_fire_time(None, now)
            # A clock that ran ahead and was set right has left plans for a time far off.
            if planned and upcoming and upcoming < planned:
                job.modify(next_run_time=upcoming)
        self._scheduler.wakeup()

    def apply(self, entries: Sequence[Entry]) -> None:
        """Start these from now on, in the place of ours of the same names; without fire times, never."""
        for entry in entries:
            self._entries[entry.name] = entry
            self._scheduler.add_job(_held, self._trigger(entry), id=entry.name, replace_existing=True)

    def remove(self, names: Sequence[str]) -> None:
        """Start these no more; those that are not there are no error."""
        for name in names:
            self._entries.pop(name, None)
            with contextlib.suppress(JobLookupError):
                self._scheduler.remove_job(name)

    def entries(self) -> tuple[Entry, ...]:
        """Give all entries; one whose schedule has ended is still among them."""
        return tuple(self._entries.values())


def _held() -> None:
    """What the library must be given to hold; the executor starts the job itself."""
