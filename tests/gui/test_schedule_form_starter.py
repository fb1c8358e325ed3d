import pytest
from at_forms import mnemonics, nameless, reached_by_tab, takes_keyboard
from PySide6.QtWidgets import QComboBox
from schedule_desk import HEAD, ScheduleDesk, files_of

from ridgeline_desktop.core.drafts import Repeat
from ridgeline_desktop.core.schedules import BackendName

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def desk(qtbot, office, tasks) -> ScheduleDesk:
    return ScheduleDesk(qtbot, office, tasks)


def test_the_longest_silence_is_asked_of_a_job_run_by_hand_and_of_no_other(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    form = desk.open("report").form
    assert not form.expect.isVisible()
    for kind in (Repeat.BY_HAND, Repeat.EVERY, Repeat.CUSTOM):
        desk.choose(form.repeat, kind)
        assert form.expect.isVisible() == (kind is Repeat.BY_HAND)
    desk.choose(form.repeat, Repeat.BY_HAND)
    assert form.expect.kind.currentText() == "Never"
    assert not form.grace.isVisible()


def test_a_longest_silence_is_shown_changed_and_taken_away(desk):
    desk.office.file("report", HEAD + 'expect = "2 weeks"   # the cellar\n')
    dialog = desk.open("report")
    expect = dialog.form.expect
    assert (expect.kind.currentData(), expect.length.number.value()) == ("length", 2)
    assert expect.length.unit.currentText() == "weeks"
    expect.length.set_text("10 days")
    desk.settle()
    desk.press(dialog.save)
    assert desk.text("report") == HEAD + 'expect = "10 days"   # the cellar\n'
    dialog = desk.open("report")
    desk.choose(dialog.form.expect.kind, "never")
    desk.press(dialog.save)
    assert "expect" not in desk.text("report")


def test_a_job_that_becomes_one_run_by_hand_gets_the_silence_that_is_chosen(desk):
    desk.office.file("report", HEAD + 'daily = ["06:30"]\n')
    dialog = desk.open("report")
    desk.choose(dialog.form.repeat, Repeat.BY_HAND)
    desk.choose(dialog.form.expect.kind, "length")
    desk.press(dialog.save)
    assert desk.text("report") == HEAD + 'expect = "1 week"\n'


@pytest.mark.parametrize(
    "schedule",
    [
        'daily = ["06:30"]',
        'daily = ["06:30"]\nbackend = "in-app"',
        'expect = "7 days"\nbackend = "none"',
        'arrives = "/srv/inbox/*.csv"\nexpect = "2 weeks"\nbackend = "systemd"',
    ],
)
def test_choices_left_behind_under_another_kind_are_not_written(desk, schedule):
    desk.office.file("report", f"{HEAD}{schedule}\n")
    before = files_of(desk.office)
    dialog = desk.open("report")
    form, kind = dialog.form, dialog.form.repeat.currentData()
    for other in (Repeat.BY_HAND, Repeat.WEEKLY, Repeat.BY_HAND, Repeat.EVERY):
        desk.choose(form.repeat, other)
    if kind != Repeat.BY_HAND:
        desk.choose(form.repeat, Repeat.BY_HAND)
        form.expect.set_text("3 days")
    if kind not in (Repeat.DAILY, Repeat.EVERY):
        desk.choose(form.repeat, Repeat.DAILY)
        desk.choose(form.starter.box, BackendName.CRON)
    desk.choose(form.repeat, kind)
    assert not form.is_changed
    desk.press(dialog.save)
    assert files_of(desk.office) == before


def test_what_starts_a_job_is_kept_while_it_is_run_by_hand_and_its_silence_is_not_asked_elsewhere(desk):
    desk.office.file("report", HEAD + 'daily = ["06:30"]\nbackend = "in-app"\n')
    dialog = desk.open("report")
    desk.choose(dialog.form.starter.box, BackendName.NONE)
    desk.choose(dialog.form.repeat, Repeat.BY_HAND)
    desk.press(dialog.save)
    assert desk.text("report") == HEAD + 'backend = "in-app"\n'
    desk.office.file("count", HEAD + 'expect = "7 days"\n')
    dialog = desk.open("count")
    desk.choose(dialog.form.repeat, Repeat.DAILY)
    desk.press(dialog.save)
    assert desk.text("count") == HEAD + 'daily = ["06:30"]\n'


def test_who_starts_it_is_chosen_under_the_technical_details_and_told_by_the_preview(desk):
    desk.office.file("report", HEAD + 'daily = ["06:30"]\n')
    dialog = desk.open("report")
    starter = dialog.form.starter
    assert not starter.box.isVisible()
    starter.set_open(True)
    assert starter.box.isVisible()
    assert [starter.box.itemText(row) for row in range(starter.box.count())] == [
        "This computer's schedule (automatic)",
        "This computer's own schedule (cron)",
        "Ridgeline, only while it is open",
        "Something else, or a person",
    ]
    desk.choose(starter.box, BackendName.IN_APP)
    told = [line.text() for line in dialog.preview.cautions]
    assert "It runs only while Ridgeline is open on this computer" in told
    with desk.office.book.obeyed():
        desk.press(dialog.save)
    assert desk.text("report") == HEAD + 'daily = ["06:30"]\nbackend = "in-app"\n'
    assert [found.name for found in desk.office.book.read_back()] == ["report"]
    dialog = desk.open("report")
    assert dialog.form.starter.backend() is BackendName.IN_APP
    desk.choose(dialog.form.starter.box, BackendName.AUTO)
    desk.press(dialog.save)
    assert desk.text("report") == HEAD + 'daily = ["06:30"]\n'


def test_nobody_is_asked_who_starts_a_job_that_nothing_starts(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    form = desk.open("report").form
    assert form.starter.isVisible()
    desk.choose(form.repeat, Repeat.BY_HAND)
    assert not form.starter.isVisible()


@pytest.mark.parametrize("name", ["systemd", "schtasks"])
def test_a_way_to_be_started_that_is_not_offered_stays_until_another_is_chosen(desk, name):
    text = HEAD + f'daily = ["06:30"]\nbackend = "{name}"   # the other computer\n'
    desk.office.file("report", text)
    dialog = desk.open("report")
    form = dialog.form
    assert form.starter.box.currentText() == f"{name} (stays as it is)"
    assert "The line stays in the file" in form._kept.text()
    assert name not in form._kept.text()
    form.times.replace("06:30", "07:00")
    desk.settle()
    assert form.draft().backend == name
    desk.choose(form.starter.box, BackendName.NONE)
    assert not form._kept.isVisible()
    desk.choose(form.starter.box, BackendName(name))
    assert form._kept.isVisible()
    assert form.draft().backend == name


def test_one_that_is_not_offered_is_gone_with_the_file_that_named_it(desk):
    desk.office.file("report", HEAD + 'daily = ["06:30"]\nbackend = "systemd"\n')
    dialog = desk.open("report")
    box = dialog.form.starter.box
    assert box.count() == 5
    desk.office.file("report", HEAD + 'daily = ["06:30"]\n')
    dialog.show_source(desk.office.editing.source("report"))
    desk.settle()
    assert (box.count(), dialog.form.starter.backend()) == (4, BackendName.AUTO)


@pytest.mark.parametrize("kind", [Repeat.BY_HAND, Repeat.EVERY, Repeat.WEEKLY])
def test_both_are_reached_by_tab_have_names_and_letters_of_their_own(desk, qtbot, kind):
    desk.office.job("report", 'daily = ["06:30"]')
    dialog = desk.open("report")
    form = dialog.form
    desk.choose(form.repeat, kind)
    desk.choose(form.expect.kind, "length")
    form.starter.set_open(True)
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    wanted = takes_keyboard(dialog)
    asked: set[QComboBox] = {form.expect.kind} if kind is Repeat.BY_HAND else {form.starter.box}
    assert asked <= wanted
    assert wanted - reached_by_tab(form.repeat) == set()
    assert nameless(dialog) == []
    letters = mnemonics(dialog)
    assert len(letters) == len(set(letters))
