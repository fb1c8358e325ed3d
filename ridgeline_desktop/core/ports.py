"""What the inner rooms ask of the outside world; each contract is tested on every implementation."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from ridgeline_desktop.core.environments import OnDisk
from ridgeline_desktop.core.expectations import JobState, Pause
from ridgeline_desktop.core.job_files import JobFile
from ridgeline_desktop.core.locks import LockEvidence, ProcessIdentity
from ridgeline_desktop.core.registrations import Entry, Found, Registration, ServiceState
from ridgeline_desktop.core.runs import Actor, RunRecord
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.core.settings import Retention, Settings
from ridgeline_desktop.core.toml_tables import Problem


class Clock(Protocol):
    """The only source of the present."""

    def now(self) -> datetime:
        """The wall clock, aware UTC."""

    def steady(self) -> float:
        """Seconds on a clock that is never set and counts while the computer sleeps."""


class RunRecords(Protocol):
    """The part of the store that a run needs. Every method may raise StoreUnreadable."""

    def host_id(self) -> str:
        """This computer's own id, made once."""

    def start_run(self, record: RunRecord) -> bool:
        """Record a run as RUNNING; False where another run already serves the same fire time."""

    def finish_run(self, record: RunRecord) -> bool:
        """Write a run's end, only over a RUNNING row of the same id; False where there was none."""

    def refuse_run(self, record: RunRecord) -> None:
        """Record a refused start; the same refusal as the job's newest record only raises its count."""

    def next_fence(self, job_id: str) -> int:
        """The highest fence ever recorded for the job, plus one (1 for a new job)."""

    def run(self, run_id: str) -> RunRecord | None:
        """One record by its id."""

    def has_run(self, job_id: str) -> bool:
        """Whether the job ever ran; a refused start is no run. Where records were lost it may have."""

    def job_state(self, job_id: str) -> JobState | None:
        """What is remembered of the job on this computer."""

    def save_job_state(self, state: JobState) -> None:
        """Remember it, over what was there."""

    def pause_of(self, job_id: str) -> Pause | None:
        """The newest pause of the job, over or not."""

    def journal(
        self, *, at: datetime, actor: Actor, action: str, job_id: str, run_id: str, detail: str
    ) -> None:
        """Add a line to the audit journal."""


class Store(RunRecords, Protocol):
    """Everything that is remembered. Every method but `close` may raise StoreUnreadable."""

    def close(self) -> None:
        """Let go of it; it is of no use afterwards."""

    def recent_runs(self, job_id: str, *, limit: int) -> tuple[RunRecord, ...]:
        """The newest records of a job by start, newest first."""

    def last_success(self, job_id: str, *, now: datetime) -> RunRecord | None:
        """The completed record with the newest anchor, records from the future left out."""

    def has_future_success(self, job_id: str, *, now: datetime) -> bool:
        """Whether a completed record finished more than five minutes after `now`."""

    def running(self) -> tuple[RunRecord, ...]:
        """All records of this computer that say RUNNING."""

    def add_run(self, record: RunRecord) -> None:
        """Add or replace a record by its id (import of the spool, `record`)."""

    def settle_run(self, run_id: str, *, at: datetime, reason: str) -> bool:
        """Turn RUNNING into INTERRUPTED (end unknown); False where the row no longer says RUNNING."""

    def job_states(self) -> tuple[JobState, ...]:
        """Every job this computer has seen and has not been told to forget."""

    def forget_job(self, job_id: str) -> None:
        """Drop the job's state: its vanished file was meant. Its runs stay."""

    def save_pause(self, pause: Pause) -> None:
        """Remember the pause, replacing an older one of the same job."""

    def registrations(self) -> tuple[Registration, ...]:
        """What this computer registered."""

    def save_registration(self, registration: Registration) -> None:
        """Remember it, over an older one of the same job."""

    def drop_registration(self, job_id: str) -> None:
        """Forget that the job was registered."""

    def apply_retention(self, job_id: str, *, keep: Retention, now: datetime) -> tuple[str, ...]:
        """Delete what is too old or too many; give the ids. Never the newest success, never a running one."""

    def backup(self, *, now: datetime) -> bool:
        """Keep a copy of the records beside them, one a day; False where today's is there already."""

    def meta(self, key: str) -> str:
        """A remembered value, "" where there is none."""

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""


class StoreDoor(Protocol):
    """Opens the store for one use; both raise StoreUnreadable."""

    def reading(self) -> AbstractContextManager[Store]:
        """For looking: writes nothing, makes no file, repairs nothing."""

    def writing(self) -> AbstractContextManager[Store]:
        """For recording: makes the store where there is none; repairs a damaged one."""


