"""What the windows are handed when they are put together."""

from collections.abc import Callable

from ridgeline_desktop.core.ports import Autostart
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.watcher import Look, Places
from ridgeline_desktop.services.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleControls:
    """The sample shop's API, to be broken and mended; its page is at `status_page`."""

    break_it: Callable[[], None]
    mend: Callable[[], None]
    is_broken: Callable[[], bool]
    status_page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """One computer's services, and what a desktop program needs beside them.

    `look` and `places` are called in threads. `in_app_jobs` are the ones that nothing starts once `close`
    was called. `window_file` keeps the window's shape, `state` is the state folder of `home`. `sample` is
    there in the sample shop only.
    """

    desk: Desk
    look: Look
    places: Places
    in_app_jobs: Callable[[], tuple[str, ...]]
    close: Callable[[], None]
    window_file: str
    home: str
    state: str
    autostart: Autostart
    scheme: Scheme
    sample: SampleControls | None = None
