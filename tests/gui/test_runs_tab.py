"""The runs of a job as a table, the output of one of them beside it, and when they are read anew."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget
from pytestqt.modeltest import ModelTester
from rows import NOW, SAM, TORONTO, at, job, record, row, snapshot
from running import OFFSCREEN, begin, make_room, nameless, say

from ridgeline_desktop.core.runs import Reason, Trigger
from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.gui.kit.words import NO_TIME
from ridgeline_desktop.gui.runs.history import RunsModel

pytestmark = OFFSCREEN
LOCKED = "Another run of it was still going on"
CELL = Qt.ItemDataRole.DisplayRole


@pytest.fixture
def tabs(qtbot):
    made = QTabWidget()
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    return made


@pytest.fixture
def room(qtbot, office, tasks, tabs):
    office.job("order-sync", 'every = "15 minutes"')
    made = make_room(office, tasks, tabs)
    for title, widget in made.tabs():
        tabs.addTab(widget, title)
    yield made
    made.close()


def texts(model) -> list[list[str]]:
    columns = range(model.columnCount())
    return [[model.index(n, c).data(CELL) for c in columns] for n in range(model.rowCount())]


def show(room, office, **said) -> None:
    shown = row("order-sync", job=job(), **said)
    room.show_row(shown, snapshot(shown))


def look_at(tabs, title: str) -> None:
    [place] = [place for place in range(tabs.count()) if tabs.tabText(place) == title]
    tabs.setCurrentIndex(place)


def loaded(qtbot, room, count: int):
    qtbot.waitUntil(lambda: room.runs_tab.model.rowCount() == count)
    return room.runs_tab


def test_a_run_is_told_in_five_words(qapp, qtmodeltester: ModelTester):
    model = RunsModel()
    refused = {"reason_code": Reason.LOCK_HELD, "reason": "pid 4711", "count": 3, "duration": None}
    records = (
        record(5, "running", NOW - timedelta(minutes=2), actor=SAM, trigger=Trigger.MANUAL),
        record(4, "refused", at("10:45"), **refused),
        record(3, "failed", at("10:30"), reason="exit code 1", reason_code=Reason.EXIT_CODE),
        record(2, started=at("10:15"), trigger=Trigger.CATCH_UP),
        record(1, "completed", at("10:00", day=6), duration=None),
    )
    model.show(records, zone=TORONTO, now=NOW)
    qtmodeltester.check(model)
    assert texts(model) == [
        ["Today 10:50", "Running", "\N{EN DASH}", "Sam", ""],
        [
            "Today 10:45",
            "Did not start, 3 times",
            NO_TIME,
            "The schedule",
            LOCKED,
        ],
        ["Today 10:30", "Failed", "40 s", "The schedule", "It ended with code 1"],
        ["Today 10:15", "Worked", "40 s", "Made up for a missed start", ""],
        ["Yesterday 10:00", "Worked", "40 s", "The schedule", ""],
    ]
    assert [model.headerData(n, Qt.Orientation.Horizontal) for n in range(5)] == [
        "Started", "Result", "Took", "Started by", "Why",
    ]  # fmt: skip
    assert not model.index(1, 1).data(Qt.ItemDataRole.DecorationRole).isNull()
    assert model.index(3, 0).data(Qt.ItemDataRole.ToolTipRole) == "2026-03-07 15:15:00 UTC"


def test_the_same_runs_only_change_and_keep_what_is_selected(qtbot):
    model = RunsModel()
    records = (record(2, started=at("10:15")), record(1, started=at("10:00")))
    model.show(records, zone=TORONTO, now=NOW)
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.show((replace(records[0], count=2), records[1]), zone=TORONTO, now=NOW)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.show((replace(records[0], count=2), records[1]), zone=TORONTO, now=NOW)


def test_a_new_run_leaves_the_selected_one_selected(qtbot, office, room):
    first = office.run("order-sync", "2026-02-28T11:00")
    office.run("order-sync", "2026-02-28T10:00")
    show(room, office, last_run=first, recent=(first,))
    tab = loaded(qtbot, room, 2)
    tab.table.selectRow(1)
    chosen = tab.selected()
    newest = office.run("order-sync", "2026-02-28T11:30")
    show(room, office, last_run=newest, recent=(newest,))
    loaded(qtbot, room, 3)
    assert tab.selected() == chosen
    assert tab.table.currentIndex().row() == 2


def test_it_is_read_again_only_where_a_run_began_or_ended(qtbot, office, room, tasks):
    first = office.run("order-sync", "2026-02-28T11:00")
    show(room, office, last_run=first, recent=(first,))
    loaded(qtbot, room, 1)
    qtbot.waitUntil(lambda: tasks.pending == 0)
    show(room, office, last_run=first, recent=(first,), summary="something else")
    assert tasks.pending == 0


def test_enter_opens_the_run_in_a_window(qtbot, office, room):
    first = office.run("order-sync", "2026-02-28T11:00")
    show(room, office, last_run=first)
    tab = loaded(qtbot, room, 1)
    tab.table.selectRow(0)
    qtbot.keyClick(tab.table, Qt.Key.Key_Return)
    assert list(room.consoles) == [first.run_id]
    [console] = room.consoles.values()
    qtbot.waitUntil(lambda: console.is_over)


def test_a_job_without_runs_says_so(qtbot, office, room):
    show(room, office, last_run=None, recent=())
    qtbot.waitUntil(lambda: room.runs_tab.hint.text() == "This job has not run yet.")
    assert room.runs_tab.hint.isVisible()


def test_a_job_whose_file_is_gone_still_shows_its_runs_or_says_what_is_wrong(qtbot, office, room):
    office.run("old-job", "2026-02-28T11:00")
    vanished = row("old-job", job=None, last_run=None, recent=())
    room.show_row(vanished, snapshot(vanished))
    loaded(qtbot, room, 1)
    other = row("never-was", job=None, last_run=None, recent=())
    room.show_row(other, snapshot(other))
    qtbot.waitUntil(lambda: 'no job "never-was"' in room.runs_tab.hint.text())


def test_runs_that_cannot_be_shown_say_why_without_a_path(qtbot, office, room):
    office.file("order-sync", "command = 3\n")
    problems = (Problem(line=1, key="command", message="it is no list"),)
    broken = row("order-sync", job=None, last_run=None, recent=(), problems=problems)
    room.show_row(broken, snapshot(broken))
    qtbot.waitUntil(lambda: room.runs_tab.hint.text().startswith("Its file is not in order"))
    office.job("report", 'daily = ["05:30"]')
    office.check()
    office.database.write_bytes(b"these are no records" * 400)
    other = row("report", last_run=None, recent=())
    room.show_row(other, snapshot(other))
    said = "The run records cannot be read, so its runs cannot be shown."
    qtbot.waitUntil(lambda: room.runs_tab.hint.text() == said)


def test_nothing_selected_is_said(qtbot, room):
    room.show_row(None, snapshot())
    assert room.runs_tab.hint.text() == "Select a job to see its runs."


def test_the_output_is_that_of_the_newest_run_or_of_the_selected_one(qtbot, office, room, tabs):
    older = office.run("order-sync", "2026-02-28T10:00")
    newest = office.run("order-sync", "2026-02-28T11:00", "failed")
    office.run("order-sync", "2026-02-28T11:30", "refused")
    say(office, older, b"older")
    say(office, newest, b"newest")
    look_at(tabs, "Output")
    show(room, office, last_run=newest)
    view = room.output_tab.view
    qtbot.waitUntil(lambda: view.text.toPlainText() == "newest")
    assert room.output_tab.heading.text() == "Today 10:58 · Failed"
    room.runs_tab.table.selectRow(2)
    qtbot.waitUntil(lambda: view.text.toPlainText() == "older")


def test_an_output_is_read_only_once_it_can_be_seen(qtbot, office, room, tabs):
    newest = office.run("order-sync", "2026-02-28T11:00")
    say(office, newest, b"newest")
    show(room, office, last_run=newest)
    loaded(qtbot, room, 1)
    assert room.output_tab.view.text.toPlainText() == ""
    with qtbot.waitSignal(room.tab_asked) as asked:
        room.show_output(row("order-sync"))
    assert asked.args == ["Output"]
    look_at(tabs, "Output")
    qtbot.waitUntil(lambda: room.output_tab.view.text.toPlainText() == "newest")


def test_a_large_output_shows_its_end_first_and_all_of_it_if_asked(qtbot, office, room, tabs):
    newest = office.run("order-sync", "2026-02-28T11:00")
    say(office, newest, b"".join(b"line %05d of the output\n" % n for n in range(15_000)))
    look_at(tabs, "Output")
    show(room, office, last_run=newest)
    view = room.output_tab.view
    qtbot.waitUntil(lambda: view.is_settled and view.total > 5000)
    assert view.text.toPlainText().startswith("line ")
    assert not view.text.toPlainText().startswith("line 00000")
    assert view.text.toPlainText().endswith("line 14999 of the output")
    assert view.notice.text() == "Showing the end of the output."
    view.more.click()
    qtbot.waitUntil(lambda: view.is_settled and view.total == 15_000, timeout=20_000)
    assert view.text.toPlainText().startswith("line 00000")
    assert not view.notice.isVisible()


def test_the_output_of_a_running_run_grows(qtbot, office, room, tabs):
    running, lock = begin(office, "order-sync")
    path = say(office, running, b"one\n")
    look_at(tabs, "Output")
    show(room, office, running=running)
    view = room.output_tab.view
    qtbot.waitUntil(lambda: view.text.toPlainText() == "one")
    with path.open("ab") as file:
        file.write(b"two")
    qtbot.waitUntil(lambda: view.text.toPlainText() == "one\ntwo")
    room.output_tab.window_button.click()
    assert list(room.consoles) == [running.run_id]
    lock.release()


def test_everything_in_the_tabs_has_a_name(qtbot, office, room, tabs):
    newest = office.run("order-sync", "2026-02-28T11:00")
    show(room, office, last_run=newest)
    loaded(qtbot, room, 1)
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        assert nameless(tabs.widget(number)) == []
