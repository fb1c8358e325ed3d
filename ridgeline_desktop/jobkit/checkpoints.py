"""How far a script has come: progress saved so that the next run goes on instead of starting over."""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.jobkit.runs import RunVariableError

T = TypeVar("T")


class CheckpointDamagedError(RidgelineError):
    """The checkpoint file is there but cannot be understood, so where to go on is not known."""


class Checkpoint:
    """One small value kept between runs, in the file `path`; by default RIDGELINE_CHECKPOINT's.

    Raises RunVariableError when neither names a file.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        named = path or os.environ.get("RIDGELINE_CHECKPOINT")
        if not named:
            raise RunVariableError(
                "There is no file for the checkpoint: RIDGELINE_CHECKPOINT is not set. Start the script with "
                "`ridgeline run JOB`, or name a file: Checkpoint('my-job.checkpoint')."
            )
        self.path = Path(named)

    def read(self, default: Any = None) -> Any:
        """The value last written, or `default` when nothing was written yet.

        Raises CheckpointDamagedError rather than start over when the file holds no JSON.
        """
        try:
            return json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return default
        except (ValueError, RecursionError) as error:
            raise CheckpointDamagedError(
                f"The checkpoint {self.path} cannot be read as JSON ({error}). Find out how far the job "
                "came, then write that value into the file, or delete the file to begin from the start."
            ) from error

    def write(self, value: Any) -> None:
        """Save `value` (anything JSON can hold) for good; on any error the old value is still there.

        JSON makes lists of tuples and text of dictionary keys. Raises TypeError or ValueError for a value
        that is no JSON, and OSError when the disk refuses.
        """
        content = json.dumps(value, allow_nan=False).encode()
        folder = self.path.parent
        handle, new = tempfile.mkstemp(prefix=f".{self.path.name}.", dir=folder)
        try:
            with open(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.path)
        except BaseException:
            Path(new).unlink(missing_ok=True)
            raise
        _sync_folder(folder)


class NewItems(NamedTuple, Generic[T]):
    """The items not worked on yet, in ascending order, and the id to remember once all of them are done."""

    items: tuple[T, ...]
    last: Any


def new_items(items: Iterable[T], last: Any, *, key: Callable[[T], Any] | None = None) -> NewItems[T]:
    """Those of `items` whose id is above `last`, ascending, and the highest id; `last` when none is new.

    `key` gives an item's id; by default that is item["id"], or the item itself when it is no mapping. Ids
    that are text compare as text ("999" is above "5047"): pass key=lambda item: int(item["id"]).
    """
    id_of = key or _id_of
    new = tuple(sorted((item for item in items if id_of(item) > last), key=id_of))
    return NewItems(new, id_of(new[-1]) if new else last)


def _id_of(item: Any) -> Any:
    return item["id"] if isinstance(item, Mapping) else item


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut; Windows has no such call."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
