"""settings.toml on disk, read with its problems, and edited so that comments and order stay."""

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import NotTrusted, NotWritten, SettingsBroken
from ridgeline_desktop.core.settings import Settings, read_settings
from ridgeline_desktop.core.toml_tables import Problem, parse_toml
from ridgeline_desktop.host.folders import check_trust, make_private
from ridgeline_desktop.host.whole_files import write_whole


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
        except NotTrusted as error:
            return Settings(), (Problem(line=None, key="", message=str(error)),)
        except (OSError, UnicodeDecodeError) as error:
            problem = Problem(line=None, key="", message=f"{self.path} cannot be read: {error}")
            return Settings(), (problem,)
        return read_settings(text)

    def note_elsewhere(self, *, add: Sequence[str] = (), drop: Sequence[str] = ()) -> None:
        """Add jobs to those that are not wanted on this computer, and drop others; comments and order stay.

        Two programs at once take turns. SettingsBroken where the file is not understood: it stays as it is.
        """
        with self._a_turn():
            kept = [job_id for job_id in self._sound().runs_elsewhere if job_id not in drop]
            wanted, text = list(dict.fromkeys((*kept, *add))), self._text()
            self._rewrite(text, {"runs_elsewhere": wanted if wanted or _has_notes(text) else None})

    def write(self, changes: Mapping[str, object]) -> None:
        """Set these keys and no others; None takes a key out. Comments, order and a link stay."""
        with self._a_turn():
            self._sound()
            self._rewrite(self._text(), changes)

    @contextmanager
    def _a_turn(self) -> Iterator[None]:
        make_private(os.path.dirname(self.path))
        try:
            turn = private_files.open_file(f"{self.path}.lock", os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(turn, fcntl.LOCK_EX)
                yield
            finally:
                os.close(turn)
        except OSError as error:
            text = f"{self.path} could not be written: {error.strerror}. It stands as it was."
            raise NotWritten(text) from error

    def _sound(self) -> Settings:
        settings, problems = self.read()
        if problems:
            raise SettingsBroken(_first(problems))
        return settings

    def _text(self) -> str:
        try:
            with open(self.path, encoding="utf-8", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def _rewrite(self, text: str, changes: Mapping[str, object]) -> None:
        from ridgeline_desktop.core.toml_edits import with_values

        old = parse_toml(text)[0]
        new = with_values(text, old, _changed(old, changes), tables=("retention",))
        if new == text:
            return
        problems = read_settings(new)[1]
        if problems:
            raise SettingsBroken(_first(problems))
        path = os.path.realpath(self.path)
        if os.path.islink(self.path):
            check_trust(os.path.dirname(path), shared_allowed=False)
        write_whole(path, new.encode())


def _changed(old: Mapping[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    new: dict[str, Any] = {
        key: dict(value) if isinstance(value, dict) else value for key, value in old.items()
    }
    for name, value in changes.items():
        table, dot, key = name.rpartition(".")
        target = new.setdefault(table, {}) if dot else new
        if value is None:
            target.pop(key, None)
        else:
            target[key] = value
    return new


def _first(problems: Sequence[Problem]) -> str:
    return f"settings.toml:{problems[0].line or '?'}: {problems[0].message}"


def _has_notes(text: str) -> bool:
    """Whether the list of jobs that run elsewhere holds comments, which would go with it."""
    from ridgeline_desktop.core.toml_layout import layout_of

    setting = layout_of(text).at(("runs_elsewhere",))
    return setting is not None and "#" in text[setting.value : setting.end]


def _not_waiting(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of what turns out to be a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)
