"""The sample shop's web API on loopback: orders, shipments, and a page on which people break and mend it."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeGuard
from urllib.parse import parse_qs, urlsplit

FIRST_ORDER = 5001
LAST_ORDER = 5100
_FIRST_SHIPMENT = 9001
_BEANS = (("House Espresso", 1450), ("Decaf", 1550), ("Breakfast Blend", 1300), ("Single Origin Huila", 1900))
_CUSTOMERS = ("Amina", "Ben", "Chloé", "Dmitri", "Eun-ji", "Farah", "Gabriel")
_LARGEST_BODY = 10_000

OnHandled = Callable[[str, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipment:
    """One parcel booked; `key` is the Idempotency-Key it was asked for with, "" without one."""

    shipment_id: int
    order: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopSnapshot:
    """What the API has seen: POSTs per key ("" = without one) and PATCHes per order, repeats included."""

    is_broken: bool
    shipments: tuple[Shipment, ...]
    posts: Mapping[str, int]
    patches: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: HTTPStatus
    body: str
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def _json(status: HTTPStatus, value: object) -> _Answer:
    return _Answer(status=status, body=json.dumps(value))


def _refusal(status: HTTPStatus, why: str) -> _Answer:
    return _json(status, {"error": why})


def order_details(number: int) -> dict[str, Any]:
    """Order `number` as GET /orders gives it, always the same; `total` in cents."""
    bean, price = _BEANS[number % len(_BEANS)]
    bags = 1 + number % 3
    customer = _CUSTOMERS[number % len(_CUSTOMERS)]
    return {"id": number, "customer": customer, "bean": bean, "bags": bags, "total": bags * price}


class ShopApi:
    """A shop's API with the orders 5001 to 5100, served by a thread from `start` to `stop`.

    `port` 0 lets the computer choose one. Orders up to `fulfilled_until` are shipped already. While broken it
    asks its callers to wait `retry_after` seconds. `on_handled` is called with the method and order number of
    each POST and PATCH that was carried out, before its answer goes out.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        fulfilled_until: int = FIRST_ORDER - 1,
        retry_after: int = 1,
        on_handled: OnHandled | None = None,
    ) -> None:
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.shop = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._lock = threading.Lock()
        self._retry_after = retry_after
        self._on_handled = on_handled
        self._broken = False
        self._posts: Counter[str] = Counter()
        self._patches: Counter[int] = Counter()
        self._fulfilled = set(range(FIRST_ORDER, fulfilled_until + 1))
        self._shipments: list[Shipment] = []
        for number in sorted(self._fulfilled):
            self._ship(number, "")

    @property
    def address(self) -> str:
        """Its address without a slash at the end; the status page is at /status below it."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Answer from now on; once."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more and free the port."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join(timeout=10)
        self._server.server_close()

    def break_it(self) -> None:
        """Answer 503 to everything but the status page."""
        self._set_broken(True)

    def mend(self) -> None:
        """Work again."""
        self._set_broken(False)

    def snapshot(self) -> ShopSnapshot:
        """All it has seen so far, as one consistent picture."""
        with self._lock:
            return ShopSnapshot(
                is_broken=self._broken,
                shipments=tuple(self._shipments),
                posts=dict(self._posts),
                patches=dict(self._patches),
            )

    def respond(self, method: str, target: str, *, key: str, body: bytes) -> _Answer:
        """The answer to one request with that Idempotency-Key ("" = none), for the server's threads."""
        url = urlsplit(target)
        route = (method, url.path)
        if url.path == "/status" or url.path.startswith("/status/"):
            return self._status(*route)
        with self._lock:
            if self._broken:
                return self._out_of_order()
        if route == ("GET", "/orders"):
            return self._orders(parse_qs(url.query))
        if route == ("GET", "/shipments"):
            return self._list_shipments()
        if route == ("POST", "/shipments"):
            return self._post_shipment(key, body)
        if method == "PATCH" and url.path.startswith("/orders/"):
            return self._patch_order(url.path.removeprefix("/orders/"), body)
        return _refusal(HTTPStatus.NOT_FOUND, f"there is no {method} {url.path} here")

    def _set_broken(self, broken: bool) -> None:
        with self._lock:
            self._broken = broken

    def _out_of_order(self) -> _Answer:
        return _Answer(
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            body=json.dumps({"error": "the shop API is out of order"}),
            headers={"Retry-After": str(self._retry_after)},
        )

    def _status(self, method: str, path: str) -> _Answer:
        if (method, path) == ("GET", "/status"):
            return _Answer(status=HTTPStatus.OK, body=self._status_page(), kind="text/html; charset=utf-8")
        if method != "POST" or path not in ("/status/break", "/status/mend"):
            return _refusal(HTTPStatus.NOT_FOUND, f"there is no {method} {path} here")
        self._set_broken(path == "/status/break")
        return _Answer(status=HTTPStatus.SEE_OTHER, body="", headers={"Location": "/status"})

    def _status_page(self) -> str:
        with self._lock:
            state = "broken: answers 503" if self._broken else "working"
            waiting = LAST_ORDER - FIRST_ORDER + 1 - len(self._fulfilled)
            booked = len(self._shipments)
        return (
            f'<!doctype html><html lang="en"><title>Shop API: {state}</title><h1>Shop API: {state}</h1>'
            f"<p>{waiting} orders are waiting, {booked} shipments are booked.</p>"
            '<form method="post" action="/status/mend"><button>Mend it</button></form>'
            '<form method="post" action="/status/break"><button>Break it</button></form></html>'
        )

    def _orders(self, query: Mapping[str, list[str]]) -> _Answer:
        try:
            after, limit = int(query.get("after", ["0"])[0]), int(query.get("limit", ["100"])[0])
        except ValueError:
            return _refusal(HTTPStatus.BAD_REQUEST, "after and limit must be whole numbers")
        with self._lock:
            later = range(max(FIRST_ORDER, after + 1), LAST_ORDER + 1)
            waiting = [number for number in later if number not in self._fulfilled]
        return _json(HTTPStatus.OK, [order_details(number) for number in waiting[: max(limit, 0)]])

    def _list_shipments(self) -> _Answer:
        with self._lock:
            shipments = tuple(self._shipments)
        return _json(HTTPStatus.OK, [_shown(shipment) for shipment in shipments])

    def _post_shipment(self, key: str, body: bytes) -> _Answer:
        number = _field(body, "order")
        if not _is_order(number):
            return _refusal(HTTPStatus.BAD_REQUEST, 'the body must name an order: {"order": 5001}')
        with self._lock:
            self._posts[key] += 1
            earlier = next((s for s in self._shipments if key and s.key == key), None)
            shipment = earlier or self._ship(number, key)
        if shipment.order != number:
            return _refusal(HTTPStatus.UNPROCESSABLE_ENTITY, f"this key was used for order {shipment.order}")
        self._tell("POST", number)
        return _json(HTTPStatus.OK if earlier else HTTPStatus.CREATED, _shown(shipment))

    def _patch_order(self, text: str, body: bytes) -> _Answer:
        number = int(text) if text.isascii() and text.isdigit() else None
        if not _is_order(number):
            return _refusal(HTTPStatus.NOT_FOUND, f"there is no order {text}")
        if _field(body, "state") != "fulfilled":
            return _refusal(HTTPStatus.BAD_REQUEST, 'the body must be {"state": "fulfilled"}')
        with self._lock:
            self._patches[number] += 1
            self._fulfilled.add(number)
        self._tell("PATCH", number)
        return _json(HTTPStatus.OK, {"id": number, "state": "fulfilled"})

    def _ship(self, number: int, key: str) -> Shipment:
        shipment = Shipment(shipment_id=_FIRST_SHIPMENT + len(self._shipments), order=number, key=key)
        self._shipments.append(shipment)
        return shipment

    def _tell(self, method: str, number: int) -> None:
        if self._on_handled:
            self._on_handled(method, number)


