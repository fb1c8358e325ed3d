"""The time zone this computer's schedulers read, found without asking the caller's environment."""

import os
from zoneinfo import ZoneInfo

_LOCALTIME = "/etc/localtime"


def system_zone() -> ZoneInfo:
    """The computer's zone as its daemons see it: /etc/localtime, whatever TZ says here.

    A copied /etc/localtime gives a zone whose key is the path. On other systems the platform is asked.
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
    """A copy of a zone file, by the name that /etc/timezone gives it where both have the same bytes."""
    with open(_LOCALTIME, "rb") as file:
        data = file.read()
    try:
        with open("/etc/timezone", encoding="utf-8") as file:
            name = file.read().strip()
        with open(os.path.join("/usr/share/zoneinfo", name), "rb") as file:
            same = bool(name) and file.read() == data
    except OSError:
        same = False
    if same:
        return ZoneInfo(name)
    with open(_LOCALTIME, "rb") as file:
        return ZoneInfo.from_file(file, key=_LOCALTIME)


def _platform_zone() -> ZoneInfo:
    from tzlocal import get_localzone_name

    return ZoneInfo(get_localzone_name() or "UTC")


def zone_for_jobs(zone: ZoneInfo) -> str:
    """The TZ value that gives a job this zone's clock."""
    key = zone.key
    return f":{key}" if key.startswith("/") else key
