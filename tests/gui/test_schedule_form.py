import pytest
from at_forms import cut_off, mnemonics, nameless, reached_by_tab, scroll_over, takes_keyboard
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDialog
from schedule_desk import BY_HAND_WRITTEN, ScheduleDesk

from ridgeline_desktop.core.drafts import Repeat

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def desk(qtbot, office, tasks) -> ScheduleDesk:
    return ScheduleDesk(qtbot, office, tasks)


def test_each_kind_shows_its_own_fields_and_is_saved_as_it_reads(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    form = dialog.form
    said = {}
    for kind in (
        Repeat.EVERY,
        Repeat.DAILY,
        Repeat.WEEKLY,
        Repeat.MONTHLY_DAY,
        Repeat.MONTHLY_NTH,
        Repeat.BY_HAND,
    ):
        desk.choose(form.repeat, kind)
        assert dialog.save.isEnabled()
        said[kind] = dialog.preview.sentence.text()
    assert said == {
        Repeat.EVERY: "Every 15 minutes",
        Repeat.DAILY: "Every day at 06:30",
        Repeat.WEEKLY: "Monday to Friday at 06:30",
        Repeat.MONTHLY_DAY: "Day 1 of the month at 06:30",
        Repeat.MONTHLY_NTH: "The first Monday of the month at 06:30",
        Repeat.BY_HAND: "By hand",
    }


def test_only_lengths_that_divide_the_hour_or_the_day_are_offered(desk):
    desk.office.job("report", 'every = "15 minutes"')
    every = desk.open("report").form.every
    assert [every.number.itemText(row) for row in range(every.number.count())] == [
        "1", "2", "3", "4", "5", "6", "10", "12", "15", "20", "30",
    ]  # fmt: skip
    desk.choose(every.unit, "hours")
    assert [every.number.itemText(row) for row in range(every.number.count())] == [
        "1", "2", "3", "4", "6", "8", "12", "24",
    ]  # fmt: skip


def test_a_time_of_day_that_the_clocks_skip_is_told_and_put_right_by_a_button(desk):
    desk.office.at("2026-03-06T12:00")
    desk.office.job("report", 'daily = ["02:30", "18:00"]')
    dialog = desk.open("report")
    [caution] = [line for line in dialog.preview.cautions if "clocks" in line.text()]
    assert "Sun 8 Mar 2026, Sun 14 Mar 2027" in caution.text()
    assert any("instead of 02:30" in text for text in dialog.preview.runs.texts())
    [button] = caution.buttons
    assert button.text() == "Use 03:00, which always exists"
    desk.press(button)
    assert dialog.form.draft().times == ("03:00", "18:00")
    assert not [line for line in dialog.preview.cautions if "clocks" in line.text()]


def test_a_time_of_day_that_comes_twice_gets_one_that_never_does(desk):
    desk.office.job("report", 'daily = ["01:30"]')
    dialog = desk.open("report")
    [caution] = [line for line in dialog.preview.cautions if line.buttons]
    assert [button.text() for button in caution.buttons] == ["Use 03:00, which never comes twice"]


def test_what_is_said_of_different_times_of_day_has_a_button_for_each(desk):
    desk.office.job("report", 'daily = ["01:30", "02:30", "02:45"]')
    cautions = [line for line in desk.open("report").preview.cautions if line.buttons]
    assert [[button.text() for button in line.buttons] for line in cautions] == [
        ["Use 03:00 instead of 02:30", "Use 03:00 instead of 02:45"],
        ["Use 03:00, which never comes twice"],
    ]


def test_the_two_allowances_stand_in_line_and_no_input_is_lower_than_a_line_of_text(desk):
    desk.office.job("report", 'daily = ["06:30", "07:00"]')
    form = desk.open("report").form
    assert form.grace.kind.width() == form.deadline.kind.width()
    desk.choose(form.grace.kind, "length")
    desk.choose(form.deadline.kind, "length")
    desk.press(form.times.another)
    assert form.grace.length.x() == form.deadline.length.x()
    boxes = form.findChildren(QAbstractSpinBox)
    assert {box.minimumHeight() for box in boxes} == {form.cron.sizeHint().height()}


def test_all_problems_are_shown_at_once_each_at_its_field(desk):
    desk.office.job("report", 'every = "15 minutes"')
    dialog = desk.open("report")
    form = dialog.form
    for box in form.every_days.boxes.values():
        box.setChecked(False)
    form.between.set_between(("18:00", "08:00"))
    form.zone.setEditText("America/Torronto")
    form.starts.set_text("2026-03-09", today=QDate(2026, 3, 1))
    form.ends.set_text("2026-03-08", today=QDate(2026, 3, 1))
    desk.settle()
    shown = {
        name: form._rows.problem_at(name) for name in ("every_days", "between", "zone", "starts", "grace")
    }
    assert [name for name, text in shown.items() if text] == ["every_days", "between", "zone", "starts"]
    assert not dialog.save.isEnabled()
    assert dialog.status.text() == "4 problems to put right before it can be saved"
    desk.qtbot.waitUntil(lambda: cut_off(dialog) == [])
    for box in form.every_days.boxes.values():
        box.setChecked(True)
    form.between.set_between(("", ""))
    form.zone.set_zone("")
    form.ends.box.setChecked(False)
    desk.settle()
    assert dialog.save.isEnabled()
    assert dialog.status.text() == ""


def test_the_newest_answer_wins_whatever_comes_in_between(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    dialog.form.times.replace("06:30", "07:00")
    dialog.ask_check()
    late = desk.office.editing.preview(desk.room._form._source, desk.room._form._source.schedule)
    desk.settle()
    desk.room._form._previewed(1, late)
    assert dialog.preview.sentence.text() == "Every day at 07:00"


def test_times_are_added_and_taken_out(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    times = dialog.form.times
    desk.press(times.another)
    assert dialog.form.draft().times == ("06:30", "07:30")
    desk.press(times._cells[0].remove)
    assert dialog.form.draft().times == ("07:30",)
    assert times._cells[0].remove.isHidden()


def test_closing_with_changes_asks_first(desk, qtbot):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert desk.room.dialog is None
    dialog = desk.open("report")
    dialog.form.times.replace("06:30", "07:00")
    desk.settle()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    [question] = dialog.findChildren(QDialog)
    assert question.windowTitle() == "Throw your changes away?"
    question.reject()
    assert desk.room.dialog is dialog
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    question = dialog.findChildren(QDialog)[-1]
    question.accept()
    assert desk.room.dialog is None
    assert 'daily = ["06:30"]' in desk.text("report")


def test_a_second_asking_brings_the_open_form_to_the_front(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    assert desk.open("report") is dialog


def test_enter_in_a_field_does_not_close_the_form(desk, qtbot):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    dialog.form.times.replace("06:30", "07:00")
    desk.settle()
    for field in (dialog.form.times.edits[0], dialog.form.zone, dialog.form.repeat):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    desk.settle()
    assert desk.room.dialog is dialog
    assert dialog.findChildren(QDialog) == []
    assert 'daily = ["06:30"]' in desk.text("report")


def test_the_wheel_over_a_field_that_is_scrolled_past_changes_nothing(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    form = desk.open("report").form
    form.cron.setFocus()
    before = form.draft()
    for field in (form.repeat, form.times.edits[0], form.grace.kind):
        scroll_over(field)
    assert form.draft() == before


def test_a_zone_is_found_by_any_part_of_its_name(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    form = desk.open("report").form
    desk.settle()
    completer = form.zone.completer()
    completer.setCompletionPrefix("lond")
    assert completer.currentCompletion() == "Europe/London"
    form.zone.setEditText("Europe/London")
    desk.settle()
    assert form.draft().zone == "Europe/London"


@pytest.mark.parametrize("name", ["cron", "odd-lengths", "old-zone", "never-ends", "last-friday"])
def test_everything_that_takes_the_keyboard_is_reached_by_tab_and_has_a_name(desk, qtbot, name):
    desk.office.file(name, BY_HAND_WRITTEN[name])
    dialog = desk.open(name)
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    wanted = takes_keyboard(dialog)
    assert wanted - reached_by_tab(dialog.form.repeat) == set()
    assert nameless(dialog) == []


@pytest.mark.parametrize("name", ["cron", "odd-lengths", "old-zone", "last-friday"])
def test_no_two_fields_share_a_letter_to_be_reached_by(desk, name):
    desk.office.file(name, BY_HAND_WRITTEN[name])
    letters = mnemonics(desk.open(name))
    assert len(letters) == len(set(letters))
