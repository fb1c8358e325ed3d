"""Runs that are started here and go on by themselves, and what their starts had to say."""

import os
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.host.folders import make_private
from ridgeline_desktop.host.run_files import is_run_id

KEPT_FOR = timedelta(days=1)
SAID_AT_MOST = 4096
LOOK_EVERY = 3600.0


class DiskRunStarts:
    """Starts runs in sessions of their own, so that they outlive us. Any thread may call it.

    What a start says goes to `<folder>/<run id>`.
    """

    def __init__(self, folder: str, *, clock: Clock) -> None:
        self._folder, self._clock = folder, clock
        self._guard = threading.Lock()
        self._alive: set[str] = set()

    def start(self, argv: Sequence[str], run_id: str) -> None:
        """Start it and return at once; an error in words where it cannot be started."""
        try:
            make_private(self._folder)
            self._drop_old()
            said = private_files.open_file(self._path(run_id), os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                process = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    start_new_session=True,
                )
            finally:
                os.close(said)
        except OSError as error:
            raise RidgelineError(f"The run could not be started: {error}. Nothing has happened.") from error
        with self._guard:
            self._alive.add(run_id)
        threading.Thread(target=self._collect, args=(process, run_id), daemon=True).start()

    def said(self, run_id: str) -> str:
        """What the start wrote to standard error, at most its last 4 KiB; "" where nothing is known."""
        try:
            with open(self._path(run_id), "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - SAID_AT_MOST))
                return file.read(SAID_AT_MOST).decode("utf-8", "replace")
        except OSError:
            return ""

    def is_alive(self, run_id: str) -> bool:
        """Whether a run that was started here has not ended yet."""
        with self._guard:
            return run_id in self._alive

    def _collect(self, process: "subprocess.Popen[bytes]", run_id: str) -> None:
        while process.poll() is None:  # as long as the run takes: its own deadline ends it
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=LOOK_EVERY)
        with self._guard:
            self._alive.discard(run_id)

    def _drop_old(self) -> None:
        oldest = (self._clock.now() - KEPT_FOR).timestamp()
        for name in os.listdir(self._folder):
            path = os.path.join(self._folder, name)
            with suppress(OSError):  # another one drops them too
                if os.stat(path).st_mtime < oldest:
                    os.unlink(path)

    def _path(self, run_id: str) -> str:
        if not is_run_id(run_id):
            raise RidgelineError(f'"{run_id}" cannot be the id of a run')
        return os.path.join(self._folder, run_id)
