"""This user's crontab, read and written by the crontab command, and the question whether cron runs."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from ridgeline_desktop import private_files
from ridgeline_desktop.backends.cron_service import cron_service
from ridgeline_desktop.backends.crontab_text import (
    LONGEST_LINE,
    BlockEntry,
    cron_line,
    parse,
    program_in,
    with_entries,
    word_problem,
)
from ridgeline_desktop.core.errors import BackendError, CannotExpress, NotAllowed
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.registrations import Entry, Found, ServiceState
from ridgeline_desktop.core.schedules import BackendName, wall_patterns

_TOOL_SECONDS = 10.0
# No variable of ours reaches the tool: its messages stay English, and a frozen program's library path away.
_TOOL_ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
# crontab cuts paths after 99 characters, so its input never lies in a TMPDIR of unknown length.
_SHORT_FOLDER = "/tmp"
# cron compares whole seconds of the table's time: of two installs in one second it may miss the later one.
# More than a second, since the file system's clock lags some milliseconds.
_SECONDS_APART = 1.05
_LOCK_ATTEMPTS, _LOCK_PAUSE = 200, 0.05
_ATTEMPTS = 3
_BACKUPS_KEPT = 20
_LOOK_AHEAD = timedelta(days=731)
_DISPLACED = "# below foreign settings\n"


class CronBackend:
    """Registers jobs in the crontab of the user it runs as.

    `crontab` is the command's name or path; `pause` waits so many seconds. `home` is the one folder that
    holds everything of this Ridgeline ("" = the default folders): entries of other homes are not ours.
    Calls may come from any thread or process: writers wait for each other at `lock_path`.
    """

    name: BackendName = BackendName.CRON

    def __init__(
        self,
        *,
        crontab: str = "crontab",
        lock_path: Path,
        backup_folder: Path,
        clock: Clock,
        system_zone: ZoneInfo,
        home: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        search = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/bin"))
        self._crontab = shutil.which(crontab, path=search)
        self._lock_path = lock_path
        self._stamp = lock_path.with_name(f"{lock_path.name}.installed")
        self._backup_folder = backup_folder
        self._clock = clock
        self._system_zone = system_zone
        self._suffix = f" in {home}" if home else ""
        self._pause = pause

    def available(self) -> str:
        """Say why there is no cron to speak to; empty where there is one, though it may refuse this user."""
        if self._crontab is None:
            return "this computer has no crontab command; install cron (on Debian the package cron)"
        return ""

    def objections(self, entry: Entry) -> tuple[str, ...]:
        """Say what keeps cron from running `entry` as its job file says; empty = nothing."""
        if not wall_patterns(entry.schedule):
            return ("it has no fire times, so there is nothing to register with cron",)
        found = [problem for problem in map(word_problem, entry.argv) if problem]
        if any(len(line) > LONGEST_LINE for line in self._block_entry(entry).lines):
            found.append(
                f"its line would have more than the {LONGEST_LINE} bytes cron reads; use shorter paths"
            )
        if not _same_clock(entry.zone, self._system_zone, self._clock.now()):
            found.append(
                f"cron reads this computer's clock only ({self._system_zone}), and the clock of {entry.zone} "
                "differs from it within the next two years; state the times in this computer's zone, or let "
                "the in-app scheduler start it"
            )
        return tuple(found)

    def preview(self, entry: Entry) -> str:
        """Give the exact lines that would stand in the crontab."""
        return _text(self._block_entry(entry))

    def apply(self, entries: Sequence[Entry]) -> None:
        """Register these, replacing ours of the same names; a crontab that is already so is not written.

        CannotExpress where one has objections; BackendError where the crontab could not be read or written.
        """
        for entry in entries:
            problems = self.objections(entry)
            if problems:
                raise CannotExpress(f"{entry.name}: {'; '.join(problems)}")
        wanted = tuple(self._block_entry(entry) for entry in entries)
        self._change(lambda old: with_entries(old, _merged(parse(old).entries, wanted)))

    def read_back(self) -> tuple[Found, ...]:
        """Give our entries as the crontab holds them now.

        The text of one that stands below variables set by others begins with a line saying so.
        """
        table = parse(self._list())
        ours = [entry for entry in table.entries if self._is_ours(entry)]
        copies = Counter(entry.name for entry in ours)
        first = {entry.name: entry for entry in reversed(ours)}
        prefix = _DISPLACED if table.is_displaced else ""
        return tuple(
            Found(
                name=name.removesuffix(self._suffix),
                native=prefix + _text(first[name]),
                program=program_in(first[name].lines),
                copies=count,
            )
            for name, count in copies.items()
        )

    def remove(self, names: Sequence[str]) -> None:
        """Take these of ours out of the crontab; those that are not there are no error."""
        gone = {name + self._suffix for name in names}

        def without(old: bytes) -> bytes:
            kept = [entry for entry in parse(old).entries if entry.name not in gone]
            return with_entries(old, kept)

        self._change(without)

    def service_state(self) -> ServiceState:
        """Say whether a cron program is alive; None where the process table cannot be read."""
        return cron_service()

    def _block_entry(self, entry: Entry) -> BlockEntry:
        patterns = wall_patterns(entry.schedule)
        lines = tuple(cron_line(pattern.text, entry.argv) for pattern in patterns)
        return BlockEntry(name=entry.name + self._suffix, lines=lines)

    def _is_ours(self, entry: BlockEntry) -> bool:
        """Whether this home registered it: several homes of one user share a crontab."""
        name = entry.name.removesuffix(self._suffix)
        return entry.name.endswith(self._suffix) and " in " not in name

    def _change(self, build: Callable[[bytes], bytes]) -> None:
        try:
            with self._locked():
                if any(self._write_once(build) for _ in range(_ATTEMPTS)):
                    return
        except OSError as error:
            raise BackendError(f"the crontab could not be changed: {error}") from error
        raise BackendError(
            f"the crontab was changed by something else {_ATTEMPTS} times while Ridgeline was about to "
            "write it; nothing of ours was written. Try again in a minute."
        )

    def _write_once(self, build: Callable[[bytes], bytes]) -> bool:
        """Read, build, install, verify; False where somebody else wrote in between and nothing was done."""
        old = self._list()
        new = build(old)
        if new == old:
            return True
        with _short_file(new) as path:
            self._check_syntax(path)
            backup = self._back_up(old)
            self._keep_apart()
            if self._list() != old:
                return False
            self._tool("the crontab was not changed", path)
        now = self._clock.now().timestamp()
        os.close(private_files.open_file(str(self._stamp), os.O_WRONLY | os.O_CREAT))
        os.utime(self._stamp, (now, now))
        if self._list() != new:
            raise BackendError(
                "the crontab was written, but reads back otherwise than it was written: look at it with "
                f"crontab -l. This puts back what was there before: crontab - < '{backup}'"
            )
        return True

    def _list(self) -> bytes:
        """The crontab's bytes, empty where the user has none; any other failure raises."""
        done = self._run("-l")
        words = _words(done)
        if done.returncode == 0:
            return done.stdout
        # The exit code is the same for all failures; these words alone mean that there is nothing to lose.
        if "no crontab for" in words and not done.stdout:
            return b""
        kind = NotAllowed if "not allowed to use this program" in words else BackendError
        raise kind(f"the crontab could not be read: {words}")

    def _check_syntax(self, path: str) -> None:
        # Elsewhere -n sets a cluster's host, so only a tool that says what Debian's says is asked.
        if "(dry run" in _words(self._run("-h")):
            self._tool("cron would not take the new crontab, and nothing was changed", "-n", path)

    def _tool(self, problem: str, *arguments: str) -> None:
        done = self._run(*arguments)
        if done.returncode != 0:
            raise BackendError(f"{problem}: {_words(done)}")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        if self._crontab is None:
            raise BackendError(self.available())
        command = (self._crontab, *arguments)
        try:
            return subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_TOOL_SECONDS,
                env=_TOOL_ENVIRONMENT,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BackendError(f"the crontab command did not do its work: {error}") from error

    def _keep_apart(self) -> None:
        try:
            since = self._clock.now().timestamp() - self._stamp.stat().st_mtime
        except FileNotFoundError:
            return
        if abs(since) < _SECONDS_APART:
            self._pause(_SECONDS_APART - since)

    def _back_up(self, old: bytes) -> Path:
        """Keep the old bytes in a dated file of its own, and the newest of the earlier ones."""
        private_files.make_folder(str(self._backup_folder))
        earlier = sorted(self._backup_folder.glob("crontab-*"))
        prefix = f"crontab-{self._clock.now():%Y%m%dT%H%M%S.%fZ}-"
        descriptor, path = tempfile.mkstemp(prefix=prefix, dir=self._backup_folder)
        os.fchmod(descriptor, 0o600)
        with open(descriptor, "wb") as file:
            file.write(old)
            file.flush()
            os.fsync(file.fileno())
        for outdated in earlier[: -(_BACKUPS_KEPT - 1)]:
            outdated.unlink(missing_ok=True)
        return Path(path)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        private_files.make_folder(str(self._lock_path.parent))
        descriptor = private_files.open_file(str(self._lock_path), os.O_RDWR | os.O_CREAT)
        try:
            for _ in range(_LOCK_ATTEMPTS):
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                self._pause(_LOCK_PAUSE)
            else:
                raise BackendError("another Ridgeline is still writing the crontab; try again later.")
            yield
        finally:
            os.close(descriptor)


