"""The detail pane: the job's name, who looks after it, and the tabs of the other rooms."""

import pytest
from PySide6.QtWidgets import QLabel
from rows import SYNC, job, red_row, row, snapshot
from running import OFFSCREEN

from ridgeline_desktop.gui.jobs.detail import DetailPane

pytestmark = OFFSCREEN


@pytest.fixture
def pane(qtbot):
    made = DetailPane()
    qtbot.addWidget(made)
    for title in ("Runs", "Output"):
        made.add_tab(title, QLabel(title))
    made.resize(420, 600)
    made.show()
    return made


def show(pane, shown) -> None:
    pane.show_row(shown, snapshot(*([shown] if shown else [])))


def test_nothing_selected_is_a_calm_hint(pane):
    show(pane, None)
    assert pane.hint.isVisible()
    assert not pane.title.isVisible()
    show(pane, red_row())
    assert not pane.hint.isVisible()


@pytest.mark.parametrize(
    ("text", "about"),
    [
        (SYNC, "Copies new web orders to the till. Looked after by Jordan."),
        (SYNC.replace('looked_after_by = "Jordan"', ""), "Copies new web orders to the till."),
        (SYNC.replace('about = "Copies new web orders to the till."', ""), "Looked after by Jordan."),
    ],
)
def test_it_says_what_the_job_does_and_who_looks_after_it(pane, text, about):
    show(pane, red_row(job=job(text=text)))
    assert (pane.title.text(), pane.about.text()) == ("Order sync", about)


def test_a_job_of_which_only_the_name_is_known_shows_that(pane):
    show(pane, row("mail", title="mail", job=None))
    assert pane.title.text() == "mail"
    assert not pane.about.isVisible()


def test_texts_of_a_job_file_are_text_and_never_markup(pane):
    show(pane, red_row(title="<b>bold</b>"))
    assert pane.title.text() == "<b>bold</b>"
    assert pane.title.textFormat().name == "PlainText"


def test_a_tab_is_brought_to_the_front_by_its_title(pane):
    show(pane, red_row())
    pane.show_tab("Output")
    assert pane.tabs.currentIndex() == 1
    pane.show_tab("Nowhere")
    assert pane.tabs.currentIndex() == 1


def test_what_the_card_asks_for_is_passed_on(qtbot, pane):
    show(pane, red_row())
    with qtbot.waitSignal(pane.step_asked) as asked:
        pane.card.buttons[1].click()
    assert asked.args[0] == "order-sync"
