"""Tabs that are filled when they are first looked at, and the imports that a start is spared."""

import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QLabel, QTabWidget

from ridgeline_desktop.gui.kit.late_tab import LateTab

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LOADED_BY_A_START = """
import sys
import ridgeline_desktop.wiring.desktop
print("\\n".join(name for name in sys.modules if name.startswith("ridgeline_desktop.gui.")))
import linecache
print("READ:", *(path for path in linecache.cache if "/ridgeline_desktop/gui/" in path))
"""
RARELY_OPENED = {
    "jobs.job_dialog",
    "jobs.pausing",
    "locks.dialog",
    "runbooks.editor",
    "runbooks.page",
    "runs.asking",
    "runs.checkpoint_tab",
    "runs.console",
    "runs.output_tab",
    "schedules.dialog",
    "schedules.form",
    "schedules.tab",
    "settings.dialog",
    "window_help",
}


@pytest.fixture
def made():
    return []


@pytest.fixture
def tabs(qtbot, made):
    def make() -> QLabel:
        made.append(QLabel("Here I am"))
        return made[-1]

    pane = QTabWidget()
    qtbot.addWidget(pane)
    pane.resize(300, 200)
    pane.addTab(QLabel("Seen first"), "First")
    pane.addTab(LateTab(make), "Late")
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def test_a_tab_is_empty_until_somebody_looks_at_it_and_is_filled_once(tabs, made):
    assert made == []
    for place in (1, 0, 1):
        tabs.setCurrentIndex(place)
    assert len(made) == 1
    assert made[0].isVisible()


def test_its_content_is_laid_out_before_anything_is_painted(tabs, made):
    tabs.setCurrentIndex(1)
    assert made[0].size() == tabs.widget(1).size()


def test_asking_for_the_content_makes_it_without_showing_it(tabs, made):
    late = tabs.widget(1)
    assert not late.is_made
    assert late.content() is late.content() is made[0]
    assert late.is_made
    assert not made[0].isVisible()


@pytest.fixture(scope="module")
def loaded_by_a_start() -> list[str]:
    argv = [sys.executable, "-I", "-c", LOADED_BY_A_START]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def test_a_start_does_not_load_what_is_rarely_opened(loaded_by_a_start):
    names = {name.removeprefix("ridgeline_desktop.gui.") for name in loaded_by_a_start}
    assert "main_window" in names
    assert names & RARELY_OPENED == set()


def test_qt_does_not_read_the_source_of_what_a_start_loads(loaded_by_a_start):
    assert loaded_by_a_start[-1] == "READ:"


def test_the_windows_are_in_fusion_whatever_the_desktop_prefers():
    program = "from ridgeline_desktop.gui.application import make_qt; print(make_qt(['x']).style().name())"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_STYLE_OVERRIDE": "windows"}
    argv = [sys.executable, "-I", "-c", program]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "fusion"
