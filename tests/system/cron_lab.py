"""A private corner of this computer for the real cron: own crontabs, own /run and /etc, a clock to move.

Everything lives in a mount namespace that vanishes with the lab. Needs root.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

PROGRAMS = ("unshare", "nsenter", "mount", "cron", "crontab")
SEARCH = "/usr/sbin:/usr/bin:/sbin:/bin"
USER, USER_ID = "ridgeline-lab", 47110
LIMIT = 20.0

SET_UP = """
set -e
group=$(getent group crontab | cut -d: -f3)
mount -t tmpfs -o "mode=1730,gid=$group" tmpfs /var/spool/cron/crontabs
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/etc-changes /run/etc-work
mount -t overlay -o lowerdir=/etc,upperdir=/run/etc-changes,workdir=/run/etc-work overlay /etc
rm -f /etc/localtime
cp "/usr/share/zoneinfo/$1" /etc/localtime
echo "$2:x:$3:$3::/tmp:/bin/sh" >> /etc/passwd
echo ready
read -r end_of_the_lab || true
"""


def problem() -> str:
    """Why there can be no lab here, as a reason to skip; empty where there can."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=SEARCH)]
    if os.geteuid() != 0 or missing or not _faketime():
        return "not on this platform: needs root, unshare, cron and libfaketime"
    probe = ["unshare", "-m", "--propagation", "private", "true"]
    if subprocess.run(probe, capture_output=True, timeout=LIMIT, check=False).returncode != 0:
        return "not on this platform: private mounts are not allowed here"
    return ""


def _faketime() -> Path | None:
    return next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


class CronLab:
    """`crontab` is a command for the lab's crontabs. Files outside /etc and /run are the computer's."""

    def __init__(self, folder: Path, holder: "subprocess.Popen[str]") -> None:
        self.folder = folder
        self._holder = holder
        self._offset = folder / "clock-offset"
        self._daemon: subprocess.Popen[bytes] | None = None
        self.crontab = self._script("crontab", 'exec {enter} /usr/bin/crontab "$@"')

    def crontab_of_user(self) -> str:
        """The same command as the throwaway user, who can read nothing of root's."""
        enter = f"{{enter}} --setuid {USER_ID} --setgid {USER_ID}"
        return self._script("crontab-of-user", f'exec {enter} /usr/bin/crontab "$@"')

    def run(self, *argv: str) -> "subprocess.CompletedProcess[bytes]":
        """Run a program in the lab, as root."""
        command = [*self._enter(), *argv]
        return subprocess.run(command, capture_output=True, timeout=LIMIT, check=False)

    def install(self, table: bytes) -> None:
        """Make `table` root's crontab, by the real client and nothing of ours."""
        (self.folder / "table").write_bytes(table)
        done = self.run("crontab", str(self.folder / "table"))
        assert done.returncode == 0, done.stderr

    def listed(self) -> bytes:
        """Root's crontab as the real client lists it."""
        return self.run("crontab", "-l").stdout

    def clear(self) -> None:
        """No crontabs, no rules on who may use them."""
        self.run("sh", "-c", "rm -f /var/spool/cron/crontabs/* /etc/cron.allow /etc/cron.deny")

    def on_moved_clock(self, program: str) -> str:
        """A command that runs `program` on the lab's clock: cron gives its jobs the computer's."""
        settings = " ".join(f"{name}={value}" for name, value in self.clock_settings().items())
        return self._script(f"moved-{Path(program).name}", f'exec env {settings} {program} "$@"')

    def set_clock(self, to: datetime) -> None:
        """Set the lab's clock, which goes on from there, and wake the daemon to look at it.

        Jumps of up to five minutes are to cron as if the time had passed.
        """
        offset = to.timestamp() - time.time()
        draft = self._offset.with_suffix(".draft")
        draft.write_text(f"{offset:+.3f}\n", encoding="ascii")
        draft.replace(self._offset)
        self._wake_daemon()

    @contextlib.contextmanager
    def daemon(self, at: datetime) -> Iterator[int]:
        """The real cron at this time of its clock, by its process id, for as long as the block lasts."""
        self.set_clock(at)
        # cron sees no change made within the second of the one before; what is there counts as old.
        self.run("sh", "-c", "cd /var/spool/cron/crontabs && touch -d '1 hour ago' . ./*")
        environment = {"PATH": SEARCH, **self.clock_settings()}
        self._daemon = subprocess.Popen([*self._enter(), "cron", "-f"], env=environment)
        try:
            self.wait_for(self._has_looked_at_the_clock)
            yield self._daemon.pid
        finally:
            self._daemon.kill()
            self._daemon.wait(timeout=LIMIT)
            self._daemon = None
            self.run("rm", "-f", "/run/crond.pid", "/run/crond.reboot")

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Return once it holds; AssertionError after the limit."""
        until = time.monotonic() + LIMIT
        woken = time.monotonic()
        while not condition():
            assert time.monotonic() < until, "what was waited for did not come"
            time.sleep(0.02)
            if time.monotonic() - woken > 1:
                # A signal in the moment before the daemon sleeps wakes nobody.
                self._wake_daemon()
                woken = time.monotonic()

    def _has_looked_at_the_clock(self) -> bool:
        # cron makes this file once it knows from which minute on it starts jobs.
        return self._daemon is not None and Path(f"/proc/{self._daemon.pid}/root/run/crond.reboot").exists()

    def _wake_daemon(self) -> None:
        if self._daemon and self._has_looked_at_the_clock():
            self._daemon.send_signal(signal.SIGHUP)

    def _enter(self) -> list[str]:
        return ["/usr/bin/nsenter", "--target", str(self._holder.pid), "--mount", "--root"]

    def clock_settings(self) -> dict[str, str]:
        """The environment of a program that lives on the lab's clock."""
        return {
            "LD_PRELOAD": str(_faketime()),
            "FAKETIME_TIMESTAMP_FILE": str(self._offset),
            "FAKETIME_NO_CACHE": "1",
            "NO_FAKE_STAT": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def _script(self, name: str, line: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{line.format(enter=' '.join(self._enter()))}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)


@contextlib.contextmanager
def cron_lab(folder: Path, *, zone: str = "America/Toronto") -> Iterator[CronLab]:
    """A lab whose scripts and clock lie in `folder`; `zone` is what its /etc/localtime says."""
    words = ["unshare", "-m", "--propagation", "private", "sh", "-c", SET_UP, "lab", zone, USER, str(USER_ID)]
    holder = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    try:
        if holder.stdout.readline() != "ready\n":
            raise AssertionError(f"the lab could not be set up: {holder.communicate(timeout=LIMIT)[1]}")
        yield CronLab(folder, holder)
    finally:
        holder.communicate(timeout=LIMIT)
