"""A bench for runs: real store, locks, spool and process table, and a process of its own for each run."""

import os
import pickle
import select
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.environments import Account
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import Actor, Trigger
from ridgeline_desktop.core.schedules import ByHand, Schedule
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.host.clock import SystemClock
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.host.processes import LinuxProcesses
from ridgeline_desktop.host.run_files import DiskStopRequests, new_run_id
from ridgeline_desktop.runner.one_run import Runner, RunOutcome, RunRequest
from ridgeline_desktop.runner.supervision import Limits
from ridgeline_desktop.store import FileSpool, SqliteStore, open_store

ZONE = ZoneInfo("America/Toronto")
THEO = Actor(name="Theo", host="till", via="cli")
QUICK = Limits(
    kill_grace=0.4, signal_grace=0.2, leftover_grace=0.1, drain=0.1, log_head=1000, log_segment=100
)


class RunProcess:
    """One run in a process forked from the test's, as `ridgeline run` would be one."""

    def __init__(self, runner: Runner, request: RunRequest) -> None:
        self.run_id = request.run_id
        self._answer, answer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self._answer)
                os.write(answer, pickle.dumps(runner.run(request)))
            finally:
                os._exit(0)
        os.close(answer)

    def outcome(self) -> RunOutcome:
        with open(self._answer, "rb") as answer:
            said = answer.read()
        os.waitpid(self.pid, 0)
        assert said, "the run died"
        return pickle.loads(said)

    def kill(self) -> None:
        os.kill(self.pid, 9)
        os.close(self._answer)
        os.waitpid(self.pid, 0)


class Line:
    """A named pipe by which a job says that it is up, and the test lets it go on; its text is the path."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._path = path
        self.descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def __str__(self) -> str:
        return str(self._path)

    def hear(self) -> str:
        ready, _, _ = select.select((self.descriptor,), (), (), 30)
        assert ready, "the job said nothing"
        return os.read(self.descriptor, 4096).decode()

    def say(self, text: str) -> None:
        os.write(self.descriptor, text.encode())


class LeapingClock(SystemClock):
    """The real clocks, two hours ahead as soon as `sign` exists."""

    def __init__(self, sign: Path) -> None:
        self._sign = sign

    def steady(self) -> float:
        return super().steady() + (7200 if self._sign.exists() else 0)


@dataclass
class Bench:
    """Makes jobs, requests and runs whose state lives in `folder`."""

    folder: Path
    processes: LinuxProcesses = field(default_factory=LinuxProcesses)
    lines: list["Line"] = field(default_factory=list)

    def job(self, *command: str, **changes: object) -> Job:
        words = {"schedule": Schedule(rule=ByHand()), "command": command, "definition": "d1", **changes}
        return Job(job_id="sync", title="sync", **words)

    def shell(self, line: str, **changes: object) -> Job:
        return self.job(shell=line, **changes)

    def store(self) -> SqliteStore:
        return open_store(str(self.folder / "state"), now=datetime.now(UTC))

    @property
    def spool(self) -> FileSpool:
        return FileSpool(str(self.folder / "spool"))

    @property
    def locks(self) -> FileLocks:
        return FileLocks(self.folder / "locks", processes=self.processes)

    @property
    def stops(self) -> DiskStopRequests:
        return DiskStopRequests(str(self.folder / "stops"))

    def runner(self, **changes: object) -> Runner:
        ports = {
            "clock": SystemClock(),
            "open_store": self.store,
            "spool": self.spool,
            "locks": self.locks,
            "processes": self.processes,
            "stops": self.stops,
            "new_random": lambda: Random(240),
            "free_bytes": lambda: 1 << 30,
            "limits": QUICK,
            **changes,
        }
        return Runner(**ports)

    def request(self, job: Job, **changes: object) -> RunRequest:
        run_id = new_run_id(datetime.now(UTC))
        words = {
            "trigger": Trigger.SCHEDULE,
            "actor": THEO,
            "run_id": run_id,
            "started_at": datetime.now(UTC),
            "zone": ZONE,
            "settings": Settings(),
            "account": Account(user="theo", home=str(self.folder), shell="/bin/sh"),
            "checkpoint": str(self.folder / "sync.checkpoint"),
            "log": str(self.folder / "logs" / f"{run_id}.log"),
            **changes,
        }
        return RunRequest(job=job, **words)

    def begin(self, job: Job, *, runner: Runner | None = None, **changes: object) -> RunProcess:
        return RunProcess(runner or self.runner(), self.request(job, **changes))

    def run(self, job: Job, *, runner: Runner | None = None, **changes: object) -> RunOutcome:
        return self.begin(job, runner=runner, **changes).outcome()

    def log(self, outcome: RunOutcome) -> bytes:
        path = self.folder / "logs" / f"{outcome.record.run_id}.log"
        return path.read_bytes() if path.exists() else b""

    def living(self, run_id: str) -> tuple[int, ...] | None:
        return self.processes.survivors(session=0, run_id=run_id)

    def limits(self, **changes: object) -> Limits:
        return replace(QUICK, **changes)

    @property
    def later(self) -> Path:
        """Make this file, and two hours have passed on the clock of a run with `leaping()`."""
        return self.folder / "later"

    def leaping(self, **changes: object) -> Runner:
        return self.runner(clock=LeapingClock(self.later), **changes)

    def line(self, name: str = "told") -> "Line":
        line = Line(self.folder / name)
        self.lines.append(line)
        return line


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(folder=tmp_path)
    yield bench
    for line in bench.lines:
        os.close(line.descriptor)


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Ask again until it is so; for what the kernel does in its own time, such as ending a killed process."""

    def ask(question: Callable[[], bool]) -> None:
        clock = SystemClock()
        until = clock.steady() + 10
        while not question():
            assert clock.steady() < until, "it did not come to pass"
            os.sched_yield()

    return ask
