"""Programs and files that come from the operating system: which are missing, and how they get there."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from steps import SetUpError, run_step

APT_LIMIT = 900
LABS_REFUSED = "not on this platform: the system labs need Debian's packages (apt-get)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing looked for: a program by name or a path pattern, and Debian's package that brings it."""

    package: str
    program: str = ""
    pattern: str = ""

    def is_met(self) -> bool:
        """True when the thing is on this machine."""
        if self.program:
            # Daemons live in sbin, which is on no ordinary user's PATH.
            path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
            return shutil.which(self.program, path=path) is not None
        return any(Path("/").glob(self.pattern))


ZONE_DATA = Need(package="tzdata", pattern="usr/share/zoneinfo/America/Toronto")
LAB_NEEDS = (
    Need(package="cron", program="cron"),
    Need(package="faketime", pattern="usr/lib/*/faketime/libfaketime.so.1"),
    Need(package="git", program="git"),
    Need(package="locales", pattern="usr/share/i18n/locales/de_DE"),
    Need(package="mount", program="mount"),
    Need(package="moreutils", program="chronic"),
    Need(package="python3", pattern="usr/bin/python3"),
    Need(package="util-linux", program="unshare"),
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
    missing = [need.package for need in (ZONE_DATA, *(LAB_NEEDS if for_labs else ())) if not need.is_met()]
    if not _has_venv():
        # Only Debian's own interpreter gains its venv from a Debian package.
        if sys.base_prefix != "/usr":
            raise SetUpError(_no_venv_words())
        missing.append(f"python3.{sys.version_info.minor}-venv")
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


def _install(missing: Sequence[str]) -> None:
    is_root = os.geteuid() == 0
    has_sudo = shutil.which("sudo") is not None
    can_sudo = has_sudo and not is_root and _sudo_asks_nothing()
    plan = apt_plan(is_root=is_root, can_sudo=can_sudo, has_sudo=has_sudo, missing=missing)
    if plan.prefix is None:
        names = ", ".join(missing)
        raise SetUpError(
            f"System packages are missing: {names}.\nType this, then run me again:\n  {plan.line}"
        )
    # A variable set here would not pass through sudo.
    apt = (*plan.prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q")
    install = (*apt, "install", "-y", "--no-install-recommends", *missing)
    label = f"installing system packages: {', '.join(missing)}"
    try:
        # The machine's package lists are mostly there already; fetched only when they do not do.
        if _lists_know(missing):
            run_step(label, install, limit=APT_LIMIT)
            return
    except SetUpError:
        print("set-up: trying again with fresh package lists", flush=True)
    try:
        run_step("fetching the system's package lists", (*apt, "update"), limit=APT_LIMIT)
        run_step(label, install, limit=APT_LIMIT)
    except SetUpError as failed:
        raise SetUpError(f"{failed}\nThis line installs what is missing:\n  {plan.line}") from None


def _lists_know(packages: Sequence[str]) -> bool:
    rehearsal = ["apt-get", "--simulate", "install", *packages]
    return subprocess.run(rehearsal, capture_output=True, timeout=60, check=False).returncode == 0


def _sudo_asks_nothing() -> bool:
    try:
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0
