"""How far a job's script has come, and what the window says of it."""

import os
from pathlib import Path

import pytest
from rows import TORONTO
from running import OFFSCREEN

from ridgeline_desktop.gui.runs.checkpoint_tab import CheckpointTab

pytestmark = OFFSCREEN


@pytest.fixture
def tab(qtbot, office, tasks):
    made = CheckpointTab(runs=office.runs, tasks=tasks, clock=office.clock)
    qtbot.addWidget(made)
    made.show()
    return made


def save(office, text: str) -> Path:
    path = Path(office.folders.in_state("checkpoints", "order-sync.json"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    moment = office.moment("2026-02-28T11:45").timestamp()
    os.utime(path, (moment, moment))
    return path


def test_a_number_says_where_the_next_run_goes_on(qtbot, office, tab):
    save(office, "5047")
    tab.show_job("order-sync", state=1, zone=TORONTO)
    qtbot.waitUntil(tab.text.isVisible)
    assert tab.saved.text() == "The next run continues after 5047 · Saved Today 11:45, 15 min ago"
    assert tab.saved.toolTip() == "2026-02-28 16:45:00 UTC"
    assert tab.text.toPlainText() == "5047"
    assert "goes on from here" in tab.meaning.text()


def test_anything_else_is_shown_as_it_is(qtbot, office, tab):
    save(office, '{"page": 3}')
    tab.show_job("order-sync", state=1, zone=TORONTO)
    qtbot.waitUntil(tab.text.isVisible)
    assert tab.saved.text() == "Saved Today 11:45, 15 min ago"
    assert tab.text.toPlainText() == '{\n  "page": 3\n}'


def test_no_progress_is_said(qtbot, tab):
    tab.show_job("order-sync", state=1, zone=TORONTO)
    qtbot.waitUntil(lambda: tab.saved.text() == "This job has saved no progress.")
    assert not tab.text.isVisible()


def test_progress_that_cannot_be_understood_is_said(qtbot, office, tab):
    save(office, "{")
    tab.show_job("order-sync", state=1, zone=TORONTO)
    qtbot.waitUntil(lambda: tab.saved.text() == "The saved progress cannot be read.")
    assert "cannot be understood" in tab.meaning.text()


def test_it_is_read_again_after_another_run_and_only_while_it_is_seen(qtbot, office, tab):
    tab.show_job("order-sync", state=1, zone=TORONTO)
    qtbot.waitUntil(lambda: tab.saved.text() == "This job has saved no progress.")
    tab.hide()
    save(office, "5048")
    tab.show_job("order-sync", state=2, zone=TORONTO)
    assert tab.saved.text() == "This job has saved no progress."
    tab.show()
    qtbot.waitUntil(lambda: tab.text.toPlainText() == "5048")
    tab.show_job("", state=None, zone=None)
    assert (tab.saved.text(), tab.text.isVisible()) == ("", False)
