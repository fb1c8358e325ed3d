"""The shop folder on disk: job files and runbooks, read with care for who may have written them."""

import os
import stat

from ridgeline_desktop.core.errors import NotTrusted, RidgelineError, ShopUnreadable
from ridgeline_desktop.core.job_files import JobFile, broken_file, read_job_file
from ridgeline_desktop.core.jobs import is_job_id
from ridgeline_desktop.host.folders import check_trust

MOST_BYTES = 1_000_000
SUFFIX = ".toml"


class DiskShopFolder:
    """Job files in `<root>/jobs`, everything else below `root` as the job files name it."""

    def __init__(self, root: str, *, shared_allowed: bool) -> None:
        self.root = root
        self._shared_allowed = shared_allowed

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

    def read_text(self, relative: str) -> str:
        """A file inside the shop folder; links that lead out of it are not followed."""
        self._check_folders()
        path = os.path.realpath(os.path.join(self.root, relative))
        if not path.startswith(os.path.realpath(self.root) + os.sep):
            raise NotTrusted(f"{relative} leads out of the shop folder {self.root}; move the file into it")
        return _read_text(path)

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
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise RidgelineError("this is not a file")
        if found.st_size > MOST_BYTES:
            raise RidgelineError(f"the file is larger than {MOST_BYTES:,} bytes; is it what it should be?")
        data = file.read(MOST_BYTES + 1)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RidgelineError(f"line {line} is not UTF-8 text; save the file as UTF-8") from error
