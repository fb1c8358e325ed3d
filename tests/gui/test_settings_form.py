from dataclasses import dataclass, field
from pathlib import Path

import pytest
from at_forms import cut_off, mnemonics, nameless, reached_by_tab, scroll_over, takes_keyboard
from form_desk import FormDesk
from office import Office
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialog

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.core.settings import CloseButton, DeadLock, Theme
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.settings.dialog import SettingsDialog
from ridgeline_desktop.gui.settings.room import SettingsRoom
from ridgeline_desktop.host.autostart import DesktopAutostart

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
WRITTEN = """# Theo's computer
name = 'Theo'       # who I am
zone = "Europe/London"
runs_elsewhere = ["till-report"]  # on the till
[retention]
days = 90           # a quarter
"""


@dataclass
class NoAutostart:
    """A login that cannot be told to start anything."""

    asked: list[bool] = field(default_factory=list)

    def is_on(self) -> bool:
        raise PermissionError("the folder is closed")

    def set(self, on: bool) -> None:
        self.asked.append(on)


class Desk(FormDesk):
    """The settings room and its window."""

    def __init__(self, qtbot, office: Office, tasks, autostart) -> None:
        self.autostart = autostart
        super().__init__(qtbot, office, tasks)
        self.schemes: list[Scheme] = []
        self.room.scheme_changed.connect(self.schemes.append)

    def make_room(self) -> SettingsRoom:
        return SettingsRoom(
            settings=self.office.settings_desk,
            autostart=self.autostart,
            tasks=self.tasks,
            feedback=self.feedback,
            clock=self.office.clock,
            window=self.window,
        )

    def open(self) -> SettingsDialog:
        self.room.open()
        return self.opened()

    def written(self) -> str:
        return self.office.settings_path.read_text()


@pytest.fixture
def autostart(tmp_path, monkeypatch) -> DesktopAutostart:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return DesktopAutostart(home=str(tmp_path))


@pytest.fixture
def desk(qtbot, office, tasks, autostart) -> Desk:
    return Desk(qtbot, office, tasks, autostart)


@pytest.mark.parametrize("text", ["", WRITTEN, 'shop_folder = "/nowhere"\ntheme = "dark"\nclose = "quit"\n'])
def test_opening_and_saving_without_a_change_writes_nothing(desk, text):
    desk.office.settings(text)
    dialog = desk.open()
    assert not dialog.form.is_changed
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert desk.written() == text
    assert desk.schemes == []


def test_what_is_changed_is_written_and_comments_stay_and_it_can_be_undone(desk):
    desk.office.settings(WRITTEN)
    dialog = desk.open()
    form = dialog.form
    form.days.setValue(120)
    form.close_button.setCurrentIndex(form.close_button.findData(CloseButton.TRAY))
    form.dead_lock.setCurrentIndex(form.dead_lock.findData(DeadLock.ASK))
    desk.settle()
    desk.press(dialog.save)
    assert desk.room.dialog is None
    for line in ("# Theo's computer", "name = 'Theo'       # who I am", "days = 120          # a quarter"):
        assert line in desk.written()
    settings = desk.office.settings_desk.read()
    assert (settings.close, settings.dead_lock) == (CloseButton.TRAY, DeadLock.ASK)
    assert desk.changes == [True]
    desk.press(desk.feedback._undo_button)
    assert desk.office.settings_desk.read().retention.days == 90
    assert desk.office.settings_desk.read().close is CloseButton.ASK


def test_the_appearance_is_shown_at_once_and_goes_back_where_it_is_not_saved(desk):
    dialog = desk.open()
    dialog.form.theme.setCurrentIndex(dialog.form.theme.findData(Theme.DARK))
    assert desk.schemes == [Scheme.DARK]
    desk.settle()
    dialog._throw_away()
    assert desk.schemes == [Scheme.DARK, Scheme.SYSTEM]
    assert not desk.office.settings_path.exists()
    dialog = desk.open()
    dialog.form.theme.setCurrentIndex(dialog.form.theme.findData(Theme.LIGHT))
    desk.settle()
    desk.press(dialog.save)
    assert desk.schemes[-1] is Scheme.LIGHT
    assert desk.office.settings_desk.read().theme is Theme.LIGHT


def test_all_problems_stand_at_their_fields(desk):
    dialog = desk.open()
    form = dialog.form
    form.shop_folder.setText("relative")
    form.zone.setEditText("Mars/Olympus")
    desk.settle()
    assert [bool(form._rows.problem_at(name)) for name in ("shop_folder", "zone", "name")] == [
        True,
        True,
        False,
    ]
    assert not dialog.save.isEnabled()
    assert dialog.status.text().endswith("problems to put right before it can be saved")
    desk.qtbot.waitUntil(lambda: cut_off(dialog) == [])
    form.shop_folder.setText("/nowhere")
    form.zone.set_zone("")
    desk.settle()
    assert "/nowhere" in form._rows.problem_at("shop_folder")
    assert dialog.save.isEnabled()
    assert dialog.status.text() == "It can be saved all the same."


def test_a_problem_below_the_fold_unfolds_it(desk):
    form = desk.open().form
    assert not form.fold.is_open
    form.set_problems((DraftProblem(field="path", message="Write it on one line."),))
    assert form.fold.is_open
    assert form._technical.problem_at("path") == "Write it on one line."


def test_the_fields_below_the_fold_stand_in_line_with_those_above(desk):
    form = desk.open().form
    form.fold.set_open(True)
    desk.qtbot.waitUntil(lambda: form.path.width() == form.name.width())
    assert form.path.mapTo(form, QPoint()).x() == form.name.mapTo(form, QPoint()).x()


