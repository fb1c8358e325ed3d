"""Trying again for scripts: tenacity, told which failures may pass by themselves and how long to wait."""

import logging
import math
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import ParamSpec, TypeVar

import requests
import tenacity
from requests.exceptions import ChunkedEncodingError, SSLError

from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.retry import RetryPolicy, parse_retry_after, should_retry_http, wait_before
from ridgeline_desktop.jobkit.http import IDEMPOTENCY_KEY
from ridgeline_desktop.jobkit.runs import time_left, utc_now

P = ParamSpec("P")
R = TypeVar("R")

POLICY = RetryPolicy(attempts=5, base=timedelta(seconds=1), cap=timedelta(seconds=30), exit_codes=())
LONGEST_WAIT = timedelta(minutes=20)  # with no deadline, no server may hold a script longer than this

logger = logging.getLogger(__name__)


class Transient(RidgelineError):
    """Raise this inside a `retrying` function for any other failure that may pass by itself."""


def retrying(
    *,
    rng: Random | None = None,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], datetime] = utc_now,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: the function is called up to 5 times while it ends in a failure that may pass.

    Such are `Transient`, no answer, 429 and 5xx, the last three only where repeating the request does no
    harm (see `should_retry_http`). So the function must call `raise_for_status()`, and is best one request.
    Waits have full jitter, base 1 s, cap 30 s; Retry-After replaces them. Any other error, the fifth
    failure, and a wait that would pass the deadline end it at once with the original error, and a note
    on it says why it was not tried again. `rng`, `sleep` and `now` are for tests.
    """
    chance = rng or Random()

    def wait(state: tenacity.RetryCallState) -> float:
        instant = now()
        left = time_left(instant)
        seconds = wait_before(
            state.attempt_number,
            POLICY,
            retry_after=_retry_after(_failure(state), instant),
            time_left=LONGEST_WAIT.total_seconds() if left is None else left,
            rng=chance,
        )
        return math.inf if seconds is None else seconds

    def stop(state: tenacity.RetryCallState) -> bool:
        return state.attempt_number >= POLICY.attempts or state.upcoming_sleep == math.inf

    attempts = tenacity.Retrying(
        sleep=sleep,
        wait=wait,
        stop=stop,
        retry=tenacity.retry_if_exception(is_transient),
        before_sleep=_say_so,
        retry_error_callback=_give_up,
    )
    return attempts.wraps


def is_transient(error: BaseException) -> bool:
    """Whether `error` may pass by itself and its request may be sent again."""
    if isinstance(error, Transient):
        return True
    if isinstance(error, SSLError):  # a ConnectionError by birth, but a wrong certificate stays wrong
        return False
    status = None
    if isinstance(error, requests.HTTPError):
        if error.response is None:
            return False
        status = error.response.status_code
    elif not isinstance(error, requests.ConnectionError | requests.Timeout | ChunkedEncodingError):
        return False
    method, headers = _request_of(error)
    return should_retry_http(method, status, has_idempotency_key=IDEMPOTENCY_KEY in headers)


def _request_of(error: requests.RequestException) -> tuple[str, requests.structures.CaseInsensitiveDict[str]]:
    request = error.request
    headers = requests.structures.CaseInsensitiveDict(request.headers if request is not None else {})
    if request is not None and request.method:
        return request.method, headers
    # Outside http_session() requests names no request when an answer breaks off while it is read: that
    # may have been a POST. A Timeout or HTTPError without one was raised by the script itself.
    return "GET" if isinstance(error, requests.Timeout | requests.HTTPError) else "POST", headers


def _failure(state: tenacity.RetryCallState) -> BaseException:
    error = state.outcome.exception() if state.outcome is not None else None
    assert error is not None  # only failures are ever tried again
    return error


def _retry_after(error: BaseException, now: datetime) -> float | None:
    response = error.response if isinstance(error, requests.RequestException) else None
    value = None if response is None else response.headers.get("Retry-After")
    return None if value is None else parse_retry_after(value, now=now)


def _say_so(state: tenacity.RetryCallState) -> None:
    logger.warning(
        "attempt %d of %d failed (%s); trying again in %.1f s",
        state.attempt_number,
        POLICY.attempts,
        _failure(state),
        state.upcoming_sleep,
    )


def _give_up(state: tenacity.RetryCallState) -> None:
    error = _failure(state)
    if state.attempt_number >= POLICY.attempts:
        error.add_note(f"Given up after {state.attempt_number} attempts.")
    else:
        error.add_note("Not tried again: the next wait is longer than the time left.")
    raise error
