"""`ridgeline gui` as a process: started twice, ended by the system, killed; runs go on without it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.desktop
RIDGELINE = [sys.executable, "-I", "-m", "ridgeline_desktop"]
SLOW_JOB = """\
command = ["/bin/sh", "-c", "echo begun; sleep 3; echo done"]
safe_to_rerun = "yes"
"""
PATIENCE = 30


class Home:
    """A throwaway home with one job, and the programs started on it."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        root.chmod(0o700)
        self.root = str(root)
        self.environment = {**environment, "XDG_RUNTIME_DIR": self._folder(root / "runtime")}
        jobs = root / "data" / "shop" / "jobs"
        jobs.mkdir(parents=True, mode=0o700)
        (jobs / "slow.toml").write_text(SLOW_JOB)
        self.started: list[subprocess.Popen[str]] = []

    def _folder(self, path: Path) -> str:
        path.mkdir(mode=0o700)
        return str(path)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        self.started.append(
            subprocess.Popen(
                [*RIDGELINE, "--home", self.root, *arguments],
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return self.started[-1]

    def windows(self) -> list[str]:
        """The ids of Ridgeline's windows that are on the screen."""
        found = self._asked("xdotool", "search", "--onlyvisible", "--name", "^Ridgeline$")
        return found.split()

    def active_window(self) -> str:
        return self._asked("xdotool", "getactivewindow").strip()

    def minimise(self, window: str) -> None:
        self._asked("xdotool", "windowminimize", "--sync", window)

    def history(self) -> list[dict[str, object]]:
        return json.loads(self._asked(*RIDGELINE, "--home", self.root, "history", "slow", "--json") or "[]")

    def _asked(self, *command: str) -> str:
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=30, check=False
        )
        return done.stdout

    def until(self, claim: Callable[[], object]) -> None:
        """Wait for another program; only its own time passes here."""
        end = time.monotonic() + PATIENCE
        while not claim():
            assert time.monotonic() < end, [program.poll() for program in self.started]
            time.sleep(0.1)

    def close(self) -> None:
        for program in self.started:
            if program.poll() is None:
                program.kill()
            program.communicate(timeout=10)


@pytest.fixture
def home(tmp_path: Path, desktop: dict[str, str]) -> Iterator[Home]:
    made = Home(tmp_path, desktop)
    yield made
    made.close()


def test_a_second_start_brings_the_first_window_up_and_ends(home):
    first = home.start()
    home.until(home.windows)
    [window] = home.windows()
    home.minimise(window)
    home.until(lambda: home.windows() == [])
    second = home.start("gui")
    assert second.wait(PATIENCE) == 0
    home.until(lambda: home.windows() == [window] and home.active_window() == window)
    assert first.poll() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_when_the_system_asks_it_ends_at_once_without_a_question(home, number):
    program = home.start("gui")
    home.until(home.windows)
    os.kill(program.pid, number)
    out, err = program.communicate(timeout=PATIENCE)
    assert (program.returncode, out, err) == (0, "", "")


def test_after_a_kill_it_starts_again(home):
    killed = home.start("gui")
    home.until(home.windows)
    killed.kill()
    killed.wait(PATIENCE)
    home.until(lambda: home.windows() == [])
    again = home.start("gui")
    home.until(home.windows)
    assert again.poll() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_started_from_the_window_goes_on_without_it(home, number):
    program = home.start("gui")
    home.until(home.windows)
    [window] = home.windows()
    home._asked("xdotool", "windowactivate", "--sync", window, "key", "ctrl+r")
    home.until(lambda: [run["status"] for run in home.history()] == ["running"])
    os.kill(program.pid, number)
    program.wait(PATIENCE)
    home.until(lambda: home.history()[0]["status"] == "completed")
    [run] = home.history()
    assert run["trigger"] == "manual"


def test_folders_that_cannot_be_trusted_are_told_in_a_window(home):
    os.chmod(home.root, 0o777)
    program = home.start("gui")
    home.until(home.windows)
    assert program.poll() is None
    home._asked("xdotool", "key", "Return")
    assert program.wait(PATIENCE) == 1
