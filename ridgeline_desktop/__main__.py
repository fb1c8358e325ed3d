"""The command `ridgeline`. A run is sent on its way before anything heavy is loaded."""

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial

TYPE_CHECKING = False  # loading typing would slow every run
if TYPE_CHECKING:
    from ridgeline_desktop.services.desk import SampleShop

HOME = "--home"
WINDOW_LINES: tuple[list[str], ...] = ([], ["gui"], ["gui", "--tray"])
MOST_DESCRIPTORS = 1 << 16


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    if argv is None:
        _speak_utf8()
        os.closerange(3, MOST_DESCRIPTORS)  # what a careless starter left open is no business of ours
    arguments = home_first(sys.argv[1:] if argv is None else argv)
    position = 2 if arguments[:1] == [HOME] else 0
    if arguments[position : position + 1] == ["run"]:
        from ridgeline_desktop.wiring.one_run import run_command

        try:
            return _ended(run_command([*arguments[:position], *arguments[position + 1 :]]))
        except SystemExit as usage:  # how argparse ends: after --help, or with what was wrong
            return _ended(usage.code if isinstance(usage.code, int) else 1)
    if arguments[position:] in WINDOW_LINES:
        code = _window_at_once(arguments[1] if position else None, is_hidden="--tray" in arguments)
        if code is not None:
            return _ended(code)
    return _ended(_front_end(arguments))


def _window_at_once(home: str | None, *, is_hidden: bool) -> int | None:
    """Open the window without loading the command line, which would slow its start; None = no screen."""
    from ridgeline_desktop.host.screens import has_screen

    return _open_window(home, is_hidden) if has_screen(os.environ) else None


def _front_end(arguments: Sequence[str]) -> int:
    """Carry out any command but `run`."""
    from ridgeline_desktop.cli.demo import make_demo
    from ridgeline_desktop.cli.gui import make_gui
    from ridgeline_desktop.cli.in_app import make_in_app
    from ridgeline_desktop.cli.main import build, run_group
    from ridgeline_desktop.host.screens import has_screen
    from ridgeline_desktop.wiring.headless import open_desk
    from ridgeline_desktop.wiring.in_app import in_app_program
    from ridgeline_desktop.wiring.sample import open_sample_shop

    is_there = has_screen(os.environ)
    more = (
        make_demo(open_sample_shop, show=_show_sample if is_there else None, draw=_draw_sample),
        make_gui(_open_window if is_there else None),
        make_in_app(in_app_program),
    )
    plain = partial(_open_window, is_hidden=False) if is_there else None
    return run_group(build(open_desk, more, without_command=plain), arguments)


def _open_window(home: str | None, is_hidden: bool) -> int:
    gc.disable()  # nothing that is loaded now is garbage, and the windows see to theirs by themselves
    from ridgeline_desktop.wiring.opening import open_window

    return open_window(home, is_hidden=is_hidden)


def _show_sample(shop: "SampleShop") -> int:
    from ridgeline_desktop.wiring.desktop import open_sample_window

    return open_sample_window(shop)


def _draw_sample(shop: "SampleShop", picture: str) -> None:
    from ridgeline_desktop.wiring.desktop import draw_sample_window

    draw_sample_window(shop, picture)


def home_first(arguments: Sequence[str]) -> list[str]:
    """The arguments with --home FOLDER in front, wherever it was written before a "--"."""
    found: list[str] = []
    rest = list(arguments)
    kept: list[str] = []
    while rest and rest[0] != "--":
        word = rest.pop(0)
        if word == HOME and rest:
            found = [HOME, rest.pop(0)]
        elif word.startswith(f"{HOME}="):
            found = [HOME, word.partition("=")[2]]
        else:
            kept.append(word)
    return [*found, *kept, *rest]


def _speak_utf8() -> None:
    """Start anew in UTF-8 under a locale of another kind: paths must mean the same whoever starts a run."""
    if sys.flags.utf8_mode or sys.getfilesystemencoding().lower() == "utf-8":
        return
    argv = [sys.executable, "-I", "-X", "utf8", "-m", "ridgeline_desktop", *sys.argv[1:]]
    os.execv(sys.executable, argv)


def _ended(code: int) -> int:
    """The exit code, which an output that cannot be written any more must not change."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1 if stream is sys.stdout else 2)
    return code


if __name__ == "__main__":
    sys.exit(main())
