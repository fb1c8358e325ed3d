"""settings.toml on disk, read with its problems, and edited so that comments and order stay."""

import os

from ridgeline_desktop import private_files
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
            with open(self.path, encoding="utf-8-sig") as file:
                text = file.read()
            check_trust(self.path, shared_allowed=False)
        except FileNotFoundError:
            return Settings(), ()
        except (OSError, UnicodeDecodeError) as error:
            problem = Problem(line=None, key="", message=f"{self.path} cannot be read: {error}")
            return Settings(), (problem,)
        return read_settings(text)

    def set_runs_elsewhere(self, job_ids: tuple[str, ...]) -> None:
        """Write which jobs are not wanted on this computer; an empty list takes the line away."""
        import tomlkit

        try:
            with open(self.path, encoding="utf-8-sig") as file:
                document = tomlkit.parse(file.read())
        except FileNotFoundError:
            document = tomlkit.document()
        if job_ids:
            document["runs_elsewhere"] = list(job_ids)
        elif "runs_elsewhere" in document:
            document.remove("runs_elsewhere")
        else:
            return
        make_private(os.path.dirname(self.path))
        write_whole(self.path, tomlkit.dumps(document).encode())


def write_whole(path: str, data: bytes) -> None:
    """Replace the file in one step: after a crash either the old bytes stand there or the new."""
    beside = f"{path}.new"
    descriptor = private_files.open_file(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
