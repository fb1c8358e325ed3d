"""The program that starts in-app jobs: the real book, job files and scheduler, and a clock of its own."""

import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.backends.in_app import InAppScheduler
from ridgeline_desktop.backends.in_app_book import InAppBook
from ridgeline_desktop.core.errors import BackendError
from ridgeline_desktop.host.account import DiskPrograms
from ridgeline_desktop.host.folders import open_folders
from ridgeline_desktop.host.settings_file import DiskSettingsFile
from ridgeline_desktop.services.in_app import LOOK_EVERY, InApp, WhileOpen
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.surveying import Surveying
from ridgeline_desktop.wiring.headless import InstalledCommand, shop_of

TORONTO = ZoneInfo("America/Toronto")
HOURLY = 'command = ["/bin/true"]\n[schedule]\nevery = "1 hour"\n'
DAILY = HOURLY.replace('every = "1 hour"', 'daily = ["02:00"]')
BY_CRON = HOURLY + 'backend = "cron"\n'
BY_ARRIVAL = HOURLY.replace('every = "1 hour"', 'arrives = "/srv/inbox/*.csv"')
NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


class Clock:
    """The wall clock can be set; the steady one only goes on."""

    def __init__(self) -> None:
        self.wall, self.passed = NOON, 0.0

    def now(self) -> datetime:
        return self.wall

    def steady(self) -> float:
        return self.passed

    def go_on(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.passed += seconds

    def set_forward(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)


class WatchedScheduler(InAppScheduler):
    """The real one, which also remembers what it was asked."""

    def __init__(self, **arguments) -> None:
        super().__init__(**arguments)
        self.applied, self.woken = [], []

    def apply(self, entries) -> None:
        self.applied += [held.name for held in entries]
        super().apply(entries)

    def wake(self, *, now) -> None:
        self.woken.append(now)
        super().wake(now=now)


class Program:
    """An in-app program below `home`, whose pauses are steps of a test."""

    def __init__(self, home: Path) -> None:
        folders = open_folders(str(home))
        self.shop, self.settings = Path(folders.default_shop), Path(folders.settings_file)
        for folder in (self.shop / "jobs", self.settings.parent):
            folder.mkdir(parents=True, mode=0o700)
        self.book_file = Path(folders.in_state("in-app.json"))
        self.book, self.clock = InAppBook(str(self.book_file)), Clock()
        self.jobs = Jobs(
            settings_file=DiskSettingsFile(str(self.settings)),
            open_shop=partial(shop_of, folders),
            system_zone=TORONTO,
        )
        self.surveying = Surveying(
            backends=(self.book,), launcher=InstalledCommand(folders=folders), programs=DiskPrograms()
        )
        self.said, self.started, self.steps, self.seen = [], [], [], []

    def job(self, job_id: str, text: str = HOURLY) -> None:
        path = self.shop / "jobs" / f"{job_id}.toml"
        path.write_text(text)
        path.chmod(0o600)

    def register(self, *job_ids: str) -> None:
        shop = self.jobs.readable()
        self.book.apply(
            [self.surveying.entry(job, shop.zone) for job in shop.jobs() if job.job_id in job_ids]
        )

    def in_app(self) -> InApp:
        return InApp(
            jobs=self.jobs,
            surveying=self.surveying,
            book=self.book,
            new_scheduler=self._new_scheduler,
            launch=self.started.append,
            clock=self.clock,
            pause=self._pause,
            say=self.said.append,
        )

    def _new_scheduler(self, start) -> WatchedScheduler:
        self.start_job, self.scheduler = start, WatchedScheduler(start=start)
        return self.scheduler

    def _pause(self, seconds: float) -> None:
        assert seconds == LOOK_EVERY
        self.seen.append(sorted(held.name for held in self.scheduler.entries()))
        if not self.steps:
            raise KeyboardInterrupt
        self.clock.go_on(seconds)
        self.steps.pop(0)()

    def waits(self, *steps):
        """Give the names of what it starts, first as it opens, then as it looks after each of the steps."""
        self.steps, self.seen = list(steps), []
        with self.in_app().opened() as wait, pytest.raises(KeyboardInterrupt):
            wait()
        return self.seen


def nothing() -> None:
    """A pause in which nothing happens."""


@pytest.fixture
def program(tmp_path) -> Program:
    """Its shop has one job, which is in the book."""
    tmp_path.chmod(0o700)
    made = Program(tmp_path)
    made.job("order-sync")
    made.register("order-sync")
    return made


def test_it_starts_what_is_in_the_book_and_asks_for_it_once(program):
    program.job("never-registered")
    assert program.waits(nothing, nothing) == [["order-sync"]] * 3
    assert program.scheduler.applied == ["order-sync"]
    assert program.said == []


def test_a_job_that_comes_into_the_book_is_started_and_one_that_leaves_it_no_more(program):
    program.job("report")
    seen = program.waits(lambda: program.register("report"), lambda: program.book.remove(["order-sync"]))
    assert seen == [["order-sync"], ["order-sync", "report"], ["report"]]


def test_a_job_whose_file_was_changed_is_started_as_the_file_says_now(program):
    program.waits(lambda: program.job("order-sync", DAILY))
    [held] = program.scheduler.entries()
    assert held == program.surveying.entry(program.jobs.job("order-sync"), TORONTO)
    assert program.scheduler.applied == ["order-sync", "order-sync"]


def test_a_job_whose_file_is_gone_is_started_no_more(program):
    program.job("report")
    program.register("report")
    gone = program.shop / "jobs" / "report.toml"
    assert program.waits(gone.unlink) == [["order-sync", "report"], ["order-sync"]]


def test_a_job_whose_file_is_broken_is_still_started_so_that_its_record_says_what_is_wrong(program):
    assert program.waits(lambda: program.job("order-sync", "comand = 1\n")) == [["order-sync"]] * 2
    assert program.said == []


@pytest.mark.parametrize("text", [BY_CRON, BY_ARRIVAL, HOURLY + 'backend = "none"\n'])
def test_a_job_that_something_else_starts_is_not_started_though_it_is_in_the_book(program, text):
    assert program.waits(lambda: program.job("order-sync", text)) == [["order-sync"], []]
    assert program.said == []


def test_a_job_that_runs_on_another_computer_is_not_started_though_it_is_in_the_book(program):
    program.job("report")
    program.register("report")
    settings = partial(program.settings.write_text, 'runs_elsewhere = ["order-sync"]\n')
    assert program.waits(settings) == [["order-sync", "report"], ["report"]]


def test_a_due_job_is_started_as_a_scheduled_run_of_its_fire_time(program):
    program.waits()
    program.start_job("order-sync", NOON)
    [argv] = program.started
    assert argv[-2:] == ("--for", "2026-01-15T12:00:00+00:00")
    assert argv[:-2] == program.surveying.launcher.command("order-sync")


def settings_mistyped(program):
    program.settings.write_text('shop_foldr = "/srv/shop"\n')
    return program.settings.unlink


def book_unreadable(program):
    text = program.book_file.read_text()
    program.book_file.write_text(text[:-5])
    return partial(program.book_file.write_text, text)


def shop_unmounted(program):
    away = program.shop.rename(program.shop.parent / "away")
    return partial(away.rename, program.shop)


def shop_empty(program):
    jobs = program.shop / "jobs"
    away = jobs.rename(program.shop.parent / "away")
    jobs.mkdir(mode=0o700)
    return partial(away.rename, jobs)


TROUBLES = [
    (settings_mistyped, "settings.toml:1"),
    (book_unreadable, "in-app.json cannot be read"),
    (shop_unmounted, "is its disk mounted"),
    (shop_empty, "the shop folder is empty, but 1 in-app job should be started"),
]


@pytest.mark.parametrize(("trouble", "words"), TROUBLES)
def test_trouble_changes_nothing_and_is_said_once_and_so_is_its_end(program, trouble, words):
    mends = []

    def mend() -> None:
        mends[0]()
        program.job("report")
        program.register("report")

    seen = program.waits(lambda: mends.append(trouble(program)), nothing, mend, nothing)
    assert seen == [["order-sync"]] * 3 + [["order-sync", "report"]] * 2
    told, mended = program.said
    assert words in told
    assert "as before" in told
    assert mended.startswith("That is mended")
    assert program.scheduler.applied == ["order-sync", "report"]


@pytest.mark.parametrize(("trouble", "words"), TROUBLES)
def test_it_opens_in_spite_of_trouble_and_starts_jobs_when_that_is_mended(program, trouble, words):
    mend = trouble(program)
    assert program.waits(nothing, mend) == [[], [], ["order-sync"]]
    told, mended = program.said
    assert words in told
    assert mended.startswith("That is mended")


def test_one_trouble_after_another_is_said_too(program):
    program.waits(lambda: shop_unmounted(program), lambda: settings_mistyped(program))
    first, second = program.said
    assert "mounted" in first
    assert "settings.toml:1" in second


def test_what_leaves_the_book_is_started_no_more_though_the_shop_folder_is_away(program):
    def unregister_unmounted() -> None:
        shop_unmounted(program)
        program.book.remove(["order-sync"])

    assert program.waits(unregister_unmounted) == [["order-sync"], []]


def test_an_empty_shop_folder_is_no_trouble_where_nothing_is_in_the_book(program):
    program.book.remove(["order-sync"])
    shop_empty(program)
    assert program.waits(nothing) == [[], []]
    assert program.said == []


@pytest.mark.parametrize("seconds", [3600, 3, -3, -3600])
def test_a_clock_that_was_set_wakes_the_scheduler_once(program, seconds):
    program.waits(nothing, partial(program.clock.set_forward, seconds), nothing)
    assert program.scheduler.woken == [NOON + timedelta(seconds=2 * LOOK_EVERY + seconds)]


def test_a_computer_that_slept_wakes_the_scheduler_once(program):
    program.waits(nothing, partial(program.clock.go_on, 7200), nothing)
    assert program.scheduler.woken == [NOON + timedelta(seconds=2 * LOOK_EVERY + 7200)]


def test_a_clock_that_is_nudged_and_a_pause_that_took_longer_wake_nothing(program):
    program.waits(partial(program.clock.set_forward, 1), partial(program.clock.go_on, 5))
    assert program.scheduler.woken == []


def test_the_book_is_obeyed_by_one_program_and_only_while_it_is_open(program):
    assert program.book.service_state().running is False
    with program.in_app().opened():
        assert program.book.service_state().running is True
        with pytest.raises(BackendError, match="another Ridgeline"), program.in_app().opened():
            pass
    assert program.book.service_state().running is False


def test_an_open_window_starts_jobs_from_when_the_first_is_booked_until_it_closes(program):
    program.book.remove(["order-sync"])
    window = WhileOpen(program.in_app())
    window.follow()
    assert window.names() == ()
    assert program.book.service_state().running, "so that what is booked next reads back as started"
    program.register("order-sync")
    window.follow()
    assert window.names() == ("order-sync",)
    assert program.book.service_state().running
    window.close()
    assert not program.book.service_state().running
    window.follow()
    assert not program.book.service_state().running


def test_where_another_program_starts_the_jobs_a_window_leaves_them_to_it(program):
    window = WhileOpen(program.in_app())
    with program.in_app().session():
        window.follow()
        assert window.names() == ()
    window.follow()
    assert window.names() == ("order-sync",)
    window.close()


def test_closing_waits_for_no_disk_and_what_was_under_way_closes_by_itself(program):
    window = WhileOpen(program.in_app())
    window.follow()
    reading, go_on = threading.Event(), threading.Event()
    read_back = program.book.read_back

    class SlowBook:
        def read_back(self):
            reading.set()
            go_on.wait(20)
            return read_back()

        def __getattr__(self, name):
            return getattr(program.book, name)

    object.__setattr__(window._program, "book", SlowBook())
    worker = threading.Thread(target=window.follow)
    worker.start()
    assert reading.wait(20)
    window.close()
    assert window.names() == ("order-sync",)
    assert program.book.service_state().running
    go_on.set()
    worker.join(20)
    assert not program.book.service_state().running
