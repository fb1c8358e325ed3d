"""Answers that come late: another job has been selected meanwhile, or the same has been asked about again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event

import pytest
from PySide6.QtWidgets import QTabWidget
from rows import job, row, snapshot
from running import OFFSCREEN, begin, make_room, say

from ridgeline_desktop.core.ports import RunLogs, Store, StoreDoor
from ridgeline_desktop.core.values import replace

pytestmark = OFFSCREEN
LONGEST = 10.0


@dataclass
class SlowRecords:
    """A door to the real records; each reading waits, when it has ended, for the next of `waits`."""

    real: StoreDoor
    waits: list[Event] = field(default_factory=list)

    @contextmanager
    def reading(self) -> Iterator[Store]:
        wait = self.waits.pop(0) if self.waits else None
        with self.real.reading() as store:
            yield store
        if wait is not None:
            wait.wait(LONGEST)

    def next_one(self) -> Event:
        """Hold the next reading until this is set."""
        self.waits.append(Event())
        return self.waits[-1]


@dataclass
class SlowLogs:
    """The real outputs; those of one job come only when `wait` is set, or then cannot be read."""

    real: RunLogs
    slow: str
    fails: bool = False
    wait: Event = field(default_factory=Event)

    def tail(self, job_id: str, run_id: str, *, size: int) -> bytes:
        self._hold(job_id)
        return self.real.tail(job_id, run_id, size=size)

    def read(self, job_id: str, run_id: str, *, offset: int) -> bytes:
        self._hold(job_id)
        return self.real.read(job_id, run_id, offset=offset)

    def _hold(self, job_id: str) -> None:
        if job_id == self.slow:
            self.wait.wait(LONGEST)
            if self.fails:
                raise OSError("the disk of the slow job is gone")


@pytest.fixture
def tabs(qtbot):
    made = QTabWidget()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    return made


@pytest.fixture
def records(office):
    return SlowRecords(office.runs.stores)


@pytest.fixture
def made_room(office, tasks, tabs, records):
    """Makes the room, its outputs from `logs`."""
    office.job("order-sync", 'every = "15 minutes"')
    office.job("report", 'daily = ["05:30"]')
    rooms = []

    def make(logs: RunLogs | None = None):
        runs = replace(office.runs, stores=records, logs=logs or office.runs.logs)
        rooms.append(make_room(office, tasks, tabs, runs=runs))
        for title, widget in rooms[0].tabs():
            tabs.addTab(widget, title)
        return rooms[0]

    yield make
    for room in rooms:
        room.close()


def show(room, job_id: str, **said) -> None:
    shown = row(job_id, job=job(), **said)
    room.show_row(shown, snapshot(shown))


def runs_of(room) -> list[str]:
    model = room.runs_tab.model
    return [model.record(place).run_id for place in range(model.rowCount())]


def test_the_runs_of_the_job_before_go_at_once_and_reading_is_said(qtbot, office, made_room, records):
    first = office.run("order-sync", "2026-02-28T11:00")
    second = office.run("report", "2026-02-28T05:30")
    room = made_room()
    show(room, "order-sync", last_run=first)
    qtbot.waitUntil(lambda: runs_of(room) == [first.run_id])
    held = records.next_one()
    show(room, "report", last_run=second)
    assert runs_of(room) == []
    assert room.runs_tab.hint.isVisible()
    assert room.runs_tab.hint.text() == room.output_tab.view.text.placeholderText() == "Reading…"
    assert room.output_tab.heading.text() == ""
    show(room, "report", last_run=second, summary="something else")
    assert room.runs_tab.hint.text() == "Reading…", "it is not known yet whether it has run"
    held.set()
    qtbot.waitUntil(lambda: runs_of(room) == [second.run_id])


def test_a_new_run_of_the_same_job_does_not_clear_what_is_shown(qtbot, office, made_room, records):
    first = office.run("order-sync", "2026-02-28T11:00")
    room = made_room()
    show(room, "order-sync", last_run=first)
    qtbot.waitUntil(lambda: runs_of(room) == [first.run_id])
    second = office.run("order-sync", "2026-02-28T11:30")
    held = records.next_one()
    show(room, "order-sync", last_run=second)
    assert runs_of(room) == [first.run_id]
    assert room.runs_tab.table.isVisible()
    held.set()
    qtbot.waitUntil(lambda: runs_of(room) == [second.run_id, first.run_id])


def test_an_older_answer_about_the_same_job_never_wins(qtbot, office, made_room, records, tasks):
    first = office.run("order-sync", "2026-02-28T11:00")
    room = made_room()
    held = records.next_one()
    show(room, "order-sync", last_run=first)
    qtbot.waitUntil(lambda: not records.waits)
    second = office.run("order-sync", "2026-02-28T11:30")
    show(room, "order-sync", last_run=second)
    qtbot.waitUntil(lambda: len(runs_of(room)) == 2)
    held.set()
    qtbot.waitUntil(lambda: not tasks.pending)
    assert runs_of(room) == [second.run_id, first.run_id]


@pytest.mark.parametrize("fails", [True, False])
def test_a_late_output_of_one_job_never_stands_in_the_place_of_anothers(
    qtbot, office, made_room, tabs, tasks, fails
):
    slow, other = office.run("order-sync", "2026-02-28T11:00"), office.run("report", "2026-02-28T05:30")
    say(office, slow, b"of the slow one")
    say(office, other, b"of the other")
    logs = SlowLogs(office.runs.logs, slow="order-sync", fails=fails)
    room = made_room(logs)
    tabs.setCurrentIndex(1)
    show(room, "order-sync", last_run=slow)
    qtbot.waitUntil(lambda: tasks.pending == 1 and room.output_tab.heading.text() != "")
    show(room, "report", last_run=other)
    text = room.output_tab.view.text
    qtbot.waitUntil(lambda: text.toPlainText() == "of the other")
    logs.wait.set()
    qtbot.waitUntil(lambda: not tasks.pending)
    assert text.toPlainText() == "of the other"


def test_a_live_output_that_cannot_be_read_for_a_while_keeps_what_came(qtbot, office, made_room, tabs):
    running, lock = begin(office, "order-sync")
    path = say(office, running, b"one\n")
    logs = SlowLogs(office.runs.logs, slow="nobody")
    room = made_room(logs)
    tabs.setCurrentIndex(1)
    show(room, "order-sync", running=running)
    view = room.output_tab.view
    qtbot.waitUntil(lambda: view.text.toPlainText() == "one")
    logs.slow, logs.fails = "order-sync", True
    logs.wait.set()
    qtbot.waitUntil(lambda: "cannot be read right now: the disk" in view.notice.text())
    assert view.text.toPlainText() == "one"
    path.write_bytes(b"one\ntwo\n")
    logs.slow = "nobody"
    qtbot.waitUntil(lambda: view.text.toPlainText() == "one\ntwo")
    assert not view.notice.isVisible()
    lock.release()


def test_what_is_wrong_with_one_jobs_live_output_is_not_said_of_another(
    qtbot, office, made_room, tabs, tasks
):
    running, lock = begin(office, "order-sync")
    other = office.run("report", "2026-02-28T05:30")
    say(office, other, b"of the other")
    logs = SlowLogs(office.runs.logs, slow="order-sync", fails=True)
    room = made_room(logs)
    tabs.setCurrentIndex(1)
    show(room, "order-sync", running=running)
    qtbot.waitUntil(lambda: tasks.pending == 1 and room.output_tab.heading.text() != "")
    show(room, "report", last_run=other)
    view = room.output_tab.view
    qtbot.waitUntil(lambda: view.text.toPlainText() == "of the other")
    logs.wait.set()
    qtbot.waitUntil(lambda: not tasks.pending)
    assert (view.text.toPlainText(), view.notice.text()) == ("of the other", "")
    lock.release()
