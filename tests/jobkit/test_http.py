import pytest
import requests

from ridgeline_desktop.jobkit import http_session


class KeepsLimits(requests.adapters.HTTPAdapter):
    """The real adapter, writing down which time limit reached it."""

    def __init__(self):
        super().__init__()
        self.limits = []

    def send(self, request, stream=False, timeout=None, **kwargs):
        self.limits.append(timeout)
        return super().send(request, stream=stream, timeout=timeout, **kwargs)


@pytest.mark.parametrize(
    ("given", "used"),
    [({}, 10.0), ({"timeout": None}, 10.0), ({"timeout": 3}, 3), ({"timeout": (3, None)}, (3, 10.0))],
)
def test_a_request_without_a_time_limit_gets_ten_seconds(server, given, used):
    adapter = KeepsLimits()
    with http_session() as session:
        session.mount("http://", adapter)
        session.get(server.url, **given)
    assert adapter.limits == [used]


def test_a_prepared_request_and_each_redirect_have_a_time_limit_too(server):
    server.answers = [(307, {"Location": "/moved"}), 200]
    adapter = KeepsLimits()
    with http_session(timeout=4) as session:
        session.mount("http://", adapter)
        session.send(session.prepare_request(requests.Request("GET", server.url)))
    assert adapter.limits == [4, 4]


def test_a_server_that_never_answers_is_given_up(server):
    server.answers = ["silence"]
    with http_session(timeout=0.1) as session, pytest.raises(requests.Timeout) as caught:
        session.post(server.url)
    assert caught.value.request.method == "POST"


def test_the_server_sees_which_job_asks(server, monkeypatch):
    monkeypatch.setenv("RIDGELINE_JOB", "order-sync")
    with http_session() as session:
        session.get(server.url)
    assert server.asked[0][2]["User-Agent"] == "ridgeline-desktop (order-sync)"


def test_the_server_sees_that_a_script_was_started_by_hand(server):
    with http_session() as session:
        session.get(server.url)
    assert server.asked[0][2]["User-Agent"] == "ridgeline-desktop (started by hand)"


def test_the_idempotency_key_reaches_the_server_also_after_a_redirect(server):
    server.answers = [(307, {"Location": "/moved"}), 201]
    with http_session() as session:
        session.post(
            server.url, json={"order": 5048}, headers={"Idempotency-Key": "order-sync/shipment/5048"}
        )
    assert [(method, path, headers["Idempotency-Key"]) for method, path, headers in server.asked] == [
        ("POST", "/orders", "order-sync/shipment/5048"),
        ("POST", "/moved", "order-sync/shipment/5048"),
    ]


@pytest.mark.parametrize("answer", [503, 429, "hang up"])
def test_the_session_alone_asks_once(server, answer):
    server.answers = [answer]
    with http_session() as session:
        try:
            assert session.get(server.url).status_code == answer
        except requests.ConnectionError:
            assert answer == "hang up"
    assert server.methods == ["GET"]


def test_an_answer_that_breaks_off_names_the_request_it_belongs_to(server):
    server.answers = ["break off"]
    with http_session() as session, pytest.raises(requests.RequestException) as caught:
        session.post(server.url)
    assert caught.value.request.method == "POST"
