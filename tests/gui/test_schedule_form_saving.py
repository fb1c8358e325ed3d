from pathlib import Path

import pytest
from schedule_desk import BY_HAND_WRITTEN, ScheduleDesk, files_of

from ridgeline_desktop.core.drafts import Repeat
from ridgeline_desktop.gui.kit.moved_card import MovedCard
from ridgeline_desktop.gui.schedules.outcomes import DifferenceCard

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DEMO_JOBS = Path(__file__).parents[2] / "resources" / "demo" / "jobs"


@pytest.fixture
def desk(qtbot, office, tasks) -> ScheduleDesk:
    return ScheduleDesk(qtbot, office, tasks)


@pytest.mark.parametrize("name", [path.stem for path in sorted(DEMO_JOBS.glob("*.toml"))])
def test_opening_and_saving_a_sample_job_without_a_change_writes_nothing(desk, name):
    path = desk.office.file(name, "")
    path.write_bytes((DEMO_JOBS / f"{name}.toml").read_bytes())
    before = files_of(desk.office)
    dialog = desk.open(name)
    assert dialog.save.isEnabled()
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert files_of(desk.office) == before


@pytest.mark.parametrize("name", sorted(BY_HAND_WRITTEN))
def test_opening_and_saving_a_file_written_by_hand_writes_nothing(desk, name):
    desk.office.file(name, BY_HAND_WRITTEN[name])
    before = files_of(desk.office)
    dialog = desk.open(name)
    assert not dialog.form.is_changed
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert files_of(desk.office) == before


def test_a_change_is_saved_registered_and_can_be_undone(desk):
    path = desk.office.job("order-sync", 'daily = ["06:30"]  # before the shop opens')
    before = path.read_text()
    dialog = desk.open("order-sync")
    dialog.form.times.edits[0].setTime(dialog.form.times.edits[0].time().addSecs(3600))
    desk.settle()
    assert dialog.preview.sentence.text() == "Every day at 07:30"
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert 'daily = ["07:30"]  # before the shop opens' in desk.text("order-sync")
    assert "30 7 * * *" in desk.office.table.read_text()
    assert desk.said() == "Saved. Next run: tomorrow 07:30."
    assert desk.changes == [True]
    desk.press(desk.feedback._undo_button)
    assert desk.text("order-sync") == before
    assert len(desk.changes) == 2


def test_what_this_version_does_not_do_is_not_offered_but_kept(desk):
    desk.office.file("report", BY_HAND_WRITTEN["not-obeyed"])
    dialog = desk.open("report")
    form = dialog.form
    assert "still running" in form._kept.text()
    assert "computer was off" in form._kept.text()
    assert form.repeat.findData(Repeat.ARRIVES) < 0
    form.times.replace("06:30", "07:00")
    desk.settle()
    desk.press(dialog.save)
    assert desk.text("report") == BY_HAND_WRITTEN["not-obeyed"].replace("06:30", "07:00")


def test_a_start_that_is_to_be_left_out_when_missed_is_said_to_be_and_stays_so(desk):
    text = 'command = ["/bin/true"]\n[schedule]\ndaily = ["06:30"]\nif_missed = "skip"\n'
    desk.office.file("report", text)
    dialog = desk.open("report")
    kept = dialog.form._kept.text()
    assert kept.startswith("Its file says to leave out a start that was missed")
    assert "not done" not in kept
    dialog.form.times.replace("06:30", "07:00")
    desk.settle()
    desk.press(dialog.save)
    assert desk.text("report") == text.replace("06:30", "07:00")


def test_a_rule_written_by_hand_stands_under_custom_and_stays_until_another_is_chosen(desk):
    desk.office.file("report", BY_HAND_WRITTEN["cron"])
    dialog = desk.open("report")
    form = dialog.form
    assert form.repeat.currentData() == Repeat.CUSTOM
    assert form._kept.text().startswith("This schedule was written by hand.")
    desk.choose(form.deadline.kind, "never")
    desk.press(dialog.save)
    assert "cron = '*/7 8-18 * * 1-5'   # Jordan's own" in desk.text("report")


def test_somebody_elses_change_meanwhile_is_shown_and_either_is_kept(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    for keep, said in (("mine", "07:00"), ("theirs", "09:00")):
        dialog = desk.open("report")
        old = dialog.form.draft().times[0]
        dialog.form.times.replace(old, "07:00" if keep == "mine" else "08:00")
        desk.settle()
        desk.office.job("report", 'daily = ["09:00"]')
        desk.press(dialog.save)
        assert isinstance(dialog.outcome, MovedCard)
        assert 'daily = ["09:00"]' in desk.text("report")
        desk.press(getattr(dialog.outcome, keep))
        if keep == "theirs":
            assert dialog.form.draft().times == ("09:00",)
            assert dialog.outcome is None
            desk.press(dialog.save)
        assert desk.room.dialog is None
        assert f'daily = ["{said}"]' in desk.text("report")


def test_a_schedule_that_cannot_be_registered_stays_open_and_is_tried_again_or_undone(desk):
    path = desk.office.job("report", 'daily = ["06:30"]')
    before = path.read_text()
    dialog = desk.open("report")
    dialog.form.times.replace("06:30", "07:00")
    desk.settle()
    desk.office.full.touch()
    desk.press(dialog.save)
    assert isinstance(dialog.outcome, DifferenceCard)
    assert 'daily = ["07:00"]' in desk.text("report")
    desk.office.full.unlink()
    desk.press(dialog.outcome.again)
    assert desk.room.dialog is None
    assert "0 7 * * *" in desk.office.table.read_text()
    dialog = desk.open("report")
    dialog.form.times.replace("07:00", "08:00")
    desk.settle()
    desk.office.full.touch()
    desk.press(dialog.save)
    desk.office.full.unlink()
    desk.press(dialog.outcome.undo)
    assert desk.room.dialog is None
    assert desk.text("report") == before.replace("06:30", "07:00")


def test_a_broken_job_file_is_refused_with_a_reason(desk):
    desk.office.file("report", "command = 7")
    desk.room.edit("report")
    desk.settle()
    assert desk.room.dialog is None
    assert desk.feedback.error_box.trouble.what == "The schedule cannot be changed here."
    desk.feedback.error_box.reject()
