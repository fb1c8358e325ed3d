"""The shop API, asked over real HTTP."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from ridgeline_desktop.demo.shop_api import ShopApi

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Answer(NamedTuple):
    status: int
    body: str
    headers: Any

    @property
    def value(self) -> Any:
        return json.loads(self.body)


def ask(api: ShopApi, method: str, path: str, body: object = None, **headers: str) -> Answer:
    data = None if body is None else json.dumps(body).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(api.address + path, data=data, method=method, headers=names)
    try:
        with DIRECT.open(request, timeout=20) as response:
            return Answer(response.status, response.read().decode(), response.headers)
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.read().decode(), error.headers)


def ship(api: ShopApi, order: int, **headers: str) -> Answer:
    return ask(api, "POST", "/shipments", {"order": order}, **headers)


@pytest.fixture
def api(open_api):
    return open_api()


def test_it_has_the_orders_5001_to_5100_and_gives_those_after_a_number(api):
    assert [order["id"] for order in ask(api, "GET", "/orders").value] == list(range(5001, 5101))
    assert [order["id"] for order in ask(api, "GET", "/orders?after=5047&limit=2").value] == [5048, 5049]
    assert ask(api, "GET", "/orders?after=5100").value == []


def test_a_fulfilled_order_is_offered_no_more_and_may_be_marked_twice(api):
    answers = [ask(api, "PATCH", "/orders/5001", {"state": "fulfilled"}).status for _ in range(2)]
    assert answers == [200, 200]
    assert ask(api, "GET", "/orders?limit=1").value[0]["id"] == 5002
    assert api.snapshot().patches == {5001: 2}


def test_the_same_key_twice_is_one_shipment(api):
    first, second = ship(api, 5001, Idempotency_Key="a"), ship(api, 5001, Idempotency_Key="a")
    assert (first.status, second.status) == (201, 200)
    assert first.value == second.value
    assert len(api.snapshot().shipments) == 1
    assert api.snapshot().posts == {"a": 2}


def test_without_a_key_each_post_makes_a_shipment(api):
    assert ship(api, 5001).value["id"] != ship(api, 5001).value["id"]
    assert [shipment["order"] for shipment in ask(api, "GET", "/shipments").value] == [5001, 5001]


def test_a_key_that_was_used_for_another_order_is_refused(api):
    ship(api, 5001, Idempotency_Key="a")
    assert ship(api, 5002, Idempotency_Key="a").status == 422
    assert [shipment.order for shipment in api.snapshot().shipments] == [5001]


def test_one_key_sent_by_many_at_once_is_one_shipment(api):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ship(api, 5001, Idempotency_Key="a").value["id"], range(40)))
    assert len(set(answers)) == len(api.snapshot().shipments) == 1
    assert api.snapshot().posts == {"a": 40}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/shipments", {"order": 4711}, 400),
        ("POST", "/shipments", {"order": True}, 400),
        ("POST", "/shipments", ["order"], 400),
        ("POST", "/shipments", None, 400),
        ("PATCH", "/orders/4711", {"state": "fulfilled"}, 404),
        ("PATCH", "/orders/5001", {"state": "lost"}, 400),
        ("GET", "/orders?after=first", None, 400),
        ("GET", "/nothing", None, 404),
        ("POST", "/status", None, 404),
        ("POST", "/shipments", "x" * 20_000, 413),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_and_changes_nothing(api, method, path, body, status):
    before = api.snapshot()
    assert ask(api, method, path, body).status == status
    assert api.snapshot() == before


def test_broken_it_answers_503_with_a_wait_to_everything_but_the_status_page(api):
    api.break_it()
    for method, path in (("GET", "/orders"), ("GET", "/shipments"), ("PATCH", "/orders/5001"), ("GET", "/x")):
        answer = ask(api, method, path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "0")
    assert ship(api, 5001, Idempotency_Key="a").status == 503
    assert api.snapshot().posts == {}
    api.mend()
    assert ship(api, 5001, Idempotency_Key="a").status == 201


def test_people_break_and_mend_it_on_its_status_page(api):
    assert "Shop API: working" in ask(api, "GET", "/status").body
    broken = ask(api, "POST", "/status/break")  # urllib follows it back to the page, as a browser does
    assert broken.status == 200
    assert "Shop API: broken: answers 503" in broken.body
    assert api.snapshot().is_broken
    assert "Shop API: working" in ask(api, "POST", "/status/mend").body
    assert not api.snapshot().is_broken


def test_orders_that_were_fulfilled_before_have_their_shipments(open_api):
    api = open_api(fulfilled_until=5047)
    assert ask(api, "GET", "/orders?limit=1").value[0]["id"] == 5048
    assert [shipment["order"] for shipment in ask(api, "GET", "/shipments").value] == list(range(5001, 5048))


def test_a_stopped_api_frees_its_port():
    first = ShopApi()
    first.start()
    port = int(first.address.rpartition(":")[2])
    first.stop()
    second = ShopApi(port=port)
    second.stop()
    assert second.address == first.address