class Spool(Protocol):
    """Records that could not be written to the store, one file each, until somebody imports them."""

    def reserve(self, run_id: str) -> None:
        """Set space aside for the end of this run, so that a full disk cannot lose it."""

    def write(self, record: RunRecord) -> None:
        """Keep the record; OSError where even that fails."""

    def release(self, run_id: str) -> None:
        """Give the space back; nothing happens where there is none."""

    def records(self) -> tuple[RunRecord, ...]:
        """All records waiting; a torn file is left out and stays."""

    def torn(self) -> tuple[str, ...]:
        """The names of files that hold something, but no record that can be read."""

    def discard(self, run_id: str) -> None:
        """Drop a record that has been imported."""


class HeldLock(Protocol):
    """A job's lock, held. `fence` is its number, `guard_fd` the descriptor the job inherits."""

    fence: int
    guard_fd: int
    cleared: tuple[LockEvidence, ...]

    def publish(self) -> None:
        """Put the runner's record on disk, whole."""

    def publish_child(self, pid: int, command: Sequence[str]) -> None:
        """Put the identity of the job's process on disk, before its program starts."""

    def withdraw_child(self) -> None:
        """Take the job's identity back: its program did not start."""

    def release(self) -> None:
        """Remove this run's own names only, and free the guard."""


class Locks(Protocol):
    """The locks of all jobs of this computer."""

    def inspect(self, job_id: str) -> LockEvidence:
        """The facts about a job's lock; looking never writes."""

    def acquire(
        self, job_id: str, *, run_id: str, trigger: str, started_at: datetime, least_fence: int, settle: bool
    ) -> HeldLock | LockEvidence:
        """Take the lock, or give the evidence that stands in the way; `settle` clears a dead one first.

        The fence is at least `least_fence` and higher than any before it.
        """

    def clear(self, job_id: str, *, run_id: str, force: bool = False) -> LockEvidence:
        """Clear a lock that is `run_id`'s and DEAD; give the evidence. LockMoved or NotCleared if not."""


class Processes(Protocol):
    """The process table of this computer."""

    def identity(self, pid: int) -> ProcessIdentity | None:
        """Who process `pid` is, or None where there is none."""

    def tree(self, run_id: str, root: int) -> tuple[int, ...]:
        """The living processes of a run: our descendants, the session of `root`, bearers of the run id."""


class ShopFolder(Protocol):
    """The folder of job files and runbooks, which people also edit by hand."""

    def read_jobs(self, *, shop_zone: str) -> tuple[JobFile, ...]:
        """Every job file, sorted by id. ShopUnreadable or NotTrusted for the folder itself."""

    def read_job(self, job_id: str, *, shop_zone: str) -> JobFile | None:
        """One job file, or None where there is no such file."""

    def read_source(self, job_id: str) -> str | None:
        """A job file exactly as it stands on disk, line ends included; None where there is none."""

    def write_job(self, job_id: str, text: str, *, replacing: str | None) -> None:
        """Write a job file that still holds `replacing` (None = it must not be there yet).

        JobFileMoved where it holds something else by now; NotWritten where the disk refuses. In both cases
        the old file stays.
        """

    def delete_job(self, job_id: str, *, replacing: str) -> None:
        """Remove a job file that still holds `replacing`; errors as for writing."""

    def read_text(self, relative: str) -> str:
        """A file inside the shop folder. OSError, or NotTrusted where it leads out of the folder."""

    def read_bytes(self, relative: str) -> bytes:
        """The same for a picture; an error in words where it is larger than five megabytes."""

    def change_text(self, relative: str, *, old: str | None, new: str) -> str | None:
        """Write a file that still holds `old` (None = it is not there yet) and give None.

        Where it holds something else by now nothing is written; the answer is that, "" if it is gone.
        """

    def where(self, relative: str) -> str:
        """The full path of a file in the folder, whether it is there or not; NotTrusted as above."""


