import pytest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QTimeEdit, QToolButton

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.gui.kit.forms import Fold, FormRows, MarkedLine, details_box
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.palette import colours_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def form(qtbot) -> FormRows:
    made = FormRows()
    qtbot.addWidget(made)
    made.add("title", "&Name", QLineEdit())
    made.add("program", "&Program", QLineEdit(), hint="The full path.")
    made.show()
    return made


def problem(field: str, message: str, *, blocks: bool = True) -> DraftProblem:
    return DraftProblem(field=field, message=message, blocks=blocks)


def test_a_label_leads_to_its_field_which_is_named_after_it(form):
    labels = {label.text(): label.buddy() for label in form.findChildren(QLabel) if label.buddy()}
    assert [(text, buddy.accessibleName()) for text, buddy in labels.items()] == [
        ("&Name", "Name"),
        ("&Program", "Program"),
    ]


def test_a_row_of_several_widgets_has_a_buddy_that_is_named(qtbot, form):
    row, at = QHBoxLayout(), QTimeEdit()
    row.addWidget(at)
    form.add("times", "&At", row, buddy=at)
    assert at.accessibleName() == "At"


def test_all_problems_are_shown_at_once_each_at_its_field(form):
    left = form.set_problems(
        [problem("title", "A name is needed"), problem("program", "Not there"), problem("zone", "Unknown")]
    )
    assert (form.problem_at("title"), form.problem_at("program")) == ("A name is needed", "Not there")
    assert [found.field for found in left] == ["zone"]


def test_problems_that_are_solved_disappear_and_take_no_room(qtbot, form):
    height = form.sizeHint().height()
    form.set_problems([problem("title", "A name is needed")])
    assert form.sizeHint().height() > height
    form.set_problems([])
    assert form.problem_at("title") == ""
    qtbot.waitUntil(lambda: form.sizeHint().height() == height)


def test_two_problems_of_one_field_are_both_shown(form):
    form.set_problems([problem("title", "Too long"), problem("title", "Taken")])
    assert form.problem_at("title") == "Too long\nTaken"


def test_what_may_be_saved_all_the_same_is_amber_with_a_triangle_and_what_blocks_is_red(form):
    form.set_problems([problem("title", "Too long"), problem("title", "Not there yet", blocks=False)])
    colours = colours_of(form.palette())
    shown = [
        (line.shape, label.text(), label.palette().color(label.foregroundRole()))
        for line in form.findChildren(MarkedLine)
        for label in line.findChildren(QLabel)
    ]
    assert shown == [
        (Shape.OVERDUE, "Too long", colours.overdue),
        (Shape.WARNING, "Not there yet", colours.late),
    ]


def test_a_screen_reader_hears_what_is_wrong_with_a_field(form):
    form.set_problems([problem("title", "A name is needed")])
    field = next(found for found in form.findChildren(QLineEdit) if found.accessibleName() == "Name")
    assert field.accessibleDescription() == "A name is needed"


def test_the_caret_goes_to_the_first_problem_that_blocks(qtbot, form):
    assert not form.focus_first_problem()
    form.set_problems([problem("title", "Odd", blocks=False)])
    assert not form.focus_first_problem()
    form.set_problems([problem("title", "Odd", blocks=False), problem("program", "Not there")])
    with qtbot.waitActive(form):
        form.activateWindow()
    assert form.focus_first_problem()
    assert form.focusWidget().accessibleName() == "Program"


def test_a_row_can_be_hidden_with_its_label(form):
    form.set_shown("program", False)
    hidden = [label.text() for label in form.findChildren(QLabel) if label.buddy() and not label.isVisible()]
    assert hidden == ["&Program"]


def test_a_fold_shows_its_content_only_when_open(qtbot):
    fold = Fold("Technical details")
    qtbot.addWidget(fold)
    content = details_box("process 4711", name="Technical details")
    fold.set_content(content)
    fold.show()
    assert not content.isVisible()
    with qtbot.waitSignal(fold.toggled, check_params_cb=lambda is_open: is_open):
        fold.findChild(QToolButton).click()
    assert content.isVisible()
    assert fold.is_open


def test_new_content_takes_the_place_of_the_old(qtbot):
    fold = Fold("Technical details")
    qtbot.addWidget(fold)
    fold.show()
    fold.set_open(True)
    fold.set_content(details_box("one", name="Technical details"))
    second = details_box("two", name="Technical details")
    fold.set_content(second)
    assert second.isVisible()
