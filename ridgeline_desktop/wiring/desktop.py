"""Puts the windows together and shows them; without a screen it draws them into a picture."""

import os
import sys
from contextlib import suppress
from functools import partial

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.gui.application import Application, make_qt, show_refusal
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.parts import Parts, SampleControls
from ridgeline_desktop.host.autostart import DesktopAutostart
from ridgeline_desktop.host.folders import Folders, open_folders
from ridgeline_desktop.services.desk import Desk, SampleShop
from ridgeline_desktop.services.in_app import WhileOpen
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.wiring.first_look import Look
from ridgeline_desktop.wiring.headless import shop_of
from ridgeline_desktop.wiring.opening import looking_at


def stay(desk: Desk, folders: Folders, in_app: WhileOpen, look: Look, *, is_hidden: bool) -> int:
    """Show the windows on these folders and stay until they are quit; the exit code."""
    make_qt(sys.argv[:1])
    return Application(_parts(desk, folders, in_app, look)).stay(is_hidden=is_hidden)


def refuse(why: str) -> int:
    """Say why Ridgeline cannot start, and give the exit code once that is read."""
    make_qt(sys.argv[:1])
    return show_refusal("Ridgeline cannot start.", why)


def open_sample_window(shop: SampleShop) -> int:
    """Open the window on the sample shop and stay until it is quit; the exit code."""
    make_qt(sys.argv[:1])
    return Application(parts_of(shop.desk, open_folders(shop.home), sample=_controls(shop))).stay()


def draw_sample_window(shop: SampleShop, picture: str) -> None:
    """Draw the sample shop's window, as it would open, into a PNG file. OSError where it cannot be kept."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    make_qt(sys.argv[:1])
    application = Application(parts_of(shop.desk, open_folders(shop.home), sample=_controls(shop)))
    if not application.draw(picture):
        raise OSError(f"the picture could not be written: {picture}")


def parts_of(desk: Desk, folders: Folders, *, sample: SampleControls | None = None) -> Parts:
    """All that the windows on these folders need."""
    return _parts(desk, folders, *looking_at(desk, folders), sample=sample)


def _parts(
    desk: Desk, folders: Folders, in_app: WhileOpen, look: Look, *, sample: SampleControls | None = None
) -> Parts:
    return Parts(
        desk=desk,
        look=look,
        places=partial(watched_paths, folders, desk.jobs),
        in_app_jobs=in_app.names,
        close=in_app.close,
        window_file=folders.in_state("window.ini"),
        home=folders.home or folders.state,
        state=folders.state,
        autostart=DesktopAutostart(home=folders.home) if sample is None else _NeverAtLogin(),
        scheme=Scheme(desk.jobs.settings_file.read()[0].theme.value),
        sample=sample,
    )


def _nearest(path: str) -> str:
    """The nearest folder above a path that is there: what is made on the way to it shows up in it."""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return path


class _NeverAtLogin:
    """The sample shop leaves nothing behind on the computer."""

    def is_on(self) -> bool:
        """Never."""
        return False

    def set(self, on: bool) -> None:
        """Refuse to start a shop that is thrown away."""
        if on:
            raise RidgelineError("the sample shop is thrown away when you quit, so it cannot start at login")


def watched_paths(folders: Folders, jobs: Jobs) -> tuple[str, ...]:
    """Every file and folder that a look reads, as far as they exist."""
    settings, problems = jobs.settings_file.read()
    shop = shop_of(folders, Settings() if problems else settings)
    found = [folders.config, folders.settings_file, shop.root, shop.jobs_folder]
    found += [_nearest(place) for place in (shop.jobs_folder, folders.config) if not os.path.exists(place)]
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