class SettingsFile(Protocol):
    """settings.toml."""

    def read(self) -> tuple[Settings, tuple[Problem, ...]]:
        """The settings and what is wrong with them; defaults where there is no file."""

    def note_elsewhere(self, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        """Add jobs to those not wanted on this computer, drop others; comments and order stay."""

    def write(self, changes: Mapping[str, object]) -> None:
        """Set these keys and no others, "retention.days" for one in a table; None takes a key out.

        SettingsBroken where the file, or what it would become, is not in order; NotWritten where the disk
        refuses. The file then stays.
        """


class Backend(Protocol):
    """One of the computer's schedulers. Every method but `available` and `preview` may raise BackendError."""

    name: BackendName

    def available(self) -> str:
        """ "" where it can be used here, else why it cannot."""

    def objections(self, entry: Entry) -> tuple[str, ...]:
        """What keeps this scheduler from running `entry` as its job file says; empty = nothing."""

    def preview(self, entry: Entry) -> str:
        """The exact text that would be registered."""

    def apply(self, entries: Sequence[Entry]) -> None:
        """Register these, replacing ours of the same names and touching nothing else."""

    def read_back(self) -> tuple[Found, ...]:
        """All entries that are ours, as they stand there now. A failed read raises, it is never empty."""

    def remove(self, names: Sequence[str]) -> None:
        """Take these of ours out; those that are not there are no error."""

    def service_state(self) -> ServiceState:
        """Whether the scheduler itself is alive."""


class RunLogs(Protocol):
    """The captured output of runs."""

    def tail(self, job_id: str, run_id: str, *, size: int) -> bytes:
        """The last `size` bytes, b"" where nothing was kept."""

    def read(self, job_id: str, run_id: str, *, offset: int) -> bytes:
        """The output from byte `offset` on, at most a mebibyte, b"" at its end."""

    def delete(self, job_id: str, run_ids: Sequence[str]) -> None:
        """Drop the output of these runs."""

    def trim(self, job_id: str, *, megabytes: int, keep: Sequence[str]) -> None:
        """Drop the oldest outputs until the job's stay below the size; those in `keep` stay."""


class StopRequests(Protocol):
    """Stop files: how a run is asked to end, on every platform."""

    def ask(self, run_id: str, *, by: str) -> None:
        """Ask the run to stop."""

    def asked(self, run_id: str) -> str | None:
        """Who asked the run to stop, or None."""

    def withdraw(self, run_id: str) -> None:
        """Forget the request."""


class Programs(Protocol):
    """Questions about programs and folders on disk."""

    def exists(self, path: str) -> bool:
        """Whether an executable file stands there."""

    def look(self, path: str) -> OnDisk:
        """What stands there; a leading ~ is the home folder of jobs."""


class RunLauncher(Protocol):
    """Knows the command of a run, the same whoever starts it."""

    def command(self, job_id: str) -> tuple[str, ...]:
        """The argv of a scheduled run, fit for a scheduler's entry."""

    def by_hand(self, job_id: str, *, run_id: str, by: str, again: bool) -> tuple[str, ...]:
        """The argv of a run that `by` asks for; `again` says that a repeat was agreed to."""

    def spoken(self) -> str:
        """How a person calls Ridgeline for the same folders."""

    def objection(self) -> str:
        """Why a scheduled run would not find these folders; "" where it would."""


class RunStarts(Protocol):
    """Starts runs that go on when we end, and remembers what their starts said."""

    def start(self, argv: Sequence[str], run_id: str) -> None:
        """Start it and return at once; an error in words where it cannot be started."""

    def said(self, run_id: str) -> str:
        """The last 4 KiB that the start wrote to standard error so far; "" where nothing is known."""

    def is_alive(self, run_id: str) -> bool:
        """Whether a run that we started has not ended yet."""


class Checkpoints(Protocol):
    """How far the scripts of jobs have come."""

    def read(self, job_id: str) -> tuple[bytes, datetime] | None:
        """What the script saved last and when (UTC), None without it; an error in words if unreadable."""


class Autostart(Protocol):
    """Whether Ridgeline starts when its user logs in; both may raise OSError."""

    def is_on(self) -> bool:
        """How it really stands now: people switch it elsewhere too."""

    def set(self, on: bool) -> None:
        """Start at login from now on, or no more."""


class OpenScheduler(Protocol):
    """The scheduler inside the program: it starts the jobs of its entries between `start` and `shutdown`."""

    def start(self) -> None:
        """Begin to start jobs."""

    def shutdown(self) -> None:
        """Start no more jobs."""

    def wake(self, *, now: datetime) -> None:
        """Plan anew by the clock, which was set, or stood while the computer slept."""

    def apply(self, entries: Sequence[Entry]) -> None:
        """Start these from now on, in the place of those of the same names."""

    def remove(self, names: Sequence[str]) -> None:
        """Start these no more; those that are not there are no error."""

    def entries(self) -> tuple[Entry, ...]:
        """What it starts."""


class ObeyedBook(Backend, Protocol):
    """The scheduler whose entries are a book, which one program at a time obeys."""

    def obeyed(self) -> AbstractContextManager[None]:
        """Be that program until the end of the block; BackendError where another one is."""
