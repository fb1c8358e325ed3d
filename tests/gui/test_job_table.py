from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from rows import NOW, SAM, SYNC, TORONTO, at, job, record, red_row, row

from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.gui.jobs.cells import Moment
from ridgeline_desktop.gui.jobs.delegates import paint_runs
from ridgeline_desktop.gui.jobs.table import SIZED, JobTableView
from ridgeline_desktop.gui.jobs.table_model import CELL_ROLE, ROW_ROLE, SORT_ROLE, Col, JobTable
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.palette import colours

MOMENT = Moment(now=NOW, zone=TORONTO)
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def going_on(**said):
    return record(99, "running", NOW - timedelta(seconds=130), **said)


@pytest.fixture
def model(qtmodeltester) -> JobTable:
    made = JobTable()
    made.watch = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Warning)
    return made


@pytest.fixture
def view(qtbot) -> JobTableView:
    made = JobTableView()
    qtbot.addWidget(made)
    made.resize(700, 220)
    made.show()
    return made


def shown(model: JobTable, column: Col, place: int = 0, role: int = Qt.ItemDataRole.DisplayRole):
    return model.data(model.index(place, column), role)


def ids(model: JobTable) -> list[str]:
    return [model.row_at(place).job_id for place in range(model.rowCount())]


def many(count: int = 30):
    return tuple(row(f"job-{number:02}") for number in range(count))


def test_the_model_keeps_qts_rules(qtmodeltester, model):
    qtmodeltester.check(model)
    model.set_rows((red_row(), row()), MOMENT)
    qtmodeltester.check(model)


def test_rows_stand_in_the_order_they_are_given_worst_first(model):
    model.set_rows((red_row(), row("zebra"), row("apple")), MOMENT)
    assert ids(model) == ["order-sync", "zebra", "apple"]


@pytest.mark.parametrize(
    ("column", "order", "expected"),
    [
        (Col.HEALTH, DESCENDING, ["apple", "zebra", "order-sync"]),
        (Col.JOB, ASCENDING, ["apple", "order-sync", "zebra"]),
        (Col.JOB, DESCENDING, ["zebra", "order-sync", "apple"]),
        (Col.LAST_RUN, DESCENDING, ["zebra", "order-sync", "apple"]),
        (Col.NEXT_RUN, ASCENDING, ["order-sync", "zebra", "apple"]),
        (Col.HISTORY, DESCENDING, ["order-sync", "zebra", "apple"]),
    ],
)
def test_any_column_can_order_the_list(model, column, order, expected):
    rows = (red_row(), row("zebra", running=going_on()), row("apple", next_fire=None))
    model.set_rows(rows, MOMENT)
    model.sort(column, order)
    assert ids(model) == expected
    model.set_rows(rows, MOMENT)
    assert ids(model) == expected


def test_the_same_jobs_change_only_where_they_changed(qtbot, model):
    model.set_rows((red_row(), row("apple")), MOMENT)
    with (
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.waitSignal(model.dataChanged, check_params_cb=lambda first, last, roles: first.row() == 1),
    ):
        model.set_rows((red_row(), row("apple", health=Health.LATE)), MOMENT)
    with qtbot.assertNotEmitted(model.dataChanged):
        model.set_rows((red_row(), row("apple", health=Health.LATE)), MOMENT)


def test_each_second_only_runs_that_go_on_are_told_again(qtbot, model):
    model.set_rows((row("still"), row("stock-sync", running=going_on())), MOMENT)
    with qtbot.waitSignal(model.dataChanged) as told:
        model.set_now(NOW + timedelta(minutes=1))
    assert (told.args[0].row(), told.args[0].column()) == (1, Col.LAST_RUN)
    assert shown(model, Col.LAST_RUN, 1) == "3 min so far"


def test_at_midnight_today_becomes_yesterday(qtbot, model):
    model.set_rows((row(),), MOMENT)
    assert shown(model, Col.LAST_RUN) == "Today 09:30"
    with qtbot.waitSignal(model.dataChanged):
        model.set_now(at("00:00", 8))
    assert shown(model, Col.LAST_RUN) == "Yesterday 09:30"


