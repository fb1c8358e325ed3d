"""Tables and JSON; the JSON shapes are a promise to other programs and are written down in the docs."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import click

from ridgeline_desktop.core.clock_changes import clock_changes, sentence
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.registrations import Finding
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.schedules import duration_in_words, in_words
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Snapshot
from ridgeline_desktop.core.texts import clock_text

SHAPES = {
    Health.OK: "v",
    Health.LATE: "!",
    Health.OVERDUE: "x",
    Health.NEVER_SUCCEEDED: "?",
    Health.PAUSED: "||",
    Health.UNKNOWN: "-",
}


CLOCK_CHANGES_AHEAD = timedelta(days=730)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their widest cell, headings first."""
    table = [headings, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(headings))]
    for row in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def instant(moment: datetime | None) -> str | None:
    """ISO 8601 with offset, None as it is."""
    return None if moment is None else moment.isoformat()


def run_json(record: RunRecord) -> dict[str, Any]:
    """One run of `history --json`."""
    return {
        "run_id": record.run_id,
        "job": record.job_id,
        "status": record.status.value,
        "exit_code": record.exit_code,
        "attempt": record.attempt,
        "started_at": instant(record.started_at),
        "finished_at": instant(record.finished_at),
        "scheduled_for": instant(record.scheduled_for),
        "duration_seconds": record.duration,
        "trigger": record.trigger.value,
        "by": record.actor.name,
        "reason_code": record.reason_code.value,
        "reason": record.reason,
        "count": record.count,
        "fence": record.fence,
    }


_LAST_RUN = ("run_id", "status", "exit_code", "started_at", "finished_at", "trigger", "reason", "count")


def row_json(row: JobRow) -> dict[str, Any]:
    """One job of `list --json`."""
    last = run_json(row.last_run) if row.last_run else None
    running = row.running
    return {
        "job": row.job_id,
        "title": row.title,
        "health": row.health.value,
        "attention": row.attention.value,
        "due": instant(row.due),
        "grace_seconds": row.grace.total_seconds(),
        "last_success": instant(row.last_success.finished_at) if row.last_success else None,
        "last_run": {key: last[key] for key in _LAST_RUN} if last else None,
        "running": {"run_id": running.run_id, "started_at": instant(running.started_at)} if running else None,
        "next_fire": instant(row.next_fire),
        "registration": row.registration.value,
        "reasons": [{"code": reason.code, "text": reason.text} for reason in row.reasons],
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """One entry of `verify --json`."""
    return {
        "job": finding.job_id,
        "registration": finding.state.value,
        "backend": finding.backend.value,
        "sentence": finding.sentence,
        "wanted": finding.wanted,
        "found": finding.found,
    }


def print_jobs(snapshot: Snapshot, zone: ZoneInfo) -> None:
    """The job table, worst first, with what concerns all jobs above it and the causes below it."""
    for banner in snapshot.banners:
        click.echo(f"* {banner.with_commands()}")
    if not snapshot.rows:
        click.echo("No jobs yet.")
        return
    now = snapshot.taken_at
    rows = [
        (
            f"{SHAPES[row.health]} {health_word(row)}",
            row.title,
            _last_run(row, zone, now),
            clock_text(row.next_fire, zone=zone, now=now) if row.next_fire else "-",
            row.attention.value,
            row.job_id,
        )
        for row in snapshot.rows
    ]
    print_table(("HEALTH", "TITLE", "LAST RUN", "NEXT RUN", "ATTENTION", "JOB"), rows)
    for row in snapshot.rows:
        if row.reasons:
            click.echo(f"\n{row.job_id}: {row.summary}")
            for text in causes(row):
                click.echo(f"  - {text}")


def causes(row: JobRow) -> list[str]:
    """The causes as short as they can be said; where the job itself cannot be read, all that is known."""
    reasons = reasons_beside_summary(row)
    return [text for reason in reasons for text in (reason.text, *(reason.proof if row.job is None else ()))]


def reasons_beside_summary(row: JobRow) -> list[ReasonLine]:
    """The causes that the summary does not say already."""
    return [reason for reason in row.reasons if reason.text.lower() != row.summary.lower()]


def health_word(row: JobRow) -> str:
    """The light's word, with the overlay of a run that is going on."""
    word = "can't tell" if row.health is Health.UNKNOWN else row.health.value.replace("-", " ")
    return f"{word} (running)" if row.running else word


def _last_run(row: JobRow, zone: ZoneInfo, now: datetime) -> str:
    record = row.last_run
    if record is None:
        return "-"
    times = f" ({record.count} times)" if record.count > 1 else ""
    return f"{clock_text(record.started_at, zone=zone, now=now)} {record.status.value}{times}"


def print_job(row: JobRow, zone: ZoneInfo, now: datetime) -> None:
    """Everything about one job, a line each."""
    job = row.job
    lines: list[tuple[str, str]] = [("job", row.job_id), ("title", row.title), ("health", health_word(row))]
    lines.append(("judgement", row.summary))
    beside = reasons_beside_summary(row)
    for reason in row.reasons:
        lines += [("because", reason.text)] if reason in beside else []
        lines += [("", f"  {proof}") for proof in reason.proof]
    if job is not None:
        own = zone_of(job.schedule, zone)
        lines += [
            ("about", job.about),
            ("looked after by", job.looked_after_by),
            ("schedule", f"{in_words(job.schedule)} ({own.key})"),
            ("command", job.shell or " ".join(job.command)),
            ("runbook", job.runbook),
            ("safe to rerun", job.safe_to_rerun.value),
        ]
    lines += [
        ("due", clock_text(row.due, zone=zone, now=now) if row.due else "nothing is due"),
        ("grace", duration_in_words(row.grace) if row.due else ""),
        ("next run", clock_text(row.next_fire, zone=zone, now=now) if row.next_fire else "-"),
        ("last run", _last_run(row, zone, now)),
        ("registration", row.registration.value),
    ]
    if job is not None:
        own, later = zone_of(job.schedule, zone), now + CLOCK_CHANGES_AHEAD
        changes = clock_changes(job.schedule, zone=own, after=now, until=later)
        lines += [("clock change", f"{change.day.year}, {sentence(change)}") for change in changes]
    width = max(len(name) for name, _ in lines)
    for name, value in lines:
        if value:
            click.echo(f"{name.rjust(width)}  {value}")


def print_history(records: Sequence[RunRecord], zone: ZoneInfo, now: datetime) -> None:
    """The run table, newest first."""
    rows = [
        (
            clock_text(record.started_at, zone=zone, now=now),
            record.status.value + (f" ({record.count} times)" if record.count > 1 else ""),
            _took(record),
            f"{record.trigger.value} by {record.actor.name}",
            record.reason,
            record.run_id,
        )
        for record in records
    ]
    print_table(("STARTED", "STATUS", "TOOK", "TRIGGER", "REASON", "RUN"), rows)


def _took(record: RunRecord) -> str:
    if record.duration is None or record.status is RunStatus.REFUSED:
        return "-"
    return f"{record.duration:.1f} s" if record.duration < 120 else f"{record.duration / 60:.1f} min"


def print_facts(facts: Mapping[str, str]) -> None:
    """A question and its answer on each line."""
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        click.echo(f"{name.rjust(width)}  {value}")
