from datetime import timedelta

import pytest
from office import Office
from rows import snapshot
from services_of import looking

from ridgeline_desktop.gui.watcher import Watcher

DAILY = 'daily = ["05:30"]\nbackend = "in-app"'


@pytest.fixture
def seen(tasks, office: Office):
    """A watcher of the office, and the snapshots it took."""
    watcher = Watcher(**looking(office), tasks=tasks, clock=office.clock)
    watcher.seen = []
    watcher.failures = []
    watcher.taken.connect(watcher.seen.append)
    watcher.failed.connect(watcher.failures.append)
    yield watcher
    watcher.stop()


def first_look(qtbot, watcher: Watcher) -> None:
    watcher.look_now()
    qtbot.waitUntil(lambda: len(watcher.seen) == 1)


def titles(watcher: Watcher) -> list[str]:
    return [row.title for row in watcher.seen[-1].rows]


def test_a_run_recorded_by_another_process_is_on_screen_at_once(qtbot, office, seen):
    office.at("2026-02-27T06:00")
    office.job("report", DAILY)
    office.run("report", "2026-02-27T05:31")
    office.check()
    office.at("2026-02-28T12:00")
    first_look(qtbot, seen)
    assert seen.seen[-1].rows[0].health == "overdue"
    office.run("report", "2026-02-28T05:31")
    qtbot.waitUntil(lambda: seen.seen[-1].rows[0].health == "ok", timeout=2000)


def test_a_job_file_that_is_replaced_again_and_again_is_seen_each_time(qtbot, office, seen):
    path = office.job("report", DAILY)
    first_look(qtbot, seen)
    for title in ("First", "Second", "Third"):
        beside = path.with_suffix(".new")
        beside.write_text(
            f'title = "{title}"\n' + path.read_text().split("\n", 1)[1 if title != "First" else 0]
        )
        beside.chmod(0o600)
        beside.rename(path)
        qtbot.waitUntil(lambda title=title: titles(seen) == [title], timeout=2000)


def test_a_job_file_that_is_added_or_taken_away_is_seen(qtbot, office, seen):
    first_look(qtbot, seen)
    path = office.job("report", DAILY)
    qtbot.waitUntil(lambda: titles(seen) == ["report"], timeout=2000)
    path.unlink()
    qtbot.waitUntil(lambda: titles(seen) == [], timeout=2000)


def test_what_keeps_it_from_looking_is_told_and_mended_when_the_file_is(qtbot, office, seen):
    first_look(qtbot, seen)
    office.settings("zone = 3\n")
    qtbot.waitUntil(lambda: len(seen.failures) == 1, timeout=2000)
    assert "settings.toml" in str(seen.failures[0])
    before = len(seen.seen)
    office.settings('zone = "America/Toronto"\n')
    qtbot.waitUntil(lambda: len(seen.seen) > before, timeout=2000)


def test_it_rests_until_a_light_turns_but_never_longer_than_a_minute(qtbot, tasks, office):
    ends = [office.clock.now() + timedelta(seconds=20), office.clock.now() + timedelta(days=40), None]
    watcher = Watcher(
        look=lambda: snapshot(valid_until=ends[0]), places=lambda: (), tasks=tasks, clock=office.clock
    )
    rests = []
    for _ in range(3):
        with qtbot.waitSignal(watcher.taken):
            watcher.look_now()
        rests.append(watcher.rest)
        ends.pop(0)
    watcher.stop()
    assert rests == [20.1, 60.0, 60.0]


def test_a_clock_that_jumps_makes_it_look_again(qtbot, office, seen):
    first_look(qtbot, seen)
    seen.show_seconds(True)
    with qtbot.waitSignal(seen.ticked, timeout=3000):
        pass
    before = len(seen.seen)
    office.pass_time(hours=3)
    qtbot.waitUntil(lambda: len(seen.seen) > before, timeout=3000)


def test_hidden_and_idle_it_wakes_once_a_minute(qtbot, office, seen):
    first_look(qtbot, seen)
    qtbot.waitUntil(lambda: not seen.is_looking and seen.armed == 1)
    assert seen.rest == 60.0


def test_paths_that_cannot_be_asked_for_keep_it_from_one_look_only(qtbot, tasks, office):
    troubles = [PermissionError("no")]

    def places() -> tuple[str, ...]:
        if troubles:
            raise troubles.pop()
        return ()

    watcher = Watcher(look=snapshot, places=places, tasks=tasks, clock=office.clock)
    with qtbot.waitSignal(watcher.failed):
        watcher.look_now()
    with qtbot.waitSignal(watcher.taken):
        watcher.look_now()
    watcher.stop()
