"""The tray on a strict panel over D-Bus: what it shows, what its menu does, and panels that come and go."""

import os
import subprocess
import sys

import pytest
from rows import record, red_row, row, snapshot
from tray_host import TrayHost

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.gui.tray import Tray

pytestmark = pytest.mark.desktop
CALM = "Everything is OK. Looked at 10:52."
LATE = {"health": Health.LATE, "attention": Attention.AMBER}
SHOP = (red_row(), row("weekly-report", **LATE), *(row(f"well-{n}") for n in range(3)))


@pytest.fixture
def host():
    made = TrayHost()
    yield made
    made.close()
    assert made.complaints == []


@pytest.fixture
def panel(host):
    host.appear()
    return host


@pytest.fixture
def tray(qtbot):
    made = Tray()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def shown(qtbot, panel, tray):
    """A tray with one job overdue and one late, up on the panel."""
    tray.show_snapshot(snapshot(*SHOP))
    qtbot.waitUntil(lambda: len(panel.items) == 1)
    return tray


def is_red(pixel):
    red, green, blue, alpha = pixel
    return alpha > 200 and red > 180 and green < 110 and blue < 110


def is_white(pixel):
    return min(pixel) > 220


def texts(lines):
    return ["-" if line.is_separator else line.text for line in lines]


def line(lines, text):
    return next(line for line in lines if line.text == text)


def test_a_red_shop_has_a_red_icon_with_a_white_number_in_it(panel, shown, wait_for):
    picture = wait_for(panel.icon()).picture(22)
    pixels = picture.pixels()
    assert sum(map(is_red, pixels)) > 150
    assert sum(map(is_white, pixels)) > 8
    assert picture.at(0, 0)[3] == 0


def test_another_number_is_another_picture(panel, shown, wait_for, qtbot):
    one = wait_for(panel.icon()).picture(22)
    shown.show_snapshot(snapshot(*SHOP, row("second", attention=Attention.RED, health=Health.OVERDUE)))
    qtbot.waitUntil(lambda: wait_for(panel.icon()).picture(22) != one)
    shown.show_snapshot(snapshot(*SHOP))
    assert wait_for(panel.icon()).picture(22) == one


def test_the_panel_gets_every_size_it_may_draw(panel, shown, wait_for):
    sizes = {picture.width for picture in wait_for(panel.icon()).pictures}
    assert {16, 22, 24, 32, 48} <= sizes


def test_the_tooltip_counts_the_jobs(panel, shown, wait_for):
    assert wait_for(panel.icon()).tooltip == "Ridgeline: 1 overdue, 1 late, 3 OK"


def test_the_icon_never_asks_the_panel_to_blink(panel, shown, wait_for):
    assert wait_for(panel.icon()).status == "Active"


def test_the_menu_names_the_jobs_that_need_somebody_and_what_can_be_done(panel, shown, wait_for):
    lines = wait_for(panel.menu())
    assert texts(lines) == [
        "Open Ridgeline",
        "-",
        "Order sync is overdue",
        "Weekly report is late",
        "-",
        "Run now",
        "Settings…",
        "Quit Ridgeline…",
    ]
    overdue = line(lines, "Order sync is overdue")
    assert texts(overdue.lines) == ["Run now", "Open runbook", "Show"]
    assert overdue.has_picture
    assert len(line(lines, "Run now").lines) == 5


@pytest.mark.parametrize(
    ("words", "signal", "ids"),
    [
        (("Order sync is overdue", "Run now"), "run_asked", ["order-sync"]),
        (("Order sync is overdue", "Open runbook"), "runbook_asked", ["order-sync"]),
        (("Weekly report is late", "Show"), "show_asked", ["weekly-report"]),
        (("Run now", "Well 1"), "run_asked", ["well-1"]),
        (("Open Ridgeline",), "open_asked", []),
        (("Settings…",), "settings_asked", []),
        (("Quit Ridgeline…",), "quit_asked", []),
    ],
)
def test_a_line_that_is_clicked_asks_for_what_it_says(panel, shown, wait_for, qtbot, words, signal, ids):
    lines = wait_for(panel.menu())
    for text in words:
        chosen = line(lines, text)
        lines = chosen.lines
    with qtbot.waitSignal(getattr(shown, signal)) as asked:
        wait_for(panel.click(chosen))
    assert asked.args == ids


