"""HTTP for scripts: a requests session in which no call can wait for ever."""

from typing import Any

import requests

from ridgeline_desktop.jobkit.runs import job_id

IDEMPOTENCY_KEY = "Idempotency-Key"


class _LimitedSession(requests.Session):
    """A session whose every request has a time limit and whose every error names its request."""

    def __init__(self, limit: float) -> None:
        super().__init__()
        self._limit = limit

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        """Send with the caller's time limits, and with this session's where the caller gave none."""
        kwargs["timeout"] = self._limited(kwargs.get("timeout"))
        try:
            return super().send(request, **kwargs)
        except requests.RequestException as error:
            # requests forgets it when an answer breaks off half way; retrying() must know a POST from a GET
            error.request = error.request or request
            raise

    def _limited(self, timeout: Any) -> Any:
        if isinstance(timeout, tuple):
            return tuple(self._limit if part is None else part for part in timeout)
        return self._limit if timeout is None else timeout


def http_session(*, timeout: float = 10.0) -> requests.Session:
    """A requests session in which a call without `timeout=` gets `timeout` seconds.

    As in requests, that limits the connecting and each silence while the answer comes, not the whole
    answer. The User-Agent names the job. Nothing is tried again by itself: see `retrying`. Headers such
    as Idempotency-Key go out as the caller gave them.
    """
    session = _LimitedSession(timeout)
    session.headers["User-Agent"] = f"ridgeline-desktop ({job_id() or 'started by hand'})"
    return session
