"""Kernel locks on small permanent files, never waited for longer than asked."""

import fcntl
import os
import time

from ridgeline_desktop.private_files import open_file

_PAUSE = 0.01


def take(path: str, *, exclusive: bool, seconds: float) -> int | None:
    """A descriptor that holds the lock of the file, made where missing; None where it stays taken.

    Closing the descriptor frees the lock; programs started meanwhile do not inherit it. Raises OSError
    where the file cannot be opened.
    """
    handle = open_file(path, os.O_RDWR | os.O_CREAT)
    give_up = time.monotonic() + seconds
    kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
    try:
        while True:
            try:
                fcntl.flock(handle, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= give_up:
                    os.close(handle)
                    return None
                time.sleep(_PAUSE)
            else:
                return handle
    except OSError:
        os.close(handle)
        raise
