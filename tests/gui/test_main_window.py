from datetime import timedelta
from pathlib import Path

import pytest
from at_forms import reached_by_tab
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QAccessible, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolBar,
    QToolButton,
    QWidget,
)
from rows import NOW, SYNC, job, record, red_row, row, snapshot

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.gui.jobs.page import JobsPage
from ridgeline_desktop.gui.kit.palette import colours, palette_of
from ridgeline_desktop.gui.main_window import MainWindow
from ridgeline_desktop.gui.window_help import about_box
from ridgeline_desktop.gui.window_status import status_text

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
GOING_ON = row("stock-sync", running=record(99, "running"))
SHOP = snapshot(red_row(), row("weekly-report", health=Health.LATE), GOING_ON)
KEYS = {
    "run": "Ctrl+R",
    "stop": "Ctrl+.",
    "schedule": "Ctrl+E",
    "runbook": "F1",
    "output": "Ctrl+L",
    "find": "Ctrl+F",
    "add": "Ctrl+N",
    "check": "F5",
    "quit": "Ctrl+Q",
}


def store_at(folder: Path) -> QSettings:
    return QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(qtbot, tmp_path) -> MainWindow:
    return opened(qtbot, tmp_path)


def opened(qtbot, tmp_path) -> MainWindow:
    detail = QLineEdit()
    detail.setAccessibleName("Details")
    made = MainWindow(page=JobsPage(), detail=detail, store=store_at(tmp_path))
    qtbot.addWidget(made, before_close_func=lambda window: window.allow_close())
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.page.set_snapshot(SHOP)
    made.show_snapshot(SHOP)
    return made


def is_on(window: MainWindow, name: str) -> bool:
    return window.actions_of[name].isEnabled()


def shown_tools(window: MainWindow) -> list[str]:
    bar = window.findChild(QToolBar)
    return [button.text() for button in bar.findChildren(QToolButton) if button.isVisible() and button.text()]


def dialogs(window: MainWindow) -> list[QDialog]:
    return [box for box in window.findChildren(QDialog) if box.isVisible()]


def test_the_caret_begins_in_the_list(window):
    assert window.page.table.hasFocus()
    assert window.windowTitle() == "Ridgeline"


@pytest.mark.parametrize(("name", "keys"), KEYS.items())
def test_every_key_that_was_promised_is_there_and_listed_under_help(window, name, keys):
    action = window.actions_of[name]
    assert action.shortcut() == QKeySequence(keys)
    window.actions_of["shortcuts"].trigger()
    listed = [label.text() for label in dialogs(window)[0].findChildren(QLabel)]
    assert listed[listed.index(keys) + 1] == action.text().rstrip("…")


@pytest.mark.parametrize("name", ["run", "pause", "schedule", "edit-job", "runbook", "output", "lock"])
def test_an_action_about_a_job_carries_the_selected_one(qtbot, window, name):
    with qtbot.waitSignal(window.action_asked) as told:
        window.actions_of[name].trigger()
    assert (told.args[0], told.args[1].job_id) == (name, "order-sync")


@pytest.mark.parametrize("name", ["add", "settings", "check", "quit"])
def test_a_general_action_carries_no_job(qtbot, window, name):
    with qtbot.waitSignal(window.action_asked) as told:
        window.actions_of[name].trigger()
    assert told.args == [name, None]


def test_a_key_does_what_its_button_does(qtbot, window):
    with qtbot.waitSignal(window.action_asked) as told:
        qtbot.keyClick(window.page.table, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0] == "run"


def test_find_puts_the_caret_into_the_box(qtbot, window):
    qtbot.keyClick(window.page.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.page.find_box.hasFocus()
    assert window.findChild(QToolBar).isAncestorOf(window.page.find_box)


def test_while_a_job_runs_it_can_be_stopped_and_not_run(qtbot, window):
    assert "Stop…" not in shown_tools(window)
    window.page.select("stock-sync")
    assert (is_on(window, "run"), is_on(window, "stop")) == (False, True)
    assert "It is running already." in window.actions_of["run"].toolTip()
    qtbot.waitUntil(lambda: "Stop…" in shown_tools(window))
    window.page.select("order-sync")
    assert (is_on(window, "run"), is_on(window, "stop")) == (True, False)


def test_the_button_to_stop_is_reached_by_tab_and_has_a_name(qtbot, window):
    window.page.select("stock-sync")
    button = window.findChild(QToolBar).widgetForAction(window.actions_of["stop"])
    qtbot.waitUntil(button.isVisible)
    assert button in reached_by_tab(window.findChild(QToolBar).widgetForAction(window.actions_of["schedule"]))
    assert QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name) == "Stop…"


