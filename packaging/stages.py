"""Stages of a test run: each some commands in processes of their own, one time limit, one line of outcome."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# What pytest gets, after its limit, to take its daemons and namespaces down.
TEAR_DOWN_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Commands that are run one after the other, all of them, within `limit` seconds together.

    A stage that is not `judged` is shown in the outcome but turns nothing red.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    limit: float
    judged: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a stage ended; `problem` is empty when every command exited with 0."""

    stage: Stage
    seconds: float
    problem: str

    def line(self) -> str:
        """The outcome for a person."""
        if not self.stage.commands:
            return f"{self.stage.name:<8} nothing to run"
        verdict = "passed" if not self.problem else "FAILED" if self.stage.judged else "noted"
        return f"{self.stage.name:<8} {verdict:<7} {self.seconds:5.0f} s  {self.problem}".rstrip()


def run_stages(stages: Sequence[Stage], root: Path) -> int:
    """Run every stage, also after one failed, and print a line for each; 1 if a judged one failed, else 0."""
    outcomes = [run_stage(stage, root) for stage in stages]
    print("\n" + "\n".join(outcome.line() for outcome in outcomes), flush=True)
    return int(any(outcome.problem and outcome.stage.judged for outcome in outcomes))


def run_stage(stage: Stage, root: Path) -> Outcome:
    """Run one stage's commands in `root`, their output going where ours goes."""
    begun = time.monotonic()
    failed = []
    for command in stage.commands:
        words = " ".join([Path(command[0]).name, *command[1:]])
        print(f"\n--- {stage.name}: {words}", flush=True)
        code = _run_limited(command, root, begun + stage.limit)
        if code is None:
            failed.append(f"ran out of its {stage.limit:.0f} s in: {words}")
            break
        if code != 0:
            failed.append(f"exit code {code}: {words}")
    return Outcome(stage=stage, seconds=time.monotonic() - begun, problem="; ".join(failed))


def _run_limited(command: Sequence[str], root: Path, until: float) -> int | None:
    """The command's exit code, or None when it was ended because the monotonic instant `until` had passed."""
    try:
        child = _started(command, root)
    except OSError as error:
        print(error, flush=True)
        return 127
    try:
        return child.wait(timeout=max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        _end(child)
        return None
    except KeyboardInterrupt:
        _end(child)
        raise


def _started(command: Sequence[str], root: Path) -> subprocess.Popen[bytes]:
    if sys.platform == "win32":
        return subprocess.Popen(command, cwd=root, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP)
    return subprocess.Popen(command, cwd=root, start_new_session=True)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and all in its group: first asked, so that fixtures clean up, then killed."""
    if sys.platform == "win32":
        kill = ["taskkill", "/T", "/F", "/PID", str(child.pid)]
        subprocess.run(kill, capture_output=True, timeout=30, check=False)
        child.wait(timeout=30)
        return
    child.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(timeout=TEAR_DOWN_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait(timeout=TEAR_DOWN_SECONDS)
