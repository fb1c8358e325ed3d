"""Programs and files that come from the operating system: which are missing, and how they get there."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from steps import SetUpError, run_step

APT_LIMIT = 900
LABS_REFUSED = "not on this platform: the system labs need Debian's packages (apt-get)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing looked for: a program by name or a path pattern, and Debian's package that brings it.

    `renamed` is what newer systems call that package.
    """

    package: str
    program: str = ""
    pattern: str = ""
    renamed: str = ""

    def is_met(self) -> bool:
        """True when the thing is on this machine."""
        if self.program:
            # Daemons live in sbin, which is on no ordinary user's PATH.
            path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
            return shutil.which(self.program, path=path) is not None
        return any(Path("/").glob(self.pattern))


def _library(package: str, file: str, renamed: str = "") -> Need:
    return Need(package=package, pattern=f"usr/lib/*/{file}", renamed=renamed)


ZONE_DATA = Need(package="tzdata", pattern="usr/share/zoneinfo/America/Toronto")
# What the wheel of Qt links against and does not bring: for any window, then for one on X11.
QT_NEEDS = (
    _library("libdbus-1-3", "libdbus-1.so.3"),
    _library("libegl1", "libEGL.so.1"),
    _library("libfontconfig1", "libfontconfig.so.1"),
    _library("libgl1", "libGL.so.1"),
    _library("libglib2.0-0", "libglib-2.0.so.0", renamed="libglib2.0-0t64"),
    _library("libgssapi-krb5-2", "libgssapi_krb5.so.2"),
    _library("libxkbcommon0", "libxkbcommon.so.0"),
    Need(package="fonts-dejavu-core", pattern="usr/share/fonts/*/*/*.[ot]t[cf]"),
    _library("libx11-xcb1", "libX11-xcb.so.1"),
    _library("libxcb-cursor0", "libxcb-cursor.so.0"),
    _library("libxcb-icccm4", "libxcb-icccm.so.4"),
    _library("libxcb-image0", "libxcb-image.so.0"),
    _library("libxcb-keysyms1", "libxcb-keysyms.so.1"),
    _library("libxcb-randr0", "libxcb-randr.so.0"),
    _library("libxcb-render-util0", "libxcb-render-util.so.0"),
    _library("libxcb-render0", "libxcb-render.so.0"),
    _library("libxcb-shape0", "libxcb-shape.so.0"),
    _library("libxcb-shm0", "libxcb-shm.so.0"),
    _library("libxcb-sync1", "libxcb-sync.so.1"),
    _library("libxcb-util1", "libxcb-util.so.1"),
    _library("libxcb-xfixes0", "libxcb-xfixes.so.0"),
    _library("libxcb-xkb1", "libxcb-xkb.so.1"),
    _library("libxkbcommon-x11-0", "libxkbcommon-x11.so.0"),
)
LAB_NEEDS = (
    Need(package="cron", program="cron"),
    Need(package="dbus-daemon", program="dbus-run-session"),
    Need(package="faketime", pattern="usr/lib/*/faketime/libfaketime.so.1"),
    Need(package="git", program="git"),
    Need(package="locales", pattern="usr/share/i18n/locales/de_DE"),
    Need(package="mount", program="mount"),
    Need(package="moreutils", program="chronic"),
    Need(package="openbox", program="openbox"),
    Need(package="python3", pattern="usr/bin/python3"),
    Need(package="tint2", program="tint2"),
    Need(package="util-linux", program="unshare"),
    Need(package="xauth", program="xauth"),
    Need(package="xdotool", program="xdotool"),
    Need(package="xfce4-panel", program="xfce4-panel"),
    Need(package="xvfb", program="xvfb-run"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AptPlan:
    """How packages get installed: `prefix` before apt-get, or None and the `line` a person types."""

    prefix: tuple[str, ...] | None
    line: str


def apt_plan(*, is_root: bool, can_sudo: bool, has_sudo: bool, missing: Sequence[str]) -> AptPlan:
    """Decide how `missing` packages are installed.

    `can_sudo`: sudo asks no password here. `has_sudo`: there is a sudo at all.
    """
    install = f"apt-get install -y {' '.join(missing)}"
    if is_root:
        return AptPlan(prefix=(), line=f"apt-get update && {install}")
    if not has_sudo:
        return AptPlan(prefix=None, line=f"su -c 'apt-get update && {install}'")
    return AptPlan(prefix=("sudo", "-n") if can_sudo else None, line=f"sudo apt-get update && sudo {install}")


def has_apt() -> bool:
    """True on Debian and its relatives."""
    return sys.platform == "linux" and shutil.which("apt-get") is not None


def ensure(*, for_labs: bool) -> None:
    """Install what this machine lacks for set-up (and, with `for_labs`, for the system tests).

    Raises SetUpError with the exact line to type when it may not install.
    """
    if not has_apt():
        if not _has_venv():
            raise SetUpError(_no_venv_words())
        return
    wanted = (ZONE_DATA, *QT_NEEDS, *(LAB_NEEDS if for_labs else ()))
    missing = [need for need in wanted if not need.is_met()]
    if not _has_venv():
        # Only Debian's own interpreter gains its venv from a Debian package.
        if sys.base_prefix != "/usr":
            raise SetUpError(_no_venv_words())
        missing.append(Need(package=f"python3.{sys.version_info.minor}-venv"))
    if missing:
        _install(missing)


def _has_venv() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def _no_venv_words() -> str:
    return (
        f"{sys.executable} comes without Python's own modules venv and ensurepip, which set-up needs.\n"
        "Install the part of Python that has them (often a package of its own, named like python3-venv or\n"
        "python3-pip), or a complete Python 3.11, 3.12 or 3.13, then run this again."
    )


def package_names(needs: Sequence[Need], is_known: Callable[[str], bool]) -> list[str]:
    """The packages that meet the needs, by the names this system has for them."""
    return [need.renamed if need.renamed and is_known(need.renamed) else need.package for need in needs]


def _install(needs: Sequence[Need]) -> None:
    is_root = os.geteuid() == 0
    has_sudo = shutil.which("sudo") is not None
    can_sudo = has_sudo and not is_root and _sudo_asks_nothing()
    missing = package_names(needs, _is_known)
    plan = apt_plan(is_root=is_root, can_sudo=can_sudo, has_sudo=has_sudo, missing=missing)
    if plan.prefix is None:
        names = ", ".join(missing)
        raise SetUpError(
            f"System packages are missing: {names}.\nType this, then run me again:\n  {plan.line}"
        )
    # A variable set here would not pass through sudo.
    apt = (*plan.prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q")
    try:
        # The machine's package lists are mostly there already; fetched only when they do not do.
        if _lists_know(missing):
            _install_named(missing, apt)
            return
    except SetUpError:
        print("set-up: trying again with fresh package lists", flush=True)
    try:
        run_step("fetching the system's package lists", (*apt, "update"), limit=APT_LIMIT)
        _install_named(package_names(needs, _is_known), apt)
    except SetUpError as failed:
        raise SetUpError(f"{failed}\nThis line installs what is missing:\n  {plan.line}") from None


def _install_named(packages: Sequence[str], apt: tuple[str, ...]) -> None:
    label = f"installing system packages: {', '.join(packages)}"
    run_step(label, (*apt, "install", "-y", "--no-install-recommends", *packages), limit=APT_LIMIT)


def _is_known(package: str) -> bool:
    asked = ["apt-cache", "show", package]
    return subprocess.run(asked, capture_output=True, timeout=60, check=False).returncode == 0


def _lists_know(packages: Sequence[str]) -> bool:
    rehearsal = ["apt-get", "--simulate", "install", *packages]
    return subprocess.run(rehearsal, capture_output=True, timeout=60, check=False).returncode == 0


def _sudo_asks_nothing() -> bool:
    try:
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0
