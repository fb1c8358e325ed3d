"""The application: what its buttons, closing and quitting do, with real services in a throwaway home."""

from collections.abc import Callable, Iterator

import pytest
from office import Office
from program import Program, Web, words
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from ridgeline_desktop.core.snapshots import BannerKind, Step, StepKind
from ridgeline_desktop.gui.jobs.pausing import PauseDialog

DAILY = 'daily = ["05:30"]'
Opened = Callable[..., Program]


@pytest.fixture
def opened(qtbot: QtBot, office: Office) -> Iterator[Opened]:
    """Opens the program on the office as it is then."""
    open_programs = []

    def open_it(**said) -> Program:
        open_programs.append(Program(qtbot, office, **said))
        return open_programs[-1]

    yield open_it
    for program in open_programs:
        program.close()


def question(program: Program) -> QMessageBox:
    program.until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    return QApplication.activeModalWidget()


def press(box: QMessageBox, word: str) -> None:
    next(button for button in box.buttons() if word in button.text()).click()


def test_registering_from_the_window_writes_the_schedule_and_can_be_taken_back(opened, office):
    office.job("report", DAILY)
    program = opened()
    assert program.row("report").registration == "never-registered"
    program.application.act("register", program.row("report"))
    program.until(lambda: program.row("report").registration == "registered")
    assert "report" in office.table.read_text()
    program.until(lambda: "put on this computer's schedule" in words(program.rooms.feedback))
    undo = next(b for b in program.rooms.feedback.findChildren(QPushButton) if b.text() == "Undo")
    undo.click()
    program.until(lambda: "report" not in office.table.read_text())


def undo_of(program: Program) -> QPushButton | None:
    buttons = [b for b in program.rooms.feedback.findChildren(QPushButton) if b.text() == "Undo"]
    return next((button for button in buttons if button.isVisible()), None)


def test_registering_a_new_job_and_taking_it_back_leaves_it_wanted_here(opened, office):
    office.job("report", DAILY)
    program = opened()
    program.application.act("register", program.row("report"))
    program.until(lambda: program.row("report").registration == "registered" and bool(undo_of(program)))
    undo_of(program).click()
    program.until(lambda: program.row("report").registration == "never-registered")
    assert "runs_elsewhere" not in (office.settings_path.read_text() if office.settings_path.exists() else "")


def test_a_repair_offers_no_way_back_to_silence(opened, office):
    office.job("report", DAILY)
    office.scheduling.register(["report"])
    office.table.write_text("")
    program = opened()
    assert program.row("report").registration == "missing"
    program.application.act("register", program.row("report"))
    program.until(lambda: "read back" in words(program.rooms.feedback))
    assert undo_of(program) is None


def test_leaving_jobs_to_another_computer_is_undone_without_registering_what_never_stood_here(opened, office):
    office.job("report", DAILY)
    office.job("stock", DAILY)
    office.scheduling.register(["stock"])
    program = opened()
    program.rooms.page.banner_asked.emit(BannerKind.SOME_NEVER_REGISTERED, "elsewhere", ("report", "stock"))
    program.until(lambda: program.row("stock").registration == "not-wanted" and bool(undo_of(program)))
    undo_of(program).click()
    program.until(lambda: program.row("stock").registration == "registered")
    program.until(lambda: program.row("report").registration == "never-registered")


def test_where_nothing_can_be_read_no_light_of_before_is_left_standing(opened, office):
    office.job("report", DAILY)
    program = opened()
    office.settings("zone = 3\n")
    program.until(lambda: not program.application.snapshot.rows)
    assert program.application.snapshot.attention == "grey"
    assert "settings.toml" in program.application.snapshot.banners[0].text
    assert not program.rooms.detail.card.isVisible()
    assert not program.window.actions_of["run"].isEnabled()


def test_a_schedule_that_cannot_be_written_is_told_with_what_is_safe(opened, office):
    office.job("report", DAILY)
    program = opened()
    office.full.touch()
    program.application.act("register", program.row("report"))
    program.until(lambda: program.rooms.feedback.error_box is not None)
    box = program.rooms.feedback.error_box
    assert "1 job could not be put on this computer's schedule" in words(box)
    assert "Everything that was on the schedule before is still there" in words(box)
    box.close()