@pytest.mark.parametrize(
    ("said", "text", "shape"),
    [
        ({}, "Today 09:30", Shape.DONE),
        ({"last_run": record(1, "failed", at("10:45"))}, "Today 10:45 failed", Shape.FAILED),
        ({"last_run": record(1, "refused", at("10:45"))}, "Today 10:45 did not start", Shape.REFUSED),
        ({"last_run": None}, "\N{EN DASH}", None),
        ({"running": going_on()}, "2 min so far", Shape.RUNNING),
    ],
)
def test_the_last_run_has_a_mark_of_its_own(model, said, text, shape):
    model.set_rows((row(**said),), MOMENT)
    cell = shown(model, Col.LAST_RUN, role=CELL_ROLE)
    assert (cell.text, cell.shape) == (text, shape)


PAUSED = {
    "health": Health.PAUSED,
    "pause": Pause(job_id="stock-sync", begun_at=NOW, until=at("08:00", 9), reason="stocktaking", actor=SAM),
}
BY_HAND = {"job": job("stock-sync", SYNC.split("[schedule]", maxsplit=1)[0])}


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"next_fire": at("07:10", 8)}, "Tomorrow 07:10"),
        (PAUSED, "Paused by Sam"),
        ({"health": Health.PAUSED}, "Paused"),
        ({"next_fire": None} | BY_HAND, "By hand"),
        ({"next_fire": None}, "\N{EN DASH}"),
        ({"next_fire": None, "job": None}, "\N{EN DASH}"),
        ({"next_fire": None, "registration": RegistrationState.NOT_WANTED}, "Elsewhere"),
        ({"next_fire": None, "registration": RegistrationState.MISSING}, "Entry is gone"),
        ({"next_fire": None, "registration": RegistrationState.NEVER_REGISTERED}, "Not registered"),
    ],
)
def test_the_next_run_says_when_or_why_not(model, said, text):
    model.set_rows((row(**said),), MOMENT)
    assert shown(model, Col.NEXT_RUN) == text


@pytest.mark.parametrize("state", RegistrationState)
def test_every_way_of_being_registered_has_words_for_the_next_run(model, state):
    model.set_rows((row(next_fire=None, registration=state),), MOMENT)
    assert shown(model, Col.NEXT_RUN)
    assert shown(model, Col.NEXT_RUN, role=Qt.ItemDataRole.ToolTipRole)


def test_a_job_that_is_not_as_registered_is_marked_beside_its_next_run(model):
    model.set_rows((row(registration=RegistrationState.CHANGED), row("apple")), MOMENT)
    assert shown(model, Col.NEXT_RUN, 0, CELL_ROLE).shape is Shape.DRIFT
    assert shown(model, Col.NEXT_RUN, 1, CELL_ROLE).shape is None


@pytest.mark.parametrize(
    ("recent", "text"),
    [
        ((), "No run yet"),
        ((record(),), "One run so far: worked"),
        ((record(), record(2)), "None of the last 2 runs failed"),
        (red_row().recent, "4 of the last 14 runs failed"),
    ],
)
def test_a_screen_reader_hears_the_bars(model, recent, text):
    model.set_rows((row(recent=recent),), MOMENT)
    assert shown(model, Col.HISTORY, role=Qt.ItemDataRole.AccessibleTextRole) == text
    assert shown(model, Col.HISTORY) == ""


def test_a_screen_reader_hears_the_whole_word_where_the_list_is_short(model):
    model.set_rows((row(health=Health.NEVER_SUCCEEDED, last_success=None),), MOMENT)
    assert shown(model, Col.HEALTH) == "Never"
    assert shown(model, Col.HEALTH, role=Qt.ItemDataRole.AccessibleTextRole) == "Never succeeded"


@pytest.mark.parametrize(
    ("column", "parts"),
    [
        (Col.HEALTH, ("Overdue: last success 67 minutes ago", "The last 4 runs failed")),
        (Col.JOB, ("Copies new web orders", "Looked after by Jordan")),
        (Col.LAST_RUN, ("Failed: exit code 1", "2026-03-07 15:45:00 UTC", "The schedule", "Took 40 s")),
        (Col.NEXT_RUN, ("2026-03-07 16:00:00 UTC", "Registered")),
        (Col.HISTORY, ("4 of the last 14 runs failed", "Oldest at the left")),
    ],
)
def test_tool_tips_tell_reasons_and_utc(model, column, parts):
    model.set_rows((red_row(),), MOMENT)
    tip = shown(model, column, role=Qt.ItemDataRole.ToolTipRole)
    assert all(part in tip for part in parts)


