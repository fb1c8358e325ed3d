"""The project's virtual environment, .venv: made, filled with the pinned packages, and known to be whole."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from steps import AGAIN, SetUpError, run_step

VENV_LIMIT = 180
PIP_LIMIT = 1200
STAMP = "ridgeline-set-up"
# Words of pip when a package cannot be had.
UNREACHABLE = ("connection", "name resolution", "timed out", "no matching distribution", "took longer")
# pyproject's tables that decide what is installed.
INSTALLED_BY = ("build-system", "project")


def folder(root: Path) -> Path:
    """Where the environment of the checkout at `root` lives."""
    return root / ".venv"


def program(root: Path, name: str) -> str:
    """The path of a program inside the environment, there or not."""
    if os.name == "nt":
        return str(folder(root) / "Scripts" / f"{name}.exe")
    return str(folder(root) / "bin" / name)


def stamp(root: Path) -> str:
    """A digest of all that decides what belongs into the environment.

    The checkout's own path is part of it: scripts in an environment name it, so a moved one is void.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    facts = {
        "project": [project.get(table) for table in INSTALLED_BY],
        "constraints": (root / "packaging" / "constraints.txt").read_text(encoding="utf-8"),
        "python": list(sys.version_info[:2]),
        "root": str(root.resolve()),
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def why_remake(root: Path) -> str:
    """Why the environment must be made anew, in words; empty when it is whole and as pinned."""
    if not folder(root).is_dir():
        return "there is none yet"
    try:
        found = (folder(root) / STAMP).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return "the one there was never finished"
    if found != stamp(root):
        return "the pins, the Python or the folder changed"
    try:
        started = subprocess.run(
            [program(root, "python"), "-I", "-c", ""], capture_output=True, timeout=60, check=False
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        started = 1
    return "its Python does not start any more" if started else ""


def ensure(root: Path) -> None:
    """Leave a whole environment behind: at once when it is one already. Raises SetUpError."""
    why = why_remake(root)
    if not why:
        return
    _remove(folder(root))
    # Inside an environment sys.executable may be the very one just removed.
    python = getattr(sys, "_base_executable", "") or sys.executable
    run_step(f"making .venv ({why})", [python, "-m", "venv", str(folder(root))], limit=VENV_LIMIT)
    pip = [
        program(root, "python"), "-m", "pip", "--disable-pip-version-check", "--no-input",
        "install", "--constraint", str(root / "packaging" / "constraints.txt"),
    ]  # fmt: skip
    try:
        # The build backend comes first, so that it is pinned too: an isolated build would fetch any version.
        run_step("installing the build tools", [*pip, "hatchling", "editables"], limit=PIP_LIMIT)
        label = "installing Ridgeline and its packages"
        run_step(label, [*pip, "--no-build-isolation", "--editable", f"{root}[dev]"], limit=PIP_LIMIT)
    except SetUpError as failed:
        raise SetUpError(f"{failed}\n{_advice(str(failed))}") from None
    (folder(root) / STAMP).write_text(stamp(root), encoding="ascii")


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def _advice(output: str) -> str:
    if any(word in output.lower() for word in UNREACHABLE):
        return (
            "pip could not fetch a package. Is this computer online? Behind a proxy or with an own package\n"
            "index, set pip's own configuration (python3 -m pip config list shows it), then run this again."
        )
    return AGAIN