def test_one_key_pauses_a_job_and_resumes_it(qtbot, window):
    for shown, name in ((red_row(), "pause"), (red_row(health=Health.PAUSED), "resume")):
        window.show_row(shown)
        with qtbot.waitSignal(window.action_asked) as told:
            qtbot.keyClick(window.page.table, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        assert told.args[0] == name
    window.actions_of["shortcuts"].trigger()
    listed = [label.text() for label in dialogs(window)[0].findChildren(QLabel)]
    assert listed[listed.index("Ctrl+P") + 1] == "Pause, Resume"


def test_a_key_stops_what_is_running(qtbot, window):
    window.page.select("stock-sync")
    with qtbot.waitSignal(window.action_asked) as told:
        qtbot.keyClick(window.page.table, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0] == "stop"


def test_a_job_that_is_never_safe_to_repeat_says_why_it_cannot_be_run(window):
    never = job(text=SYNC.replace('"yes"', '"never"'))
    window.show_row(red_row(job=never))
    assert not is_on(window, "run")
    assert "its file says that it must never be run again by hand." in window.actions_of["run"].toolTip()
    window.show_row(row(job=never, recent=(), last_run=None, last_success=None))
    assert is_on(window, "run")
    refused = record(3, "refused")
    window.show_row(row(job=never, recent=(refused,), last_run=refused, last_success=None))
    assert is_on(window, "run"), "a start that was refused is no run"
    window.show_row(row(job=never, recent=(refused,), last_run=refused))
    assert not is_on(window, "run"), "it succeeded once, however long ago"


def test_a_key_that_is_held_down_does_its_deed_once(window):
    assert [action.text() for action in window.actions_of.all() if action.autoRepeat()] == []


def test_a_paused_job_is_resumed_and_not_paused(window):
    window.show_row(row(health=Health.PAUSED))
    assert not window.actions_of["pause"].isVisible()
    assert window.actions_of["resume"].isVisible()
    window.show_row(row())
    assert window.actions_of["pause"].isVisible()
    assert not window.actions_of["resume"].isVisible()


def test_without_a_job_nothing_about_one_is_offered(window):
    window.show_row(None)
    assert not any(is_on(window, name) for name in ("run", "stop", "pause", "schedule", "runbook", "output"))
    assert "Choose a job in the list first." in window.actions_of["run"].toolTip()
    assert is_on(window, "add")


def test_a_broken_job_file_cannot_be_run(window):
    window.show_row(row(job=None, recent=()))
    assert not any(is_on(window, name) for name in ("run", "schedule", "edit-job", "output"))
    assert "mistake" in window.actions_of["schedule"].toolTip()


def test_menus_tool_bar_and_context_menu_share_their_actions(window):
    menu_bar = [action for menu in window.menuBar().actions() for action in menu.menu().actions()]
    for name in ("run", "pause", "schedule", "runbook", "output"):
        action = window.actions_of[name]
        assert action in menu_bar
        assert action in window._job_menu.actions()
        assert action in window.findChild(QToolBar).actions()


def test_the_context_menu_opens_where_it_is_asked_for(qtbot, window):
    window.page.menu_asked.emit(QPoint(5, 5), "order-sync")
    assert window._job_menu.isVisible()
    window._job_menu.close()


def test_enter_in_the_list_leads_to_the_details(qtbot, window):
    qtbot.keyClick(window.page.table, Qt.Key.Key_Return)
    assert window.detail.hasFocus()


def test_closing_is_asked_about_and_refused_until_it_is_allowed(qtbot, window):
    with qtbot.waitSignal(window.close_asked):
        assert not window.close()
    assert window.isVisible()
    window.allow_close()
    with qtbot.assertNotEmitted(window.close_asked):
        assert window.close()


def test_it_comes_back_from_being_hidden_or_minimised_and_says_so(qtbot, window):
    seen: list[bool] = []
    window.visibility_changed.connect(seen.append)
    window.hide()
    window.show_again()
    window.showMinimized()
    window.show_again()
    assert seen == [False, True, False, True]


def test_below_900_pixels_the_details_go_under_the_list(window):
    window.resize(1000, 700)
    assert window._splitter.orientation() is Qt.Orientation.Horizontal
    window.resize(899, 700)
    assert window._splitter.orientation() is Qt.Orientation.Vertical
    window.resize(900, 700)
    assert window._splitter.orientation() is Qt.Orientation.Horizontal


def test_size_splitter_and_columns_are_remembered(qtbot, tmp_path, window):
    window.resize(777, 666)
    window._splitter.setSizes([260, 300])
    window.page.table.setColumnWidth(2, 222)
    sizes = window._splitter.sizes()
    window.hide()
    again = opened(qtbot, tmp_path)
    assert (again.width(), again.height()) == (777, 666)
    assert again._splitter.sizes() == sizes
    assert again.page.table.columnWidth(2) == 222


def test_a_spoiled_memory_is_no_obstacle(qtbot, tmp_path):
    (tmp_path / "window.ini").write_text("[window]\ngeometry=7\nbeside=x\n[list]\ncolumns=a, b\n")
    assert opened(qtbot, tmp_path).page.table.columnWidth(2) > 50


def test_the_foot_says_how_the_jobs_are_and_what_comes_next(window):
    text = status_text(SHOP, now=NOW)
    assert (
        text == "3 jobs · 1 overdue · 1 late · 1 running · next: Order sync at 11:00 · last check 3 min ago"
    )
    window.set_now(NOW + timedelta(minutes=2))
    assert window._status.text().endswith("last check 5 min ago")


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ({"checked_at": None}, "no background check yet"),
        ({"checked_at": NOW}, "last check just now"),
    ],
)
def test_the_foot_tells_when_the_background_check_was(said, part):
    assert status_text(snapshot(row(), **said), now=NOW).endswith(part)


