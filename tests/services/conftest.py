"""The office that every test here starts in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Saturday 28 February 2026, noon in Toronto; the shop has no jobs yet."""
    made = Office(tmp_path)
    yield made
    made.end_survivors()
