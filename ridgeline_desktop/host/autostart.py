"""Starting Ridgeline when its user logs in: one file in the desktop's autostart folder."""

import os
import sys

from ridgeline_desktop import private_files
from ridgeline_desktop.core.digests import hex_digest

_HEADER = "[Desktop Entry]"
_SWITCHED_OFF = ("Hidden=true", "X-GNOME-Autostart-enabled=false")
_IN_QUOTES = '"`$\\'


class DesktopAutostart:
    """Stands for the icon near the clock; `home` is handed on ("" = the default folders).

    Each home has a file of its own, so that two of them can start side by side.
    """

    def __init__(self, *, home: str = "", interpreter: str = sys.executable) -> None:
        digest = hex_digest(home)[:8]
        name = f"ridgeline-{digest}.desktop" if home else "ridgeline.desktop"
        self._path = os.path.join(autostart_folder(), name)
        self._argv = (interpreter, "-I", "-m", "ridgeline_desktop", *(("--home", home) if home else ()))

    @property
    def path(self) -> str:
        """Where the file stands, or would stand."""
        return self._path

    def is_on(self) -> bool:
        """Whether the desktop starts this Ridgeline, as it stands now.

        A file that says itself that it is off, or starts another program than this one, counts as off.
        """
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                lines = {_tidy(line) for line in file}
        except FileNotFoundError:
            return False
        return lines >= {_HEADER, f"Exec={self._command()}"} and lines.isdisjoint(_SWITCHED_OFF)

    def set(self, on: bool) -> None:
        """Have it started at login from now on, or no more. OSError where the file cannot be changed."""
        if on:
            self._write()
            return
        try:
            os.unlink(self._path)
        except FileNotFoundError:
            return

    def _write(self) -> None:
        private_files.make_folder(os.path.dirname(self._path))
        beside = f"{self._path}.new"
        descriptor = private_files.open_file(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(self._text())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)

    def _command(self) -> str:
        return " ".join(_quoted(word) for word in (*self._argv, "gui", "--tray"))

    def _text(self) -> str:
        lines = (
            _HEADER,
            "Type=Application",
            "Name=Ridgeline",
            "Comment=Watches the jobs that run by themselves",
            f"Exec={self._command()}",
            "Terminal=false",
            "X-GNOME-Autostart-enabled=true",
        )
        return "\n".join(lines) + "\n"


def autostart_folder() -> str:
    """The folder whose files the desktop starts at login, of this user alone."""
    chosen = os.environ.get("XDG_CONFIG_HOME", "")
    base = chosen if os.path.isabs(chosen) else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "autostart")


def _tidy(line: str) -> str:
    """A line of the file without the blanks that mean nothing."""
    key, equals, value = line.strip().partition("=")
    return f"{key.rstrip()}{equals}{value.lstrip()}"


def _quoted(word: str) -> str:
    """One word of an Exec line, by the Desktop Entry Specification.

    It is read in two steps, first as a string value, then as a command line; a backslash is doubled for both.
    """
    if word and all(char.isascii() and (char.isalnum() or char in "/._-+:@,") for char in word):
        return word
    command = "".join(f"\\{char}" if char in _IN_QUOTES else char for char in word)
    value = command.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f'"{value}"'.replace("%", "%%")
