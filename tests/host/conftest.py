"""A folder of locks in tmp_path, and short words for what tests do with it."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.locks import judge
from ridgeline_desktop.host import guards
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.machine import this_machine
from ridgeline_desktop.host.processes import LinuxProcesses


class Bench:
    """Works on the lock of one job; `locks` is how this computer sees the folder."""

    job = "order-sync"
    started = datetime(2026, 3, 1, 2, 4, 5, tzinfo=UTC)

    def __init__(self, folder):
        self.folder = folder
        self.guard = folder / f"{self.job}.guard"
        self.locks = FileLocks(folder)

    def take(self, run_id="r1", *, locks=None, settle=True, least_fence=1):
        return (locks or self.locks).acquire(
            self.job,
            run_id=run_id,
            trigger="schedule",
            started_at=self.started,
            least_fence=least_fence,
            settle=settle,
        )

    def leave(self, run_id="r1", **changes):
        """A published record whose guard nobody holds any more; its runner is this very process.

        With changes, the runner lives on another computer, boot or container.
        """
        if set(changes) in ({"boot_id"}, {"machine_id"}) and not changes.get("machine_id"):
            self.needs_a_machine_id()
        held = self.take(run_id, locks=self.elsewhere(**changes))
        held.publish()
        guards.let_go(held.guard_fd)

    def needs_a_machine_id(self):
        if not this_machine().machine_id:
            pytest.skip("not on this platform: without a machine id no earlier boot is told apart")

    def elsewhere(self, **changes):
        """The same folder, as another computer, boot or container sees it."""
        return FileLocks(self.folder, processes=LinuxProcesses(replace(this_machine(), **changes)))

    def verdict(self, locks=None):
        found = judge((locks or self.locks).inspect(self.job))
        return found.line, found.kind.value

    def record(self, run_id="r1", kind="json"):
        return self.folder / f"{self.job}.lock" / f"{run_id}.{kind}"

    def rewrite(self, path, **changes):
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    def copy_record(self, run_id, **changes):
        """A second run's record beside r1's."""
        self.record(run_id).write_text(self.record().read_text())
        self.rewrite(self.record(run_id), run_id=run_id, **changes)

    def names(self):
        return sorted(
            os.path.relpath(os.path.join(parent, name), self.folder)
            for parent, folders, files in os.walk(self.folder)
            for name in folders + files
        )


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path / "state" / "locks")
