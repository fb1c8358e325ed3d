"""Whether there is a screen that a window could be shown on."""

import os
import re
import socket
from collections.abc import Mapping

LIMIT = 2.0
_DISPLAY = re.compile(r"(?P<host>[^:]*):(?P<number>[0-9]+)(\.[0-9]+)?")
_FIRST_PORT = 6000


def has_screen(environment: Mapping[str, str]) -> bool:
    """Whether an X server or a Wayland compositor answers at the address the environment names."""
    return _wayland_answers(environment) or _x_answers(environment.get("DISPLAY", ""))


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    name, folder = environment.get("WAYLAND_DISPLAY", ""), environment.get("XDG_RUNTIME_DIR", "")
    if not name or not (folder or name.startswith("/")):
        return False
    return _answers(socket.AF_UNIX, os.path.join(folder, name))


def _x_answers(display: str) -> bool:
    found = _DISPLAY.fullmatch(display.removeprefix("unix"))
    if found is None:
        return False
    host, number = found["host"], int(found["number"])
    if host:
        return _answers(socket.AF_INET, (host, _FIRST_PORT + number))
    path = f"/tmp/.X11-unix/X{number}"
    return _answers(socket.AF_UNIX, path) or _answers(socket.AF_UNIX, f"\0{path}")


def _answers(family: int, address: str | tuple[str, int]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as knock:
            knock.settimeout(LIMIT)
            knock.connect(address)
    except OSError:
        return False
    return True
