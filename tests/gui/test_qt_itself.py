import sys

from PySide6.QtWidgets import QLabel

CALLS = 1000


def test_calls_that_return_nothing_leave_the_count_of_none_alone(qapp):
    """A release of Qt for Python took one away each time, and ended Python 3.11 after some thousand calls."""
    label = QLabel()
    before = sys.getrefcount(None)
    for number in range(CALLS):
        label.setText(str(number))
    assert before - sys.getrefcount(None) < CALLS // 10
