"""The sample shop's jobs, run for real against its API."""

import os
import signal

import pytest

from ridgeline_desktop.demo.seeding import BROKEN_LINE

ALL_ORDERS = list(range(5001, 5101))
KEY_LINE = '        headers={"Idempotency-Key": idempotency_key("shipment", number)},\n'


def shipped(api):
    return [shipment.order for shipment in api.snapshot().shipments]


def break_after(open_api, order):
    """An API that breaks once `order` is marked as fulfilled."""

    def break_it(method, number):
        if (method, number) == ("PATCH", order):
            api.break_it()

    api = open_api(on_handled=break_it)
    return api


def die_at_shipment(open_api, shop_of, order, *, with_key=True):
    """An API and a shop whose order-sync was killed between the shipment of `order` and its checkpoint."""
    victims = []

    def kill(method, number):
        if victims and (method, number) == ("POST", order):
            os.kill(victims.pop().pid, signal.SIGKILL)

    api = open_api(on_handled=kill, fulfilled_until=order - 3)
    shop = shop_of(api)
    if not with_key:
        script = shop.folder / "scripts" / "order_sync.py"
        with_the_key = script.read_text()
        assert KEY_LINE in with_the_key
        script.write_text(with_the_key.replace(KEY_LINE, ""))
    with shop.start("order-sync") as process:
        victims.append(process)
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    return api, shop


def test_order_sync_ships_and_marks_each_order_once(open_api, shop_of):
    api = open_api()
    code, lines = shop_of(api).run("order-sync")
    assert code == 0
    assert lines[0] == "order 5001: shipment 9001"
    assert lines[-1] == "100 orders synced, the last is 5100"
    seen = api.snapshot()
    assert shipped(api) == ALL_ORDERS
    assert seen.patches == dict.fromkeys(ALL_ORDERS, 1)
    assert seen.posts == {f"order-sync/shipment/{order}": 1 for order in ALL_ORDERS}


def test_order_sync_with_nothing_new_says_so_and_does_nothing(open_api, shop_of):
    api = open_api(fulfilled_until=5100)
    assert shop_of(api).run("order-sync") == (0, ["no new orders"])
    assert api.snapshot().posts == {}


def test_a_broken_api_fails_order_sync_with_a_plain_line(open_api, shop_of):
    api = open_api()
    api.break_it()
    code, lines = shop_of(api).run("order-sync")
    assert (code, lines[-1]) == (1, BROKEN_LINE)
    assert not any("Traceback" in line for line in lines)


def test_order_sync_goes_on_after_its_checkpoint_once_the_api_is_mended(open_api, shop_of):
    api = break_after(open_api, 5047)
    shop = shop_of(api)
    code, lines = shop.run("order-sync")
    assert (code, lines[-1]) == (1, BROKEN_LINE)
    assert shop.checkpoint.read_text() == "5047"
    api.mend()
    code, lines = shop.run("order-sync")
    assert (code, lines[0], len(lines)) == (0, "order 5048: shipment 9048", 54)
    assert shipped(api) == ALL_ORDERS
    assert set(api.snapshot().posts.values()) == {1}


def test_killed_between_shipment_and_checkpoint_two_posts_with_one_key_make_one_shipment(open_api, shop_of):
    api, shop = die_at_shipment(open_api, shop_of, 5050)
    assert shop.checkpoint.read_text() == "5049"
    assert shop.run("order-sync")[0] == 0
    assert api.snapshot().posts["order-sync/shipment/5050"] == 2
    assert shipped(api).count(5050) == 1


def test_without_the_key_the_same_crash_ships_an_order_twice(open_api, shop_of):
    api, shop = die_at_shipment(open_api, shop_of, 5050, with_key=False)
    assert shop.run("order-sync")[0] == 0
    assert shipped(api).count(5050) == 2


@pytest.mark.parametrize(
    ("job_id", "last_line"),
    [
        ("weekly-report", "report sent to theo@ridgelinecoffee.example"),
        ("arrivals-check", "5 arrivals checked, told: chat"),
        ("nightly-invoices", "12 invoices sent"),
        ("stock-count", "106 bags to take from the shelf"),
    ],
)
def test_each_other_job_works_and_prints_what_its_job_file_promises(open_api, shop_of, job_id, last_line):
    shop = shop_of(open_api(fulfilled_until=5047))
    code, lines = shop.run(job_id)
    assert (code, lines[-1]) == (0, last_line)
    assert shop.job(job_id).run.success.must_print in last_line


@pytest.mark.parametrize("job_id", ["weekly-report", "arrivals-check", "nightly-invoices", "stock-count"])
def test_a_broken_api_fails_each_other_job_with_the_same_line(open_api, shop_of, job_id):
    api = open_api()
    api.break_it()
    code, lines = shop_of(api).run(job_id)
    assert (code, lines[-1]) == (1, BROKEN_LINE)


def test_an_api_that_is_gone_is_said_plainly(open_api, shop_of):
    api = open_api()
    shop = shop_of(api)
    api.stop()
    # five attempts with waits between them would take long: the POST and GET rules are tested elsewhere
    script = shop.folder / "scripts" / "stock_count.py"
    script.write_text(script.read_text().replace("@retrying()\n", ""))
    code, lines = shop.run("stock-count")
    assert (code, lines[-1]) == (1, "the shop API does not answer")
