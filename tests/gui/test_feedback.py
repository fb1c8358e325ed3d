from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from ridgeline_desktop.gui.kit.feedback import ErrorDialog, Feedback, ask
from ridgeline_desktop.gui.kit.forms import Fold
from ridgeline_desktop.gui.kit.words import Trouble

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

FULL = Trouble(
    what="It was not saved.", why="The disk is full.", safe="The old one is there.", details="line 4"
)
GONE = Trouble(what="It was not saved.", why="The folder is gone.")


@pytest.fixture
def window(qtbot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def feedback(qtbot, window) -> Feedback:
    return Feedback(window)


def button(parent: QWidget, text: str) -> QPushButton:
    return next(found for found in parent.findChildren(QPushButton) if found.text() == text)


def texts(parent: QWidget) -> list[str]:
    return [label.text() for label in parent.findChildren(QLabel) if label.isVisibleTo(parent)]


def test_the_bar_is_there_only_while_something_is_said(qtbot, feedback):
    assert not feedback.isVisible()
    feedback.say("“Order sync” is paused.")
    assert feedback.isVisible()
    assert texts(feedback) == ["“Order sync” is paused."]
    feedback._timer.setInterval(1)
    feedback._timer.start()
    qtbot.waitUntil(lambda: not feedback.isVisible())


def test_what_is_said_stays_ten_seconds(feedback):
    feedback.say("Saved.")
    assert feedback._timer.remainingTime() > 9_000


def test_undo_is_offered_where_something_can_be_taken_back_and_only_once(qtbot, feedback):
    undone: list[str] = []
    feedback.say("Saved.", undo=lambda: undone.append("saved"))
    undo = button(feedback, "Undo")
    qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    undo.click()
    assert undone == ["saved"]
    assert not feedback.isVisible()
    feedback.say("Checked just now.")
    assert not undo.isVisible()


def test_the_cross_hides_the_bar_and_has_a_name(qtbot, feedback):
    feedback.say("Saved.")
    cross = feedback.findChild(QToolButton)
    assert cross.accessibleName() == "Hide this message"
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert not feedback.isVisible()


def test_a_failure_opens_a_box_that_says_what_why_and_what_is_safe(feedback):
    feedback.fail(FULL)
    shown = texts(feedback.error_box)
    assert shown[:3] == ["It was not saved.", "The disk is full.", "The old one is there."]
    assert not feedback.error_box.findChild(Fold).is_open


def test_equal_troubles_are_counted_and_not_piled(feedback):
    feedback.fail(FULL)
    first = feedback.error_box
    feedback.fail(FULL)
    feedback.fail(FULL)
    assert feedback.error_box is first
    assert "This has happened 3 times." in texts(first)


def test_another_trouble_waits_until_the_box_is_closed(feedback):
    feedback.fail(FULL)
    feedback.fail(GONE)
    feedback.fail(GONE)
    assert feedback.error_box.trouble == FULL
    button(feedback.error_box, "Close").click()
    assert feedback.error_box.trouble == GONE
    assert feedback.error_box.times == 2
    button(feedback.error_box, "Close").click()
    assert feedback.error_box is None


def test_trying_again_closes_the_box_and_calls_it_once(feedback):
    tried: list[int] = []
    feedback.fail(FULL, retry=lambda: tried.append(1))
    button(feedback.error_box, "Try again").click()
    assert tried == [1]
    assert feedback.error_box is None


def test_what_belongs_to_a_window_that_is_gone_cannot_be_tried_again(qtbot, feedback):
    owner = QWidget()
    feedback.fail(FULL, retry=partial(owner.setWindowTitle, "tried"))
    feedback.fail(GONE, retry=owner.close)
    again = button(feedback.error_box, "Try again")
    with qtbot.waitSignal(owner.destroyed):
        owner.deleteLater()
    assert not again.isVisible()
    again.click()
    assert feedback.error_box.trouble == GONE
    assert "Try again" not in [found.text() for found in feedback.error_box.findChildren(QPushButton)]


def test_without_a_way_to_retry_no_button_promises_one(feedback):
    feedback.fail(FULL)
    labels = [found.text() for found in feedback.error_box.findChildren(QPushButton)]
    assert labels == ["Copy details", "Close"]


def test_all_of_the_trouble_is_copied(feedback):
    feedback.fail(FULL)
    button(feedback.error_box, "Copy details").click()
    assert QGuiApplication.clipboard().text() == FULL.as_text()


def test_details_unfold(qtbot, window):
    box = ErrorDialog(FULL, parent=window)
    box.show()
    box.findChild(Fold).set_open(True)
    assert any(
        "line 4" in area.toPlainText() for area in box.findChildren(QWidget) if hasattr(area, "toPlainText")
    )


def question(window: QWidget, answers: list[str]) -> QWidget:
    return ask(
        window,
        title="Run “Invoices” again?",
        text="It sends e-mails to 14 customers.",
        confirm="Run it again",
        cancel="Leave it",
        then=lambda: answers.append("again"),
    )


def test_a_question_is_answered_by_the_button_that_says_what_happens(window):
    answers: list[str] = []
    button(question(window, answers), "Run it again").click()
    assert answers == ["again"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_escape_and_enter_leave_everything_as_it_is(qtbot, window, key):
    answers: list[str] = []
    box = question(window, answers)
    with qtbot.waitSignal(box.finished):
        qtbot.keyClick(box, key)
    assert answers == []
