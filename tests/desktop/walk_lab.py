"""Sam's Saturday: the sample shop in the real window, by a clock that the test moves."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from moved_clock import Answer, environment, ridgeline
from pytestqt.qtbot import QtBot
from screen import PATIENCE, Screen, is_in_front, texts
from tray_host import TrayHost

from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.shop_api import ShopApi
from ridgeline_desktop.gui.application import Application
from ridgeline_desktop.gui.jobs.table_model import Col
from ridgeline_desktop.gui.parts import SampleControls
from ridgeline_desktop.gui.runbooks.browser import RunbookBrowser
from ridgeline_desktop.gui.runs.console import RunConsole
from ridgeline_desktop.host.folders import open_folders
from ridgeline_desktop.host.run_starts import DiskRunStarts
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.wiring.desktop import parts_of
from ridgeline_desktop.wiring.headless import open_desk

JOBS = ("arrivals-check", "nightly-invoices", "order-sync", "stock-count", "weekly-report")
ORDER_SYNC = "Order sync"
LAST_BEFORE_THE_BREAK = 5047
HALF_WAY = 5074
ORDERS = range(5001, 5101)


class MovedClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self._now = moment("09:45:07")

    def move(self, clock: str) -> None:
        """Make it that time of the Saturday, in UTC."""
        self._now = moment(clock)

    def now(self) -> datetime:
        """The instant it was moved to."""
        return self._now

    def steady(self) -> float:
        """The computer's own."""
        return time.monotonic()


class MovedStarts(DiskRunStarts):
    """Starts real runs that take the moved clock's instant for now."""

    def __init__(self, home: Path, clock: MovedClock) -> None:
        super().__init__(str(home / "state" / "starts"), clock=clock)
        self._home, self._now = home, clock.now

    def start(self, argv: Sequence[str], run_id: str) -> None:
        """As its parent does."""
        variables = environment(self._home, self._now())
        super().start(("env", "-i", *(f"{name}={value}" for name, value in variables.items()), *argv), run_id)


class Shop:
    """The sample shop's API, which can be made to wait after an order, so that a run stands still there."""

    def __init__(self) -> None:
        self.reached, self._go_on = threading.Event(), threading.Event()
        self._last = 0
        self.api = ShopApi(retry_after=0, on_handled=self._handled)
        self.api.start()

    def controls(self) -> SampleControls:
        """What the window's switch is connected to."""
        return SampleControls(
            break_it=self.api.break_it,
            mend=self.api.mend,
            is_broken=self.is_broken,
            status_page=self.status_page,
        )

    @property
    def status_page(self) -> str:
        """Where the runbook leads to."""
        return f"{self.api.address}/status"

    def is_broken(self) -> bool:
        """Whether it answers 503."""
        return self.api.snapshot().is_broken

    def wait_after(self, order: int) -> None:
        """Do not answer once this order is marked, until `go_on`; `reached` is set by then."""
        self.reached.clear()
        self._go_on.clear()
        self._last = order

    def go_on(self) -> None:
        """Answer again."""
        self._go_on.set()

    def close(self) -> None:
        """Answer no more."""
        self.go_on()
        self.api.stop()

    def _handled(self, method: str, number: int) -> None:
        if method == "PATCH" and number == self._last:
            self.reached.set()
            self._go_on.wait(PATIENCE / 1000)


