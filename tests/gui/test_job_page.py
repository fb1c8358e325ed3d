import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from rows import NOW, SYNC, TORONTO, at, job, record, red_row, row, snapshot

from ridgeline_desktop.core.errors import SettingsBroken
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import Reason
from ridgeline_desktop.core.snapshots import JOBS, Banner, BannerKind
from ridgeline_desktop.gui.jobs.cells import Moment, next_run_cell
from ridgeline_desktop.gui.jobs.chips import Chip
from ridgeline_desktop.gui.jobs.filters import Filter, filter_word, fits, last_run_failed, nothing_of
from ridgeline_desktop.gui.jobs.page import JobsPage
from ridgeline_desktop.gui.kit.forms import Fold

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
LATE = row("weekly-report", health=Health.LATE)
TAGGED = row("invoices", job=job("invoices", f'tags = ["money", "monthly"]\n{SYNC}'))
GOING_ON = row("stock-sync", running=record(99, "running"))
SHOP = snapshot(red_row(), LATE, GOING_ON, TAGGED)


@pytest.fixture
def page(qtbot) -> JobsPage:
    made = JobsPage()
    qtbot.addWidget(made)
    made.resize(700, 400)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def ids(page: JobsPage) -> list[str]:
    model = page.table.jobs
    return [model.row_at(place).job_id for place in range(model.rowCount())]


def chips(page: JobsPage) -> list[str]:
    return [chip.text() for chip in page.findChildren(Chip) if chip.isVisible()]


def press(page: JobsPage, kind: Filter) -> None:
    next(chip for chip in page.findChildren(Chip) if chip.kind is kind).click()


def test_until_the_first_look_it_says_that_it_is_looking(page):
    assert page.notice.isVisible()
    assert page.notice.words == "Looking at the jobs…"
    assert page.selected_row() is None


def test_jobs_are_listed_worst_first_and_the_first_is_selected(qtbot, page):
    with qtbot.waitSignal(page.selected) as told:
        page.set_snapshot(SHOP)
    assert ids(page) == ["order-sync", "weekly-report", "stock-sync", "invoices"]
    assert told.args[0].job_id == "order-sync"
    assert page.table.isVisible()


def test_only_kinds_that_have_jobs_have_a_chip(page):
    page.set_snapshot(SHOP)
    assert chips(page) == ["All 4", "Overdue 1", "Late 1", "Last run failed 1", "Running 1"]


def test_a_chip_shows_the_jobs_of_its_kind(page):
    page.set_snapshot(SHOP)
    press(page, Filter.LATE)
    assert ids(page) == ["weekly-report"]
    press(page, Filter.ALL)
    assert len(ids(page)) == 4


def test_the_chosen_kind_stays_and_says_so_when_its_last_job_is_well_again(page):
    page.set_snapshot(SHOP)
    press(page, Filter.LATE)
    page.set_snapshot(snapshot(red_row()))
    assert "Late 0" in chips(page)
    assert page.notice.words == "No job is late."
    assert page.notice.button.text() == "Show all"
    page.notice.button.click()
    assert ids(page) == ["order-sync"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("REPORT", ["weekly-report"]),
        ("money", ["invoices"]),
        ("till", ["order-sync", "weekly-report", "stock-sync", "invoices"]),
        ("stock-sync", ["stock-sync"]),
        ("sync web", ["order-sync", "stock-sync"]),
    ],
)
def test_find_looks_in_names_ids_tags_and_what_a_job_does(qtbot, page, text, found):
    page.set_snapshot(SHOP)
    page.start_finding()
    qtbot.keyClicks(page.find_box, text)
    assert ids(page) == found


def test_nothing_found_says_so_with_a_way_back(page):
    page.set_snapshot(SHOP)
    page.find_box.setText("bakcup")
    assert page.notice.words == "Nothing matches “bakcup”."
    page.notice.button.click()
    assert page.find_box.text() == ""
    assert len(ids(page)) == 4