def test_a_job_that_runs_cannot_be_run_from_the_menu(panel, shown, wait_for):
    shown.show_snapshot(snapshot(red_row(running=record(99, "running"))))
    (run, *_others) = line(wait_for(panel.menu()), "Order sync is overdue").lines
    assert (run.text, run.is_on) == ("Run now (running)", False)


def test_a_menu_that_is_open_stays_until_the_panel_says_it_was_closed(panel, shown, wait_for, qtbot):
    before = texts(wait_for(panel.menu()))
    shown.show_snapshot(snapshot(row()))
    assert texts(wait_for(panel.open_menu())) == before
    wait_for(panel.close_menu())
    qtbot.waitUntil(lambda: CALM in texts(wait_for(panel.open_menu())))


def test_a_menu_that_is_opened_again_is_new_though_the_panel_never_said_it_was_closed(panel, shown, wait_for):
    assert "Order sync is overdue" in texts(wait_for(panel.menu()))
    shown.show_snapshot(snapshot(row()))
    assert CALM in texts(wait_for(panel.menu()))


def test_a_line_chosen_after_the_menu_was_closed_still_counts(panel, shown, wait_for, qtbot):
    chosen = line(wait_for(panel.menu()), "Order sync is overdue").lines[0]
    shown.show_snapshot(snapshot(row()))
    wait_for(panel.close_menu())
    with qtbot.waitSignal(shown.run_asked) as asked:
        wait_for(panel.click(chosen))
    assert asked.args == ["order-sync"]


def test_a_click_on_the_icon_opens(panel, shown, wait_for, qtbot):
    with qtbot.waitSignal(shown.open_asked):
        wait_for(panel.activate())


def test_a_panel_that_comes_late_gets_exactly_one_icon(host, tray, wait_for, qtbot):
    assert not tray.is_available
    tray.show_snapshot(snapshot(*SHOP))
    with qtbot.waitSignal(tray.availability_changed) as changed:
        host.appear()
    assert changed.args == [True]
    qtbot.waitUntil(lambda: len(host.items) == 1)
    assert wait_for(host.icon()).tooltip == "Ridgeline: 1 overdue, 1 late, 3 OK"
    with qtbot.waitSignal(tray.open_asked):
        wait_for(host.activate())
    assert len(host.items) == 1


def test_a_panel_that_restarts_gets_exactly_one_icon_with_the_menu(panel, shown, wait_for, qtbot):
    old = panel.items
    with qtbot.waitSignal(shown.availability_changed) as changed:
        panel.vanish()
    assert changed.args == [False]
    with qtbot.waitSignal(shown.availability_changed) as changed:
        panel.appear()
    assert changed.args == [True]
    qtbot.waitUntil(lambda: len(panel.items) == 1 and panel.items != old)
    chosen = line(wait_for(panel.menu()), "Order sync is overdue").lines[0]
    with qtbot.waitSignal(shown.run_asked) as asked:
        wait_for(panel.click(chosen))
    assert asked.args == ["order-sync"]


def test_a_panel_that_restarts_again_and_again_gets_exactly_one_icon(panel, shown, wait_for, qtbot):
    for _ in range(3):
        panel.vanish()
        panel.appear()
        qtbot.waitUntil(lambda: len(panel.items) == 1)
    qtbot.waitUntil(lambda: not shown._settling.isActive())
    qtbot.waitUntil(lambda: len(panel.items) == 1)
    assert wait_for(panel.icon()).tooltip.startswith("Ridgeline: 1 overdue")


def test_the_icon_goes_when_the_tray_is_closed(panel, shown, qtbot):
    shown.close()
    qtbot.waitUntil(lambda: panel.items == ())


ALONE = """
from PySide6.QtWidgets import QApplication
from rows import red_row, snapshot
from ridgeline_desktop.gui.tray import Tray
app = QApplication([])
tray = Tray()
tray.show_snapshot(snapshot(red_row()))
tray.recheck()
print(tray.is_available)
tray.close()
"""


@pytest.mark.parametrize("bus", ["", "unix:path=/no/such/bus", None])
def test_without_a_panel_or_a_bus_nothing_is_shown_and_nothing_is_said(bus, tmp_path, pytestconfig):
    environment = {**os.environ, "PYTHONPATH": str(pytestconfig.rootpath / "tests" / "gui")}
    if bus is not None:
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    environment["XDG_RUNTIME_DIR"] = str(tmp_path)
    tmp_path.chmod(0o700)
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("False\n", "")
