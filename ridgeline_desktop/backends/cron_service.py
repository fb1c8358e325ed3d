"""Whether a cron program is alive on this computer, by the process table."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from ridgeline_desktop.core.registrations import ServiceState

_CRONS = frozenset({"cron", "crond", "fcron", "bcron-sched"})
_MAY_BE_CRON = _CRONS | {"busybox"}
_OVER = "ZXx"
Process = tuple[int, str, Sequence[str]]


def cron_service() -> ServiceState:
    """Say whether a cron program is alive; None where the process table cannot be read."""
    try:
        return cron_among(_on_linux() if sys.platform == "linux" else _elsewhere())
    except OSError as error:
        return ServiceState(running=None, sentence=f"cannot tell whether cron is running: {error}")


def cron_among(processes: Iterable[Process]) -> ServiceState:
    """Say whether a cron is among living processes, given as (pid, name, command line)."""
    for pid, name, command in processes:
        if name in _CRONS or (name == "busybox" and "crond" in command[:2]):
            return ServiceState(running=True, sentence=f"{name} is running (process {pid})")
    sentence = "no cron program is running on this computer: jobs will not start"
    return ServiceState(running=False, sentence=sentence)


def _on_linux() -> Iterator[Process]:
    """Those that may be a cron. Each look asks, and psutil takes ten times as long to know all about all."""
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()):
        with suppress(OSError):  # it has ended meanwhile
            name, state = _stat(pid)
            if name in _MAY_BE_CRON and state not in _OVER:
                yield pid, name, _read(pid, "cmdline").split("\0")


def _stat(pid: int) -> tuple[str, str]:
    """Name and state, as in "7 (cron) S 1 …"; a name may hold brackets itself."""
    before, _, after = _read(pid, "stat").rpartition(") ")
    return before.partition(" (")[2], after[:1]


def _read(pid: int, what: str) -> str:
    with open(f"/proc/{pid}/{what}", encoding="utf-8", errors="replace") as file:
        return file.read()


def _elsewhere() -> Iterator[Process]:
    import psutil  # type: ignore[import-untyped]

    try:
        for process in psutil.process_iter(["pid", "name", "cmdline", "status"]):
            if process.info["status"] != psutil.STATUS_ZOMBIE:
                yield process.info["pid"], process.info["name"] or "", tuple(process.info["cmdline"] or ())
    except psutil.Error as error:
        raise OSError(str(error)) from error
