"""What a script can ask about the run it is part of, read from the variables Ridgeline gives a job."""

import os
from datetime import UTC, datetime
from urllib.parse import quote

from ridgeline_desktop.core.errors import RidgelineError


class RunVariableError(RidgelineError):
    """A RIDGELINE_ variable that the script needs is missing or holds nonsense."""


def utc_now() -> datetime:
    """The current instant in UTC. A script has no program around it that could pass it a clock."""
    return datetime.now(UTC)


def run_id() -> str | None:
    """This run's id, as `ridgeline history` shows it; None when the script was started without Ridgeline."""
    return os.environ.get("RIDGELINE_RUN_ID") or None


def job_id() -> str | None:
    """This job's id, the name of its job file; None when the script was started without Ridgeline."""
    return os.environ.get("RIDGELINE_JOB") or None


def deadline() -> datetime | None:
    """The instant (UTC) at which Ridgeline ends this run; None when there is no such instant.

    Raises RunVariableError when RIDGELINE_DEADLINE holds something else than an instant with its zone.
    """
    text = os.environ.get("RIDGELINE_DEADLINE")
    if not text:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise RunVariableError(
            f"RIDGELINE_DEADLINE is {text!r}, which is no instant with a zone. "
            "Unset it, or write it like 2026-03-04T09:00:00Z."
        )
    return instant.astimezone(UTC)


def time_left(now: datetime | None = None) -> float | None:
    """Seconds until the deadline, negative once it has passed; None when there is no deadline.

    `now` is an aware instant; None means the current one.
    """
    end = deadline()
    return None if end is None else (end - (now or utc_now())).total_seconds()


def idempotency_key(*parts: str | int) -> str:
    """The same key in every run for the same piece of work, to send as the Idempotency-Key header.

    Format: the job id and the parts, each percent-encoded, joined by "/": `order-sync/shipment/5048`.
    So the number 5048 and the text "5048" give one key. Name the purpose and the one thing it is done
    to. Raises ValueError for no parts or an empty or missing one (many orders would share a key), and
    RunVariableError when RIDGELINE_JOB is not set (by hand the key would differ from the scheduled run's).
    """
    job = job_id()
    if job is None:
        raise RunVariableError(
            "RIDGELINE_JOB is not set, and a key without the job's id would not match the key of other runs. "
            "Start the script with `ridgeline run JOB`, or set RIDGELINE_JOB to the job's id."
        )
    if not parts or not all(isinstance(part, str | int) and str(part) for part in parts):
        raise ValueError(f"An idempotency key needs parts that are text or whole numbers, not {parts!r}.")
    return "/".join(quote(str(part), safe="") for part in (job, *parts))
