"""The tables, as numbered steps that only go forward; what a file says of its own format.

A step that only adds keeps the `min_reader` before it, and older programs go on reading and writing. A new
status or trigger is not only an addition: older programs cannot tell what it means, so it raises it.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import apsw

from ridgeline_desktop.core.errors import StoreTooNew, StoreUnreadable


class Migration(NamedTuple):
    """One step; its number is its place in the list. `min_reader`: the oldest format still fit to read it."""

    min_reader: int
    sql: str


class Format(NamedTuple):
    """What a file says of itself; version 0 = it has no tables yet."""

    version: int
    min_reader: int
    host_id: str


_FIRST = """
create table meta (key text primary key not null, value text not null) strict;

create table runs (
    run_id text primary key not null,
    host_id text not null,
    job_id text not null,
    trigger text not null,
    status text not null,
    scheduled_for text,
    started_at text not null,
    finished_at text,
    recorded_at text,
    anchor text generated always as
        (max(coalesce(finished_at, started_at), coalesce(scheduled_for, ''))) virtual,
    duration real,
    exit_code integer,
    attempt integer not null,
    reason_code text not null,
    reason text not null,
    event_key text not null,
    fence integer,
    definition text not null,
    identity text not null,
    count integer not null,
    actor_name text not null,
    actor_host text not null,
    actor_via text not null
) strict;
create unique index runs_fire_time on runs (host_id, job_id, scheduled_for)
    where scheduled_for is not null and status <> 'refused';
create index runs_completed on runs (job_id, anchor desc) where status = 'completed';
create index runs_started on runs (job_id, started_at desc, run_id desc);
create index runs_running on runs (host_id) where status = 'running';
create index runs_fence on runs (job_id, fence desc) where fence is not null;

create table jobs (
    host_id text not null,
    job_id text not null,
    first_seen text not null,
    schedule_text text not null,
    changed_at text,
    held_due text,
    held_grace_microseconds integer not null,
    primary key (host_id, job_id)
) strict;

create table pauses (
    host_id text not null,
    job_id text not null,
    begun_at text not null,
    until text,
    ended_at text,
    reason text not null,
    actor_name text not null,
    actor_host text not null,
    actor_via text not null,
    primary key (host_id, job_id)
) strict;

create table registrations (
    host_id text not null,
    job_id text not null,
    backend text not null,
    native text not null,
    definition text not null,
    registered_at text not null,
    primary key (host_id, job_id, backend)
) strict;

create table journal (
    id integer primary key,
    host_id text not null,
    at text not null,
    actor_name text not null,
    actor_host text not null,
    actor_via text not null,
    action text not null,
    job_id text not null,
    run_id text not null,
    detail text not null
) strict;

create table outbox (
    host_id text not null,
    sequence integer not null,
    kind text not null,
    payload text not null,
    created_at text not null,
    delivered_at text,
    primary key (host_id, sequence)
) strict;
"""

MIGRATIONS: tuple[Migration, ...] = (Migration(min_reader=1, sql=_FIRST),)


def format_of(connection: apsw.Connection) -> Format:
    """The format of an open database. StoreUnreadable where it is no database of Ridgeline's."""
    if connection.execute("select count(*) from sqlite_schema").fetchall() == [(0,)]:
        return Format(version=0, min_reader=0, host_id="")
    try:
        found: list[Any] = connection.execute("select key, value from meta").fetchall()
        facts = dict(found)
        return Format(int(facts["schema_version"]), int(facts["min_reader_version"]), facts["host_id"])
    except (apsw.SQLError, KeyError, ValueError) as error:
        raise StoreUnreadable(
            f"The file of the run records, {connection.filename}, was not written by Ridgeline ({error}). "
            "Move it away, or give Ridgeline another folder with --home."
        ) from error


def refuse_newer(found: Format, migrations: Sequence[Migration]) -> None:
    """Raise StoreTooNew where only newer programs may read the file."""
    if found.min_reader > len(migrations):
        raise StoreTooNew(
            f"The run records were written by a newer Ridgeline: they need format {found.min_reader}, this "
            f"program knows formats up to {len(migrations)}. Update Ridgeline on this computer."
        )


def upgrade(
    connection: apsw.Connection,
    migrations: Sequence[Migration],
    *,
    keep_copy: Callable[[int], None] | None = None,
) -> Format:
    """Bring the database to the newest format, all steps or none; give what it then says of itself.

    `keep_copy` is called with the old version while no other program can write, before an existing file
    changes. On any error the database is as it was.
    """
    connection.execute("begin immediate")
    try:
        version = format_of(connection).version
        if version < len(migrations):
            if version and keep_copy:
                keep_copy(version)
            for migration in migrations[version:]:
                connection.execute(migration.sql)
            _write_format(connection, len(migrations), migrations[-1].min_reader)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    return format_of(connection)


def _write_format(connection: apsw.Connection, version: int, min_reader: int) -> None:
    connection.execute(
        "insert into meta (key, value) values ('schema_version', ?), ('min_reader_version', ?)"
        " on conflict (key) do update set value = excluded.value",
        (str(version), str(min_reader)),
    )
    connection.execute(
        "insert into meta (key, value) values ('host_id', ?) on conflict (key) do nothing", (_new_id(),)
    )


def _new_id() -> str:
    import uuid  # costs a run more than its record; needed once per home

    return str(uuid.UUID(bytes=os.urandom(16), version=4))
