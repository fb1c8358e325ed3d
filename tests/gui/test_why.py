"""The card that says why: its colour, its heading, its reasons, and one button for each kind of step."""

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from rows import NOW, SYNC, TORONTO, at, job, record, red_row, row, snapshot
from running import OFFSCREEN, nameless

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.snapshots import ReasonLine, Step, StepKind
from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.core.values import replace
from ridgeline_desktop.gui.jobs.detail import MOST_OF_THE_HEIGHT, DetailPane
from ridgeline_desktop.gui.jobs.reasons import why_of
from ridgeline_desktop.gui.jobs.why import WhyCard
from ridgeline_desktop.gui.kit.cards import Tone
from ridgeline_desktop.gui.kit.icons import Shape

pytestmark = OFFSCREEN


def why(shown):
    return why_of(shown, zone=TORONTO, now=NOW)


def reason(*kinds: StepKind, text: str = "Because", proof: tuple[str, ...] = ()) -> ReasonLine:
    steps = tuple(Step(kind=kind, text=f"Do {kind}") for kind in kinds)
    return ReasonLine(code="some", text=text, proof=proof, steps=steps)


def card_texts(card: WhyCard) -> list[str]:
    return [label.text() for label in card._body.findChildren(QLabel)]


@pytest.fixture
def card(qtbot):
    made = WhyCard()
    qtbot.addWidget(made)
    made.resize(420, 300)
    made.show()
    return made


@pytest.mark.parametrize(
    ("said", "tone", "shape", "heading"),
    [
        (
            {"attention": Attention.RED, "health": Health.OVERDUE},
            Tone.RED, Shape.OVERDUE, "Why is this red?",
        ),
        (
            {"attention": Attention.RED, "health": Health.NEVER_SUCCEEDED},
            Tone.RED, Shape.NEVER, "Why is this red?",
        ),
        ({"attention": Attention.AMBER}, Tone.AMBER, Shape.LATE, "Why is this amber?"),
        (
            {"attention": Attention.GREY, "health": Health.UNKNOWN},
            Tone.GREY, Shape.UNKNOWN, "Why is this grey?",
        ),
        (
            {"attention": Attention.AMBER, "health": Health.NEVER_SUCCEEDED},
            Tone.AMBER, Shape.NEVER, "Why is this amber?",
        ),
        (
            {"attention": Attention.AMBER, "health": Health.UNKNOWN},
            Tone.AMBER, Shape.UNKNOWN, "Why can nobody tell how it is?",
        ),
        ({"health": Health.PAUSED}, Tone.GREY, Shape.PAUSED, "Why is this paused?"),
        (
            {"health": Health.PAUSED, "attention": Attention.AMBER},
            Tone.AMBER, Shape.LATE, "Why is this amber?",
        ),
        ({}, Tone.PLAIN, Shape.OK, "Everything is fine"),
        (
            {"health": Health.NEVER_SUCCEEDED, "quiet": True},
            Tone.PLAIN, Shape.OK, "Nothing is wrong: it has not been due yet",
        ),
    ],
)  # fmt: skip
def test_the_heading_follows_what_asks_for_attention(said, tone, shape, heading):
    made = why(row(reasons=(reason(),), **said))
    assert (made.tone, made.shape, made.heading) == (tone, shape, heading)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({}, "Last success: Today 09:30 · next run: Today 16:00"),
        ({"next_fire": None}, "Last success: Today 09:30"),
        ({"last_success": None}, "Next run: Today 16:00"),
        ({"last_success": None, "next_fire": None, "summary": "ok: nothing is due"}, "Ok: nothing is due"),
    ],
)
def test_a_green_job_says_when_it_worked_and_when_it_runs_again(said, text):
    assert why(row(**said)).reasons[0].text == text
    assert why(row(**said)).offers == ()


def test_the_last_success_is_told_by_its_start_as_in_the_list():
    long = record(started=at("09:29"), finished_at=at("09:41"))
    assert why(row(last_success=long)).reasons[0].text.startswith("Last success: Today 09:29")


def test_a_job_that_is_not_green_for_no_known_cause_says_its_judgement():
    made = why(row(attention=Attention.AMBER, summary="late: allowed 25"))
    assert [line.text for line in made.reasons] == ["Late: allowed 25"]


def test_each_kind_of_step_has_one_button_and_asking_comes_last():
    kinds = StepKind
    first = reason(kinds.ASK, kinds.OPEN_RUNBOOK, kinds.RUN_NOW, kinds.WAIT)
    second = reason(kinds.RUN_NOW, kinds.SHOW_OUTPUT)
    made = why(red_row(reasons=(first, second)))
    assert [offer.word for offer in made.offers] == ["Open runbook", "Run now", "Show output", "Ask Jordan…"]


def test_somebody_can_always_be_asked_about_trouble():
    nobody = job(text=SYNC.replace('looked_after_by = "Jordan"', ""))
    assert [offer.word for offer in why(red_row(reasons=(), job=nobody)).offers] == ["Ask for help…"]


@pytest.mark.parametrize(
    ("said", "objection"),
    [
        ({}, ""),
        ({"running": record(99, "running")}, "It is running already."),
        (
            {"job": job(text=SYNC.replace('rerun = "yes"', 'rerun = "never"'))},
            "It ran before, and its file says that it must never be run again by hand.",
        ),
    ],
)
def test_run_now_is_off_with_the_reason(card, said, objection):
    card.show_row(red_row(reasons=(reason(StepKind.RUN_NOW),), **said), zone=TORONTO, now=NOW)
    [run, _] = card.buttons
    assert (run.text(), run.isEnabled(), run.toolTip()) == ("Run now", not objection, objection)


