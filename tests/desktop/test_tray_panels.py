"""The tray on real panels: seen on the screen, clicked with the mouse, there again when the panel is."""

import subprocess

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QBitmap, QGuiApplication, QRegion
from PySide6.QtWidgets import QSystemTrayIcon
from rows import red_row, row, snapshot

from ridgeline_desktop.gui.kit.palette import colours
from ridgeline_desktop.gui.tray import Tray

pytestmark = pytest.mark.desktop
PANELS = {"XEmbed": ("tint2",), "StatusNotifier": ("xfce4-panel", "--disable-wm-check")}
PATIENCE = 15_000
WIDEST_ICON = 40
# Qt looks every 10 ms; a new icon replaces the old one 300 ms after a panel came.
LOOKS = 60


@pytest.fixture(params=list(PANELS))
def panel(request, start, qtbot):
    """A way to start a panel of one of the two kinds."""

    def begin():
        return start(*PANELS[request.param])

    point_at(640, 400)
    return begin


@pytest.fixture
def up(panel, qtbot):
    """A panel that takes icons."""
    process = panel()
    qtbot.waitUntil(QSystemTrayIcon.isSystemTrayAvailable, timeout=PATIENCE)
    return process


@pytest.fixture
def make_tray(qtbot):
    """Puts a red icon up, and takes it away after the test."""
    made = []

    def make():
        tray = Tray()
        made.append(tray)
        tray.show_snapshot(snapshot(red_row(), row()))
        return tray

    yield make
    for tray in made:
        tray.close()
        tray.deleteLater()


def red_box():
    """The part of the screen with the red of a job that is overdue."""
    image = QGuiApplication.primaryScreen().grabWindow(0).toImage()
    red = colours(dark=False).fill_overdue.rgb()
    spots = QBitmap.fromImage(image.createMaskFromColor(red, Qt.MaskMode.MaskOutColor))
    return QRegion(spots).boundingRect()


def has_one_icon():
    box = red_box()
    return not box.isEmpty() and max(box.width(), box.height()) < WIDEST_ICON


def has_a_menu_beside_it():
    return not red_box().isEmpty() and not has_one_icon()


def is_gone():
    return red_box().isEmpty()


class Settled:
    """True once the screen has one icon that has stayed where it is for some looks."""

    def __init__(self):
        self.boxes = []

    def __call__(self):
        self.boxes = [*self.boxes[-LOOKS:], red_box()]
        return has_one_icon() and self.boxes.count(self.boxes[-1]) > LOOKS


def xdotool(*words):
    subprocess.run(["xdotool", *map(str, words)], timeout=10, check=True)


def point_at(x, y):
    xdotool("mousemove", x, y)


def click_icon(button):
    middle = red_box().center()
    xdotool("mousemove", middle.x(), middle.y(), "click", button)


def opens_with_a_click(tray, qtbot):
    with qtbot.waitSignal(tray.open_asked, timeout=PATIENCE):
        click_icon(1)
    return True


def test_the_icon_is_seen_and_a_click_opens(up, make_tray, qtbot):
    tray = make_tray()
    assert tray.is_available
    qtbot.waitUntil(Settled(), timeout=PATIENCE)
    assert opens_with_a_click(tray, qtbot)


def test_a_right_click_brings_the_menu_whose_lines_work(up, make_tray, qtbot):
    tray = make_tray()
    qtbot.waitUntil(Settled(), timeout=PATIENCE)
    click_icon(3)
    qtbot.waitUntil(has_a_menu_beside_it, timeout=PATIENCE)
    with qtbot.waitSignal(tray.open_asked, timeout=PATIENCE):
        xdotool("key", "Down", "Return")
    qtbot.waitUntil(Settled(), timeout=PATIENCE)


def test_a_panel_that_starts_after_the_icon_shows_it_once(panel, make_tray, qtbot):
    tray = make_tray()
    assert not tray.is_available
    panel()
    qtbot.waitUntil(Settled(), timeout=PATIENCE)
    tray.recheck()
    assert tray.is_available
    assert opens_with_a_click(tray, qtbot)


def test_a_panel_that_was_killed_and_started_again_shows_the_icon_once(up, panel, make_tray, qtbot):
    tray = make_tray()
    qtbot.waitUntil(Settled(), timeout=PATIENCE)
    up.kill()
    up.wait(timeout=10)
    qtbot.waitUntil(is_gone, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not QSystemTrayIcon.isSystemTrayAvailable(), timeout=PATIENCE)
    tray.recheck()
    assert not tray.is_available
    panel()
    qtbot.waitUntil(Settled(), timeout=PATIENCE)
    assert opens_with_a_click(tray, qtbot)