def test_escape_empties_the_box_and_then_leads_to_the_list(qtbot, page):
    page.set_snapshot(SHOP)
    page.start_finding()
    qtbot.keyClicks(page.find_box, "order")
    qtbot.keyClick(page.find_box, Qt.Key.Key_Escape)
    assert (page.find_box.text(), page.find_box.hasFocus()) == ("", True)
    qtbot.keyClick(page.find_box, Qt.Key.Key_Escape)
    assert page.table.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Down])
def test_enter_and_down_lead_from_the_box_to_the_list(qtbot, page, key):
    page.set_snapshot(SHOP)
    page.start_finding()
    qtbot.keyClick(page.find_box, key)
    assert page.table.hasFocus()


def test_without_jobs_it_offers_to_add_one(qtbot, page):
    page.set_snapshot(snapshot())
    assert page.notice.words.startswith("No jobs yet.")
    with qtbot.waitSignal(page.add_asked):
        page.notice.button.click()


def test_what_cannot_be_judged_shows_why_and_no_job_as_well(qtbot, page):
    page.set_snapshot(SHOP)
    page.show_error(SettingsBroken("Ridgeline cannot read its settings: line 4"))
    assert "Ridgeline cannot read its settings: line 4" in page.notice.words
    assert not page.table.isVisible()
    with qtbot.waitSignal(page.retry_asked):
        page.notice.button.click()
    page.set_snapshot(SHOP)
    assert page.table.isVisible()


def test_an_error_nobody_foresaw_is_called_ridgelines_own(page):
    page.show_error(KeyError("zone"))
    assert "Something went wrong inside Ridgeline" in page.notice.words


def test_selecting_a_job_that_is_filtered_away_shows_it(page):
    page.set_snapshot(SHOP)
    press(page, Filter.LATE)
    page.find_box.setText("report")
    page.select("order-sync")
    assert page.selected_row().job_id == "order-sync"
    assert len(ids(page)) == 4


def test_a_new_look_keeps_selection_filter_and_what_is_looked_for(page):
    page.set_snapshot(SHOP)
    page.find_box.setText("sync")
    page.select("stock-sync")
    page.set_snapshot(snapshot(LATE, GOING_ON, TAGGED, red_row(), row("new-sync")))
    assert ids(page) == ["stock-sync", "order-sync", "new-sync"]
    assert page.selected_row().job_id == "stock-sync"


def test_enter_and_menus_leave_as_signals(qtbot, page):
    page.set_snapshot(SHOP)
    with qtbot.waitSignal(page.activated) as told:
        qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert told.args == ["order-sync"]


def banner(kind: BannerKind, text: str = f"This computer runs none of these 2 jobs: {JOBS}.") -> Banner:
    return Banner(kind=kind, text=text, job_ids=("a", "b"), commands="Register them here: ridgeline register")


@pytest.mark.parametrize(
    ("kind", "buttons"),
    [
        (BannerKind.NEVER_REGISTERED, ["Register them here", "They run elsewhere"]),
        (BannerKind.SOME_NEVER_REGISTERED, ["Register them here", "They run elsewhere"]),
        (BannerKind.ORPHANS, ["Take it out"]),
        (BannerKind.NO_SHOP, ["Settings…"]),
        (BannerKind.SHOP_EMPTY, ["Settings…"]),
        (BannerKind.RECORDS_UNREADABLE, ["Check now"]),
        (BannerKind.RECOVERED, []),
    ],
)
def test_a_banner_has_buttons_for_what_can_be_done_and_no_commands(page, kind, buttons):
    page.set_snapshot(snapshot(red_row(), banners=(banner(kind),)))
    assert [found.text() for found in page.banners.findChildren(QPushButton)] == buttons
    words = [label.text() for label in page.banners.findChildren(QWidget) if hasattr(label, "wordWrap")]
    assert "This computer runs none of these 2 jobs: a, b." in words
    assert not any("ridgeline register" in text for text in words)


