"""Opens the window. The first look at the jobs begins before Qt is loaded."""

from collections.abc import Callable
from functools import partial

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.host.folders import Folders, make_private, open_folders
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.services.in_app import WhileOpen
from ridgeline_desktop.services.monitoring import Monitoring
from ridgeline_desktop.wiring.first_look import FirstLook, Look
from ridgeline_desktop.wiring.headless import open_desk
from ridgeline_desktop.wiring.in_app import in_app_of

Stay = Callable[[Desk, Folders, WhileOpen, Look, bool], int]


def stay_open(desk: Desk, folders: Folders, in_app: WhileOpen, look: Look, is_hidden: bool) -> int:
    """Show the windows until they are quit; the exit code."""
    from ridgeline_desktop.wiring.desktop import stay

    return stay(desk, folders, in_app, look, is_hidden=is_hidden)


def open_window(home: str | None, *, is_hidden: bool, stay: Stay = stay_open) -> int:
    """Open the window on the folders below `home` and `stay` until it is quit; the exit code."""
    try:
        folders = open_folders(home)
        desk = open_desk(home, via="gui")
        make_private(folders.state)
    except RidgelineError as error:
        return _refuse(str(error))
    in_app, look = looking_at(desk, folders)
    return stay(desk, folders, in_app, FirstLook(look), is_hidden)


def looking_at(desk: Desk, folders: Folders) -> tuple[WhileOpen, Look]:
    """What starts in-app jobs while a window is open, and a look at all jobs that has it follow them."""
    in_app = WhileOpen(in_app_of(desk, folders, say=_to_nobody))
    return in_app, partial(_look, in_app.follow, desk.monitoring)


def _look(follow: Callable[[], None], monitoring: Monitoring) -> Snapshot:
    """Have the in-app jobs of now started, then judge all jobs."""
    follow()
    return monitoring.snapshot()


def _refuse(why: str) -> int:
    from ridgeline_desktop.wiring.desktop import refuse

    return refuse(why)


def _to_nobody(_sentence: str) -> None:
    """The window shows what is wrong with the shop folder by itself."""
