"""The scheduler inside the program: its fire times and what it starts; and the book of what it should."""

import threading
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from apscheduler.triggers.date import DateTrigger
from shop_entries import QUARTER_HOURS, entry

from ridgeline_desktop.backends.in_app import FireTimeTrigger, InAppScheduler
from ridgeline_desktop.backends.in_app_book import InAppBook
from ridgeline_desktop.core.cron_expressions import AcceptedWithWarning, parse_cron
from ridgeline_desktop.core.errors import BackendError
from ridgeline_desktop.core.schedules import ByHand, CronRule, Daily

LONG = 20.0


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def idle(job_id: str, fire_time: datetime) -> None:
    raise AssertionError(f"{job_id} was started for {fire_time}")


@pytest.fixture
def running():
    """Builds started schedulers and ends them with the test."""
    started = []

    def build(**arguments) -> InAppScheduler:
        scheduler = InAppScheduler(**arguments)
        scheduler.start()
        started.append(scheduler)
        return scheduler

    yield build
    for scheduler in started:
        scheduler.shutdown()


def test_the_first_fire_time_is_the_next_one_on_the_clock():
    trigger = FireTimeTrigger(entry("order-sync"))
    assert trigger.get_next_fire_time(None, at("2026-01-15 14:07:03")) == at("2026-01-15 14:15:00")
    assert trigger.get_next_fire_time(None, at("2026-01-15 14:15:00")) == at("2026-01-15 14:30:00")


def test_fire_times_follow_one_another_in_the_zone_of_the_entry():
    trigger = FireTimeTrigger(entry("invoices", Daily(times=(time(2, 0),)), zone=ZoneInfo("America/Toronto")))
    first = trigger.get_next_fire_time(None, at("2026-01-15 14:00:00"))
    assert first == at("2026-01-16 07:00:00")
    assert trigger.get_next_fire_time(first, first + timedelta(seconds=1)) == at("2026-01-17 07:00:00")


def test_after_a_sleep_only_the_newest_missed_fire_time_is_given():
    trigger = FireTimeTrigger(entry("order-sync"))
    before_sleep, woken = at("2026-01-15 14:15:00"), at("2026-01-18 09:07:00")
    newest = trigger.get_next_fire_time(before_sleep, woken)
    assert newest == at("2026-01-18 09:00:00")
    assert trigger.get_next_fire_time(newest, woken) == at("2026-01-18 09:15:00")


def test_numbers_of_weekdays_are_crons_and_not_the_librarys():
    answer = parse_cron("0 9 13 * 1")
    assert isinstance(answer, AcceptedWithWarning)
    trigger = FireTimeTrigger(entry("x", CronRule(expression=answer.expression), zone=ZoneInfo("Etc/UTC")))
    monday = trigger.get_next_fire_time(None, at("2026-01-09 12:00:00"))
    assert monday == at("2026-01-12 09:00:00")
    assert trigger.get_next_fire_time(monday, monday) == at("2026-01-13 09:00:00")


def test_a_due_job_is_started_once_with_the_fire_time_it_serves(running):
    started, seen = [], threading.Event()

    def start(job_id, fire_time):
        started.append((job_id, fire_time))
        seen.set()

    due = datetime.now(UTC)
    scheduler = running(start=start, trigger=lambda _: DateTrigger(due))
    scheduler.apply([entry("order-sync")])
    assert seen.wait(LONG)
    assert started == [("order-sync", due)]


def test_entries_given_before_the_start_are_started_too():
    seen = threading.Event()
    scheduler = InAppScheduler(start=lambda *_: seen.set(), trigger=lambda _: DateTrigger(datetime.now(UTC)))
    scheduler.apply([entry("order-sync")])
    scheduler.start()
    try:
        assert seen.wait(LONG)
    finally:
        scheduler.shutdown()


def test_one_start_that_fails_does_not_keep_the_next_job_from_starting(running, caplog):
    seen = threading.Event()

    def start(job_id, fire_time):
        if job_id == "broken":
            raise OSError("no such program")
        seen.set()

    scheduler = running(start=start, trigger=lambda _: DateTrigger(datetime.now(UTC)))
    scheduler.apply([entry("broken"), entry("order-sync")])
    assert seen.wait(LONG)
    assert "no such program" in caplog.text


def test_waking_corrects_a_plan_made_while_the_clock_ran_ahead(running):
    seen = threading.Event()
    now = datetime.now(UTC)
    plans = [now + timedelta(days=1000)]

    class Plans(DateTrigger):
        def get_next_fire_time(self, previous_fire_time, now):
            return None if previous_fire_time else plans[-1]

    scheduler = running(start=lambda *_: seen.set(), trigger=lambda _: Plans(now))
    scheduler.apply([entry("order-sync")])
    scheduler.wake(now=now)
    assert not seen.is_set()
    plans.append(now)
    scheduler.wake(now=now)
    assert seen.wait(LONG)


def test_a_removed_job_is_not_started(running):
    scheduler = running(start=idle)
    scheduler.apply([entry("order-sync"), entry("weekly-report")])
    scheduler.remove(["order-sync", "never-there"])
    assert [held.name for held in scheduler.entries()] == ["weekly-report"]


def test_a_job_whose_schedule_has_ended_is_still_an_entry(running):
    seen = threading.Event()
    scheduler = running(start=lambda *_: seen.set(), trigger=lambda _: DateTrigger(datetime.now(UTC)))
    scheduler.apply([entry("order-sync")])
    assert seen.wait(LONG)
    assert [held.name for held in scheduler.entries()] == ["order-sync"]
    scheduler.remove(["order-sync"])
    assert scheduler.entries() == ()


def test_of_two_entries_of_one_name_the_newer_is_started(running):
    scheduler = running(start=idle)
    newer = entry("order-sync", Daily(times=(time(2, 0),)))
    scheduler.apply([entry("order-sync")])
    scheduler.apply([newer])
    assert scheduler.entries() == (newer,)


def test_an_entry_without_fire_times_is_held_and_never_started(running):
    scheduler = running(start=idle)
    by_hand = entry("order-sync", ByHand())
    scheduler.apply([by_hand])
    scheduler.wake(now=datetime.now(UTC))
    assert scheduler.entries() == (by_hand,)


@pytest.fixture
def book(tmp_path):
    return InAppBook(str(tmp_path / "in-app.json"))


def test_the_preview_says_that_it_works_only_while_ridgeline_is_open(book):
    preview = book.preview(entry("order-sync", QUARTER_HOURS))
    assert preview.startswith("only while Ridgeline is open: every 15 minutes (America/Toronto): ")


def test_the_book_says_whether_a_program_obeys_it(book):
    assert book.service_state().running is False
    with book.obeyed():
        assert book.service_state().running is True
    assert book.service_state().running is False


def test_only_one_program_obeys_the_book(book, tmp_path):
    second = InAppBook(str(tmp_path / "in-app.json"))
    with book.obeyed(), pytest.raises(BackendError, match="another Ridgeline"), second.obeyed():
        pass
    with second.obeyed():
        assert book.service_state().running is True


@pytest.mark.parametrize("text", ["", "[1]", '{"order-sync": 3}', "{"])
def test_a_book_that_cannot_be_read_is_told_and_not_written_over(book, tmp_path, text):
    path = tmp_path / "in-app.json"
    path.write_text(text)
    for attempt in (book.read_back, lambda: book.apply([entry("order-sync")]), lambda: book.remove(["x"])):
        with pytest.raises(BackendError, match="cannot be read"):
            attempt()
    assert path.read_text() == text
