"""The store: every question and every change the inner rooms ask for, as SQL written out."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self

from ridgeline_desktop.core.expectations import JobState, Pause
from ridgeline_desktop.core.registrations import Registration
from ridgeline_desktop.core.runs import FUTURE_TOLERANCE, Actor, Reason, RunRecord, RunStatus
from ridgeline_desktop.core.settings import Retention
from ridgeline_desktop.store import rows
from ridgeline_desktop.store.database import Database

_RUN = ", ".join(rows.RUN_COLUMNS)
_INSERT_RUN = f"insert into runs ({_RUN}) values ({', '.join(f':{name}' for name in rows.RUN_COLUMNS)})"
_SET_RUN = ", ".join(f"{name} = :{name}" for name in rows.RUN_COLUMNS if name != "run_id")
_FIRE_TIME = "(host_id, job_id, scheduled_for) where scheduled_for is not null and status <> 'refused'"
_NEWEST_FIRST = "order by started_at desc, run_id desc"
_HONEST_SUCCESS = "job_id = :job_id and status = 'completed' and finished_at <= :latest"
_CHUNK = 500


class SqliteStore:
    """Everything that is remembered on this computer; for the thread that opened it, and a context manager.

    `unreadable_rows` counts the records left out so far because a newer program wrote something into them
    that this one does not know. Every method may raise StoreUnreadable.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.unreadable_rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; the store is of no use afterwards."""
        self._database.close()

    def host_id(self) -> str:
        """This computer's own id, made with the database."""
        return self._database.host_id

    def start_run(self, record: RunRecord) -> bool:
        """Record a run as RUNNING; False where another run already serves the same fire time."""
        sql = f"{_INSERT_RUN} on conflict {_FIRE_TIME} do nothing"
        return self._database.write(sql, rows.run_row(record)) == 1

    def finish_run(self, record: RunRecord) -> bool:
        """Write a run's end, only over a RUNNING row of the same id; False where there was none."""
        sql = f"update runs set {_SET_RUN} where run_id = :run_id and status = 'running'"
        return self._database.write(sql, rows.run_row(record)) == 1

    def refuse_run(self, record: RunRecord) -> None:
        """Record a refused start; the same refusal as the job's newest record only raises its count.

        That record keeps when it first started; its end becomes the latest refusal's.
        """
        repeated = f"""
            update runs set count = count + 1, recorded_at = :recorded_at,
                finished_at = coalesce(:finished_at, :started_at)
            where run_id = (select run_id from runs where job_id = :job_id {_NEWEST_FIRST} limit 1)
                and status = 'refused' and host_id = :host_id and trigger = :trigger
                and reason_code = :reason_code and reason = :reason"""
        row = rows.run_row(record)
        with self._database.transaction():
            if not self._database.write(repeated, row):
                # A run already on record under this id is worth more than the refusal of a second.
                self._database.write(f"{_INSERT_RUN} on conflict (run_id) do nothing", row)

    def next_fence(self, job_id: str) -> int:
        """The highest fence ever recorded for the job, plus one (1 for a new job)."""
        sql = "select coalesce(max(fence), 0) + 1 from runs where job_id = :job_id and fence is not null"
        return int(self._database.read(sql, {"job_id": job_id})[0][0])

    def run(self, run_id: str) -> RunRecord | None:
        """One record by its id; None where there is none that this program can read."""
        return next(iter(self._runs("where run_id = :run_id", {"run_id": run_id})), None)

    def recent_runs(self, job_id: str, *, limit: int) -> tuple[RunRecord, ...]:
        """The newest records of a job by start, newest first."""
        rest = f"where job_id = :job_id {_NEWEST_FIRST} limit :limit"
        return self._runs(rest, {"job_id": job_id, "limit": limit})

    def has_run(self, job_id: str) -> bool:
        """Whether the job ever ran; a refused start is no run. Where records were lost it may have."""
        sql = "select 1 from runs where job_id = :job_id and status <> 'refused' limit 1"
        return bool(self._database.read(sql, {"job_id": job_id})) or bool(self.meta("recovered"))

    def last_success(self, job_id: str, *, now: datetime) -> RunRecord | None:
        """The completed record with the newest anchor, records from the future left out."""
        rest = f"where {_HONEST_SUCCESS} order by anchor desc limit 1"
        return next(iter(self._runs(rest, {"job_id": job_id, "latest": _latest(now)})), None)

    def has_future_success(self, job_id: str, *, now: datetime) -> bool:
        """Whether a completed record finished more than five minutes after `now`."""
        # No end lies after its anchor, and the anchor is what the index holds.
        sql = """select 1 from runs where job_id = :job_id and status = 'completed'
            and anchor > :latest and finished_at > :latest limit 1"""
        return bool(self._database.read(sql, {"job_id": job_id, "latest": _latest(now)}))

    def running(self) -> tuple[RunRecord, ...]:
        """All records of this computer that say RUNNING."""
        rest = "where host_id = :host_id and status = 'running' order by started_at"
        return self._runs(rest, {"host_id": self.host_id()})

    def add_run(self, record: RunRecord) -> None:
        """Add or replace a record by its id.

        A fire time stays with the record that had it first: another run that served it too is recorded as
        serving none, so that neither is lost.
        """
        taken = """select 1 from runs where host_id = :host_id and job_id = :job_id and run_id <> :run_id
            and scheduled_for = :scheduled_for and status <> 'refused'"""
        row = rows.run_row(record)
        with self._database.transaction():
            if record.status is not RunStatus.REFUSED and self._database.read(taken, row):
                row["scheduled_for"] = None
            self._database.write(f"{_INSERT_RUN} on conflict (run_id) do update set {_SET_RUN}", row)

    def settle_run(self, run_id: str, *, at: datetime, reason: str) -> bool:
        """Turn RUNNING into INTERRUPTED (end unknown); False where the row no longer says RUNNING."""
        sql = """update runs set status = 'interrupted', reason_code = :code, reason = :reason,
            recorded_at = :at where run_id = :run_id and status = 'running'"""
        values = {
            "run_id": run_id,
            "at": rows.instant_text(at),
            "code": Reason.RUNNER_DIED.value,
            "reason": rows.storable(reason),
        }
        return self._database.write(sql, values) == 1

    def apply_retention(self, job_id: str, *, keep: Retention, now: datetime) -> tuple[str, ...]:
        """Delete what is too old or too many; give the ids. Never the newest success, never a running one.

        Age is counted back from the job's newest run, so that a clock running ahead condemns nothing.
        """
        sql = f"""
            select run_id from (
                select run_id, status, started_at, row_number() over ({_NEWEST_FIRST}) as place
                from runs where job_id = :job_id)
            where status <> 'running' and (started_at < :oldest or place > :most) and run_id is not
                (select run_id from runs where {_HONEST_SUCCESS} order by anchor desc limit 1)"""
        newest = "select max(started_at) from runs where job_id = :job_id and started_at <= :now"
        found = self._database.read(newest, {"job_id": job_id, "now": rows.instant_text(now)})[0][0]
        counted_from = datetime.fromisoformat(found) if found else now
        values = {
            "job_id": job_id,
            "latest": _latest(now),
            "oldest": rows.instant_text(counted_from - timedelta(days=keep.days)),
            "most": keep.runs,
        }
        doomed = tuple(run_id for (run_id,) in self._database.read(sql, values))
        delete = """delete from runs
            where run_id in (select value from json_each(:run_ids)) and status <> 'running'"""
        for first in range(0, len(doomed), _CHUNK):  # in parts, so that no other writer waits for long
            self._database.write(delete, {"run_ids": json.dumps(doomed[first : first + _CHUNK])})
        return doomed

    def job_state(self, job_id: str) -> JobState | None:
        """What is remembered of the job on this computer."""
        found = self._of_job("jobs", rows.JOB_COLUMNS, job_id)
        return rows.job_of(found[0]) if found else None

    def job_states(self) -> tuple[JobState, ...]:
        """Every job this computer has seen and has not been told to forget, by id."""
        return tuple(rows.job_of(row) for row in self._of_job("jobs", rows.JOB_COLUMNS))

    def save_job_state(self, state: JobState) -> None:
        """Remember it, over what was there."""
        self._keep("jobs", rows.job_row(state))

    def forget_job(self, job_id: str) -> None:
        """Drop the job's state and pause: its vanished file was meant. Its runs stay."""
        self._drop("jobs", job_id)
        self._drop("pauses", job_id)

    def pause_of(self, job_id: str) -> Pause | None:
        """The newest pause of the job, over or not."""
        found = self._of_job("pauses", rows.PAUSE_COLUMNS, job_id)
        return rows.pause_of(found[0]) if found else None

    def save_pause(self, pause: Pause) -> None:
        """Remember the pause, replacing an older one of the same job."""
        self._keep("pauses", rows.pause_row(pause))

    def registrations(self) -> tuple[Registration, ...]:
        """What this computer registered, by job id."""
        found = self._of_job("registrations", rows.REGISTRATION_COLUMNS)
        known = [rows.registration_of(row) for row in found]
        return tuple(registration for registration in known if registration is not None)

    def save_registration(self, registration: Registration) -> None:
        """Remember it, over an older one of the same job, whichever scheduler that was in."""
        with self._database.transaction():
            self._drop("registrations", registration.job_id)
            self._keep("registrations", rows.registration_row(registration))

    def drop_registration(self, job_id: str) -> None:
        """Forget that the job was registered."""
        self._drop("registrations", job_id)

    def journal(
        self, *, at: datetime, actor: Actor, action: str, job_id: str, run_id: str, detail: str
    ) -> None:
        """Add a line to the audit journal."""
        row = {
            "at": rows.instant_text(at),
            **rows.actor_row(actor),
            "action": action,
            "job_id": job_id,
            "run_id": run_id,
            "detail": rows.storable(detail),
        }
        self._keep("journal", row)

    def meta(self, key: str) -> str:
        """A remembered value, "" where there is none; "recovered" tells of a repair in a sentence."""
        found = self._database.read("select value from meta where key = :key", {"key": key})
        return str(found[0][0]) if found else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""
        sql = "insert or replace into meta (key, value) values (:key, :value)"
        self._database.write(sql, {"key": key, "value": rows.storable(value)})

    def backup(self, *, now: datetime) -> bool:
        """Make the day's backup; False where there is one. The newest seven stay.

        Where the copy is not sound, the database is not either: StoreUnreadable, and the next program that
        may recover it does.
        """
        from ridgeline_desktop.store.backups import make_backup

        with self._database.in_words():
            return make_backup(self._database.connection, self._database.folder, f"{now:%Y-%m-%d}")

    def _runs(self, rest: str, values: Mapping[str, Any]) -> tuple[RunRecord, ...]:
        found = self._database.read(f"select {_RUN} from runs {rest}", values)
        read = [rows.run_of(dict(zip(rows.RUN_COLUMNS, row, strict=True))) for row in found]
        known = tuple(record for record in read if record is not None)
        self.unreadable_rows += len(read) - len(known)
        return known

    def _of_job(self, table: str, columns: tuple[str, ...], job_id: str | None = None) -> list[rows.Row]:
        """This computer's rows of a table, of one job or of all (None)."""
        one = "" if job_id is None else "and job_id = :job_id"
        sql = f"select {', '.join(columns)} from {table} where host_id = :host_id {one} order by job_id"
        found = self._database.read(sql, {"host_id": self.host_id(), "job_id": job_id})
        return [dict(zip(columns, row, strict=True)) for row in found]

    def _keep(self, table: str, row: Mapping[str, Any]) -> None:
        names = ("host_id", *row)
        sql = f"insert or replace into {table} ({', '.join(names)}) values (:{', :'.join(names)})"
        self._database.write(sql, {"host_id": self.host_id(), **row})

    def _drop(self, table: str, job_id: str) -> None:
        sql = f"delete from {table} where host_id = :host_id and job_id = :job_id"
        self._database.write(sql, {"host_id": self.host_id(), "job_id": job_id})


def _latest(now: datetime) -> str:
    return rows.instant_text(now + FUTURE_TOLERANCE)
