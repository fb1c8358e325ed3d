"""SHA-256 of a text, by the code that Python itself brings along.

`hashlib` would load OpenSSL for it, whose two milliseconds and three megabytes each run and each window pays.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import Any

# As Python calls it since 3.12 and did before; hashlib is for one that was built without either.
_PLACES = ("_sha2" if sys.version_info >= (3, 12) else "_sha256", "hashlib")


def hex_digest(text: str) -> str:
    """Sixty-four hexadecimal digits, the same for the same text everywhere."""
    digits: str = _sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    return digits


def first_of(places: Iterable[str]) -> Callable[[bytes], Any]:
    """SHA-256 as the first of these modules has it that is there."""
    for place in places:
        with suppress(ImportError):
            return import_module(place).sha256  # type: ignore[no-any-return]
    raise ImportError("no SHA-256 in this Python")


_sha256 = first_of(_PLACES)
