import sys
from pathlib import Path

import pytest
from at_forms import cut_off, mnemonics, nameless, reached_by_tab, scrolled_by, takes_keyboard
from form_desk import FormDesk
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit

from ridgeline_desktop.core.jobs import SafeToRerun
from ridgeline_desktop.gui.jobs.job_dialog import JobDialog
from ridgeline_desktop.gui.jobs.room import JobsRoom

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DEMO_JOBS = Path(__file__).parents[2] / "resources" / "demo" / "jobs"
FULL = """# Jordan's notes
title = 'Order sync'   # the name
about = \"\"\"
Copies orders.
Twice a day.\"\"\"
command = ["/bin/echo", "", "two words", "-x"]
environment = { B = "1", A = "" }
secrets = { TOKEN = "shop-api" }
tags = ["orders", "till"]
[alerts]
people = ["theo"]
[[lock_file]]
path = "/run/order.lock"
"""


class Desk(FormDesk):
    """The room of jobs and its form."""

    def make_room(self) -> JobsRoom:
        made = JobsRoom(
            editing=self.office.editing, tasks=self.tasks, feedback=self.feedback, clock=self.office.clock
        )
        self.qtbot.addWidget(made.page)
        return made

    def add(self) -> JobDialog:
        self.room.add()
        return self.opened()

    def edit(self, job_id: str) -> JobDialog:
        self.room.edit(job_id)
        return self.opened()


@pytest.fixture
def desk(qtbot, office, tasks) -> Desk:
    return Desk(qtbot, office, tasks)


def problems_of(dialog: JobDialog) -> dict[str, str]:
    return {name: field.problem for name, field in dialog.form._rows._fields.items() if field.problem}


@pytest.mark.parametrize("name", [path.stem for path in sorted(DEMO_JOBS.glob("*.toml"))])
def test_opening_and_saving_a_sample_job_without_a_change_writes_nothing(desk, name):
    path = desk.office.file(name, (DEMO_JOBS / f"{name}.toml").read_text())
    before = path.read_bytes()
    dialog = desk.edit(name)
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert path.read_bytes() == before
    assert desk.changes == []


def test_a_job_is_added_by_hand_only_and_a_schedule_is_offered(desk, qtbot):
    added, asked = [], []
    desk.room.added.connect(added.append)
    desk.room.schedule_asked.connect(asked.append)
    dialog = desk.add()
    desk.type(dialog.form.title, "Label printing, cafe!")
    assert dialog.form.job_id.text() == "label-printing-cafe"
    desk.type(dialog.form.program, "/bin/true")
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert 'command = ["/bin/true"]' in desk.text("label-printing-cafe")
    assert desk.said().startswith("Added.")
    assert added == ["label-printing-cafe"]
    [question] = [box for box in desk.room.page.findChildren(QDialog) if box.isVisible()]
    assert question.windowTitle() == "The job is added"
    question.accept()
    assert asked == ["label-printing-cafe"]
    desk.press(desk.feedback._undo_button)
    assert not (desk.office.shop / "jobs" / "label-printing-cafe.toml").exists()


def test_a_new_job_is_selected_as_soon_as_the_list_has_it(desk, qtbot):
    desk.office.job("another", 'daily = ["06:30"]')
    desk.room.page.set_snapshot(desk.office.monitoring.snapshot())
    dialog = desk.add()
    desk.type(dialog.form.title, "Labels")
    desk.type(dialog.form.program, "/bin/true")
    desk.press(dialog.save)
    desk.room.page.set_snapshot(desk.office.monitoring.snapshot())
    qtbot.waitUntil(lambda: (row := desk.room.page.selected_row()) is not None and row.job_id == "labels")


def test_an_id_of_ones_own_is_no_longer_derived_from_the_name(desk):
    dialog = desk.add()
    desk.type(dialog.form.title, "Order sync")
    desk.type(dialog.form.job_id, "orders")
    desk.type(dialog.form.title, "Something else")
    assert dialog.form.draft().job_id == "orders"


def test_a_name_that_cannot_be_an_id_suggests_one_that_can(desk):
    dialog = desk.add()
    desk.type(dialog.form.title, "Con")
    assert dialog.form.draft().job_id == "con-job"