def test_pausing_asks_until_when_and_resuming_ends_it(opened, office):
    office.job("report", DAILY)
    program = opened()
    program.application.act("pause", program.row("report"))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, PauseDialog)
    dialog.choices.button(1).setChecked(True)
    dialog.reason.setText("stock-taking")
    dialog.confirm.click()
    program.until(lambda: program.row("report").health == "paused")
    assert program.row("report").pause.until == office.moment("2026-03-01T08:00")
    assert "stock-taking" in program.row("report").summary
    program.application.act("resume", program.row("report"))
    program.until(lambda: program.row("report").health != "paused")


def test_a_pause_that_would_be_over_already_is_refused_in_words(opened, office):
    office.job("report", DAILY)
    program = opened()
    program.application.act("pause", program.row("report"))
    dialog = QApplication.activeModalWidget()
    dialog.until.setDateTime(dialog.until.dateTime().addDays(-30))
    dialog.confirm.click()
    assert dialog.isVisible()
    assert "passed already" in words(dialog)
    dialog.reject()
    assert program.row("report").pause is None


def test_a_check_from_the_window_is_remembered_and_said(opened, office):
    office.job("report", DAILY)
    program = opened()
    assert program.application.snapshot.checked_at is None
    program.application.act("check", None)
    program.until(lambda: program.application.snapshot.checked_at == office.clock.now())
    assert "Checked just now" in words(program.rooms.feedback)


def test_trying_again_looks_and_writes_nothing(opened, office):
    office.job("report", DAILY)
    program = opened()
    office.job("another", DAILY)
    program.rooms.page.retry_asked.emit()
    program.until(lambda: len(program.application.snapshot.rows) == 2)
    program.settle()
    assert program.application.snapshot.checked_at is None


def test_the_list_opens_the_form_for_a_new_job_and_the_settings_once_each(opened, office):
    program = opened()
    asked = []
    program.window.action_asked.connect(lambda name, _row: asked.append(name))
    rooms, page = program.rooms, program.rooms.page
    for signal, room in ((page.add_asked, rooms.jobs), (page.settings_asked, rooms.settings)):
        signal.emit()
        program.settle()
        assert room.dialog.isVisible()
        room.dialog.done_with()
    assert asked == []


def test_some_jobs_that_were_never_registered_can_be_left_to_another_computer(opened, office):
    office.job("report", DAILY)
    office.scheduling.register(("report",))
    office.job("another", DAILY)
    program = opened()
    banner = program.rooms.page.banners
    next(b for b in banner.findChildren(QPushButton) if b.text() == "They run elsewhere").click()
    program.until(lambda: program.row("another").registration == "not-wanted")
    assert program.row("report").registration == "registered"


def test_a_broken_job_file_is_put_right_from_its_card_and_from_the_menu(opened, office):
    office.file("report", 'command = ["/bin/true"]\n[schedule]\ndaily = ["25:00"]\n')
    program = opened()
    program.rooms.page.select("report")
    program.application.act("edit-job", program.row("report"))
    program.settle()
    program.rooms.jobs.editor.reject()
    button = next(b for b in program.rooms.detail.card.buttons if b.text() == "Edit job…")
    button.click()
    program.settle()
    editor = program.rooms.jobs.editor
    editor.text.document().find("25:00").insertText("05:30")
    editor.save_button.click()
    program.until(lambda: program.row("report").job is not None)
    assert program.row("report").problems == ()


def test_unreadable_records_can_be_checked_from_their_banner(opened, office):
    office.job("report", DAILY)
    program = opened()
    program.rooms.page.banner_asked.emit(BannerKind.RECORDS_UNREADABLE, "check", ())
    program.until(lambda: program.application.snapshot.checked_at == office.clock.now())