def test_a_pause_tells_until_when_and_why(model):
    model.set_rows((row(**PAUSED),), MOMENT)
    assert "Paused until Mon 08:00: stocktaking" in shown(
        model, Col.NEXT_RUN, role=Qt.ItemDataRole.ToolTipRole
    )


def test_views_and_delegates_get_the_row_and_the_key(model):
    model.set_rows((red_row(),), MOMENT)
    assert shown(model, Col.JOB, role=ROW_ROLE) == red_row()
    assert shown(model, Col.JOB, role=SORT_ROLE) == "order sync"
    headings = [
        model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) for column in Col
    ]
    assert headings == ["Health", "Job", "Last run", "Next run", "Last 20 runs"]


def test_the_first_job_is_selected_to_begin_with(view):
    view.show_rows((red_row(), row()), MOMENT)
    assert view.selected_row().job_id == "order-sync"


def test_the_selected_job_stays_selected_wherever_it_goes(qtbot, view):
    view.show_rows((red_row(), row("apple"), row("pear")), MOMENT)
    view.select("apple")
    with qtbot.assertNotEmitted(view.moved):
        view.show_rows((row("apple"), row("new"), red_row(), row("pear")), MOMENT)
    assert view.selected_row().job_id == "apple"
    assert [index.row() for index in view.selectionModel().selectedRows()] == [0]


def test_it_stays_selected_when_the_list_is_put_in_another_order(view):
    view.show_rows((red_row(), row("apple"), row("pear")), MOMENT)
    view.select("pear")
    view.sortByColumn(Col.JOB, DESCENDING)
    assert view.selected_row().job_id == "pear"
    assert view.selectionModel().selectedRows()[0].row() == 0


def test_where_the_selected_job_is_gone_its_neighbour_is_selected(qtbot, view):
    view.show_rows((red_row(), row("apple"), row("pear")), MOMENT)
    view.select("apple")
    with qtbot.waitSignal(view.moved) as told:
        view.show_rows((red_row(), row("pear")), MOMENT)
    assert told.args[0].job_id == "pear"


def test_an_empty_list_has_nothing_selected(qtbot, view):
    view.show_rows((red_row(),), MOMENT)
    with qtbot.waitSignal(view.moved) as told:
        view.show_rows((), MOMENT)
    assert told.args == [None]


def test_a_change_of_the_selected_job_is_told_and_no_other(qtbot, view):
    view.show_rows((red_row(), row("apple")), MOMENT)
    with qtbot.waitSignal(view.moved):
        view.show_rows((red_row(summary="overdue: changed"), row("apple")), MOMENT)
    with qtbot.assertNotEmitted(view.moved):
        view.show_rows((red_row(summary="overdue: changed"), row("apple", quiet=True)), MOMENT)


@pytest.mark.parametrize("added", [(), (row("new"),)])
def test_the_place_it_is_scrolled_to_survives(view, added):
    view.show_rows(many(), MOMENT)
    view.verticalScrollBar().setValue(200)
    view.show_rows((*many(), *added), MOMENT)
    assert view.verticalScrollBar().value() == 200


def test_keys_go_through_the_list(qtbot, view):
    view.show_rows((row("pear"), row("apple"), row("plum")), MOMENT)
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.selected_row().job_id == "plum"
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.selected_row().job_id == "pear"
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_row().job_id == "apple"


def test_letters_typed_go_to_the_job_of_that_name(qtbot, view):
    view.show_rows((row("pear"), row("apple"), row("plum")), MOMENT)
    view.setCurrentIndex(view.jobs.index(0, Col.HEALTH))
    qtbot.keyClicks(view, "pl")
    assert view.selected_row().job_id == "plum"


