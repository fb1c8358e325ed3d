"""Evidence on disk: who runs a job. Every file is named after its run, so no removal can hit another's."""

import errno
import json
import os
import stat
from collections.abc import Mapping
from typing import Any, TypeVar

from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.private_files import open_file, sync_folder

VERSION = 1
LARGEST = 1 << 16
LONGEST_COMMAND = 500
LARGEST_PID = 1 << 22  # the kernel's own limit
READ_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerRecord:
    """`RUN_ID.json`: the runner of one run and where it lives. `host`, `user`, `started_at`: for display."""

    run_id: str
    job_id: str
    fence: int
    trigger: str
    started_at: str
    machine_id: str
    state_id: str
    boot_id: str
    pid_namespace: str
    time_namespace: str
    host: str
    user: str
    pid: int
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildRecord:
    """`RUN_ID.child`: the job's process, in the same place. `session` is 0 where it has none of its own."""

    run_id: str
    pid: int
    start: str
    session: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A record that cannot be understood, and why."""

    reason: str


Record = TypeVar("Record", RunnerRecord, ChildRecord)


def runner_name(run_id: str) -> str:
    """The name of a run's record."""
    return f"{run_id}.json"


def child_name(run_id: str) -> str:
    """The name of the record of its job's process."""
    return f"{run_id}.child"


def is_safe_name(text: str) -> bool:
    """Whether a run or job id may be part of a file name here."""
    return text.isascii() and text.replace("-", "").isalnum() and not text.startswith("-")


def recorded_runs(folder: str) -> tuple[str, ...] | Unreadable:
    """The ids of the runs that left names in `folder`, sorted; empty where there is no folder."""
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            return Unreadable(reason=f"{folder} is not a folder")
        names = os.listdir(folder)
    except FileNotFoundError:
        return ()
    except OSError as error:
        return Unreadable(reason=f"{folder}: {error.strerror}")
    found = set()
    for name in names:
        run_id = name.partition(".")[0]
        if not is_safe_name(run_id) or name not in _names_of(run_id):
            return Unreadable(reason=f"{os.path.join(folder, name)} is not Ridgeline's")
        found.add(run_id)
    return tuple(sorted(found))


def read_runner(folder: str, run_id: str) -> RunnerRecord | Unreadable | None:
    """The record of a run; None where there is none (any more)."""
    return _read(RunnerRecord, os.path.join(folder, runner_name(run_id)), run_id)


def read_child(folder: str, run_id: str) -> ChildRecord | Unreadable | None:
    """The record of its job's process; None where that was never written or was withdrawn."""
    return _read(ChildRecord, os.path.join(folder, child_name(run_id)), run_id)


def publish_folder(folder: str, record: RunnerRecord) -> bool:
    """Put `folder` there with the record in it, at once and on disk; False where it holds another's names.

    Call it under the guard: what another publication left half done is removed on the way.
    """
    parent, name = os.path.split(folder)
    for left in [entry for entry in os.listdir(parent) if _is_half_done(entry, name)]:
        half = os.path.join(parent, left)
        remove_run(half, left[len(name) + 1 : -len(".tmp")])
    prepared = f"{folder}.{record.run_id}.tmp"
    os.mkdir(prepared, 0o700)
    os.chmod(prepared, 0o700)
    _write(os.path.join(prepared, runner_name(record.run_id)), _values(record))
    sync_folder(prepared)
    try:
        os.rename(prepared, folder)
    except OSError as error:
        remove_run(prepared, record.run_id)
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            return False
        raise
    sync_folder(parent)
    return True


def publish_child(folder: str, record: ChildRecord, *, process_group: int, command: tuple[str, ...]) -> None:
    """Put the child's record beside the runner's, whole and on disk. Group and command are for display."""
    path = os.path.join(folder, child_name(record.run_id))
    prepared = f"{path}.tmp"
    remove_file(prepared)
    shown = " ".join(command)[:LONGEST_COMMAND]
    _write(prepared, {**_values(record), "process_group": process_group, "command": shown})
    os.rename(prepared, path)
    sync_folder(folder)


def remove_run(folder: str, run_id: str) -> None:
    """Remove the names of this run and no other, then the folder if it is empty."""
    for name in _names_of(run_id):
        remove_file(os.path.join(folder, name))
    try:
        os.rmdir(folder)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise


def remove_file(path: str) -> None:
    """Remove one name, which may be gone already."""
    try:
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        return


def _names_of(run_id: str) -> tuple[str, ...]:
    """In the order of removal: a child's record is never left without its runner's."""
    child = child_name(run_id)
    return (f"{child}.tmp", child, runner_name(run_id))


def _is_half_done(entry: str, folder_name: str) -> bool:
    prefix, suffix = f"{folder_name}.", ".tmp"
    middle = entry[len(prefix) : -len(suffix)]
    return entry.startswith(prefix) and entry.endswith(suffix) and is_safe_name(middle)


def _values(record: RunnerRecord | ChildRecord) -> dict[str, object]:
    return {"v": VERSION} | {name: getattr(record, name) for name in type(record).__annotations__}


def _write(path: str, values: Mapping[str, object]) -> None:
    fd = open_file(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with open(fd, "wb") as file:
        file.write(json.dumps(values, indent=1).encode())
        file.flush()
        os.fsync(fd)


def _read(kind: type[Record], path: str, run_id: str) -> Record | Unreadable | None:
    try:
        fd = os.open(path, READ_FLAGS)
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return Unreadable(reason=f"{path} is not a regular file")
            content = file.read(LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = "is a symbolic link" if error.errno == errno.ELOOP else f": {error.strerror}"
        return Unreadable(reason=f"{path} {reason}")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        return Unreadable(reason=f"{path} is torn or not Ridgeline's")
    problem = _problem(kind, values, run_id)
    if problem:
        return Unreadable(reason=f"{path} {problem}")
    return kind(**{name: values[name] for name in kind.__annotations__})


def _problem(kind: type[RunnerRecord] | type[ChildRecord], values: Any, run_id: str) -> str:
    """Why these values are no record of `run_id`; "" where they are."""
    if not isinstance(values, dict) or type(values.get("v")) is not int:
        return "is not Ridgeline's"
    if values["v"] != VERSION:
        return f"was written by another version of Ridgeline (format {values['v']})"
    wrong = [name for name, wanted in kind.__annotations__.items() if type(values.get(name)) is not wanted]
    if wrong:
        return f"has no proper {wrong[0]}"
    if values["run_id"] != run_id:
        return f"speaks of run {values['run_id']}"
    if not 0 < values["pid"] <= LARGEST_PID:
        return f"names an impossible process {values['pid']}"
    return ""