def test_an_empty_form_is_not_scolded_before_it_is_to_be_saved(desk):
    dialog = desk.add()
    assert problems_of(dialog) == {}
    assert dialog.save.isEnabled()
    desk.press(dialog.save)
    assert set(problems_of(dialog)) == {"job_id", "program"}
    assert not dialog.save.isEnabled()
    assert dialog.status.text() == "2 problems to put right before it can be saved"
    desk.qtbot.waitUntil(lambda: cut_off(dialog) == [])
    assert list((desk.office.shop / "jobs").iterdir()) == []


def test_all_problems_stand_at_their_fields_while_typing(desk):
    desk.office.job("taken", 'daily = ["06:30"]')
    dialog = desk.add()
    form = dialog.form
    desk.type(form.job_id, "taken")
    desk.type(form.folder, "relative")
    desk.type(form.runbook, "/etc/passwd")
    desk.press(form.environment.another)
    desk.type(form.environment.rows[0].name, "9x")
    assert set(problems_of(dialog)) == {"job_id", "folder", "runbook", "environment"}
    assert "already" in problems_of(dialog)["job_id"]
    desk.press(form.environment.rows[0].remove)
    assert set(problems_of(dialog)) == {"job_id", "folder", "runbook"}


def test_problems_of_several_lines_have_the_room_that_they_need(desk):
    dialog = desk.add()
    assert (scrolled_by(dialog), cut_off(dialog)) == (0, [])
    dialog.form.folder.setText("relative")
    dialog.form.runbook.setText("/etc/passwd")
    desk.press(dialog.save)
    desk.qtbot.waitUntil(lambda: len(problems_of(dialog)) == 4)
    desk.settle()
    assert (scrolled_by(dialog), cut_off(dialog)) == (0, [])


def test_what_is_not_there_yet_is_told_and_may_be_saved_all_the_same(desk):
    dialog = desk.add()
    desk.type(dialog.form.title, "Later")
    desk.type(dialog.form.program, "/nowhere/at-all")
    desk.type(dialog.form.folder, "/nowhere")
    assert set(problems_of(dialog)) == {"program", "folder"}
    assert dialog.status.text() == "It can be saved all the same."
    desk.press(dialog.save)
    assert desk.room.dialog is None
    assert "/nowhere/at-all" in desk.text("later")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ('success = { must_print = "done" }', "what counts as success"),
        ("retry = { attempts = 3 }", "repeated tries"),
    ],
)
def test_what_counts_as_success_and_repeated_tries_are_said_to_stay_where_the_file_has_them(
    desk, rules, said
):
    desk.office.file("plain", 'command = ["/bin/true"]\n[run]\ngrace = "1 hour"\n')
    dialog = desk.edit("plain")
    assert dialog.form._kept.text() == ""
    dialog.done_with()
    text = f'title = "Count"\ncommand = ["/bin/true"]\n[run]\n{rules}\n'
    desk.office.file("count", text)
    dialog = desk.edit("count")
    [line] = dialog.form._kept.text().splitlines()
    assert said in line
    desk.type(dialog.form.title, "Stock")
    desk.press(dialog.save)
    assert desk.text("count") == text.replace("Count", "Stock")


def test_only_what_is_changed_is_written_and_the_rest_stays_to_the_letter(desk):
    desk.office.file("order-sync", FULL)
    dialog = desk.edit("order-sync")
    kept = dialog.form._kept.text()
    assert [word in kept for word in ("secrets", "alert", "lock file")] == [True, True, True]
    desk.type(dialog.form.title, "Orders")
    desk.press(dialog.save)
    assert desk.text("order-sync") == FULL.replace("'Order sync'   #", '"Orders"       #')


def test_an_argument_list_is_one_argument_a_line_empty_ones_among_them(desk):
    desk.office.file("order-sync", FULL)
    dialog = desk.edit("order-sync")
    assert dialog.form.arguments.toPlainText() == "\ntwo words\n-x"
    dialog.form.arguments.setPlainText("\ntwo words\n--all\n")
    desk.settle()
    desk.press(dialog.save)
    assert 'command = ["/bin/echo", "", "two words", "--all"]' in desk.text("order-sync")


def test_a_program_becomes_a_shell_line_and_back(desk):
    desk.office.file("order-sync", FULL)
    dialog = desk.edit("order-sync")
    dialog.form.by_shell.setChecked(True)
    desk.type(dialog.form.shell, "date | mail theo")
    desk.press(dialog.save)
    assert 'shell = "date | mail theo"' in desk.text("order-sync")
    assert "command" not in desk.text("order-sync")
    dialog = desk.edit("order-sync")
    assert dialog.form.by_shell.isChecked()
    assert dialog.form.program.isHidden() or not dialog.form.program.isVisible()
    desk.press(desk.feedback._undo_button)