def test_enter_chooses_a_job(qtbot, view):
    view.show_rows((row("pear"), row("apple")), MOMENT)
    with qtbot.waitSignal(view.chosen) as told:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert told.args == ["pear"]


def test_tab_leaves_the_list(view):
    assert not view.tabKeyNavigation()


@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Keyboard, QContextMenuEvent.Reason.Mouse])
def test_the_menu_is_for_the_job_under_the_mouse_or_the_selected_one(qtbot, view, reason):
    view.show_rows((row("pear"), row("apple")), MOMENT)
    view.select("apple")
    place = view.visualRect(view.jobs.index(0, Col.JOB)).center()
    with qtbot.waitSignal(view.menu_asked) as told:
        view.contextMenuEvent(QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    assert told.args[1] == ("apple" if reason is QContextMenuEvent.Reason.Keyboard else "pear")


def test_widths_that_were_kept_are_taken_and_nonsense_is_not(qtbot, view):
    view.setColumnWidth(Col.LAST_RUN, 222)
    kept = view.column_widths()
    other = JobTableView()
    qtbot.addWidget(other)
    other.set_column_widths(kept)
    assert other.columnWidth(Col.LAST_RUN) == 222
    for nonsense in (None, "222", ["1"], [None] * 4, ["-5", "x", "", "7.5"]):
        other.set_column_widths(nonsense)
    assert other.columnWidth(Col.LAST_RUN) == 222


def test_where_there_is_little_room_the_last_runs_give_way_to_the_names(view):
    view.resize(1000, 300)
    assert not view.isColumnHidden(Col.HISTORY)
    view.setColumnWidth(Col.HISTORY, 131)
    view.resize(560, 300)
    assert view.isColumnHidden(Col.HISTORY)
    assert view.columnWidth(Col.JOB) == view.viewport().width() - sum(map(view.columnWidth, SIZED))
    assert view.column_widths()[-1] == "131"
    view.set_column_widths(view.column_widths())
    view.resize(1000, 300)
    assert view.columnWidth(Col.HISTORY) == 131


def painted(status: str, taken: float = 40.0) -> QImage:
    image = QImage(120, 24, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    runs = (record(1, status, duration=None if status == "running" else taken), record(2, duration=80.0))
    paint_runs(painter, QRectF(0, 0, 120, 24), row(recent=runs), colours(dark=False))
    painter.end()
    return image


def outline(image: QImage) -> tuple[tuple[bool, ...], ...]:
    """Where the newest bar is painted, whatever the colour."""
    return tuple(
        tuple(image.pixelColor(x, y).lightness() < 245 for x in range(114, 120))
        for y in range(image.height())
    )


def test_every_end_of_a_run_has_a_bar_of_its_own_form():
    forms = {outline(painted(status)) for status in RunStatus if status != "stopped"}
    assert len(forms) == len(RunStatus) - 1


def test_a_longer_run_has_a_higher_bar_and_a_failure_is_full_height_with_a_notch():
    def height(image: QImage) -> int:
        return sum(any(line) for line in outline(image))

    assert (
        height(painted("completed", 80)) > height(painted("completed", 40)) > height(painted("completed", 1))
    )
    failed = [any(line) for line in outline(painted("failed", 1))]
    assert failed[0]
    assert failed[-1]
    assert not all(failed)


def test_the_oldest_run_is_at_the_left():
    image = painted("failed")
    newest, older = image.pixelColor(116, 22), image.pixelColor(110, 22)
    assert newest == colours(dark=False).overdue
    assert older == colours(dark=False).bar


@pytest.mark.parametrize("dark", [False, True])
def test_a_selected_row_keeps_the_colour_of_its_state(qtbot, view, dark):
    from ridgeline_desktop.gui.kit.palette import list_palette

    c = colours(dark=dark)
    view.setPalette(list_palette(c))
    view.show_rows((red_row(), row("apple")), MOMENT)
    image = view.viewport().grab(view.visualRect(view.jobs.index(0, Col.HEALTH))).toImage()
    found = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {c.selection.name(), c.fill_overdue.name(), c.overdue.name()} <= found


def test_the_menu_key_does_nothing_in_an_empty_list(qtbot, view):
    with qtbot.assertNotEmitted(view.menu_asked):
        view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
