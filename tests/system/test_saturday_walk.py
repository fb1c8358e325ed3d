import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from moved_clock import LIBRARIES, Answer, ridgeline

from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.shop_api import ShopApi

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not LIBRARIES, reason="not on this platform: needs libfaketime"),
]

LAST_BEFORE_THE_BREAK = 5047


class Shop:
    """The sample shop with a clock that only the test moves; the test itself stands in for the scheduler."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.api = ShopApi(retry_after=0, on_handled=self._break_after)
        self.api.start()
        lay_out(home, python=sys.executable, api_address=self.api.address)
        job = home / "data" / "shop" / "jobs" / "order-sync.toml"
        text = job.read_text()
        assert 'backend = "in-app"' in text
        job.write_text(text.replace('backend = "in-app"', 'backend = "none"'))

    def _break_after(self, method: str, number: int) -> None:
        if method == "PATCH" and number == LAST_BEFORE_THE_BREAK:
            self.api.break_it()

    def at(self, clock: str, *arguments: str) -> Answer:
        moment = datetime.fromisoformat(f"2026-03-07T{clock}").replace(tzinfo=UTC)
        return ridgeline(self.home, *arguments, at=moment)

    def light(self, clock: str) -> str:
        rows = json.loads(self.at(clock, "list", "--json").out)
        return next(str(row["health"]) for row in rows if row["job"] == "order-sync")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    tmp_path.chmod(0o700)
    shop = Shop(tmp_path)
    yield shop
    shop.api.stop()


def test_on_a_saturday_order_sync_fails_four_times_turns_red_and_is_green_again_after_run_now(
    shop: Shop,
) -> None:
    assert shop.at("09:45:07", "record", "order-sync", "--status", "completed").code == 0
    assert shop.at("09:50:00", "check", "order-sync").code == 0

    failed = [
        shop.at(f"{clock}:01", "run", "order-sync", "--trigger", "schedule") for clock in ("10:00", "10:15")
    ]
    assert [answer.code for answer in failed] == [1, 1]
    assert shop.light("10:00:50") == "ok", "late shows only from 90 s after due"
    assert shop.light("10:05:00") == "late"
    assert shop.at("10:05:00", "check", "order-sync").code == 1
    for clock in ("10:30", "10:45"):
        assert shop.at(f"{clock}:01", "run", "order-sync", "--trigger", "schedule").code == 1

    red = shop.at("10:52:30", "check", "order-sync")
    assert red.code == 2
    assert "overdue: last success 67 minutes ago, allowed 25" in red.out
    assert "The last 4 runs failed" in red.out
    assert "the shop API answered 503" in red.out
    assert f"{shop.api.address}/status" in shop.at("10:53:00", "runbook", "order-sync").out
    assert "the shop API answered 503" in shop.at("10:53:00", "log", "order-sync").out

    shop.api.mend()
    by_hand = shop.at("10:54:00", "run", "order-sync", "--by", "Sam")
    assert (by_hand.code, by_hand.err) == (0, "")
    newest = json.loads(shop.at("10:55:00", "history", "order-sync", "--json").out)[0]
    assert (newest["status"], newest["trigger"], newest["by"]) == ("completed", "manual", "Sam")

    seen = shop.api.snapshot()
    assert seen.patches == dict.fromkeys(range(5001, 5101), 1), "each order is marked once, none is repeated"
    assert sorted(shipment.order for shipment in seen.shipments) == list(range(5001, 5101))
    green = shop.at("10:55:00", "check", "order-sync")
    assert green.code == 0, green.out
    assert green.out.startswith("order-sync: ok: last success")


def test_a_run_by_hand_is_refused_where_the_job_says_never_and_asks_for_again_where_it_says_ask(
    shop: Shop,
) -> None:
    assert shop.at("11:00:00", "run", "stock-count").code == 0, "a first run is free"
    asked = shop.at("11:01:00", "run", "stock-count")
    assert asked.code == 75
    assert "--again" in asked.err
    assert shop.at("11:02:00", "run", "stock-count", "--again").code == 0

    job = shop.home / "data" / "shop" / "jobs" / "stock-count.toml"
    job.write_text(job.read_text().replace('safe_to_rerun = "ask"', 'safe_to_rerun = "never"'))
    never = shop.at("11:03:00", "run", "stock-count", "--again")
    assert never.code == 75
    assert "never" in never.err
    statuses = [
        run["status"] for run in json.loads(shop.at("11:04:00", "history", "stock-count", "--json").out)
    ]
    assert statuses == ["refused", "completed", "refused", "completed"]