def test_whether_it_is_safe_to_run_again_is_explained_in_one_line(desk):
    form = desk.add().form
    said = []
    for answer in SafeToRerun:
        form.safe_to_rerun.setCurrentIndex(form.safe_to_rerun.findData(answer))
        said.append(form.safe_hint.text())
    assert len(set(said)) == 3


def test_a_program_is_chosen_from_the_disk(desk, qtbot):
    dialog = desk.add()
    desk.qtbot.mouseClick(dialog.form.choose_program, Qt.MouseButton.LeftButton)
    [box] = dialog.findChildren(QFileDialog)
    box.findChild(QLineEdit, "fileNameEdit").setText(sys.executable)
    box.accept()
    desk.settle()
    assert dialog.form.draft().program == sys.executable


def test_somebody_elses_change_meanwhile_is_shown_and_either_is_kept(desk):
    for keep, title in (("mine", "Mine"), ("theirs", "Theirs")):
        desk.office.file("order-sync", 'title = "Old"\ncommand = ["/bin/true"]\n')
        dialog = desk.edit("order-sync")
        desk.type(dialog.form.title, "Mine")
        desk.office.file("order-sync", 'title = "Theirs"\ncommand = ["/bin/true"]\n')
        desk.press(dialog.save)
        assert dialog.outcome is not None
        assert not dialog.save.isEnabled()
        desk.press(getattr(dialog.outcome, keep))
        if keep == "theirs":
            assert dialog.form.draft().title == "Theirs"
            desk.press(dialog.save)
        assert desk.room.dialog is None
        assert f'title = "{title}"' in desk.text("order-sync")


def test_a_job_file_that_appeared_meanwhile_is_not_overwritten(desk):
    dialog = desk.add()
    desk.type(dialog.form.title, "Order sync")
    desk.type(dialog.form.program, "/bin/true")
    desk.office.file("order-sync", FULL)
    desk.press(dialog.save)
    assert desk.text("order-sync") == FULL
    assert "job_id" in problems_of(dialog) or desk.feedback.error_box is not None


def test_closing_with_changes_asks_first(desk, qtbot):
    dialog = desk.add()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert desk.room.dialog is None
    dialog = desk.add()
    desk.type(dialog.form.title, "Order sync")
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    [question] = dialog.findChildren(QDialog)
    question.reject()
    assert desk.room.dialog is dialog
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.findChildren(QDialog)[-1].accept()
    assert desk.room.dialog is None


def test_while_a_form_is_about_to_open_no_other_one_does(desk):
    desk.office.file("order-sync", FULL)
    desk.room.edit("order-sync")
    desk.room.add()
    assert desk.room.dialog is None
    dialog = desk.opened()
    assert dialog.source.job_id == "order-sync"
    assert [box for box in desk.room.page.findChildren(JobDialog) if box.isVisible()] == [dialog]


def test_what_a_form_saves_is_judged_by_the_file_it_began_with(desk):
    desk.office.file("order-sync", FULL)
    desk.edit("order-sync").reject()
    dialog = desk.add()
    assert dialog.source is None
    desk.type(dialog.form.job_id, "order-sync")
    assert "already" in problems_of(dialog)["job_id"]


def test_enter_in_a_field_does_not_close_the_form(desk, qtbot):
    dialog = desk.add()
    desk.type(dialog.form.title, "Order sync")
    desk.type(dialog.form.program, "/bin/true")
    qtbot.keyClick(dialog.form.program, Qt.Key.Key_Return)
    desk.settle()
    assert desk.room.dialog is dialog
    assert dialog.findChildren(QDialog) == []
    assert list((desk.office.shop / "jobs").iterdir()) == []


def test_everything_that_takes_the_keyboard_is_reached_by_tab_and_has_a_name_and_a_letter_of_its_own(
    desk, qtbot
):
    desk.office.file("order-sync", FULL)
    dialog = desk.edit("order-sync")
    with qtbot.waitActive(dialog):
        dialog.activateWindow()
    wanted = takes_keyboard(dialog) - {dialog.form.by_shell}  # arrow keys lead there
    assert wanted - reached_by_tab(dialog.form.title) == set()
    assert nameless(dialog) == []
    letters = mnemonics(dialog)
    assert len(letters) == len(set(letters))