def test_a_broken_job_file_is_told_mistake_by_mistake_with_file_and_line():
    problems = (
        Problem(line=4, key="every", message="this is no length of time"),
        Problem(line=None, key="", message="command is missing"),
    )
    broken = row(
        "mail", job=None, attention=Attention.AMBER, problems=problems,
        reasons=(ReasonLine(code="broken-job-file", text="a; b", steps=(Step(kind=StepKind.ASK, text=""),)),),
    )  # fmt: skip
    [line] = why(broken).reasons
    assert line.proof == (
        "jobs/mail.toml, line 4: this is no length of time",
        "jobs/mail.toml: command is missing",
    )


def test_records_that_cannot_be_read_are_explained_once_above_the_list():
    unreadable = ReasonLine(code="records-unreadable", text="They cannot be read", proof=("/a/path is gone",))
    [line] = why(row(attention=Attention.GREY, health=Health.UNKNOWN, reasons=(unreadable,))).reasons
    assert (line.text, line.proof) == ("They cannot be read", ())


def test_the_card_shows_cause_proof_and_numbered_steps(card):
    card.show_row(red_row(), zone=TORONTO, now=NOW)
    assert card.tone is Tone.RED
    assert card_texts(card) == [
        "Why is this red?",
        "The last 4 runs failed: the shop API answered 503",
        "·",
        "They began at 10:00, 10:15, 10:30 and 10:45",
        "·",
        "Last success 09:45, 67 minutes ago; allowed 25",
        "1.",
        "Open the runbook at “The shop API answers 503”",
        "2.",
        "Run it now. It is safe to repeat: it continues after order 5047",
        "3.",
        "Still red? Ask Jordan",
    ]
    assert [button.isDefault() for button in card.buttons] == [True, False, False]


def test_a_button_asks_for_its_step(qtbot, card):
    card.show_row(red_row(), zone=TORONTO, now=NOW)
    with qtbot.waitSignal(card.step_asked) as asked:
        card.buttons[0].click()
    job_id, step = asked.args
    assert (job_id, step.heading) == ("order-sync", "The shop API answers 503")


def test_what_has_not_changed_is_not_built_anew(card):
    card.show_row(red_row(), zone=TORONTO, now=NOW)
    body = card._body
    card.show_row(red_row(summary="overdue: another minute"), zone=TORONTO, now=NOW)
    assert card._body is body


def test_a_button_keeps_the_focus_while_the_minutes_are_counted(qtbot, card):
    card.show_row(red_row(), zone=TORONTO, now=NOW)
    card.activateWindow()
    card.buttons[1].setFocus()
    qtbot.waitUntil(card.buttons[1].hasFocus)
    (said,) = red_row().reasons
    later = replace(said, proof=("Last success 09:45, 68 minutes ago; allowed 25",))
    card.show_row(red_row(reasons=(later,)), zone=TORONTO, now=NOW)
    assert "Last success 09:45, 68 minutes ago; allowed 25" in card_texts(card)
    assert card.buttons[1].hasFocus()


def test_a_card_that_is_too_tall_scrolls_and_leaves_room_for_the_tabs(qtbot):
    pane = DetailPane()
    qtbot.addWidget(pane)
    pane.add_tab("Runs", QWidget())
    pane.resize(420, 600)
    pane.show()
    long = red_row(reasons=(reason(StepKind.RUN_NOW, text="word " * 400, proof=("proof " * 40,) * 5),))
    pane.show_row(long, snapshot(long))
    card = pane.card
    qtbot.waitUntil(lambda: card.height() == round(600 * MOST_OF_THE_HEIGHT))
    assert card._scroll.verticalScrollBar().maximum() > 0
    assert all(button.isVisible() for button in card.buttons)
    assert pane.tabs.height() > 200


def test_in_a_small_window_the_first_cause_and_the_buttons_stay_in_sight(qtbot):
    pane = DetailPane()
    qtbot.addWidget(pane)
    pane.add_tab("Runs", QWidget())
    pane.resize(420, 240)
    pane.show()
    pane.show_row(red_row(), snapshot(red_row()))
    card = pane.card
    line = card.fontMetrics().height()
    qtbot.waitUntil(lambda: card._scroll.viewport().height() >= 3 * line)
    assert all(button.isVisible() and button.geometry().bottom() < card.height() for button in card.buttons)


@pytest.mark.parametrize("width", [260, 420, 900])
def test_a_card_that_is_not_is_as_high_as_its_text(qtbot, width):
    pane = DetailPane()
    qtbot.addWidget(pane)
    pane.resize(width, 900)
    pane.show()
    card = pane.card
    for shown in (red_row(), row(), red_row()):
        pane.show_row(shown, snapshot(shown))
        qtbot.waitUntil(lambda: card.height() == card.heightForWidth(card.width()))
        qtbot.waitUntil(lambda: card._scroll.verticalScrollBar().maximum() == 0)
    assert nameless(pane) == []


def test_times_of_a_green_card_are_the_shop_s(card):
    card.show_row(row(last_success=record(started=at("06:00"))), zone=TORONTO, now=NOW)
    assert "Last success: Today 06:00 · next run: Today 16:00" in card_texts(card)


def test_a_button_shows_every_letter_of_whom_it_asks(card):
    shown = job(text=SYNC.replace("Jordan", "R&D"))
    card.show_row(red_row(job=shown, reasons=(reason(StepKind.ASK),)), zone=TORONTO, now=NOW)
    assert [button.text() for button in card.buttons] == ["Ask R&&D…"]
    assert card.buttons[0].shortcut().isEmpty()
