"""When to try again and how long to wait first: backoff, jitter, Retry-After and what HTTP allows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ridgeline_desktop.core.values import dataclass

TYPE_CHECKING = False  # typing and random are kept off the path that starts every run
if TYPE_CHECKING:
    from random import Random

REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
REPEATABLE_WITH_KEY = frozenset({"POST", "PATCH"})
TOO_MANY_REQUESTS = 429
LARGEST_DOUBLING = 1023  # 2.0 ** 1024 overflows


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often, how far apart, and after which exit codes. One attempt means never again."""

    attempts: int = 1
    base: timedelta = timedelta(seconds=1)
    cap: timedelta = timedelta(seconds=30)
    exit_codes: tuple[int, ...] = (75,)


def delay(attempt: int, *, base: float, cap: float) -> float:
    """Seconds to wait at most after failed attempt number `attempt`, counted from 1.

    Doubles from `base` (seconds) and stays at `cap` (seconds), however large `attempt` grows.
    """
    return min(cap, base * 2.0 ** min(attempt - 1, LARGEST_DOUBLING))


def jittered(seconds: float, rng: Random) -> float:
    """A wait between 0 and `seconds`, every length equally likely, so many jobs do not return at once."""
    return seconds * rng.random()


def wait_before(
    attempt: int, policy: RetryPolicy, *, retry_after: float | None, time_left: float, rng: Random
) -> float | None:
    """Seconds to wait after failed attempt number `attempt`; None when that is more than `time_left`.

    `retry_after` (seconds), where the server named one, replaces our own wait, jitter and cap included.
    """
    if retry_after is None:
        base, cap = policy.base.total_seconds(), policy.cap.total_seconds()
        wait = jittered(delay(attempt, base=base, cap=cap), rng)
    else:
        wait = retry_after
    return wait if wait <= time_left else None


def should_retry_http(method: str, status: int | None, *, has_idempotency_key: bool) -> bool:
    """Whether the same request may be sent again; `status` None means that no answer came.

    Only no answer, 429 and 5xx may pass by themselves, and only a request whose repetition does no harm
    is repeated: by its method (RFC 9110, 9.2.2), or because it carries a key by which the server knows it.
    """
    may_pass = status is None or status == TOO_MANY_REQUESTS or 500 <= status <= 599
    verb = method.upper()
    return may_pass and (verb in REPEATABLE or (has_idempotency_key and verb in REPEATABLE_WITH_KEY))


def parse_retry_after(value: str, *, now: datetime) -> float | None:
    """Seconds from `now` that a Retry-After header asks for: never negative, None when unreadable.

    The header holds whole seconds or an HTTP date in any of its three forms (RFC 9110, 10.2.3).
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        instant = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if instant.tzinfo is None:  # the asctime form names no zone; HTTP dates are always UTC
        instant = instant.replace(tzinfo=UTC)
    return max(0.0, (instant - now).total_seconds())
