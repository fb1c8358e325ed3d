"""What the tray's menu and tooltip say, and that a menu is left alone while a person has it open."""

from dataclasses import replace
from datetime import timedelta

import pytest
from rows import NOW, SYNC, at, job, record, red_row, row, snapshot

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runs import Trigger
from ridgeline_desktop.core.snapshots import Banner, BannerKind
from ridgeline_desktop.gui.tray import TrayMenu
from ridgeline_desktop.gui.tray_menu import Ask, count_of, menu_of, tooltip_of

AMBER = {"attention": Attention.AMBER}
LATE = {"health": Health.LATE, **AMBER}
NEVER = {"health": Health.NEVER_SUCCEEDED, "attention": Attention.RED, "last_success": None}
PAUSED = {"health": Health.PAUSED}


def shop(*rows, well=0, **said):
    return snapshot(*rows, *(row(f"well-{n}") for n in range(well)), **said)


def texts(entries):
    return [entry.text or "-" for entry in entries]


def between(entries):
    """The lines about how the jobs are."""
    first = entries.index(next(entry for entry in entries if not entry.text)) + 1
    last = next(n for n, entry in enumerate(entries) if n > first and not entry.text)
    return entries[first:last]


def how_it_is(*rows, **said):
    return between(menu_of(snapshot(*rows, **said)))


def to_run(*rows):
    (entry,) = (entry for entry in menu_of(snapshot(*rows)) if entry.text == "Run now")
    return entry.entries


def test_the_tooltip_counts_every_job_once_worst_first():
    rows = (red_row(), row("a", **NEVER), row("b", **LATE), row("c", **PAUSED))
    assert (
        tooltip_of(shop(*rows, well=11)) == "Ridgeline: 1 overdue, 1 never succeeded, 1 late, 1 paused, 11 OK"
    )


def test_a_job_that_is_ok_but_needs_a_look_is_not_counted_as_ok():
    assert tooltip_of(shop(row("a", **AMBER), well=2)) == "Ridgeline: 1 to look at, 2 OK"


def test_without_jobs_the_tooltip_still_begins_with_the_name():
    assert tooltip_of(snapshot()) == "Ridgeline: no jobs yet"


def test_the_icon_counts_the_jobs_of_its_own_colour():
    mixed = (red_row(), row("a", **NEVER), row("b", **LATE))
    assert count_of(shop(*mixed, well=3)) == 2
    assert count_of(shop(row("b", **LATE), well=3)) == 1
    assert count_of(shop(well=3)) == 0
    assert count_of(shop(attention=Attention.GREY)) == 0


def test_the_menu_has_its_lines_in_order():
    entries = menu_of(shop(red_row(), well=1))
    assert texts(entries) == [
        "Open Ridgeline",
        "-",
        "Order sync is overdue",
        "-",
        "Run now",
        "Settings…",
        "Quit Ridgeline…",
    ]


def test_before_the_first_look_nothing_is_said_of_jobs():
    assert texts(menu_of(None)) == ["Open Ridgeline", "-", "Settings…", "Quit Ridgeline…"]


def test_an_unhealthy_job_offers_to_run_it_to_read_about_it_and_to_show_it():
    (entry,) = how_it_is(red_row(), row())
    assert texts(entry.entries) == ["Run now", "Open runbook", "Show"]
    assert [(one.ask, one.job_id) for one in entry.entries] == [
        (Ask.RUN, "order-sync"),
        (Ask.RUNBOOK, "order-sync"),
        (Ask.SHOW, "order-sync"),
    ]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"health": Health.OVERDUE, "attention": Attention.RED}, "Backup is overdue"),
        (NEVER, "Backup has never succeeded"),
        (LATE, "Backup is late"),
        ({"recent": (record(1, "failed"),), **AMBER}, "The last run of Backup failed"),
        ({"registration": RegistrationState.MISSING, **AMBER}, "Backup is not as registered"),
        ({"registration": RegistrationState.NEVER_REGISTERED, **AMBER}, "Backup is not registered here"),
        (AMBER, "Backup needs a look"),
        ({"health": Health.UNKNOWN, "attention": Attention.GREY}, "Can't tell how Backup is"),
    ],
)
def test_the_line_of_a_job_says_what_is_wrong_with_it(said, sentence):
    assert texts(how_it_is(row("backup", **said))) == [sentence]


def test_red_jobs_come_before_amber_ones_and_more_than_five_are_counted():
    late = [row(f"late-{n}", **LATE) for n in range(4)]
    red = [red_row(), row("a", **NEVER), row("b", **NEVER), row("c", **NEVER)]
    lines = texts(how_it_is(*late, *red))
    assert lines == [
        "Order sync is overdue",
        "A has never succeeded",
        "B has never succeeded",
        "C has never succeeded",
        "Late-0 is late".replace("-", " "),
        "and 3 more…",
    ]


def test_when_all_is_well_one_line_says_so_with_the_shops_time():
    (entry,) = how_it_is(row(), row("b", **PAUSED))
    assert entry.text == "Everything is OK. Looked at 10:52."
    assert not entry.is_on


def test_nothing_is_called_ok_where_only_a_notice_makes_the_tray_amber():
    notice = Banner(kind=BannerKind.RECOVERED, text="The records were damaged and have been recovered.")
    (entry,) = how_it_is(row(), banners=(notice,), attention=Attention.AMBER)
    assert entry.text == notice.text
    assert entry.ask is Ask.OPEN


