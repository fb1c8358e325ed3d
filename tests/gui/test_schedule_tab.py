from dataclasses import replace

import pytest
from office import Office
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from rows import row as made_row

from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.schedules.room import SchedulesRoom
from ridgeline_desktop.gui.schedules.tab import ScheduleTab

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Desk:
    """The Schedule tab of one office, before everybody's eyes."""

    def __init__(self, qtbot, office: Office, tasks) -> None:
        self.qtbot, self.office, self.tasks = qtbot, office, tasks
        self.window, self.feedback = QWidget(), Feedback()
        qtbot.addWidget(self.window)
        qtbot.addWidget(self.feedback)
        self.room = SchedulesRoom(
            editing=office.editing,
            tasks=tasks,
            feedback=self.feedback,
            clock=office.clock,
            window=self.window,
        )
        [(self.title, self.place)] = self.room.tabs()
        qtbot.addWidget(self.place)

    @property
    def tab(self) -> ScheduleTab:
        return self.room.tab

    def show(self, job_id: str) -> JobRow:
        """Show the job as the services judge it now."""
        snapshot = self.office.monitoring.snapshot()
        [row] = [row for row in snapshot.rows if row.job_id == job_id]
        self.room.show_row(row, snapshot)
        self.settle()
        return row

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: self.tasks.pending == 0)


@pytest.fixture
def desk(qtbot, office, tasks) -> Desk:
    made = Desk(qtbot, office, tasks)
    with qtbot.waitExposed(made.place):
        made.place.show()
    return made


def test_it_says_when_the_job_runs_and_how_it_stands_in_this_computers_schedule(desk):
    desk.office.job("report", 'daily = ["02:30"]', 'grace = "2 hours"\ndeadline = "10 minutes"')
    desk.show("report")
    tab = desk.tab
    assert desk.title == "Schedule"
    assert tab.sentence.text() == "Every day at 02:30"
    assert tab.zone.text() == "On the clock of America/Toronto"
    assert tab.runs.texts()[:2] == ["Sun 1 Mar, 02:30", "tonight"]
    [caution] = tab._lines
    assert caution.text().startswith("In March the clocks go forward and 02:30 does not exist")
    assert (tab.grace.text(), tab.deadline.text()) == ("2 hours", "10 minutes")
    assert tab.registration.text() == "Never registered on this computer."
    desk.office.scheduling.register(["report"])
    desk.show("report")
    assert tab.registration.text() == "Registered, and read back as wanted."


def test_what_is_usual_is_said_as_such(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    desk.show("report")
    assert desk.tab.grace.text().startswith("as usual")
    assert desk.tab.deadline.text().startswith("as usual: 20 minutes")
    desk.office.job("report", 'daily = ["06:30"]', 'grace = "20 %"\ndeadline = "none"')
    desk.show("report")
    assert desk.tab.grace.text() == "20 % of the time between two runs"
    assert desk.tab.deadline.text().startswith("never")


def test_a_job_run_by_hand_has_no_next_run(desk):
    desk.office.file("count", 'command = ["/bin/true"]\n')
    desk.show("count")
    assert desk.tab.sentence.text() == "By hand"
    assert desk.tab.heading.text() == "It has no next run by itself."
    assert desk.tab.runs.isHidden()


def test_a_job_whose_file_is_not_in_order_has_no_schedule_to_change(desk):
    desk.office.file("report", "command = 7")
    desk.show("report")
    assert "not in order" in desk.tab.sentence.text()
    assert not desk.tab.change.isEnabled()


def test_no_job_shows_nothing(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    desk.show("report")
    desk.room.show_row(None, desk.office.monitoring.snapshot())
    assert desk.tab.sentence.text() == ""
    assert not desk.tab.change.isEnabled()


def test_a_button_opens_the_form_of_the_job_that_is_shown(desk, qtbot):
    desk.office.job("report", 'daily = ["06:30"]')
    desk.show("report")
    qtbot.mouseClick(desk.tab.change, Qt.MouseButton.LeftButton)
    desk.settle()
    assert desk.room.dialog.windowTitle() == "When should “report” run?"


def test_nothing_is_read_while_nobody_looks_at_the_tab(qtbot, office, tasks):
    desk = Desk(qtbot, office, tasks)
    desk.office.job("report", 'daily = ["06:30"]')
    desk.show("report")
    assert desk.tab.sentence.text() == ""
    with qtbot.waitExposed(desk.place):
        desk.place.show()
    desk.settle()
    assert desk.tab.sentence.text() == "Every day at 06:30"


def test_the_same_job_is_not_read_again_before_something_about_it_changed(desk):
    desk.office.job("report", 'daily = ["06:30"]')
    row = desk.show("report")
    desk.office.take_shop_away(leave_empty=True)
    desk.room.show_row(row, desk.office.monitoring.snapshot())
    desk.settle()
    assert desk.tab.sentence.text() == "Every day at 06:30"
    gone = replace(made_row("report"), registration=RegistrationState.MISSING)
    desk.room.show_row(gone, desk.office.monitoring.snapshot())
    desk.settle()
    assert desk.tab.sentence.text().startswith("Its schedule cannot be shown: ")
