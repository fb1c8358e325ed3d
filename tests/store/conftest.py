"""A store in a throwaway home, records to put into it, and programs of their own beside this one."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.store import FileSpool, open_store

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)
LIMIT = 30


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def state(tmp_path):
    """A state folder that does not exist yet."""
    return tmp_path / "state"


@pytest.fixture
def store(state):
    with open_store(state, now=NOW) as store:
        yield store


@pytest.fixture
def spool(tmp_path):
    return FileSpool(tmp_path / "spool")


@pytest.fixture
def actor():
    return Actor(name="Theo", host="till", via="cli")


@pytest.fixture
def record(actor):
    """Makes a completed run of order-sync, started `ago` minutes before NOW, unless told otherwise."""

    def make(run_id: str, *, ago: float = 10, **said) -> RunRecord:
        started = NOW - timedelta(minutes=ago)
        values = {
            "run_id": run_id,
            "host_id": "this-host",
            "job_id": "order-sync",
            "trigger": Trigger.SCHEDULE,
            "status": RunStatus.COMPLETED,
            "started_at": started,
            "finished_at": started + timedelta(seconds=7),
            "recorded_at": started + timedelta(seconds=7),
            "actor": actor,
        } | said
        return RunRecord(**values)

    return make


@pytest.fixture
def running(record, store):
    """Makes a run of this computer that has not ended."""

    def make(run_id: str, **said) -> RunRecord:
        values = {"status": RunStatus.RUNNING, "finished_at": None, "recorded_at": None}
        return record(run_id, **(values | {"host_id": store.host_id()} | said))

    return make


class Programs:
    """Python programs started by a test; what still lives at its end is killed by its id."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen] = []

    def start(
        self, program: str, *arguments: str | Path, wrapped_in: tuple[str, ...] = ()
    ) -> subprocess.Popen:
        child = subprocess.Popen(
            [*wrapped_in, sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(child)
        return child

    def output(self, child: subprocess.Popen, said: str | None = None) -> str:
        """All that the program printed until its end, which has to be a good one."""
        out, err = child.communicate(said, timeout=LIMIT)
        assert child.returncode == 0, err
        return out

    def end(self) -> None:
        for child in self._started:
            if child.poll() is None:
                os.kill(child.pid, signal.SIGKILL)
            child.communicate(timeout=LIMIT)


@pytest.fixture
def programs():
    programs = Programs()
    yield programs
    programs.end()


@pytest.fixture
def change(state):
    """Changes the database behind the store's back, as another program might."""

    def execute(sql: str) -> None:
        connection = apsw.Connection(str(state / "ridgeline.sqlite3"))
        connection.set_busy_timeout(5000)
        connection.execute(sql)
        connection.close()

    return execute


@pytest.fixture
def ask(state):
    """Asks the database directly."""

    def read(sql: str) -> list[tuple]:
        connection = apsw.Connection(str(state / "ridgeline.sqlite3"))
        found = connection.execute(sql).fetchall()
        connection.close()
        return found

    return read
