"""The time zone this computer's schedulers read, found without asking the caller's environment."""

import os
from collections.abc import Iterator
from zoneinfo import ZoneInfo

_LOCALTIME = "/etc/localtime"
_ZONES = "/usr/share/zoneinfo"


def system_zone() -> ZoneInfo:
    """The computer's zone as its daemons see it: /etc/localtime, whatever TZ says here.

    A copied /etc/localtime is named by its bytes. On other systems the platform is asked.
    """
    if not os.path.exists(_LOCALTIME):
        return _platform_zone()
    _, found, name = os.path.realpath(_LOCALTIME).partition("/zoneinfo/")
    if found:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            pass
    return _zone_of_copy()


def _zone_of_copy() -> ZoneInfo:
    """A copied zone file by the name of the zone that has the same bytes, else by its path."""
    with open(_LOCALTIME, "rb") as file:
        data = file.read()
    for name in (_stated_name(), *_names_by_size(len(data))):
        try:
            with open(os.path.join(_ZONES, name), "rb") as file:
                if name and file.read() == data:
                    return ZoneInfo(name)
        except (OSError, KeyError, ValueError):
            continue
    with open(_LOCALTIME, "rb") as file:
        return ZoneInfo.from_file(file, key=_LOCALTIME)


def _stated_name() -> str:
    try:
        with open("/etc/timezone", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def _names_by_size(size: int) -> Iterator[str]:
    for folder, _, names in sorted(os.walk(_ZONES)):
        if os.path.relpath(folder, _ZONES).split(os.sep)[0] in ("posix", "right"):
            continue
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.getsize(path) == size:
                yield os.path.relpath(path, _ZONES)


def _platform_zone() -> ZoneInfo:
    from tzlocal import get_localzone_name

    return ZoneInfo(get_localzone_name() or "UTC")
