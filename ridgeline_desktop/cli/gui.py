"""gui."""

from collections.abc import Callable

import click

from ridgeline_desktop.core.errors import RidgelineError

OpenWindow = Callable[[str | None, bool], int]
NO_SCREEN = (
    "there is no screen here for the window (neither DISPLAY nor WAYLAND_DISPLAY leads to one); "
    "everything can be done by command too, see: ridgeline --help"
)


def make_gui(open_window: OpenWindow | None) -> click.Command:
    """The command `gui`; `open_window` takes --home and --tray and gives the exit code, None = no screen."""

    @click.command()
    @click.option(
        "--tray", is_flag=True, help="Start as the icon alone, where the desktop has a place for it."
    )
    @click.pass_context
    def gui(ctx: click.Context, tray: bool) -> int:
        """Open the window, as plain ridgeline does."""
        if open_window is None:
            raise RidgelineError(NO_SCREEN)
        home = ctx.parent.params.get("home") if ctx.parent else None
        return open_window(home, tray)

    return gui