def _text(entry: BlockEntry) -> str:
    return entry.text.decode(errors="backslashreplace")


def _merged(there: Sequence[BlockEntry], wanted: Sequence[BlockEntry]) -> tuple[BlockEntry, ...]:
    """Ours, with the wanted ones in the place of their namesakes or at the end."""
    waiting = {entry.name: entry for entry in wanted}
    names = frozenset(waiting)
    merged = []
    for entry in there:
        if entry.name not in names:
            merged.append(entry)
        elif entry.name in waiting:
            merged.append(waiting.pop(entry.name))
    return (*merged, *waiting.values())


def _same_clock(zone: ZoneInfo, other: ZoneInfo, now: datetime) -> bool:
    """Whether both zones show the same time at every hour of the next two years."""
    if zone.key == other.key:
        return True
    hours = (now + timedelta(hours=hour) for hour in range(_LOOK_AHEAD // timedelta(hours=1)))
    return all(hour.astimezone(zone).utcoffset() == hour.astimezone(other).utcoffset() for hour in hours)


@contextlib.contextmanager
def _short_file(content: bytes) -> Iterator[str]:
    """A file of this content, readable by this user alone, at a short path while the block lasts."""
    descriptor, path = tempfile.mkstemp(prefix="ridgeline-", dir=_SHORT_FOLDER)
    try:
        os.fchmod(descriptor, 0o600)
        with open(descriptor, "wb") as file:
            file.write(content)
        yield path
    finally:
        os.unlink(path)


def _words(done: subprocess.CompletedProcess[bytes]) -> str:
    """What the tool said, or its exit code where it said nothing."""
    said = done.stderr.decode(errors="replace").strip()
    return said or f"{Path(done.args[0]).name} ended with exit code {done.returncode}"
