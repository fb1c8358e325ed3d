"""settings.toml on disk, read with its problems, and edited so that comments and order stay."""

import fcntl
import os
from collections.abc import Sequence

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import SettingsBroken
from ridgeline_desktop.core.settings import Settings, read_settings
from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.host.folders import check_trust, make_private


class DiskSettingsFile:
    """The settings of this computer."""

    def __init__(self, path: str) -> None:
        self.path = path

    def read(self) -> tuple[Settings, tuple[Problem, ...]]:
        """The settings and what is wrong with them; the defaults where there is no file."""
        try:
            with open(self.path, encoding="utf-8-sig", opener=_not_waiting) as file:
                text = file.read()
            check_trust(self.path, shared_allowed=False)
        except FileNotFoundError:
            if not os.path.lexists(self.path):
                return Settings(), ()
            problem = Problem(line=None, key="", message=f"{self.path} is a link to nowhere")
            return Settings(), (problem,)
        except (OSError, UnicodeDecodeError) as error:
            problem = Problem(line=None, key="", message=f"{self.path} cannot be read: {error}")
            return Settings(), (problem,)
        return read_settings(text)

    def note_elsewhere(self, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        """Add jobs to those that are not wanted on this computer, and drop others; comments and order stay.

        Two programs at once take turns. SettingsBroken where the file is not understood: it stays as it is.
        """
        make_private(os.path.dirname(self.path))
        turn = private_files.open_file(f"{self.path}.lock", os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(turn, fcntl.LOCK_EX)
            self._rewrite(add, drop)
        finally:
            os.close(turn)

    def _rewrite(self, add: Sequence[str], drop: Sequence[str]) -> None:
        import tomlkit

        settings, problems = self.read()
        if problems:
            raise SettingsBroken(f"settings.toml:{problems[0].line or '?'}: {problems[0].message}")
        kept = [job_id for job_id in settings.runs_elsewhere if job_id not in drop]
        wanted = tuple(dict.fromkeys((*kept, *add)))
        if wanted == settings.runs_elsewhere:
            return
        try:
            with open(self.path, encoding="utf-8-sig") as file:
                document = tomlkit.parse(file.read())
        except FileNotFoundError:
            document = tomlkit.document()
        if wanted:
            document["runs_elsewhere"] = list(wanted)
        else:
            document.remove("runs_elsewhere")
        _write_whole(self.path, tomlkit.dumps(document).encode())


def _not_waiting(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of what turns out to be a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _write_whole(path: str, data: bytes) -> None:
    """Replace the file in one step: after a crash either the old bytes stand there or the new."""
    beside = f"{path}.new"
    descriptor = private_files.open_file(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