def _shown(shipment: Shipment) -> dict[str, int]:
    return {"id": shipment.shipment_id, "order": shipment.order}


def _field(body: bytes, name: str) -> Any:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value.get(name) if isinstance(value, dict) else None


def _is_order(number: Any) -> TypeGuard[int]:
    return type(number) is int and FIRST_ORDER <= number <= LAST_ORDER


class _Server(ThreadingHTTPServer):
    request_queue_size = 64  # with the default of 5, callers at once wait a second for their connection
    shop: ShopApi


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10  # seconds for a request to come in, so that a silent caller holds no thread

    def _serve(self) -> None:
        size = self.headers.get("Content-Length") or "0"
        if not size.isdigit() or int(size) > _LARGEST_BODY:
            self._send(_refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {_LARGEST_BODY} bytes"))
            return
        body = self.rfile.read(int(size))
        key = self.headers.get("Idempotency-Key") or ""
        self._send(self.server.shop.respond(self.command, self.path, key=key, body=body))

    do_GET = do_POST = do_PATCH = _serve  # noqa: N815 (the names http.server asks for)

    def _send(self, answer: _Answer) -> None:
        body = answer.body.encode()
        try:
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except ConnectionError:
            self.close_connection = True  # the caller died meanwhile; what it asked for is done

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the terminal belongs to whoever runs the demo."""
