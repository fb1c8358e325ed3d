import pytest
from at_forms import cut_off, scrolled_by
from PySide6.QtWidgets import QScrollArea
from schedule_desk import ScheduleDesk

from ridgeline_desktop.core.drafts import Repeat
from ridgeline_desktop.gui.schedules.dialog import ScheduleDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
NIGHTS = "".join(f'"{hour:02}:30", ' for hour in range(24))


@pytest.fixture
def desk(qtbot, office, tasks) -> ScheduleDesk:
    return ScheduleDesk(qtbot, office, tasks)


def empty_below(dialog: ScheduleDialog) -> int:
    """How many pixels are left below all that the window holds."""
    return dialog.findChild(QScrollArea).viewport().height() - dialog.preview.geometry().bottom()


@pytest.mark.parametrize(
    "schedule", ['every = "15 minutes"', 'daily = ["02:30"]\n[run]\ngrace = "30 hours"', "expect = '7 days'"]
)
def test_the_window_opens_as_high_as_what_it_holds(desk, schedule):
    desk.office.at("2026-03-06T12:00")
    desk.office.job("report", schedule)
    dialog = desk.open("report")
    assert (scrolled_by(dialog), cut_off(dialog)) == (0, [])
    assert empty_below(dialog) < dialog.fontMetrics().lineSpacing() * 2


def test_the_window_is_as_high_as_the_kind_that_is_chosen(desk):
    desk.office.job("report", 'every = "15 minutes"')
    dialog = desk.open("report")
    long = dialog.height()
    desk.choose(dialog.form.repeat, Repeat.BY_HAND)
    assert dialog.height() < long * 2 / 3
    assert empty_below(dialog) < dialog.fontMetrics().lineSpacing() * 2
    desk.choose(dialog.form.repeat, Repeat.EVERY)
    assert dialog.height() == long
    assert scrolled_by(dialog) == 0


def test_the_window_stays_as_high_while_a_problem_comes_and_goes(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    height = dialog.height()
    dialog.form.zone.setEditText("Mars/Olympus")
    desk.settle()
    assert dialog.height() == height
    dialog.form.zone.set_zone("")
    desk.settle()
    assert dialog.height() == height


def test_what_the_screen_has_no_room_for_is_scrolled(desk):
    desk.office.at("2026-03-06T12:00")
    desk.office.job("report", f"daily = [{NIGHTS}]")
    dialog = desk.open("report")
    dialog.preview.fold.set_open(True)
    desk.qtbot.waitUntil(lambda: scrolled_by(dialog) > 0)
    screen = dialog.screen().availableGeometry()
    assert dialog.frameGeometry().height() == screen.height()
    assert screen.contains(dialog.frameGeometry())


def test_a_window_that_grows_stays_on_the_screen(desk):
    desk.office.job("report", "expect = '7 days'")
    dialog = desk.open("report")
    screen = dialog.screen().availableGeometry()
    dialog.move(0, screen.bottom() - dialog.frameGeometry().height())
    desk.choose(dialog.form.repeat, Repeat.EVERY)
    assert screen.contains(dialog.frameGeometry())


def test_a_height_that_a_person_chose_stays(desk):
    desk.office.job("report", 'every = "15 minutes"')
    dialog = desk.open("report")
    chosen = dialog.height() + 40
    dialog.resize(dialog.width(), chosen)
    desk.choose(dialog.form.repeat, Repeat.BY_HAND)
    assert dialog.height() == chosen


@pytest.mark.parametrize("lower_by", [60, 200])
def test_problems_are_cut_off_in_no_window_however_high_a_person_made_it(desk, lower_by):
    desk.office.job("report", 'every = "15 minutes"')
    dialog = desk.open("report")
    dialog.resize(dialog.width(), dialog.height() - lower_by)
    form = dialog.form
    for box in form.every_days.boxes.values():
        box.setChecked(False)
    form.between.set_between(("18:00", "08:00"))
    form.zone.setEditText("America/Torronto")
    desk.settle()
    assert form._rows.problem_at("between") != ""
    desk.qtbot.waitUntil(lambda: cut_off(dialog) == [])