def test_asking_what_the_close_button_does_is_said_to_be_asked_once(desk):
    box = desk.open().form.close_button
    assert box.itemText(box.findData(CloseButton.ASK)) == "Ask me the next time, and keep my answer"


def test_the_start_at_login_shows_how_it_stands_and_is_switched(desk, autostart):
    autostart.set(True)
    dialog = desk.open()
    assert dialog.form.autostart.isChecked()
    dialog.form.autostart.setChecked(False)
    desk.settle()
    desk.press(dialog.save)
    assert not autostart.is_on()
    assert desk.said() == "Saved."
    dialog = desk.open()
    assert not dialog.form.autostart.isChecked()
    dialog.form.autostart.setChecked(True)
    desk.settle()
    desk.press(dialog.save)
    assert autostart.is_on()


def test_undo_takes_the_start_at_login_back_too(desk, autostart):
    dialog = desk.open()
    dialog.form.autostart.setChecked(True)
    dialog.form.name.setText("Zoe")
    desk.settle()
    desk.press(dialog.save)
    assert autostart.is_on()
    desk.press(desk.feedback._undo_button)
    assert desk.said() == "Undone."
    assert not autostart.is_on()
    assert desk.office.settings_desk.read().name == ""


def test_the_start_at_login_alone_can_be_taken_back(desk, autostart):
    autostart.set(True)
    dialog = desk.open()
    dialog.form.autostart.setChecked(False)
    desk.settle()
    desk.press(dialog.save)
    desk.press(desk.feedback._undo_button)
    assert autostart.is_on()


def test_where_only_the_start_at_login_fails_the_rest_is_saved_and_can_be_taken_back(desk, autostart):
    desk.office.settings(WRITTEN)
    dialog = desk.open()
    dialog.form.autostart.setChecked(True)
    dialog.form.days.setValue(120)
    desk.settle()
    Path(autostart.path).parent.parent.write_text("no folder")
    desk.press(dialog.save)
    trouble = desk.feedback.error_box.trouble
    assert trouble.what == "Whether Ridgeline starts when you log in was not changed."
    assert "cannot be changed: " in trouble.why
    desk.feedback.error_box.reject()
    assert desk.room.dialog is None
    assert desk.office.settings_desk.read().retention.days == 120
    desk.press(desk.feedback._undo_button)
    assert desk.written() == WRITTEN


def test_where_nothing_else_was_changed_a_start_at_login_that_fails_leaves_the_window_open(desk, autostart):
    dialog = desk.open()
    dialog.form.autostart.setChecked(True)
    desk.settle()
    Path(autostart.path).parent.parent.write_text("no folder")
    desk.press(dialog.save)
    assert desk.room.dialog is dialog
    assert desk.feedback.error_box.trouble.what == "Not everything was saved."
    desk.feedback.error_box.reject()
    dialog.done_with()


def test_a_start_at_login_that_cannot_be_taken_back_is_told(desk, autostart):
    dialog = desk.open()
    dialog.form.autostart.setChecked(True)
    dialog.form.name.setText("Zoe")
    desk.settle()
    desk.press(dialog.save)
    file = Path(autostart.path)
    file.unlink()
    file.mkdir()
    desk.press(desk.feedback._undo_button)
    assert "log in was not changed" in desk.feedback.error_box.trouble.what
    assert desk.office.settings_desk.read().name == ""
    desk.feedback.error_box.reject()


def test_a_start_at_login_that_cannot_be_told_is_off_with_its_reason(qtbot, office, tasks):
    cannot = NoAutostart()
    desk = Desk(qtbot, office, tasks, cannot)
    dialog = desk.open()
    assert not dialog.form.autostart.isEnabled()
    assert "the folder is closed" in dialog.form.autostart_note.text()
    dialog.form.name.setText("Theo")
    desk.settle()
    desk.press(dialog.save)
    assert cannot.asked == []
    assert desk.office.settings_desk.read().name == "Theo"


def test_a_settings_file_that_is_not_in_order_is_told_and_stays(desk):
    desk.office.settings("zone = 7")
    desk.room.open()
    desk.settle()
    assert desk.room.dialog is None
    assert "ettings.toml:1" in desk.feedback.error_box.trouble.why
    desk.feedback.error_box.reject()
    assert desk.written() == "zone = 7"


def test_the_wheel_over_a_setting_that_is_scrolled_past_changes_nothing(desk):
    form = desk.open().form
    form.name.setFocus()
    for setting in (form.theme, form.close_button, form.days, form.zone):
        scroll_over(setting)
    assert not form.is_changed


def test_closing_with_changes_asks_first(desk, qtbot):
    dialog = desk.open()
    dialog.form.name.setText("Theo")
    desk.settle()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    [question] = dialog.findChildren(QDialog)
    question.reject()
    assert desk.room.dialog is dialog
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.findChildren(QDialog)[-1].accept()
    assert desk.room.dialog is None


def test_everything_that_takes_the_keyboard_is_reached_by_tab_and_has_a_name_and_a_letter_of_its_own(
    desk, qtbot
):
    dialog = desk.open()
    dialog.form.fold.set_open(True)
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    wanted = takes_keyboard(dialog)
    assert wanted - reached_by_tab(dialog.form.name) == set()
    assert nameless(dialog) == []
    letters = mnemonics(dialog)
    assert len(letters) == len(set(letters))


def test_the_shop_folder_is_where_the_chooser_says(desk):
    from PySide6.QtWidgets import QFileDialog, QLineEdit

    dialog = desk.open()
    desk.qtbot.mouseClick(dialog.form.choose, Qt.MouseButton.LeftButton)
    [box] = dialog.findChildren(QFileDialog)
    box.findChild(QLineEdit, "fileNameEdit").setText(str(Path("/usr/share")))
    box.accept()
    desk.settle()
    assert dialog.form.draft().shop_folder == "/usr/share"
