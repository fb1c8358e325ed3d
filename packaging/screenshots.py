"""Draws the pictures of docs/screenshots from the real windows, on a sample shop that is thrown away.

Without a name it draws all of them, each stage in a process of its own; with the names of stages only those.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from pictures_icons import draw_icons
from pictures_scenes import STAGES, WINDOW, Set, Stage
from pictures_shop import picture_shop
from pictures_taking import Camera, Player
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFont

from ridgeline_desktop.gui.application import NO_TRAY_TOLD, Application, make_qt
from ridgeline_desktop.wiring.desktop import parts_of

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
ICONS = "icons"
ONE = "--one"
LIMIT = 300
# Without a screen Qt warns of each thing that only a desktop has; the tests turn red at all other warnings.
QUIET = {"QT_LOGGING_RULES": "default.warning=false;qt.core.qobject.connect.warning=false"}
# Large enough for every window at every scale.
SCREEN = {
    "name": "pictures", "x": 0, "y": 0, "width": 2560, "height": 1600,
    "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1,
}  # fmt: skip
FONT = ("DejaVu Sans", 10)


def main(arguments: list[str]) -> int:
    """Draw what is named, or everything; 1 where something could not be drawn."""
    FOLDER.mkdir(exist_ok=True)
    if arguments[:1] == [ONE]:
        return _draw(arguments[1])
    return max(_draw_apart(name) for name in arguments or (*STAGES, ICONS))


def _draw_apart(name: str) -> int:
    """Draw one stage in a process of its own, for Qt knows one scale in its life."""
    if name not in (*STAGES, ICONS):
        sys.stderr.write(f"no pictures are called {name}; there are: {', '.join((*STAGES, ICONS))}\n")
        return 2
    scale = STAGES[name].scale if name in STAGES else "1"
    command = [sys.executable, __file__, ONE, name]
    print(f"pictures: {name}", flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as screens:
        json.dump({"screens": [SCREEN]}, screens)
        screens.flush()
        platform = f"offscreen:configfile={screens.name}"
        own = QUIET | {"QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": scale, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, env=os.environ | own, timeout=LIMIT, check=False).returncode


def _draw(name: str) -> int:
    qt = make_qt(sys.argv[:1])
    qt.setFont(QFont(*FONT))
    if name == ICONS:
        draw_icons(FOLDER / "tray-icons.png")
        return 0
    return _play(STAGES[name])


def _play(stage: Stage) -> int:
    with picture_shop(is_real=stage.is_real) as shop:
        stage.prepare(shop)
        parts = replace(parts_of(shop.desk, shop.folders, sample=shop.controls), scheme=stage.scheme)
        # There is never a panel where pictures are drawn, and nobody is to be told so in them.
        QSettings(parts.window_file, QSettings.Format.IniFormat).setValue(NO_TRAY_TOLD, 1)
        application = Application(parts)
        application.window.resize(WINDOW)
        on_set = Set(application=application, camera=Camera(FOLDER, shop.unseen), shop=shop)
        player = Player(application, stage.play(on_set))
        code = application.stay()
    if player.failure is not None:
        raise player.failure
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
