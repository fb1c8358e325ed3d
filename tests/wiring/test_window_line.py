"""Which command lines open the window at once, without the command line's own modules."""

import os
import socket
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from ridgeline_desktop import __main__ as program

def open_window(home, is_hidden):
    print(home, is_hidden, "click" in sys.modules)
    return 7

program._open_window = open_window
sys.exit(program.main(sys.argv[1:]))
"""


@pytest.fixture
def screen(tmp_path):
    """A compositor that answers and does nothing more; gives the environment that names it."""
    path = tmp_path / "wayland"
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(path))
        compositor.listen()
        yield {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "WAYLAND_DISPLAY": str(path)}


def said(environment, *argv):
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, *argv],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.strip()


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], "None False False"),
        (["gui"], "None False False"),
        (["gui", "--tray", "--home", "/shop"], "/shop True False"),
        (["--home=/shop"], "/shop False False"),
    ],
)
def test_the_window_is_opened_without_loading_the_command_line(screen, argv, expected):
    assert said(screen, *argv) == (7, expected)


def test_without_a_screen_the_command_line_says_that_there_is_none(screen):
    del screen["WAYLAND_DISPLAY"]
    code, words = said(screen, "gui")
    assert (code, words) == (1, "")


def test_anything_else_is_read_by_the_command_line(screen):
    code, words = said(screen, "gui", "--help")
    assert code == 0
    assert words.startswith("Usage: ridgeline gui")
