"""The first look at the jobs, which is under way while the windows are being loaded."""

import threading

import pytest

from ridgeline_desktop.core.errors import ShopUnreadable
from ridgeline_desktop.wiring.first_look import FirstLook


class Looks:
    """Counts looks; each gives its number, or fails as it was told."""

    def __init__(self) -> None:
        self.taken = 0
        self.began = threading.Event()
        self.error: Exception | None = None

    def __call__(self) -> int:
        self.taken += 1
        self.began.set()
        if self.error is not None:
            raise self.error
        return self.taken


def test_it_looks_at_once_and_the_first_call_is_given_what_was_found():
    looks = Looks()
    first = FirstLook(looks)
    assert looks.began.wait(10)
    assert first() == 1
    assert looks.taken == 1


def test_each_later_call_looks_anew():
    looks = Looks()
    first = FirstLook(looks)
    assert [first(), first(), first()] == [1, 2, 3]


def test_what_kept_it_from_looking_is_told_by_the_first_call_only():
    looks = Looks()
    looks.error = ShopUnreadable("the disk is gone")
    first = FirstLook(looks)
    with pytest.raises(ShopUnreadable):
        first()
    looks.error = None
    assert first() == 2


def test_a_look_that_takes_long_keeps_nobody_waiting_but_who_asks_for_it():
    may_end = threading.Event()

    def look() -> int:
        assert may_end.wait(30)
        return 7

    first = FirstLook(look)
    may_end.set()
    assert first() == 7
