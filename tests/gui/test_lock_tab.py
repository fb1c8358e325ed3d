"""The tab about a job's lock: one sentence and the way to the evidence."""

import pytest
from rows import at, record, row, snapshot

from ridgeline_desktop.core.locks import Verdict, VerdictKind
from ridgeline_desktop.gui.kit.cards import Card, Tone
from ridgeline_desktop.gui.locks.tab import LockTab

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def tab(qtbot):
    made = LockTab()
    qtbot.addWidget(made)
    made.show()
    return made


def shown(tab, kind, **said):
    verdict = Verdict(kind=VerdictKind(kind), line=1, sentence="for Jordan") if kind else None
    one = row("stock-sync", verdict=verdict, **said)
    tab.show_row(one, snapshot(one))
    return tab.sentence.text()


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("", "The lock has not been looked at: the job file or the records are unreadable."),
        ("free", "No run holds this lock. The next run can start."),
        ("held", "A run is going on and holds the lock. No other can start until it ends."),
        ("dead", "A run that is over has left its lock behind. It is safe to clear it."),
        ("cannot-tell", "It cannot be told whether a run is still going on, so the lock stays."),
    ],
)
def test_the_lock_is_told_in_one_sentence(tab, kind, sentence):
    assert shown(tab, kind) == sentence


@pytest.mark.parametrize(("kind", "tone"), [("", Tone.GREY), ("free", Tone.PLAIN), ("dead", Tone.AMBER)])
def test_a_lock_that_nobody_looked_at_does_not_look_free_and_can_be_looked_at(qtbot, tab, kind, tone):
    shown(tab, kind)
    [card] = tab.findChildren(Card)
    assert card.tone is tone
    with qtbot.waitSignal(tab.look_asked):
        tab.button.click()


def test_a_run_that_is_known_is_told_with_its_start(tab):
    running = record(30, "running", at("10:51"))
    assert shown(tab, "held", running=running) == (
        "The run that started today 10:51 is going on and holds the lock."
    )


def test_looking_closer_asks_for_the_selected_job(qtbot, tab):
    shown(tab, "dead")
    with qtbot.waitSignal(tab.look_asked) as asked:
        tab.button.click()
    assert asked.args == ["stock-sync"]


def test_without_a_job_there_is_nothing_to_press(tab):
    tab.show_row(None, snapshot())
    assert not tab.button.isEnabled()
    assert tab.sentence.text() == "No job is selected."