@pytest.mark.parametrize(
    ("kind", "tab"), [(StepKind.SHOW_OUTPUT, "Output"), (StepKind.OPEN_RUNBOOK, "Runbook")]
)
def test_a_step_of_the_card_leads_to_its_tab(opened, office, kind, tab):
    office.job("report", DAILY)
    program = opened()
    program.rooms.step_asked.emit("report", Step(kind=kind, text=""))
    tabs = program.rooms.detail.tabs
    program.until(lambda: tabs.tabText(tabs.currentIndex()).replace("&", "") == tab)


def test_closing_asks_once_and_then_does_as_it_was_told(opened, office):
    program = opened()
    program.application._closing.set_tray(True)
    program.window.close()
    box = question(program)
    assert "goes on watching" in box.text()
    press(box, "Keep watching")
    program.until(lambda: not program.window.isVisible())
    program.settle()
    assert 'close = "tray"' in office.settings_path.read_text()
    program.window.show_again()
    program.window.close()
    program.until(lambda: not program.window.isVisible())


def test_without_a_tray_the_window_is_never_hidden_out_of_reach(opened):
    program = opened()
    program.window.close()
    box = question(program)
    assert "no place for Ridgeline's icon" in box.text()
    press(box, "minimised")
    program.until(program.window.isMinimized)
    program.window.show_again()
    assert not program.window.isMinimized()


def test_going_back_leaves_the_window_and_the_settings_alone(opened, office):
    program = opened()
    program.window.close()
    press(question(program), "Back")
    program.settle()
    assert program.window.isVisible()
    assert not office.settings_path.exists()


def test_quitting_says_which_jobs_nothing_starts_any_more(opened):
    program = opened(stops=("order-sync", "report"))
    program.application.act("quit", None)
    box = question(program)
    assert "order-sync, report" in box.text()
    assert "Nobody will be told of silence" in box.informativeText()
    press(box, "Stay")
    assert program.window.isVisible()


def test_quitting_calls_those_jobs_by_their_names(opened, office):
    office.file("report", f'title = "Weekly report"\ncommand = ["/bin/true"]\n[schedule]\n{DAILY}\n')
    program = opened(stops=("report",))
    program.application.act("quit", None)
    assert "open: Weekly report." in question(program).text()


def test_quitting_ends_the_program_only_after_a_yes(opened, qtbot):
    program = opened()
    # The end of the event loop would be the end of pytest's too.
    program.application._closing.confirmed.disconnect(program.application.end)
    program.application.act("quit", None)
    box = question(program)
    assert "Jobs keep running without Ridgeline" in box.text()
    with qtbot.waitSignal(program.application._closing.confirmed):
        press(box, "Quit")


def test_the_sample_shop_breaks_and_mends_its_web_shop_from_the_strip(opened, qtbot):
    web = Web()
    program = opened(web=web)
    bar = program.application._demo_bar
    program.until(bar.mend_button.isEnabled)
    bar.mend_button.click()
    program.until(bar.break_button.isEnabled)
    assert not web.broken
    assert not bar.mend_button.isEnabled()
    bar.break_button.click()
    program.until(bar.mend_button.isEnabled)
    assert web.broken


def test_settings_that_are_not_in_order_are_shown_instead_of_the_list_and_mended_ones_bring_it_back(
    opened, office
):
    office.job("report", DAILY)
    program = opened()
    office.settings("zone = 3\n")
    program.until(lambda: "settings.toml:1" in words(program.rooms.page))
    office.settings('zone = "America/Toronto"\n')
    program.until(lambda: "settings.toml" not in words(program.rooms.page))


def test_a_check_that_could_not_put_the_records_in_order_is_no_success(opened, office):
    office.job("report", DAILY)
    office.run("report", "2026-02-27T05:31")
    program = opened()
    spooled = office.state / "spool"
    spooled.parent.mkdir(exist_ok=True)
    if spooled.is_dir():
        spooled.rmdir()
    spooled.write_text("no folder")
    program.application.act("check", None)
    program.until(lambda: program.rooms.feedback.error_box is not None)
    assert "could not be put in order" in words(program.rooms.feedback.error_box)
    program.rooms.feedback.error_box.close()
