"""The sample shop as its users have it: laid out in a folder, with its API answering on loopback."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.shop_api import OnHandled, ShopApi


@pytest.fixture
def open_api() -> Iterator[Callable[..., ShopApi]]:
    """Starts shop APIs that ask for no wait while broken; all of them are stopped at the end."""
    opened = []

    def start(*, on_handled: OnHandled | None = None, fulfilled_until: int = 5000) -> ShopApi:
        api = ShopApi(retry_after=0, on_handled=on_handled, fulfilled_until=fulfilled_until)
        opened.append(api)
        api.start()
        return api

    yield start
    for api in opened:
        api.stop()


class Shop:
    """A laid-out sample shop whose jobs can be started as their job files say."""

    def __init__(self, home: Path, api: ShopApi) -> None:
        self.folder = lay_out(home, python=sys.executable, api_address=api.address)
        self.checkpoint = home / "state" / "checkpoint"

    def job(self, job_id: str) -> Job:
        return read_jobs(self.folder)[job_id]

    def start(self, job_id: str) -> subprocess.Popen[str]:
        job = self.job(job_id)
        run = {"RIDGELINE_JOB": job_id, "RIDGELINE_CHECKPOINT": str(self.checkpoint), "PATH": "/usr/bin:/bin"}
        return subprocess.Popen(
            job.command,
            cwd=job.folder,
            env=run | dict(job.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, job_id: str) -> tuple[int, list[str]]:
        """The exit code and the printed lines of one run from start to end."""
        with self.start(job_id) as process:
            output, _ = process.communicate(timeout=60)
        return process.returncode, output.splitlines()


@pytest.fixture
def shop_of(tmp_path: Path) -> Callable[[ShopApi], Shop]:
    return lambda api: Shop(tmp_path / "home", api)


def read_jobs(shop: Path, zone: str = "America/Toronto") -> dict[str, Job]:
    files = [read_job_file(path.name, path.read_text(), shop_zone=zone) for path in (shop / "jobs").iterdir()]
    assert [file.sentences() for file in files if file.problems] == []
    return {file.job_id: file.job for file in files if file.job}


@pytest.fixture(scope="session")
def sample_jobs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[ZoneInfo], tuple[Job, ...]]:
    """The sample shop's jobs, read for a computer in that zone."""
    home = tmp_path_factory.mktemp("shop")
    shop = lay_out(home, python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    return lambda zone: tuple(read_jobs(shop, zone.key).values())
