"""Puts the windows together and opens them; without a screen it draws them into a picture."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.gui.application import Application, make_qt, show_refusal
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.parts import Parts, SampleControls
from ridgeline_desktop.host.autostart import DesktopAutostart
from ridgeline_desktop.host.folders import Folders, make_private, open_folders
from ridgeline_desktop.services.desk import Desk, SampleShop
from ridgeline_desktop.services.in_app import WhileOpen
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.monitoring import Monitoring
from ridgeline_desktop.wiring.headless import open_desk, shop_of
from ridgeline_desktop.wiring.in_app import in_app_of


def open_window(home: str | None, *, is_hidden: bool) -> int:
    """Open the window on the folders below `home` and stay until it is quit; the exit code."""
    make_qt(sys.argv[:1])
    try:
        folders = open_folders(home)
        desk = open_desk(home, via="gui")
        make_private(folders.state)
    except RidgelineError as error:
        return show_refusal("Ridgeline cannot start.", str(error))
    return _stay(desk, folders, is_hidden=is_hidden)


def open_sample_window(shop: SampleShop) -> int:
    """Open the window on the sample shop and stay until it is quit; the exit code."""
    make_qt(sys.argv[:1])
    return _stay(shop.desk, open_folders(shop.home), sample=_controls(shop))


def draw_sample_window(shop: SampleShop, picture: str) -> None:
    """Draw the sample shop's window, as it would open, into a PNG file. OSError where it cannot be kept."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    make_qt(sys.argv[:1])
    application = Application(parts_of(shop.desk, open_folders(shop.home), sample=_controls(shop)))
    if not application.draw(picture):
        raise OSError(f"the picture could not be written: {picture}")


def _stay(
    desk: Desk, folders: Folders, *, is_hidden: bool = False, sample: SampleControls | None = None
) -> int:
    return Application(parts_of(desk, folders, sample=sample)).stay(is_hidden=is_hidden)


def parts_of(desk: Desk, folders: Folders, *, sample: SampleControls | None = None) -> Parts:
    """All that the windows on these folders need."""
    in_app = WhileOpen(in_app_of(desk, folders, say=_to_nobody))
    return Parts(
        desk=desk,
        look=partial(_look, in_app.follow, desk.monitoring),
        places=partial(watched_paths, folders, desk.jobs),
        in_app_jobs=in_app.names,
        close=in_app.close,
        window_file=folders.in_state("window.ini"),
        home=folders.home or folders.state,
        state=folders.state,
        autostart=DesktopAutostart(home=folders.home),
        scheme=Scheme(desk.jobs.settings_file.read()[0].theme.value),
        sample=sample,
    )


def _look(follow: Callable[[], None], monitoring: Monitoring) -> Snapshot:
    """Have the in-app jobs of now started, then judge all jobs."""
    follow()
    return monitoring.snapshot()


def watched_paths(folders: Folders, jobs: Jobs) -> tuple[str, ...]:
    """Every file and folder that a look reads, as far as they exist."""
    settings, problems = jobs.settings_file.read()
    shop = shop_of(folders, Settings() if problems else settings)
    found = [folders.config, folders.settings_file, shop.root, shop.jobs_folder]
    revision = folders.in_state("revision")
    # A look itself makes and removes files beside the records, so their folder is watched only before them.
    found += [revision if os.path.exists(revision) else folders.state, folders.in_state("in-app.json")]
    with suppress(OSError):  # the look itself says that the folder cannot be read
        found += [entry.path for entry in os.scandir(shop.jobs_folder) if entry.name.endswith(".toml")]
    return tuple(path for path in found if os.path.exists(path))


def _controls(shop: SampleShop) -> SampleControls:
    return SampleControls(
        break_it=shop.break_it, mend=shop.mend, is_broken=shop.is_broken, status_page=shop.status_page
    )


def _to_nobody(_sentence: str) -> None:
    """The window shows what is wrong with the shop folder by itself."""