def test_the_next_start_on_another_day_tells_the_day():
    text = status_text(snapshot(row(next_fire=NOW + timedelta(days=1))), now=NOW)
    assert text.startswith("1 job · next: Stock sync, Tomorrow")
    assert "next" not in status_text(snapshot(row(next_fire=None)), now=NOW)


def test_a_notice_stays_until_it_is_put_away(qtbot, window):
    window.show_notice("There is no place for an icon near the clock here.")
    notice = window._notice
    qtbot.waitUntil(notice.isVisible)
    qtbot.mouseClick(notice.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert not notice.isVisible()


def test_a_strip_can_be_put_above_everything(qtbot, window):
    strip = QLabel("The sample shop")
    window.set_demo_bar(strip)
    qtbot.waitUntil(strip.isVisible)
    assert strip.mapTo(window, QPoint()).y() < window.page.mapTo(window, QPoint()).y()


def test_the_window_says_what_has_been_done(window):
    window.feedback.say("Saved.")
    assert window.feedback.isVisible()
    assert window.feedback.window() is window


def test_about_names_the_version(qtbot, window):
    box = about_box(window)
    assert any(label.text() == "Ridgeline 0.1.0" for label in box.findChildren(QLabel))


def test_every_widget_that_takes_the_caret_has_a_name(window):
    window.page.select("stock-sync")
    window.feedback.say("Saved.", undo=lambda: None)
    window.show_notice("There is no place for an icon near the clock here.")
    for widget in (found for found in window.findChildren(QWidget) if found.isVisible()):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            spoken = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert spoken, widget


def test_no_text_has_a_fixed_height(window):
    for kind in (QLabel, QToolButton, QLineEdit):
        assert all(
            found.minimumHeight() != found.maximumHeight()
            for found in window.findChildren(kind)
            if found.isVisible()
        )


@pytest.mark.parametrize("dark", [False, True])
def test_both_sets_of_colours_are_drawn(qtbot, qapp: QApplication, window, dark):
    before = qapp.palette()
    c = colours(dark=dark)
    qapp.setPalette(palette_of(c))
    qtbot.waitUntil(lambda: window.palette().color(QPalette.ColorRole.Window) == c.window)
    image = window.grab().toImage()
    qapp.setPalette(before)
    assert image.pixelColor(image.width() - 4, image.height() // 2) == c.window
