"""The real commands under a clock that stands at a chosen instant."""

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from glob import glob
from pathlib import Path

LIBRARIES = glob("/usr/lib/*/faketime/libfaketime.so.1")


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


def environment(home: Path, at: datetime) -> dict[str, str]:
    """All variables of a process that takes `at` for now; the library moves that process's clock alone."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TZ": "UTC",
        "LD_PRELOAD": LIBRARIES[0],
        "FAKETIME": f"@{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "NO_FAKE_STAT": "1",
        "FAKETIME_DONT_RESET": "1",
    }


def ridgeline(home: Path, *arguments: str, at: datetime, **variables: str) -> Answer:
    """Run the command in `home` as if it were `at`."""
    argv = [sys.executable, "-I", "-m", "ridgeline_desktop", "--home", str(home), *arguments]
    moved = environment(home, at) | variables
    done = subprocess.run(argv, env=moved, capture_output=True, text=True, timeout=120, check=False)
    return Answer(code=done.returncode, out=done.stdout, err=done.stderr)
