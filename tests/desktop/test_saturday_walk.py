"""Sam's Saturday, from the red icon to the green one, in the real window with the real runner."""

import pytest
from moved_clock import LIBRARIES
from tray_host import TrayHost
from walk_lab import Saturday

from ridgeline_desktop.gui.runbooks.browser import RunbookBrowser

pytestmark = [
    pytest.mark.desktop,
    pytest.mark.skipif(not LIBRARIES, reason="not on this platform: needs libfaketime"),
]


@pytest.fixture
def panel():
    host = TrayHost()
    host.appear()
    yield host
    host.close()
    assert host.complaints == []


@pytest.fixture
def saturday(tmp_path, panel, qtbot):
    made = Saturday(tmp_path, panel=panel, qtbot=qtbot)
    try:
        made.open()
        yield made
    finally:
        made.close()


def test_by_mouse_sam_finds_why_it_is_red_mends_it_runs_it_and_sees_it_green(saturday):
    sam = saturday
    sam.sees_green()
    sam.breaks_after_order_5047(lambda: sam.click(sam.button("Break the shop API")))
    sam.minimise()
    sam.fails_three_times_more()
    sam.sees_red_near_the_clock()

    sam.open_from_tray()
    sam.sees_why()
    sam.click(sam.button("Open runbook"))
    sam.reads_the_runbook()
    sam.click_the_link()
    sam.is_asked_about_the_link()
    sam.click(sam.button("Leave it", parent=sam.question()))
    sam.until(sam.is_in_front)
    sam.click_tab("Output")
    sam.reads_the_output()

    sam.click(sam.button("Mend it"))
    sam.until(lambda: not sam.shop.is_broken())
    console = sam.watches_the_run(lambda: sam.click(sam.button("Run now")))
    sam.click_close(console)
    sam.until(lambda: not sam.consoles() and sam.is_in_front())
    sam.click_tab("Checkpoint")
    sam.reads_the_checkpoint()
    sam.sees_green()
    sam.reads_that_all_is_fine()
    sam.nothing_was_done_twice()


def test_by_keyboard_alone_sam_does_the_same(saturday):
    sam = saturday
    sam.sees_green()
    sam.breaks_after_order_5047(lambda: sam.press("alt+b"))
    sam.minimise()
    sam.fails_three_times_more()
    sam.sees_red_near_the_clock()

    sam.open_from_tray()
    sam.sees_why()
    sam.press("F1")
    sam.reads_the_runbook()
    sam.tab_to(sam.in_tab(RunbookBrowser))
    sam.press("Tab", "Return")
    sam.is_asked_about_the_link()
    sam.press("Escape")
    sam.until(sam.is_in_front)
    sam.press("ctrl+l")
    sam.reads_the_output()

    sam.tab_to(sam.button("Mend it"))
    sam.press("space")
    sam.until(lambda: not sam.shop.is_broken())
    sam.watches_the_run(lambda: sam.press("ctrl+r"))
    sam.press("ctrl+w")
    sam.until(lambda: not sam.consoles() and sam.is_in_front())
    sam.press("ctrl+l", *["Right"] * 4)
    sam.until(lambda: sam.tab() == "Checkpoint")
    sam.reads_the_checkpoint()
    sam.sees_green()
    sam.reads_that_all_is_fine()
    sam.nothing_was_done_twice()
