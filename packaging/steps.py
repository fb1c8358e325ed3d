"""One set-up step: a line that says what is done and how long it took, and what it said if it failed."""

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence

TAIL_LINES = 25
AGAIN = "When its cause is mended, run this again: set-up begins anew by itself."


class SetUpError(Exception):
    """Set-up must stop; the message says why and what the reader can type."""


def run_step(label: str, argv: Sequence[str], *, limit: float) -> None:
    """Run one program behind one line of progress; `limit` in seconds.

    Its output is shown only when it fails: the last lines, and the path of the rest. Raises SetUpError.
    """
    print(f"set-up: {label} ...", end="", flush=True)
    begun = time.monotonic()
    code, output = _captured(argv, limit)
    took = f"{time.monotonic() - begun:.0f} s"
    if code == 0:
        print(f" done ({took})", flush=True)
        return
    print(f" failed ({took})", flush=True)
    lines = output.decode(errors="replace").splitlines()
    tail = "\n".join(f"  | {line}" for line in lines[-TAIL_LINES:])
    raise SetUpError(f"{tail}\nThis did not work: {label}.{_kept(output)}")


def _captured(argv: Sequence[str], limit: float) -> tuple[int, bytes]:
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as expired:
        return 1, (expired.stdout or b"") + f"\nstopped: it took longer than {limit:.0f} s".encode()
    except OSError as error:
        return 1, str(error).encode()
    return done.returncode, done.stdout


def _kept(output: bytes) -> str:
    try:
        handle, path = tempfile.mkstemp(prefix="ridgeline-set-up-", suffix=".log")
        with os.fdopen(handle, "wb") as log:
            log.write(output)
    except OSError:
        return ""  # the disk that failed the step may be full; the last lines are shown anyway
    return f"\nAll it said is in {path}"