def test_a_shop_that_is_paused_or_empty_is_not_called_ok():
    assert texts(how_it_is(row(**PAUSED), attention=Attention.GREY)) == ["Every job is paused."]
    assert texts(how_it_is()) == ["No jobs yet."]


def test_a_job_that_runs_or_may_not_be_repeated_cannot_be_run_and_says_why():
    going_on = red_row(running=record(99, "running"))
    never = red_row(job=job(text=SYNC.replace('"yes"', '"never"')))
    broken = red_row(job=None)
    for one, line in [
        (going_on, "Run now (running)"),
        (never, "Run now (not safe to run again)"),
        (broken, "Run now (can't be run)"),
    ]:
        (entry,) = how_it_is(one)
        assert entry.entries[0].text == line
        assert not entry.entries[0].is_on
    assert texts(to_run(going_on)) == ["Order sync (running)"]
    assert not to_run(never)[0].is_on


def test_a_job_that_never_ran_may_be_run_even_if_it_may_not_be_repeated():
    first = row(job=job(text=SYNC.replace('"yes"', '"never"')), recent=(), last_run=None, last_success=None)
    assert to_run(first)[0].is_on


def test_a_job_that_asks_first_has_the_dots_of_a_question():
    asks = red_row(job=job(text=SYNC.replace('"yes"', '"ask"')))
    assert how_it_is(asks)[0].entries[0].text == "Run now…"
    assert texts(to_run(asks)) == ["Order sync…"]


def test_a_job_without_runbook_says_there_is_none():
    without = red_row(job=job(text=SYNC.replace('runbook = "runbooks/order-sync.md"', "")))
    assert how_it_is(without)[0].entries[1].text == "Open runbook (there is none)"
    assert not how_it_is(without)[0].entries[1].is_on


def test_the_jobs_last_run_by_hand_are_offered_first_then_the_others_by_title():
    by_hand = record(5, started=at("08:00"), trigger=Trigger.MANUAL)
    later = replace(by_hand, started_at=NOW - timedelta(minutes=5))
    rows = (
        row("a"),
        row("c"),
        row("b"),
        row("old", recent=(by_hand,)),
        row("new", recent=(record(6), later)),
    )
    assert texts(to_run(*rows)) == ["New", "Old", "A", "B", "C"]


def test_more_than_eight_jobs_end_with_the_way_to_all_of_them():
    entries = to_run(*(row(f"job-{n}") for n in range(9)))
    assert texts(entries) == [*(f"Job {n}" for n in range(8)), "-", "All jobs…"]
    assert entries[-1].ask is Ask.OPEN


def test_a_long_title_is_cut_off():
    (entry,) = how_it_is(red_row(title="Copies\n" + "x" * 100))
    assert entry.text == "Copies " + "x" * 32 + "… is overdue"


@pytest.fixture
def menu(qtbot):
    made = TrayMenu()
    made.show_entries(menu_of(snapshot(red_row(), row())))
    yield made
    made.menu.close()


def shown(menu):
    return [action.text() or "-" for action in menu.menu.actions()]


def test_what_is_chosen_comes_with_the_jobs_id(qtbot, menu):
    submenu = menu.menu.actions()[2].menu()
    with qtbot.waitSignal(menu.chosen) as chosen:
        submenu.actions()[0].trigger()
    assert chosen.args == [Ask.RUN, "order-sync"]


def test_the_same_content_again_makes_no_new_lines(menu):
    before = menu.menu.actions()
    menu.show_entries(menu_of(snapshot(red_row(), row(), taken_at=NOW + timedelta(minutes=1))))
    assert menu.menu.actions() == before


def test_new_words_for_the_same_job_keep_its_line(menu):
    line = menu.menu.actions()[2]
    menu.show_entries(menu_of(snapshot(red_row(**LATE), row())))
    assert line.text() == "Order sync is late"
    assert menu.menu.actions()[2] == line


def test_an_open_menu_stays_as_it_is_until_it_is_closed(qtbot, menu):
    before = shown(menu)
    menu.menu.aboutToShow.emit()
    menu.show_entries(menu_of(snapshot(row())))
    assert shown(menu) == before
    menu.menu.aboutToHide.emit()
    assert shown(menu) == before
    qtbot.waitUntil(lambda: "Everything is OK. Looked at 10:52." in shown(menu))


def test_a_panel_that_never_tells_the_menu_was_closed_does_not_stop_it_for_ever(qtbot, menu):
    menu.menu.aboutToShow.emit()
    menu.show_entries(menu_of(snapshot(row())))
    assert "Order sync is overdue" in shown(menu)
    menu._open.start(1)
    qtbot.waitUntil(lambda: "Everything is OK. Looked at 10:52." in shown(menu))


def test_lines_that_are_gone_leave_nothing_behind(qtbot, menu):
    for _ in range(5):
        menu.show_entries(menu_of(snapshot(row())))
        menu.show_entries(menu_of(snapshot(red_row(), row())))
    qtbot.waitUntil(lambda: sum(child.inherits("QMenu") for child in menu.menu.children()) == 2)


def test_an_ampersand_in_a_title_is_a_character_and_no_key(menu):
    menu.show_entries(menu_of(snapshot(red_row(title="Beans & mugs"))))
    assert shown(menu)[2] == "Beans && mugs is overdue"
