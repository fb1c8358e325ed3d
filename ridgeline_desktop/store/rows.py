"""What is remembered as flat rows of plain values and back: one mapping for the database and the spool."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ridgeline_desktop.core.expectations import JobState, Pause
from ridgeline_desktop.core.registrations import Registration
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.schedules import BackendName

Row = Mapping[str, Any]

RUN_COLUMNS = (
    "run_id", "host_id", "job_id", "trigger", "status", "scheduled_for", "started_at", "finished_at",
    "recorded_at", "duration", "exit_code", "attempt", "reason_code", "reason", "event_key", "fence",
    "definition", "identity", "count", "actor_name", "actor_host", "actor_via",
)  # fmt: skip
JOB_COLUMNS = (
    "job_id", "first_seen", "schedule_text", "changed_at", "held_due", "held_grace_microseconds",
)  # fmt: skip
PAUSE_COLUMNS = (
    "job_id", "begun_at", "until", "ended_at", "reason", "actor_name", "actor_host", "actor_via",
)  # fmt: skip
REGISTRATION_COLUMNS = ("job_id", "backend", "native", "definition", "registered_at")

_MICROSECOND = timedelta(microseconds=1)


def instant_text(instant: datetime) -> str:
    """The instant in UTC, always as many characters, so that the order of texts is the order of time."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant} names no zone and so is no instant")
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def run_row(record: RunRecord) -> dict[str, Any]:
    """The record as plain values, a key for each of RUN_COLUMNS."""
    return {
        "run_id": record.run_id,
        "host_id": record.host_id,
        "job_id": record.job_id,
        "trigger": record.trigger.value,
        "status": record.status.value,
        "scheduled_for": _text_or_none(record.scheduled_for),
        "started_at": instant_text(record.started_at),
        "finished_at": _text_or_none(record.finished_at),
        "recorded_at": _text_or_none(record.recorded_at),
        "duration": record.duration,
        "exit_code": record.exit_code,
        "attempt": record.attempt,
        "reason_code": record.reason_code.value,
        "reason": storable(record.reason),
        "event_key": storable(record.event_key),
        "fence": record.fence,
        "definition": record.definition,
        "identity": storable(record.identity),
        "count": record.count,
        **actor_row(record.actor),
    }


def run_of(row: Row) -> RunRecord | None:
    """The record of a row; None where it says what this program does not know.

    A reason code unknown here becomes Reason.NONE, since its sentence still says all of it. An unknown
    status or trigger has no such stand-in.
    """
    try:
        return RunRecord(
            run_id=row["run_id"],
            host_id=row["host_id"],
            job_id=row["job_id"],
            trigger=Trigger(row["trigger"]),
            status=RunStatus(row["status"]),
            scheduled_for=_instant_or_none(row["scheduled_for"]),
            started_at=datetime.fromisoformat(row["started_at"]),
            finished_at=_instant_or_none(row["finished_at"]),
            recorded_at=_instant_or_none(row["recorded_at"]),
            duration=row["duration"],
            exit_code=row["exit_code"],
            attempt=row["attempt"],
            reason_code=_reason_code(row["reason_code"]),
            reason=row["reason"],
            event_key=row["event_key"],
            fence=row["fence"],
            definition=row["definition"],
            identity=row["identity"],
            count=row["count"],
            actor=_actor_of(row),
        )
    except (KeyError, TypeError, ValueError):
        return None


def job_row(state: JobState) -> dict[str, Any]:
    """The state as plain values, a key for each of JOB_COLUMNS."""
    return {
        "job_id": state.job_id,
        "first_seen": instant_text(state.first_seen),
        "schedule_text": state.schedule_text,
        "changed_at": _text_or_none(state.changed_at),
        "held_due": _text_or_none(state.held_due),
        "held_grace_microseconds": state.held_grace // _MICROSECOND,
    }


def job_of(row: Row) -> JobState:
    """The state of a row."""
    return JobState(
        job_id=row["job_id"],
        first_seen=datetime.fromisoformat(row["first_seen"]),
        schedule_text=row["schedule_text"],
        changed_at=_instant_or_none(row["changed_at"]),
        held_due=_instant_or_none(row["held_due"]),
        held_grace=row["held_grace_microseconds"] * _MICROSECOND,
    )


def pause_row(pause: Pause) -> dict[str, Any]:
    """The pause as plain values, a key for each of PAUSE_COLUMNS."""
    return {
        "job_id": pause.job_id,
        "begun_at": instant_text(pause.begun_at),
        "until": _text_or_none(pause.until),
        "ended_at": _text_or_none(pause.ended_at),
        "reason": storable(pause.reason),
        **actor_row(pause.actor),
    }


def pause_of(row: Row) -> Pause:
    """The pause of a row."""
    return Pause(
        job_id=row["job_id"],
        begun_at=datetime.fromisoformat(row["begun_at"]),
        until=_instant_or_none(row["until"]),
        ended_at=_instant_or_none(row["ended_at"]),
        reason=row["reason"],
        actor=_actor_of(row),
    )


def registration_row(registration: Registration) -> dict[str, Any]:
    """The registration as plain values, a key for each of REGISTRATION_COLUMNS."""
    return {
        "job_id": registration.job_id,
        "backend": registration.backend.value,
        "native": storable(registration.native),
        "definition": registration.definition,
        "registered_at": instant_text(registration.registered_at),
    }


def registration_of(row: Row) -> Registration | None:
    """The registration of a row; None where its backend is one this program does not know."""
    try:
        backend = BackendName(row["backend"])
    except ValueError:
        return None
    return Registration(
        job_id=row["job_id"],
        backend=backend,
        native=row["native"],
        definition=row["definition"],
        registered_at=datetime.fromisoformat(row["registered_at"]),
    )


def storable(text: str) -> str:
    """The text as UTF-8 can hold it: bytes of a file's name that are no text come out as `\\udc..`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def actor_row(actor: Actor) -> dict[str, str]:
    """The actor as plain values."""
    return {
        "actor_name": storable(actor.name),
        "actor_host": storable(actor.host),
        "actor_via": storable(actor.via),
    }


def _actor_of(row: Row) -> Actor:
    return Actor(name=row["actor_name"], host=row["actor_host"], via=row["actor_via"])


def _reason_code(text: str) -> Reason:
    try:
        return Reason(text)
    except ValueError:
        return Reason.NONE


def _text_or_none(instant: datetime | None) -> str | None:
    return None if instant is None else instant_text(instant)


def _instant_or_none(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
