"""The lines of a run's output that tell why it failed, fit to be read anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.output_lines import (
    LONGEST_LINE,
    last_lines,
    speaks_of_trouble,
    telling_line,
    telling_lines,
    without_stamp,
)

TRACEBACK = """\
order 5047 done
Traceback (most recent call last):
  File "/srv/sync.py", line 452, in main
    push(order)  # HTTP 503 error
  File "/srv/sync.py", line 404, in push
    raise ShopClosed("till is shut")
shop.ShopClosed: till is shut
"""


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("", ""),
        (" \n\t\n", ""),
        ("\x00\x1b[0m\n", ""),
        ("one\ntwo\n", "two"),
        ("the shop API answered 503\nleaving\n", "the shop API answered 503"),
        ("HTTP 503\nleaving", "HTTP 503"),
        ("< HTTP/1.1 503 Service Unavailable\nleaving", "< HTTP/1.1 503 Service Unavailable"),
        ("503 Service Unavailable\nleaving", "503 Service Unavailable"),
        ("<Response [404]>\nleaving", "<Response [404]>"),
        ("status_code=502\nleaving", "status_code=502"),
        ("HTTP 200\nleaving", "leaving"),
        ("450 orders copied\n503 left\nleaving", "leaving"),
        ("OSError: [Errno 28] No space left\nleaving", "OSError: [Errno 28] No space left"),
        ("cp: x: No space left on device\nleaving", "cp: x: No space left on device"),
        ("ssh: connect: Connection refused\nleaving", "ssh: connect: Connection refused"),
        ("ls: /x: Permission denied\nleaving", "ls: /x: Permission denied"),
        ("sh: 1: foo: not found\nleaving", "sh: 1: foo: not found"),
        ("cat: x: No such file or directory\nleaving", "cat: x: No such file or directory"),
        ("request timed out\nleaving", "request timed out"),
        ("ERROR one\nERROR two\nleaving", "ERROR two"),
        ("disk is full: cannot write\n0 errors, 3 warnings\n", "disk is full: cannot write"),
        ("no failures, errors: 0", "no failures, errors: 0"),
        ("12 done, failed=0\nleaving", "leaving"),
        (TRACEBACK, "shop.ShopClosed: till is shut"),
        (TRACEBACK + "giving up\n", "shop.ShopClosed: till is shut"),
        (TRACEBACK + "fatal: 3 orders left\n", "fatal: 3 orders left"),
        (TRACEBACK + "\nDuring handling of the above exception, another exception occurred:\n\n"
         + TRACEBACK.replace("till is shut", "door is shut"), "shop.ShopClosed: door is shut"),
        ("Traceback (most recent call last):\n  File x\nKeyboardInterrupt\n", "KeyboardInterrupt"),
        ("Traceback (most recent call last):\n  File x, error\n", "  File x, error".strip()),
        ("10 %\r50 %\rfailed at 51 %\r", "failed at 51 %"),
        ("\x1b[1;31mERROR\x1b[0m no\x07 stock\n\x1b]0;title\x07done\n", "ERROR no  stock"),
        ("a\u202eb\u2028c", "c"),
    ],
)  # fmt: skip
def test_the_line_that_tells_most_is_found(output, expected):
    assert telling_line(output.encode()) == expected


def test_odd_bytes_and_very_long_lines_are_made_fit_to_read():
    assert telling_line(b"\xff\xfe failed \x80") == "\ufffd\ufffd failed \ufffd"
    line = telling_line(b"error " + b"x" * 1_000_000)
    assert len(line) == LONGEST_LINE
    assert line.endswith("x…")
    assert telling_line(b"y" * LONGEST_LINE) == "y" * LONGEST_LINE


@given(st.binary(max_size=300))
def test_no_output_makes_it_raise_or_print_what_a_terminal_would_obey(output):
    line = telling_line(output)
    assert line == "" or line.isprintable()
    assert len(line) <= LONGEST_LINE


def test_several_telling_lines_are_the_last_ones_each_once_in_order():
    output = b"error one\nerror two\nfine\nerror two\nerror three\nbye\n"
    assert telling_lines(output, most=9) == ("error one", "error two", "error three")
    assert telling_lines(output, most=2) == ("error two", "error three")
    assert telling_lines(b"one\ntwo\n", most=2) == ("two",), "where nothing tells of trouble, the last words"
    assert telling_lines(b"", most=2) == ()


def test_of_lines_that_differ_in_their_numbers_alone_only_the_newest_is_given():
    output = b"error: 3 files left\nno such folder\nerror: 12 files left\n"
    assert telling_lines(output, most=3) == ("no such folder", "error: 12 files left")


def test_last_lines_are_those_that_say_anything():
    assert last_lines(b"one\n\ntwo\n \n\x1b[1mthree\x1b[0m\n\n", most=2) == ("two", "three")
    assert last_lines(b"", most=2) == ()


def test_a_line_that_counts_no_errors_speaks_of_no_trouble():
    assert speaks_of_trouble("HTTP 503")
    assert not speaks_of_trouble("0 errors")
    assert not speaks_of_trouble("done")


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("2026-03-02 10:45:01,123 ERROR the shop API answered 503", "the shop API answered 503"),
        ("[2026-03-02T10:45:01Z] [ERROR] no stock", "no stock"),
        ("2026-03-02 10:45 no stock", "no stock"),
        ("Error: no stock", "no stock"),
        ("CRITICAL - no stock", "no stock"),
        ("error writing the file", "error writing the file"),
        ("OSError: no space left", "OSError: no space left"),
        ("2026-03-02 was a holiday", "2026-03-02 was a holiday"),
        ("2026-03-02 10:45:01 ", "2026-03-02 10:45:01 "),
        ("", ""),
    ],
)
def test_the_time_and_the_level_that_logs_put_first_are_left_out(line, rest):
    assert without_stamp(line) == rest
