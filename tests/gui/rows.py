"""Rows and snapshots as the windows get them, made up by hand: the windows only render."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.health import Attention, Health, worst
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Snapshot, Step, StepKind

TORONTO = ZoneInfo("America/Toronto")
NOW = datetime(2026, 3, 7, 15, 52, 30, tzinfo=UTC)  # Saturday 10:52:30 in Toronto
SAM = Actor(name="Sam", host="till", via="gui")
SCHEDULE = Actor(name="the schedule", host="till", via="schedule")
SYNC = """
title = "Order sync"
about = "Copies new web orders to the till."
looked_after_by = "Jordan"
command = ["/srv/shop/bin/order-sync"]
runbook = "runbooks/order-sync.md"
safe_to_rerun = "yes"
[schedule]
every = "15 minutes"
[run]
grace = "10 minutes"
"""


def at(clock: str, day: int = 7) -> datetime:
    """A time of day in March 2026 on Toronto's clock, as UTC."""
    hour, minute = clock.split(":")
    return datetime(2026, 3, day, int(hour), int(minute), tzinfo=TORONTO).astimezone(UTC)


def job(job_id: str = "order-sync", text: str = SYNC) -> Job:
    file = read_job_file(f"{job_id}.toml", text, shop_zone=TORONTO.key)
    assert file.job is not None, file.sentences()
    return file.job


def record(number: int = 1, status: str = "completed", started: datetime | None = None, **said) -> RunRecord:
    """A run of order-sync that took 40 s; a running one has no end yet."""
    begun = started or NOW - timedelta(hours=1)
    going_on = status == "running"
    values = {
        "run_id": f"00000000-0000-7000-8000-{number:012d}",
        "host_id": "host",
        "job_id": "order-sync",
        "trigger": Trigger.SCHEDULE,
        "status": RunStatus(status),
        "started_at": begun,
        "finished_at": None if going_on else begun + timedelta(seconds=40),
        "duration": None if going_on else 40.0,
        "exit_code": {"completed": 0, "failed": 1}.get(status),
        "actor": SCHEDULE,
    }
    return RunRecord(**(values | said))


def row(job_id: str = "stock-sync", **said) -> JobRow:
    """A job that is well, changed by what is said."""
    values = {
        "job_id": job_id,
        "title": job_id.replace("-", " ").capitalize(),
        "health": Health.OK,
        "quiet": False,
        "attention": Attention.GREEN,
        "due": NOW + timedelta(hours=5),
        "grace": timedelta(minutes=10),
        "last_success": record(started=at("09:30")),
        "last_run": record(started=at("09:30")),
        "running": None,
        "next_fire": at("16:00"),
        "registration": RegistrationState.REGISTERED,
        "summary": "ok: last success 82 minutes ago",
        "reasons": (),
        "job": job(job_id),
        "recent": tuple(record(n, started=at("09:30") - timedelta(hours=n)) for n in range(20)),
        "usual": timedelta(seconds=40),
    }
    return JobRow(**(values | said))


def red_row(**said) -> JobRow:
    """Order sync on a Saturday: four failures, the last success 67 minutes ago."""
    failures = [
        record(n, "failed", at(clock), reason="exit code 1")
        for n, clock in ((14, "10:45"), (13, "10:30"), (12, "10:15"), (11, "10:00"))
    ]
    successes = [record(n, started=at("09:45") - timedelta(minutes=15 * (10 - n))) for n in range(10, 0, -1)]
    why = ReasonLine(
        code="failed",
        text="The last 4 runs failed: the shop API answered 503",
        proof=(
            "They began at 10:00, 10:15, 10:30 and 10:45",
            "Last success 09:45, 67 minutes ago; allowed 25",
        ),
        steps=(
            Step(
                kind=StepKind.OPEN_RUNBOOK,
                text="Open the runbook at “The shop API answers 503”",
                heading="The shop API answers 503",
            ),
            Step(
                kind=StepKind.RUN_NOW, text="Run it now. It is safe to repeat: it continues after order 5047"
            ),
            Step(kind=StepKind.ASK, text="Still red? Ask Jordan"),
        ),
    )
    values = {
        "title": "Order sync",
        "health": Health.OVERDUE,
        "attention": Attention.RED,
        "due": at("10:00"),
        "last_success": successes[0],
        "last_run": failures[0],
        "next_fire": at("11:00"),
        "summary": "overdue: last success 67 minutes ago, allowed 25",
        "reasons": (why,),
        "recent": (*failures, *successes),
    }
    return row("order-sync", **(values | said))


def snapshot(*rows: JobRow, **said) -> Snapshot:
    """These rows as they are, judged now in Toronto."""
    values = {
        "taken_at": NOW,
        "rows": rows,
        "banners": (),
        "attention": worst(row.attention for row in rows),
        "valid_until": None,
        "zone": TORONTO,
        "checked_at": NOW - timedelta(minutes=3),
    }
    return Snapshot(**(values | said))


__all__ = ["NOW", "SAM", "SCHEDULE", "TORONTO", "at", "job", "record", "red_row", "row", "snapshot"]
