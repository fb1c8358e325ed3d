"""Writing a file as a whole: after a crash, or on a full disk, the old one stands there or the new one."""

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from ridgeline_desktop import private_files

# Some network drives cannot lock a folder.
_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP)


def write_whole(path: str, data: bytes) -> None:
    """Replace a file in one step; its mode and group stay, a new one is its owner's alone. OSError if not."""
    folder, name = os.path.split(path)
    beside = os.path.join(folder, f".{name}.new")
    old = os.stat(path) if os.path.exists(path) else None
    descriptor = private_files.open_file(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if old is not None:
                with contextlib.suppress(OSError):
                    os.fchown(descriptor, -1, old.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            os.fsync(descriptor)
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    private_files.sync_folder(folder)


@contextmanager
def a_turn(folder: str) -> Iterator[None]:
    """Be the only Ridgeline that changes files of `folder` until the end of the block; leaves no lock file.

    On a drive that cannot lock folders nothing is waited for.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        yield
    finally:
        os.close(descriptor)
