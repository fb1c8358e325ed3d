"""SHA-256 of a text, by the code that Python itself brings along.

`hashlib` would load OpenSSL for it, whose two milliseconds and three megabytes each run and each window pays.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

# As Python 3.12 calls it, as those before do, and for a Python that was built without either.
_PLACES = ("_sha2", "_sha256", "hashlib")


def hex_digest(text: str) -> str:
    """Sixty-four hexadecimal digits, the same for the same text everywhere."""
    digits: str = _sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    return digits


def _found(place: str) -> Callable[[bytes], Any] | None:
    try:
        return import_module(place).sha256  # type: ignore[no-any-return]
    except ImportError:
        return None


_sha256 = next(found for found in map(_found, _PLACES) if found is not None)