def test_a_banner_calls_jobs_as_the_list_does(page):
    page.set_snapshot(snapshot(row("a", title="Jobs, a"), banners=(banner(BannerKind.NEVER_REGISTERED),)))
    words = [label.text() for label in page.banners.findChildren(QLabel)]
    assert "This computer runs none of these 2 jobs: Jobs, a, b." in words


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (BannerKind.NEVER_REGISTERED, "register"),
        (BannerKind.NEVER_REGISTERED, "elsewhere"),
        (BannerKind.SOME_NEVER_REGISTERED, "elsewhere"),
        (BannerKind.ORPHANS, "take-out"),
        (BannerKind.RECORDS_UNREADABLE, "check"),
    ],
)
def test_a_banners_button_tells_what_is_asked_for_which_jobs(qtbot, page, kind, name):
    page.set_snapshot(snapshot(red_row(), banners=(banner(kind),)))
    with qtbot.waitSignal(page.banner_asked) as told:
        page.banners.findChild(QPushButton, name).click()
    assert told.args == [kind, name, ("a", "b")]


def test_a_banner_about_the_shop_folder_leads_to_the_settings(qtbot, page):
    page.set_snapshot(snapshot(banners=(banner(BannerKind.NO_SHOP),)))
    with qtbot.waitSignal(page.settings_asked), qtbot.assertNotEmitted(page.banner_asked):
        page.banners.findChild(QPushButton, "settings").click()


def test_what_only_few_people_read_of_unreadable_records_is_folded_away(page):
    page.set_snapshot(snapshot(banners=(banner(BannerKind.RECORDS_UNREADABLE, "records.db is damaged"),)))
    page.show()
    shown = [label.text() for label in page.banners.findChildren(QLabel) if label.isVisible()]
    assert shown[0] == "The run records cannot be read"
    assert not any("records.db" in text for text in shown)
    page.banners.findChild(Fold).set_open(True)
    shown = [label.text() for label in page.banners.findChildren(QLabel) if label.isVisible()]
    assert "records.db is damaged" in shown


def test_banners_go_when_their_cause_is_gone(page):
    page.set_snapshot(snapshot(red_row(), banners=(banner(BannerKind.ORPHANS),)))
    assert page.banners.isVisible()
    page.set_snapshot(snapshot(red_row()))
    assert not page.banners.isVisible()


@pytest.mark.parametrize("kind", Filter)
def test_every_kind_has_words_for_its_chip_and_for_none(kind):
    assert filter_word(kind)
    assert nothing_of(kind).endswith(".")


def test_a_start_the_lock_refused_does_not_hide_that_the_run_before_failed():
    refused, failed = record(2, "refused", at("10:45")), record(1, "failed", at("10:30"))
    assert last_run_failed(row(last_run=refused, recent=(refused, failed)))
    assert not last_run_failed(row(last_run=refused, recent=(refused, record(1))))
    no_start = record(1, "refused", at("10:30"), reason_code=Reason.COULD_NOT_START)
    assert last_run_failed(row(last_run=refused, recent=(refused, no_start, record(0))))


@pytest.mark.parametrize(
    ("state", "differs"),
    [
        (RegistrationState.REGISTERED, False),
        (RegistrationState.NOT_WANTED, False),
        (RegistrationState.UNVERIFIABLE, False),
        (RegistrationState.MISSING, True),
        (RegistrationState.NEVER_REGISTERED, True),
    ],
)
def test_not_registered_as_wanted_is_what_differs_from_the_job_file(state, differs):
    assert fits(row(registration=state), Filter.DRIFT) is differs


def test_the_chip_and_the_cell_of_a_job_that_is_not_registered_use_the_same_words():
    never = row(registration=RegistrationState.NEVER_REGISTERED, next_fire=None)
    assert filter_word(Filter.DRIFT).startswith(next_run_cell(never, Moment(now=NOW, zone=TORONTO)).text)


def test_every_widget_that_takes_the_caret_has_a_name(page):
    page.set_snapshot(snapshot(red_row(), LATE, banners=(banner(BannerKind.NEVER_REGISTERED),)))
    for widget in (found for found in page.findChildren(QWidget) if found.isVisible()):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            spoken = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert spoken, widget


def test_the_clock_moves_without_a_new_look(page):
    page.set_snapshot(SHOP)
    page.set_now(NOW)
    assert page.selected_row().job_id == "order-sync"
