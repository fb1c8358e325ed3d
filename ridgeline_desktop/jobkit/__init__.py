"""For the authors of jobs: everything a script imports from Ridgeline, and nothing else of it."""

from ridgeline_desktop.jobkit.checkpoints import Checkpoint, CheckpointDamagedError, NewItems, new_items
from ridgeline_desktop.jobkit.http import http_session
from ridgeline_desktop.jobkit.retries import Transient, retrying
from ridgeline_desktop.jobkit.runs import (
    RunVariableError,
    deadline,
    idempotency_key,
    job_id,
    run_id,
    time_left,
)

__all__ = [
    "Checkpoint",
    "CheckpointDamagedError",
    "NewItems",
    "RunVariableError",
    "Transient",
    "deadline",
    "http_session",
    "idempotency_key",
    "job_id",
    "new_items",
    "retrying",
    "run_id",
    "time_left",
]
