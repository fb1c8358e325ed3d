from datetime import UTC, datetime, timedelta
from random import Random

import pytest
import requests

from ridgeline_desktop.jobkit import Transient, http_session, retrying

NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
KEY = {"Idempotency-Key": "order-sync/shipment/5048"}


@pytest.fixture
def waits():
    return []


@pytest.fixture
def again(waits):
    """`retrying` with known chance, a clock that stands at NOW, and waits written down."""
    return retrying(rng=Random(1), sleep=waits.append, now=lambda: NOW)


@pytest.fixture
def ask(server, again):
    """Ask the server once per attempt, by the given method."""
    with http_session(timeout=0.1) as session:

        @again
        def asked(method="GET", **kwargs):
            response = session.request(method, server.url, **kwargs)
            response.raise_for_status()
            return response

        yield asked


def deadline_in(monkeypatch, seconds):
    monkeypatch.setenv("RIDGELINE_DEADLINE", (NOW + timedelta(seconds=seconds)).isoformat())


def test_a_503_and_a_timeout_are_waited_out_with_full_jitter(server, ask, waits):
    server.answers = [503, "silence", 200]
    assert ask().text == "ok"
    assert [round(wait, 2) for wait in waits] == [0.13, 1.69]
    assert server.methods == ["GET", "GET", "GET"]


@pytest.mark.parametrize("answer", ["hang up", "break off", 429, 500])
@pytest.mark.parametrize(("method", "headers"), [("GET", {}), ("DELETE", {}), ("POST", KEY), ("PATCH", KEY)])
def test_a_failure_that_may_pass_is_tried_again_where_that_is_harmless(
    server, ask, waits, answer, method, headers
):
    server.answers = [answer]
    ask(method, headers=headers)
    assert server.methods == [method, method]
    assert len(waits) == 1


@pytest.mark.parametrize("answer", ["silence", "hang up", "break off", 429, 503])
@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_without_an_idempotency_key_nothing_is_sent_twice(server, ask, waits, answer, method):
    server.answers = [answer]
    with pytest.raises(requests.RequestException):
        ask(method)
    assert server.methods == [method]
    assert waits == []


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_permanent_answer_is_raised_at_once(server, ask, waits, status):
    server.answers = [status]
    with pytest.raises(requests.HTTPError) as caught:
        ask()
    assert caught.value.response.status_code == status
    assert (server.methods, waits) == (["GET"], [])


def test_the_fifth_failure_is_the_last_and_comes_out_as_it_is(server, ask, waits):
    server.answers = [503] * 9
    with pytest.raises(requests.HTTPError, match="503") as caught:
        ask()
    assert len(server.methods) == 5
    assert len(waits) == 4
    assert caught.value.__notes__ == ["Given up after 5 attempts."]


def test_a_second_call_has_five_attempts_of_its_own(server, ask):
    server.answers = [503] * 5
    with pytest.raises(requests.HTTPError):
        ask()
    server.answers = [503] * 4
    assert ask().ok


@pytest.mark.parametrize("value", ["45", "Wed, 04 Mar 2026 09:00:45 GMT"])
def test_the_server_s_retry_after_is_waited_instead(server, ask, waits, value):
    server.answers = [(429, {"Retry-After": value}), (503, {"Retry-After": "soon"})]
    ask()
    assert waits == [45.0, 2 * Random(1).random()]


def test_a_retry_after_beyond_the_deadline_ends_it_at_once(server, ask, waits, monkeypatch):
    deadline_in(monkeypatch, 44)
    server.answers = [(503, {"Retry-After": "45"})]
    with pytest.raises(requests.HTTPError) as caught:
        ask()
    assert waits == []
    assert caught.value.__notes__ == ["Not tried again: the next wait is longer than the time left."]


def test_a_retry_after_within_the_deadline_is_waited(server, ask, waits, monkeypatch):
    deadline_in(monkeypatch, 46)
    server.answers = [(503, {"Retry-After": "45"})]
    ask()
    assert waits == [45.0]


def test_our_own_wait_never_passes_the_deadline_either(server, ask, waits, monkeypatch):
    deadline_in(monkeypatch, 1)
    server.answers = [503, 503, 503]
    with pytest.raises(requests.HTTPError):
        ask()
    assert waits == [Random(1).random()]


@pytest.mark.parametrize("value", ["1201", "9" * 400])
def test_without_a_deadline_a_server_cannot_hold_a_script_longer_than_twenty_minutes(
    server, ask, waits, value
):
    server.answers = [(503, {"Retry-After": value})]
    with pytest.raises(requests.HTTPError):
        ask()
    assert waits == []


def test_a_certificate_that_is_wrong_stays_wrong(again, waits):
    @again
    def fetch():
        raise requests.exceptions.SSLError(
            "certificate has expired", request=requests.Request("GET", "https://x")
        )

    with pytest.raises(requests.exceptions.SSLError):
        fetch()
    assert waits == []


@pytest.mark.parametrize("error", [ValueError("bad order"), KeyboardInterrupt(), SystemExit(75)])
def test_an_error_of_the_script_itself_is_raised_at_once(again, waits, error):
    @again
    def work():
        raise error

    with pytest.raises(type(error)):
        work()
    assert waits == []


@pytest.mark.parametrize("error", [Transient("the till is busy"), requests.Timeout()])
def test_a_failure_the_script_itself_calls_passing_is_tried_again(again, waits, error):
    outcomes = [error, None]

    @again
    def work(answer):
        if (outcome := outcomes.pop(0)) is not None:
            raise outcome
        return answer

    assert work("done") == "done"
    assert waits == [Random(1).random()]


@pytest.mark.parametrize(
    "error", [requests.ConnectionError("broken off"), requests.HTTPError(), requests.exceptions.InvalidURL()]
)
def test_an_error_that_may_hide_a_post_or_names_no_answer_is_not_repeated(again, waits, error):
    @again
    def work():
        raise error

    with pytest.raises(type(error)):
        work()
    assert waits == []


def test_each_wait_is_told_in_the_job_s_output(server, ask, caplog):
    server.answers = [503]
    ask()
    [line] = [record.getMessage() for record in caplog.records if "jobkit" in record.name]
    assert line.startswith("attempt 1 of 5 failed (503 Server Error")
    assert line.endswith("trying again in 0.1 s")


def test_a_decorated_function_keeps_its_name_and_nests():
    waits = []

    @retrying(rng=Random(1), sleep=waits.append)
    def outer(failures):
        @retrying(rng=Random(1), sleep=waits.append)
        def inner():
            if failures:
                raise failures.pop()
            return "done"

        return inner()

    assert outer([Transient("again"), Transient("again")]) == "done"
    assert outer.__name__ == "outer"
    assert len(waits) == 2
