"""The user that runs things here, from the user database."""

import os
import pwd

from ridgeline_desktop.core.environments import Account, OnDisk
from ridgeline_desktop.core.errors import RidgelineError


def own_account() -> Account:
    """The account of this process's user; the environment is not asked."""
    try:
        entry = pwd.getpwuid(os.getuid())
    except KeyError as error:
        raise RidgelineError(f"user {os.getuid()} is not in this computer's user database") from error
    return Account(user=entry.pw_name, home=entry.pw_dir, shell=entry.pw_shell or "/bin/sh")


class DiskPrograms:
    """Programs on this computer's disks."""

    def exists(self, path: str) -> bool:
        """Whether an executable file stands at `path`."""
        return os.path.isfile(path) and os.access(path, os.X_OK)

    def look(self, path: str) -> OnDisk:
        """What stands at `path`; a leading ~ is the home folder of jobs."""
        if path == "~" or path.startswith("~/"):
            path = own_account().home + path[1:]
        if os.path.isdir(path):
            return OnDisk.FOLDER
        if not os.path.exists(path):
            return OnDisk.NOTHING
        return OnDisk.PROGRAM if self.exists(path) else OnDisk.FILE
