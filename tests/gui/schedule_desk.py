"""The room of schedules on the real services of one office, and short words for what a person does there."""

from pathlib import Path

from form_desk import FormDesk
from office import Office
from PySide6.QtWidgets import QComboBox

from ridgeline_desktop.gui.schedules.dialog import ScheduleDialog
from ridgeline_desktop.gui.schedules.room import SchedulesRoom

HEAD = 'command = ["/bin/true"]   # as it is\n[schedule]   # when\n'
BY_HAND_WRITTEN = {
    "cron": HEAD + "cron = '*/7 8-18 * * 1-5'   # Jordan's own\n",
    "odd-lengths": HEAD + 'every = "60 minutes"\n[run]\ngrace = "90 seconds"\ndeadline = "3605 seconds"\n',
    "an-hour-a-day": HEAD + 'every = "1 day"\nbetween = "00:00-12:00"\n',
    "not-obeyed": HEAD
    + 'daily = ["06:30"]\nif_missed = "skip"\n[run]\noverlap = "queue"\nqueue_for = "1 hour"\n',
    "arrivals": HEAD + 'arrives = "/srv/inbox/*.csv"\nexpect = "2 weeks"\n',
    "by-hand": 'command = ["/bin/true"]\n',
    "by-hand-expected": HEAD + 'expect = "7 days"\n',
    "old-zone": HEAD + 'weekly = { at = ["23:05", "01:00"], days = ["sun", "mon"] }\nzone = "US/Eastern"\n',
    "last-friday": HEAD
    + 'monthly = { nth = "last", weekday = "fri", at = ["06:30"] }\nstarts = 2020-01-01\n',
    "last-day": HEAD + 'monthly = { day = "last", at = ["06:30", "18:00"] }\nbackend = "none"\n',
    "never-ends": HEAD + 'daily = ["02:30"]\n[run]\ngrace = "1 %"\ndeadline = "none"\n',
}


class ScheduleDesk(FormDesk):
    """The room of schedules and its form."""

    def make_room(self) -> SchedulesRoom:
        return SchedulesRoom(
            editing=self.office.editing,
            tasks=self.tasks,
            feedback=self.feedback,
            clock=self.office.clock,
            window=self.window,
        )

    def open(self, job_id: str) -> ScheduleDialog:
        self.room.edit(job_id)
        return self.opened()

    def choose(self, box: QComboBox, value: object) -> None:
        box.setCurrentIndex(box.findData(value))
        self.settle()


def everything_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def files_of(office: Office) -> dict[str, bytes]:
    return everything_below(office.shop) | everything_below(office.edge)