class Saturday(Screen):
    """The window on the sample shop on Saturday 7 March 2026; the test itself stands in for the scheduler."""

    def __init__(self, home: Path, *, panel: TrayHost, qtbot: QtBot) -> None:
        self._home = home
        self.shop = Shop()
        self.clock = MovedClock()
        self._commands = ThreadPoolExecutor(max_workers=1)
        _lay_out(home, self.shop.api.address)
        for job in JOBS:
            done = ridgeline(home, "record", job, "--status", "completed", at=self.clock.now())
            assert done.code == 0, done.err
        parts = parts_of(self._desk(), open_folders(str(home)), sample=self.shop.controls())
        self.app = Application(parts)
        super().__init__(self.app, panel=panel, qtbot=qtbot)

    def open(self) -> None:
        """Put the icon and the window up."""
        self.app.open_tray()
        self.window.show()
        self.until(self.is_in_front)

    def _desk(self) -> Desk:
        desk = open_desk(str(self._home), via="gui", clock=self.clock)
        return replace(desk, runs=replace(desk.runs, starts=MovedStarts(self._home, self.clock)))

    def close(self) -> None:
        """End the program as Quit does."""
        self.app.close()
        self.shop.close()
        self._commands.shutdown()

    def command(self, *words: str) -> "Future[Answer]":
        """A real `ridgeline` process at the moved clock's instant."""
        return self._commands.submit(ridgeline, self._home, *words, at=self.clock.now())

    def scheduled_run(self, clock: str) -> "Future[Answer]":
        """What the scheduler starts at that time."""
        self.clock.move(clock)
        return self.command("run", "order-sync", "--trigger", "schedule")

    # What happens

    def breaks_after_order_5047(self, press_the_button: Callable[[], None]) -> None:
        """The run of 10:00 is half-way when somebody breaks the shop's API, and fails."""
        self.shop.wait_after(LAST_BEFORE_THE_BREAK)
        run = self.scheduled_run("10:00:01")
        self.until(self.shop.reached.is_set)
        press_the_button()
        self.until(self.shop.is_broken)
        self.shop.go_on()
        assert self.until_done(run).code == 1
        self.until(lambda: self.is_in_tray("late", "Ridgeline: 1 to look at, 4 OK"))

    def fails_three_times_more(self) -> None:
        """The runs of 10:15, 10:30 and 10:45 fail too, until it is 10:52:30."""
        for clock in ("10:15:01", "10:30:01", "10:45:01"):
            assert self.until_done(self.scheduled_run(clock)).code == 1
        self.until(lambda: self.cell(0, Col.LAST_RUN) == "Today 10:45 failed")
        self.clock.move("10:52:30")

    def click_the_link(self) -> None:
        """Press the runbook's link to the status page."""
        place = self.place_of_link(self.shop.status_page)
        self.click(self.in_tab(RunbookBrowser).viewport(), place)

    # What Sam sees

    def sees_green(self) -> None:
        """All is well, near the clock and in the list."""
        self.until(lambda: self.is_in_tray("ok", "Ridgeline: 5 OK"))
        self.until(lambda: [self.cell(place, Col.HEALTH) for place in range(len(JOBS))] == ["OK"] * len(JOBS))

    def sees_red_near_the_clock(self) -> None:
        """One job is overdue."""
        self.until(lambda: self.is_in_tray("overdue", "Ridgeline: 1 overdue, 4 OK"))

    def sees_why(self) -> None:
        """The worst job is on top and selected, and the card beside it says why."""
        self.until(lambda: "67 minutes ago" in self.card())
        assert (self.cell(0, Col.HEALTH), self.cell(0, Col.JOB)) == ("Overdue", ORDER_SYNC)
        assert self.selected() == ORDER_SYNC
        assert "The last 4 runs failed: the shop API answered 503" in self.card()

    def reads_the_runbook(self) -> None:
        """It is open at what is to be done now."""
        self.until(lambda: self.heading_in_sight() == "The shop API answers 503")
        assert self.tab() == "Runbook"
        assert self.place_of_link(self.shop.status_page) is not None

    def is_asked_about_the_link(self) -> None:
        """Ridgeline says where the link leads before it goes there."""
        self.until(lambda: self.question() is not None)
        assert self.shop.status_page in "".join(texts(self.question()))

    def reads_the_output(self) -> None:
        """The last run says what it failed of."""
        self.until(lambda: "the shop API answered 503" in self.output())
        assert self.tab() == "Output"

    def watches_the_run(self, press_the_button: Callable[[], None]) -> RunConsole:
        """Run now at 10:54: the console opens at once, follows the run, and says how it ended."""
        self.clock.move("10:54:00")
        self.shop.wait_after(HALF_WAY)
        press_the_button()
        self.until(lambda: any(map(is_in_front, self.consoles())))
        (console,) = self.consoles()
        self.until(lambda: f"order {HALF_WAY - 1}: shipment" in console.output.text.toPlainText())
        assert console.headline.text().startswith("Running for")
        assert f"order {LAST_BEFORE_THE_BREAK}" not in console.output.text.toPlainText()
        self.until(lambda: self.cell(0, Col.LAST_RUN).endswith("so far"))
        self.shop.go_on()
        self.until(lambda: console.headline.text().startswith("It worked. Took"))
        assert console.output.text.toPlainText().rstrip().endswith("53 orders synced, the last is 5100")
        assert console.origin.text() == "Today 10:54 · Sam"
        return console

    def reads_that_all_is_fine(self) -> None:
        """The card of the same job is calm again."""
        assert self.selected() == ORDER_SYNC
        self.until(lambda: self.card().startswith("Everything is fine\nLast success: Today 10:54"))

    def reads_the_checkpoint(self) -> None:
        """The next run goes on where this one ended."""
        self.until(lambda: self.checkpoint().startswith("The next run continues after 5100"))
        assert self.tab() == "Checkpoint"

    def nothing_was_done_twice(self) -> None:
        """Each order has one shipment, which was asked for once, and was marked once."""
        seen = self.shop.api.snapshot()
        assert set(seen.posts.values()) == {1}
        assert seen.patches == dict.fromkeys(ORDERS, 1)
        assert sorted(shipment.order for shipment in seen.shipments) == list(ORDERS)


def moment(clock: str) -> datetime:
    """That time of the Saturday."""
    return datetime.fromisoformat(f"2026-03-07T{clock}").replace(tzinfo=UTC)


def _lay_out(home: Path, address: str) -> None:
    home.chmod(0o700)
    lay_out(home, python=sys.executable, api_address=address)
    settings = home / "config" / "settings.toml"
    settings.write_text(settings.read_text() + 'name = "Sam"\nzone = "UTC"\n')
    for job in (home / "data" / "shop" / "jobs").iterdir():
        job.write_text(job.read_text().replace('backend = "in-app"', 'backend = "none"'))
