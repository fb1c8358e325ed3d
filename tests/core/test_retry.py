from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.retry import (
    RetryPolicy,
    delay,
    jittered,
    parse_retry_after,
    should_retry_http,
    wait_before,
)

NOW = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
POLICY = RetryPolicy(attempts=5, base=timedelta(seconds=1), cap=timedelta(seconds=30))


@pytest.mark.parametrize(
    ("base", "cap", "waits"),
    [(2, 20, [2, 4, 8, 16, 20]), (1, 30, [1, 2, 4, 8, 16, 30, 30]), (0, 30, [0, 0, 0])],
)
def test_the_wait_doubles_from_the_base_and_stays_at_the_cap(base: float, cap: float, waits: list[float]):
    assert [delay(attempt, base=base, cap=cap) for attempt in range(1, len(waits) + 1)] == waits


def test_seven_failures_from_one_second_wait_91_seconds_in_all():
    assert sum(delay(attempt, base=1, cap=30) for attempt in range(1, 8)) == 91


@pytest.mark.parametrize("attempt", [1024, 1025, 10**6, 10**400])
def test_a_job_that_has_failed_for_years_still_waits_only_the_cap(attempt: int):
    assert delay(attempt, base=2, cap=20) == 20


def test_full_jitter_spreads_the_waits_from_zero_up_to_the_delay():
    rng = Random(240)
    waits = [round(jittered(delay(attempt, base=1, cap=30), rng), 1) for attempt in range(1, 8)]
    assert waits == [0.9, 0.1, 3.8, 2.5, 9.9, 15.8, 19.3]


@given(attempt=st.integers(1, 10_000), seed=st.integers())
def test_no_wait_is_negative_or_longer_than_the_cap(attempt: int, seed: int):
    assert 0 <= jittered(delay(attempt, base=1, cap=30), Random(seed)) <= 30


@pytest.mark.parametrize(
    ("method", "status", "key", "again"),
    [
        ("POST", 503, False, False),
        ("POST", 503, True, True),
        ("GET", 429, False, True),
        ("PATCH", None, True, True),
        ("PUT", 500, False, True),
        ("DELETE", 404, False, False),
        ("GET", 401, False, False),
        ("GET", 200, False, False),
        ("POST", None, False, False),
        ("PATCH", 429, False, False),
        ("POST", 400, True, False),
        ("DELETE", None, False, True),
        ("HEAD", 502, False, True),
        ("OPTIONS", None, False, True),
        ("get", 599, False, True),
        ("GET", 499, False, False),
        ("GET", 600, False, False),
        ("TRANSFER", 503, True, False),
    ],
)
def test_a_request_is_repeated_only_when_the_failure_may_pass_and_the_repeat_does_no_harm(
    method: str, status: int | None, key: bool, again: bool
):
    assert should_retry_http(method, status, has_idempotency_key=key) is again


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Wed, 04 Mar 2026 09:02:30 GMT", 150),
        ("Wednesday, 04-Mar-26 09:02:30 GMT", 150),
        ("Wed Mar  4 09:02:30 2026", 150),
        ("Wed, 04 Mar 2026 08:00:00 GMT", 0),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_any_http_date(value: str, seconds: float):
    assert parse_retry_after(value, now=NOW) == seconds


@pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "٣", "Mon, 01 Jan 99999 00:00:00 GMT", "1e3"])
def test_an_unreadable_retry_after_is_none(value: str):
    assert parse_retry_after(value, now=NOW) is None


@given(value=st.text() | st.from_regex(r"[A-Z][a-z]{2}, [0-9]{1,3} [A-Z][a-z]{2} [0-9]+ [0-9:]+ [-+A-Z0-9]*"))
def test_whatever_a_server_sends_as_retry_after_is_seconds_or_none(value: str):
    seconds = parse_retry_after(value, now=NOW)
    assert seconds is None or seconds >= 0


def test_the_server_s_retry_after_replaces_our_own_wait_and_its_cap():
    rng = Random(240)
    assert wait_before(1, POLICY, retry_after=45.0, time_left=60.0, rng=rng) == 45.0
    assert rng.random() == Random(240).random()


def test_without_retry_after_the_wait_is_the_jittered_delay_of_that_attempt():
    wait = wait_before(3, POLICY, retry_after=None, time_left=60.0, rng=Random(240))
    assert wait == jittered(4.0, Random(240))


@pytest.mark.parametrize("retry_after", [60.1, float("inf")])
def test_a_wait_longer_than_the_time_left_is_none(retry_after: float):
    assert wait_before(1, POLICY, retry_after=retry_after, time_left=60.0, rng=Random(1)) is None


def test_a_wait_that_ends_exactly_with_the_time_left_is_kept():
    assert wait_before(1, POLICY, retry_after=60.0, time_left=60.0, rng=Random(1)) == 60.0


def test_our_own_wait_too_ends_when_no_time_is_left():
    assert wait_before(5, POLICY, retry_after=None, time_left=-0.1, rng=Random(1)) is None


def test_a_policy_tries_once_and_knows_75_unless_told_otherwise():
    assert RetryPolicy() == RetryPolicy(
        attempts=1, base=timedelta(seconds=1), cap=timedelta(seconds=30), exit_codes=(75,)
    )
