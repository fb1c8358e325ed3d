"""Which jobs the in-app scheduler is asked to start, on disk, so that every front end sees the same."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ridgeline_desktop.core.errors import BackendError, CannotExpress
from ridgeline_desktop.core.registrations import Entry, Found, ServiceState
from ridgeline_desktop.core.schedules import BackendName, in_words, wall_patterns


class InAppBook:
    """The in-app scheduler as the front ends see it; the program that obeys the book holds its lock."""

    name: BackendName = BackendName.IN_APP

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = f"{path}.lock"

    def available(self) -> str:
        """Always usable."""
        return ""

    def objections(self, entry: Entry) -> tuple[str, ...]:
        """What keeps it from running `entry` as its job file says; empty = nothing."""
        if wall_patterns(entry.schedule):
            return ()
        return ("it has no fire times, so there is nothing to start it at",)

    def preview(self, entry: Entry) -> str:
        """What will be done, and for how long."""
        command = " ".join(entry.argv)
        return f"only while Ridgeline is open: {in_words(entry.schedule)} ({entry.zone.key}): {command}"

    def apply(self, entries: Sequence[Entry]) -> None:
        """Write these into the book, over those of the same names; CannotExpress on an objection."""
        for entry in entries:
            if problems := self.objections(entry):
                raise CannotExpress(f"{entry.name}: {'; '.join(problems)}")
        with self._alone():
            found = self._read()
            found.update({entry.name: [self.preview(entry), entry.argv[0]] for entry in entries})
            self._write(found)

    def remove(self, names: Sequence[str]) -> None:
        """Take these out of the book."""
        with self._alone():
            found = self._read()
            kept = {name: value for name, value in found.items() if name not in names}
            if kept != found:
                self._write(kept)

    def read_back(self) -> tuple[Found, ...]:
        """What the book holds."""
        return tuple(
            Found(name=name, native=native, program=program)
            for name, (native, program) in self._read().items()
        )

    def service_state(self) -> ServiceState:
        """Whether a program that obeys the book is open."""
        import fcntl

        try:
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return _CLOSED
        except OSError:
            return ServiceState(running=None, sentence="it cannot be told whether Ridgeline is open")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return ServiceState(running=True, sentence="Ridgeline is open and starts its jobs")
        finally:
            os.close(descriptor)
        return _CLOSED

    @contextmanager
    def obeyed(self) -> Iterator[None]:
        """Be the one program that obeys the book, until the end of the block. BackendError where one is."""
        import fcntl

        os.makedirs(os.path.dirname(self._lock), mode=0o700, exist_ok=True)
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise BackendError("another Ridgeline is open already and starts these jobs") from None
        try:
            yield
        finally:
            os.close(descriptor)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        import fcntl

        os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
        descriptor = os.open(f"{self._path}.write", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _read(self) -> dict[str, list[str]]:
        try:
            with open(self._path, encoding="utf-8") as file:
                found = json.load(file)
            return {str(name): [str(native), str(program)] for name, (native, program) in found.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise BackendError(
                f"{self._path} cannot be read: {error}; move it away and register again"
            ) from error

    def _write(self, found: dict[str, list[str]]) -> None:
        beside = f"{self._path}.new"
        with open(beside, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            json.dump(found, file, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, self._path)


_CLOSED = ServiceState(
    running=False, sentence="nothing starts its in-app jobs now: keep ridgeline in-app open"
)
