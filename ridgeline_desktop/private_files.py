"""Folders and files that their owner alone can read, whatever the umask says; what fails raises OSError."""

import os
import stat


def make_folder(folder: str) -> None:
    """Make `folder` and its missing parents, 0700 each; one that is there stays as it is."""
    parent = os.path.dirname(folder)
    if parent and not os.path.isdir(parent):
        make_folder(parent)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
        return
    os.chmod(folder, 0o700)


def open_file(path: str, flags: int) -> int:
    """A descriptor of the file, 0600 from now on; no link is followed, and no other program inherits it."""
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != 0o600:
            os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def sync_folder(folder: str) -> None:
    """Make the names in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
