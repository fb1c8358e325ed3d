"""The sample shop's order sync, killed between a shipment and its checkpoint, by the real runner."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.shop_api import ShopApi

ORDER = 5050
KEY_LINE = '        headers={"Idempotency-Key": idempotency_key("shipment", number)},\n'


@pytest.fixture
def killed_once(bare_home) -> Iterator[Callable[..., ShopApi]]:
    """The API after a run that was killed right after the shipment of 5050, and a second run to its end."""
    with ExitStack() as stack:

        def play(*, with_key: bool) -> ShopApi:
            waiting = [True]

            def kill(method: str, number: int) -> None:
                if (method, number) == ("POST", ORDER) and waiting:
                    waiting.clear()
                    child = bare_home.json("lock", "show", "order-sync")["evidence"]["child"]["pid"]
                    os.kill(child, signal.SIGKILL)

            api = ShopApi(on_handled=kill)
            api.start()
            stack.callback(api.stop)
            shop = lay_out(bare_home.root, python=sys.executable, api_address=api.address)
            script = shop / "scripts" / "order_sync.py"
            assert KEY_LINE in script.read_text()
            if not with_key:
                script.write_text(script.read_text().replace(KEY_LINE, ""))
            first = bare_home.run("run", "order-sync")
            assert first.code == 128 + signal.SIGKILL, first.err
            assert bare_home.run("run", "order-sync").code == 0
            return api

        yield play


def test_two_posts_with_one_key_make_one_shipment(bare_home, killed_once):
    seen = killed_once(with_key=True).snapshot()
    assert seen.posts[f"order-sync/shipment/{ORDER}"] == 2
    assert sorted(shipment.order for shipment in seen.shipments) == list(range(5001, 5101))
    assert [run["status"] for run in bare_home.json("history", "order-sync")] == ["completed", "failed"]


def test_without_the_key_the_order_is_shipped_twice(killed_once):
    orders = [shipment.order for shipment in killed_once(with_key=False).snapshot().shipments]
    assert orders.count(ORDER) == 2
