"""The shop folder on disk: job files and runbooks, read with care for who may have written them."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from ridgeline_desktop import private_files
from ridgeline_desktop.core.errors import (
    JobFileMoved,
    NotTrusted,
    NotWritten,
    RidgelineError,
    ShopUnreadable,
)
from ridgeline_desktop.core.job_files import JobFile, broken_file, read_job_file
from ridgeline_desktop.core.jobs import JOB_ID_RULE, is_job_id
from ridgeline_desktop.host.folders import check_trust
from ridgeline_desktop.host.whole_files import a_turn, write_whole

MOST_BYTES = 1_000_000
MOST_PICTURE_BYTES = 5_000_000
SUFFIX = ".toml"


class DiskShopFolder:
    """Job files in `<root>/jobs`, everything else below `root` as the job files name it.

    With `may_make` a folder that is not there is made for the first job file.
    """

    def __init__(self, root: str, *, shared_allowed: bool, may_make: bool = False) -> None:
        self.root = root
        self._shared_allowed = shared_allowed
        self._may_make = may_make

    @property
    def jobs_folder(self) -> str:
        """Where job files are looked for."""
        return os.path.join(self.root, "jobs")

    def read_jobs(self, *, shop_zone: str) -> tuple[JobFile, ...]:
        """Every job file, sorted by id, broken ones among them."""
        self._check_folders()
        try:
            names = sorted(os.listdir(self.jobs_folder))
        except OSError as error:
            raise self._unreadable(error) from error
        wanted = [name for name in names if name.lower().endswith(SUFFIX) and not name.startswith(".")]
        return tuple(self._read(name, shop_zone) for name in wanted)

    def read_job(self, job_id: str, *, shop_zone: str) -> JobFile | None:
        """One job file, or None where there is no such file."""
        self._check_folders()
        name = job_id + SUFFIX
        if not is_job_id(job_id) or not os.path.lexists(os.path.join(self.jobs_folder, name)):
            return None
        return self._read(name, shop_zone)

    def read_source(self, job_id: str) -> str | None:
        """A job file exactly as it stands on disk, line ends and byte order mark too; None without one."""
        self._check_folders()
        path = self._job_path(job_id)
        return self._found(path) if os.path.lexists(path) else None

    def write_job(self, job_id: str, text: str, *, replacing: str | None) -> None:
        """Write a job file that still holds `replacing`; None = a new one, of which there must be none."""
        path = self._job_path(job_id)
        try:
            if replacing is None and self._may_make:
                private_files.make_folder(self.jobs_folder)
            with self._changing(path, replacing, ours=text):
                write_whole(os.path.realpath(path), text.encode())
        except OSError as error:
            raise _not_written(path, error) from error

    def delete_job(self, job_id: str, *, replacing: str) -> None:
        """Remove a job file that still holds `replacing`."""
        path = self._job_path(job_id)
        try:
            with self._changing(path, replacing, ours=None):
                os.unlink(path)
                private_files.sync_folder(self.jobs_folder)
        except OSError as error:
            raise _not_written(path, error) from error

    @contextmanager
    def _changing(self, path: str, replacing: str | None, *, ours: str | None) -> Iterator[None]:
        """One Ridgeline at a time, and only while the file is what it was when the change was thought of."""
        self._check_folders()
        with a_turn(self.jobs_folder):
            found = self._found(path) if os.path.lexists(path) else None
            if found != replacing:
                raise _moved(os.path.basename(path), found, ours)
            if os.path.islink(path):
                check_trust(os.path.dirname(os.path.realpath(path)), shared_allowed=self._shared_allowed)
            yield

    def _found(self, path: str) -> str:
        try:
            check_trust(path, shared_allowed=self._shared_allowed)
            return _text_of(_read_whole(path, most=MOST_BYTES))
        except OSError as error:
            raise ShopUnreadable(f"the file {path} cannot be read: {error.strerror}") from error

    def _job_path(self, job_id: str) -> str:
        if not is_job_id(job_id):
            raise RidgelineError(f'"{job_id}" cannot be a job\'s id: {JOB_ID_RULE}')
        return os.path.join(self.jobs_folder, job_id + SUFFIX)

    def read_text(self, relative: str) -> str:
        """A file inside the shop folder; links that lead out of it are not followed."""
        self._check_folders()
        return _read_text(self.where(relative))

    def read_bytes(self, relative: str) -> bytes:
        """A picture inside the shop folder, of at most five megabytes."""
        self._check_folders()
        return _read_whole(self.where(relative), most=MOST_PICTURE_BYTES)

    def change_text(self, relative: str, *, old: str | None, new: str) -> str | None:
        """Write a file that still holds `old`; else give what it holds, and leave it alone."""
        self._check_folders()
        path = self.where(relative)
        with a_turn(self.jobs_folder):
            try:
                data: bytes | None = _read_whole(path, most=MOST_BYTES)
            except FileNotFoundError:
                data = None
            found = None if data is None else _decoded(data)
            if found != old:
                return found or ""
            text = new.replace("\n", "\r\n") if data and b"\r\n" in data else new
            private_files.make_folder(os.path.dirname(path))
            write_whole(path, text.encode())
        return None

    def where(self, relative: str) -> str:
        """The full path of a file in the shop folder, links followed; NotTrusted where it leads out of it."""
        path = os.path.realpath(os.path.join(self.root, relative))
        if not path.startswith(os.path.realpath(self.root) + os.sep):
            raise NotTrusted(f"{relative} leads out of the shop folder {self.root}; move the file into it")
        return path

    def _check_folders(self) -> None:
        for folder in (self.root, self.jobs_folder):
            try:
                check = os.stat(folder)
                if not stat.S_ISDIR(check.st_mode):
                    raise ShopUnreadable(f"{folder} is not a folder")
                check_trust(folder, shared_allowed=self._shared_allowed)
            except OSError as error:
                raise self._unreadable(error) from error

    def _unreadable(self, error: OSError) -> ShopUnreadable:
        if isinstance(error, FileNotFoundError):
            return ShopUnreadable(
                f"there is no folder {error.filename}. On a new computer make it and put job files into it: "
                f"mkdir -p '{self.jobs_folder}'. If it was there before: is its disk mounted, and does "
                "settings.toml name the right shop_folder?"
            )
        return ShopUnreadable(f"the shop folder cannot be read: {error.strerror} ({error.filename})")

    def _read(self, name: str, shop_zone: str) -> JobFile:
        path = os.path.join(self.jobs_folder, name)
        try:
            check_trust(path, shared_allowed=self._shared_allowed)
            text = _read_text(path)
        except RidgelineError as error:
            return broken_file(name, str(error))
        except OSError as error:
            return broken_file(name, f"the file cannot be read: {error.strerror}")
        return read_job_file(name, text, shop_zone=shop_zone)


def _read_text(path: str) -> str:
    return _decoded(_read_whole(path, most=MOST_BYTES))


def _read_whole(path: str, *, most: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise RidgelineError("this is not a file")
        if found.st_size > most:
            raise RidgelineError(f"the file is larger than {most:,} bytes; is it what it should be?")
        return file.read(most + 1)


def _decoded(data: bytes) -> str:
    return _text_of(data).removeprefix("\ufeff").replace("\r\n", "\n")


def _text_of(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RidgelineError(f"line {line} is not UTF-8 text; save the file as UTF-8") from error


def _moved(name: str, theirs: str | None, ours: str | None) -> JobFileMoved:
    if theirs is None:
        text = f"{name} is gone: somebody removed it, or its disk is not there. Nothing was written."
    else:
        text = f"{name} was changed by somebody else meanwhile. Nothing of yours was written."
    return JobFileMoved(text, theirs=theirs, ours=ours)


def _not_written(path: str, error: OSError) -> NotWritten:
    return NotWritten(f"{path} could not be written: {error.strerror}. Nothing was changed.")
