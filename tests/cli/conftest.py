"""The real command in a home of the test's own; no job of it asks for the computer's crontab."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


class Home:
    def __init__(self, root: Path) -> None:
        root.chmod(0o700)
        self.root = root
        self.jobs = root / "data" / "shop" / "jobs"

    def make_shop(self) -> "Home":
        for folder in (self.root / "data", self.root / "data" / "shop", self.jobs):
            folder.mkdir()
            folder.chmod(0o700)
        return self

    def job(self, job_id: str, text: str) -> Path:
        path = self.jobs / f"{job_id}.toml"
        path.write_text(text)
        path.chmod(0o600)
        return path

    def argv(self, *arguments: str) -> list[str]:
        return [sys.executable, "-I", "-m", "ridgeline_desktop", "--home", str(self.root), *arguments]

    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "HOME": str(self.root), "LC_ALL": "C.UTF-8"}

    def run(self, *arguments: str, **more: str) -> Answer:
        done = subprocess.run(
            self.argv(*arguments),
            env=self.environment() | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode())

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self.argv(*arguments),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def json(self, *arguments: str) -> Any:
        answer = self.run(*arguments, "--json")
        assert answer.out, answer.err
        return json.loads(answer.out)

    def row(self, job_id: str) -> dict[str, Any]:
        return next(row for row in self.json("list") if row["job"] == job_id)


@pytest.fixture
def bare_home(tmp_path: Path) -> Home:
    """A home without a shop."""
    return Home(tmp_path)


@pytest.fixture
def home(bare_home: Home) -> Home:
    """A home whose shop has no jobs yet."""
    return bare_home.make_shop()
