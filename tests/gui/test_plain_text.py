"""What people write into job files and what jobs say is shown to the letter, and never obeyed as markup."""

import json
from collections.abc import Iterator

import pytest
from office import Office
from program import Program
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import Qt as Gui
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from ridgeline_desktop.gui.kit.words import button_text, plain_tip

MARKUP = "<img src=x><b>hi</b>&amp;"
JOB = f"""
title = {json.dumps(MARKUP)}
about = {json.dumps(MARKUP)}
looked_after_by = {json.dumps(MARKUP)}
command = ["/bin/false"]
runbook = {json.dumps(f"runbooks/{MARKUP.replace('/', '-')}.md")}
[schedule]
daily = ["05:30"]
backend = "none"
"""


@pytest.fixture
def program(qtbot: QtBot, office: Office) -> Iterator[Program]:
    office.file("odd", JOB)
    for hour in (5, 6):
        run = office.run("odd", f"2026-02-28T{hour:02}:31", "failed", reason=MARKUP)
        office.log("odd", run.run_id).write_bytes(f"{MARKUP}\n".encode())
    office.file("broken", f'title = 3\n{json.dumps(MARKUP)} = "{MARKUP}"\n')
    office.check()
    office.pass_time(days=2)
    made = Program(qtbot, office, stops=("odd", MARKUP))
    yield made
    made.close()


def obeyed(window: QWidget) -> list[str]:
    """The labels' texts and the tool tips in a window that Qt reads as markup."""
    tips = [widget.toolTip() for widget in window.findChildren(QWidget)]
    for view in window.findChildren(QAbstractItemView):
        tips += tips_of(view.model()) if view.model() is not None else []
    texts = [
        label.text()
        for label in window.findChildren(QLabel)
        if label.textFormat() is not Qt.TextFormat.PlainText and Gui.mightBeRichText(label.text())
    ]
    return texts + [tip for tip in tips if Gui.mightBeRichText(tip) and ("<img" in tip or "<b>" in tip)]


def tips_of(model: QAbstractItemModel) -> list[str]:
    cells = [
        model.index(at, column) for at in range(model.rowCount()) for column in range(model.columnCount())
    ]
    return [str(cell.data(Qt.ItemDataRole.ToolTipRole) or "") for cell in cells]


@pytest.mark.parametrize("job_id", ["odd", "broken"])
def test_no_label_and_no_tool_tip_of_the_window_obeys_what_a_job_is_called(program, job_id):
    program.rooms.page.select(job_id)
    tabs = program.rooms.detail.tabs
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        program.settle()
        assert obeyed(program.window) == []
    shown = [label.text() for label in program.rooms.detail.findChildren(QLabel) if label.isVisible()]
    assert any(MARKUP in text for text in shown)


@pytest.mark.parametrize("action", ["pause", "quit", "edit-job", "schedule", "lock", "ask", "run"])
def test_no_box_obeys_what_a_job_is_called(program, action):
    program.office.settings('dead_lock = "ask"\n')
    program.application.act(action, program.row("odd"))
    program.until(lambda: QApplication.activeModalWidget() is not None)
    program.settle()
    box = QApplication.activeModalWidget()
    assert obeyed(box) == []
    if isinstance(box, QMessageBox):
        assert MARKUP in box.text()
        assert box.findChild(QLabel, "qt_msgbox_label").font().bold()
    box._saving = False
    box.reject()


def test_a_tool_tip_of_job_texts_shows_their_letters_and_lines(program):
    jobs = program.rooms.page.table.jobs
    tip = next(tip for tip in tips_of(jobs) if "&lt;img" in tip)
    assert tip.startswith("<p>")
    assert tip.count("&lt;img src=x&gt;&lt;b&gt;hi&lt;/b&gt;&amp;amp;<br>") >= 1


@pytest.mark.parametrize("text", ["", "a &amp; b", "5 < 6 & 7 > 2", "Jordan's\nsecond line"])
def test_a_tool_tip_that_is_no_markup_stays_as_it_is(text):
    assert plain_tip(text) == text


def test_a_button_shows_every_letter_of_a_name():
    assert button_text("Ask R&D && Co…") == "Ask R&&D &&&& Co…"
