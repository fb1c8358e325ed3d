"""What `ridgeline run` says to whoever typed it, and the one thing it asks; free of click, which is slow."""

import os
import sys
from contextlib import suppress

from ridgeline_desktop.core.runs import RunRecord, RunStatus, Trigger


def say(sentence: str) -> None:
    """Print a line on stderr; nothing where there is nothing to say, or no stderr."""
    if sentence:
        _write(f"ridgeline: {sentence}\n")


def hint(record: RunRecord | None, *, command: str) -> str:
    """Where to read on after a run by hand that did not work; "" otherwise. `command` is how to call us."""
    if record is None or record.trigger is not Trigger.MANUAL:
        return ""
    if record.status in (RunStatus.COMPLETED, RunStatus.REFUSED):
        return ""
    return f" (what it said: {command} log {record.job_id})"


def can_ask() -> bool:
    """Whether somebody sits at a terminal who could answer."""
    return sys.stdin is not None and os.isatty(0)


def is_to_run_again(title: str) -> bool:
    """The answer to whether a job is to be repeated; no answer, Ctrl+C and Ctrl+D mean no."""
    try:
        _write(f"{title} ran before, and its file says to ask. Run it again? [y/N] ")
        return input().strip().lower() in ("y", "yes")
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError, RuntimeError):
        _write("\n")
        return False


def _write(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):  # nobody listens: the exit code says it too
            os.write(2, text.encode(sys.stderr.encoding or "utf-8", "replace"))
