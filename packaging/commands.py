"""What bootstrap.py's commands do: set up, then start the right programs of the environment."""

import errno
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import environment
import system_packages
from stages import Stage, run_stages
from steps import AGAIN, SetUpError

ROOT = Path(__file__).resolve().parent.parent
HAS_SCREEN = """
import os, sys
from ridgeline_desktop.host.screens import has_screen
if not has_screen(os.environ):
    sys.exit(1)
from PySide6.QtGui import QGuiApplication
QGuiApplication(["probe"])  # ends this process where a screen answers and refuses
"""
COMMANDS = ("run", "test", "lint", "bench", "screenshots")
NO_LABS = ("-m", "not system and not desktop")
# A screen and a session bus that nobody else has; the variable is for this one command.
SCREEN = (
    *("xvfb-run", "-a", "-s", "-screen 0 1280x800x24"),
    *("dbus-run-session", "--", "env", "QT_QPA_PLATFORM=xcb"),
)


def main(arguments: list[str], usage: str) -> int:
    """Carry out one command line (without the program's name); the exit code for the shell."""
    command, *rest = arguments or [""]
    if command in ("-h", "--help"):
        print(usage, end="")
        return 0
    if command not in COMMANDS or (rest and command != "test"):
        sys.stderr.write(usage)
        return 2
    return in_words(lambda: _carry_out(command, rest))


def in_words(task: Callable[[], int]) -> int:
    """The exit code of `task`; what stops it is said in words, with what to do, and gives 1."""
    try:
        return task()
    except SetUpError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except (OSError, subprocess.TimeoutExpired) as problem:
        sys.stderr.write(f"{_reason(problem)}\n{_advice(problem)}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped.\n")
        return 130


def _reason(problem: OSError | subprocess.TimeoutExpired) -> str:
    if isinstance(problem, subprocess.TimeoutExpired):
        command = problem.cmd if isinstance(problem.cmd, str) else " ".join(map(str, problem.cmd))
        return f"This did not end within {problem.timeout:.0f} s: {command}"
    place = f": {problem.filename}" if problem.filename else ""
    return f"{problem.strerror or problem}{place}"


def _advice(problem: OSError | subprocess.TimeoutExpired) -> str:
    number = None if isinstance(problem, subprocess.TimeoutExpired) else problem.errno
    if number in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full: free some space (set-up needs about 300 MB), then run this again."
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"The checkout {ROOT} and its .venv must be yours to write. Where another user made\n"
            f".venv, remove it as that user (sudo rm -r '{environment.folder(ROOT)}'), then run this again."
        )
    return AGAIN


def _carry_out(command: str, rest: list[str]) -> int:
    everything = command == "test" and "--all" in rest
    system_packages.ensure(for_labs=everything)
    environment.ensure(ROOT)
    if command == "run":
        return _show_sample_shop()
    if command == "lint":
        return run_stages([lint_stage(ROOT)], ROOT)
    if command == "bench":
        return run_stages([bench_stage(ROOT, judged=True)], ROOT)
    if command == "screenshots":
        return run_stages([screenshots_stage(ROOT)], ROOT)
    pytest_arguments = [argument for argument in rest if argument != "--all"]
    return run_stages(stages_of_test(ROOT, everything=everything, pytest_arguments=pytest_arguments), ROOT)


def _show_sample_shop() -> int:
    """Open the sample shop's window; without a screen, draw it into a picture and print the table."""
    program = environment.program(ROOT, "ridgeline")
    question = [environment.program(ROOT, "python"), "-I", "-c", HAS_SCREEN]
    if subprocess.run(question, timeout=60, check=False).returncode == 0:
        print("set-up: the sample shop's window opens; quit it to come back here", flush=True)
        return subprocess.run([program, "demo"], cwd=ROOT, check=False, timeout=None).returncode
    picture = Path(tempfile.mkdtemp(prefix="ridgeline-")) / "sample-shop.png"
    print("set-up: no screen here, so the sample shop's window is drawn into a picture", flush=True)
    try:
        shop = [program, "demo", "--picture", str(picture)]
        return subprocess.run(shop, cwd=ROOT, timeout=300, check=False).returncode
    except subprocess.TimeoutExpired:
        raise SetUpError("The sample shop did not come up within 5 minutes.") from None


def lint_stage(root: Path) -> Stage:
    """Ruff's rules and format, types, and who may import whom."""
    tools = (
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy",),
        ("lint-imports",),
    )
    commands = tuple((environment.program(root, name), *words) for name, *words in tools)
    return Stage(name="lint", commands=commands, limit=120)


def bench_stage(root: Path, *, judged: bool) -> Stage:
    """Every measuring script; its own exit code says whether its ratios hold."""
    scripts = sorted((root / "tests" / "bench").glob("[!_]*.py"))
    python = environment.program(root, "python")
    return Stage(
        name="bench", commands=tuple((python, str(script)) for script in scripts), limit=180, judged=judged
    )


def screenshots_stage(root: Path) -> Stage:
    """Draw the pictures of the docs from the real windows."""
    script = root / "packaging" / "screenshots.py"
    return Stage(
        name="screenshots", commands=((environment.program(root, "python"), str(script)),), limit=600
    )


def stages_of_test(root: Path, *, everything: bool, pytest_arguments: list[str]) -> list[Stage]:
    """The stages of `test`; with arguments for pytest, only the one pytest they are for.

    `everything` adds lint before, the system labs and the bench after; machines differ, so there the
    bench is shown and not judged.
    """
    python = environment.program(root, "python")
    pytest = (python, "-m", "pytest")
    if pytest_arguments:
        chosen = () if everything else NO_LABS
        return [Stage(name="suite", commands=((*pytest, *chosen, *pytest_arguments),), limit=900)]
    coverage = (python, "-m", "coverage")
    core = ((*coverage, "run", "-m", "pytest", "tests/core"), (*coverage, "report"))
    stages = [
        Stage(name="core", commands=core, limit=150),
        Stage(name="suite", commands=((*pytest, *NO_LABS, "--ignore=tests/core"),), limit=540),
    ]
    if not everything:
        return stages
    labs = [
        Stage(name="system", commands=((*pytest, "-m", "system", "--ignore=tests/core"),), limit=240),
        Stage(
            name="desktop", commands=((*SCREEN, *pytest, "-m", "desktop", "--ignore=tests/core"),), limit=240
        ),
    ]
    if not system_packages.has_apt():
        print(f"system: {system_packages.LABS_REFUSED}", flush=True)
        labs = []
    return [lint_stage(root), *stages, *labs, bench_stage(root, judged=False)]
