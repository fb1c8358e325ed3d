"""The pause dialog on a clock that a test moves."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from program import words
from PySide6.QtCore import QDate, QDateTime, QTime
from pytestqt.qtbot import QtBot

from ridgeline_desktop.gui.jobs.pausing import PauseDialog

TORONTO = ZoneInfo("America/Toronto")
HOUR, MORNING, NEVER, TIME = range(4)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


class Clock:
    def __init__(self) -> None:
        self.wall = datetime(2026, 2, 28, 17, tzinfo=UTC)

    def now(self) -> datetime:
        return self.wall

    def steady(self) -> float:
        return self.wall.timestamp()


class Asked:
    """An open dialog, and what it answered."""

    def __init__(self, qtbot: QtBot, clock: Clock) -> None:
        self.answers: list[datetime | None] = []
        self.dialog = PauseDialog(title="Order sync", clock=clock, zone=TORONTO)
        self.dialog.chosen.connect(lambda end, _why: self.answers.append(end))
        qtbot.addWidget(self.dialog)
        self.dialog.show()

    def confirm(self, choice: int, time: tuple[QDate, QTime] | None = None) -> datetime | None:
        if time is not None:
            self.dialog.until.setDateTime(QDateTime(*time))
        self.dialog.choices.button(choice).setChecked(True)
        self.dialog.confirm.click()
        [answer] = self.answers
        return answer


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_an_hour_is_an_hour_on_the_night_when_clocks_go_back(qtbot, clock):
    clock.wall = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)  # 01:30 in Toronto, for the first time
    assert Asked(qtbot, clock).confirm(HOUR) == clock.now() + timedelta(hours=1)


def test_an_hour_counts_from_when_it_is_confirmed(qtbot, clock):
    asked = Asked(qtbot, clock)
    clock.wall += timedelta(minutes=50)
    assert asked.confirm(HOUR) == clock.now() + timedelta(hours=1)


def test_a_time_that_passed_while_the_dialog_was_open_is_refused(qtbot, clock):
    asked = Asked(qtbot, clock)
    clock.wall += timedelta(days=1)
    asked.dialog.choices.button(MORNING).setChecked(True)
    asked.dialog.confirm.click()
    assert asked.answers == []
    assert "passed already" in words(asked.dialog)


def test_a_time_that_comes_twice_is_the_one_that_still_lies_ahead(qtbot, clock):
    time = (QDate(2026, 11, 1), QTime(1, 30))
    clock.wall = datetime(2026, 11, 1, 4, tzinfo=UTC)
    assert Asked(qtbot, clock).confirm(TIME, time) == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    clock.wall = datetime(2026, 11, 1, 6, tzinfo=UTC)
    assert Asked(qtbot, clock).confirm(TIME, time) == datetime(2026, 11, 1, 6, 30, tzinfo=UTC)


def test_until_somebody_resumes_it_has_no_end(qtbot, clock):
    assert Asked(qtbot, clock).confirm(NEVER) is None
