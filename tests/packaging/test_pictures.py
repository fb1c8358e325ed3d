"""The pictures of the docs: nothing of this computer is in them, and few colours lose none that matters."""

import os
from collections import Counter

import bootstrap
import pictures_taking as pictures
import pytest
from commands import COMMANDS, screenshots_stage

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

GREYS = Counter(
    {0xFF000000 | grey << 16 | grey << 8 | blue: 9000 for grey in range(60) for blue in range(10)}
)
AMBER = 0xFFFFC04D


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_told_in_the_usage(command):
    assert f"\n  {command} " in bootstrap.USAGE


def test_pictures_are_drawn_by_the_environments_own_python(tmp_path):
    [[python, script]] = screenshots_stage(tmp_path).commands
    assert python.startswith(str(tmp_path / ".venv"))
    assert script == str(tmp_path / "packaging" / "screenshots.py")


def test_a_window_that_names_a_place_of_this_computer_is_not_taken(qtbot, tmp_path):
    from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(QLabel("/tmp/ridgeline-1/state is full"))
    window.show()
    camera = pictures.Camera(tmp_path, ["/tmp/ridgeline-1"])
    with pytest.raises(pictures.PictureError, match="full shows '/tmp/ridgeline-1'"):
        camera.take("full", window)
    assert list(tmp_path.iterdir()) == []
    pictures.Camera(tmp_path, ["/home"]).take("full", window)
    assert (tmp_path / "full.png").stat().st_size < 5000


def test_a_rare_colour_that_is_like_no_other_is_kept():
    kept = pictures.best_colours(GREYS + Counter({AMBER: 3}))
    assert len(kept) == 256
    assert AMBER in kept


def test_a_picture_of_few_colours_keeps_them_all():
    assert sorted(pictures.best_colours(Counter({1: 5, 2: 1}))) == [0xFF000001, 0xFF000002]
