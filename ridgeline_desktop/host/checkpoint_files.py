"""The files in which the scripts of jobs keep how far they have come."""

import os
from datetime import UTC, datetime, timedelta

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.jobs import is_job_id

SIZE_AT_MOST = 1 << 20
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class DiskCheckpoints:
    """`<folder>/<job>.json`, written by the job's own script."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def read(self, job_id: str) -> tuple[bytes, datetime] | None:
        """What was saved last and when (UTC), None without it; an error in words where it cannot be read."""
        if not is_job_id(job_id):
            raise RidgelineError(f'"{job_id}" cannot be the id of a job')
        try:
            descriptor = os.open(os.path.join(self._folder, f"{job_id}.json"), os.O_RDONLY | os.O_NONBLOCK)
            with open(descriptor, "rb") as file:
                content = file.read(SIZE_AT_MOST + 1)
                written = os.fstat(file.fileno()).st_mtime_ns
        except FileNotFoundError:
            return None
        except OSError as error:
            why = os.strerror(error.errno).lower() if error.errno else str(error)
            raise RidgelineError(f"The saved progress of the job cannot be read: {why}.") from error
        if len(content) > SIZE_AT_MOST:
            raise RidgelineError("The saved progress of the job is too large to show: more than 1 MB.")
        return content, EPOCH + timedelta(microseconds=written // 1000)
