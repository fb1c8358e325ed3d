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


def ridgeline(home: Path, *arguments: str, at: datetime, **variables: str) -> Answer:
    """Run the command in `home` as if it were `at`; the library moves this process's clock alone."""
    stamp = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TZ": "UTC",
        "LD_PRELOAD": LIBRARIES[0],
        "FAKETIME": f"@{stamp}",
        "NO_FAKE_STAT": "1",
        "FAKETIME_DONT_RESET": "1",
        **variables,
    }
    argv = [sys.executable, "-I", "-m", "ridgeline_desktop", "--home", str(home), *arguments]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return Answer(code=done.returncode, out=done.stdout, err=done.stderr)
