"""Outputs as they are shown: odd bytes, endless lines, a hundred thousand of them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from running import OFFSCREEN, nameless

from ridgeline_desktop.gui.runs.terminal_text import Problems, Terminal, plain_text

pytestmark = OFFSCREEN


@pytest.fixture
def view(qtbot):
    from ridgeline_desktop.gui.runs.output_view import OutputView

    made = OutputView()
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def settle(qtbot, view) -> str:
    qtbot.waitUntil(lambda: view.is_settled, timeout=20_000)
    return view.text.toPlainText()


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (b"one\ntwo", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07text", ["red text"]),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        (b"10%\r20%\r100%\ndone", ["100%", "done"]),
        (b"a\0b\x07", ["a\u2400b\u2407"]),
        (b"caf\xc3\xa9 \xff", ["caf\u00e9 \ufffd"]),
        ("\u202egnp.exe\u2066".encode(), ["\ufffdgnp.exe\ufffd"]),
        ("a\u2028b\u2029c\x85d".encode(), ["a\ufffdb\ufffdc\ufffdd"]),
        (b"tab\there", ["tab\there"]),
        (b"\x7f\x1b", ["\u2421\u241b"]),
        (b"\n\nx", ["", "", "x"]),
        (b"", []),
    ],
)
def test_whatever_a_run_wrote_becomes_harmless_lines(output, lines):
    assert plain_text(output) == lines


PIECES = [b"ab", b"\r", b"\n", b"\x1b[31m", b"\xc3\xa9", b"\0", b"\x1b]0;t\x07", b"\xff", b"%"]


@given(st.lists(st.sampled_from(PIECES)), st.integers(1, 9))
def test_it_does_not_matter_where_the_output_is_cut(parts, length):
    output = b"".join(parts)
    terminal, lines = Terminal(), []
    for start in range(0, len(output), length):
        lines += terminal.feed(output[start : start + length]).complete
    lines += terminal.feed(b"", is_last=True).complete
    assert lines == plain_text(output)


def test_a_line_that_is_not_complete_is_shown_as_far_as_it_has_come():
    terminal = Terminal()
    assert terminal.feed(b"working 10%").partial == "working 10%"
    assert terminal.feed(b"\rworking 20%").partial == "working 20%"
    assert terminal.feed(b" of all\n").complete == ("working 20% of all",)


def test_a_line_of_ten_megabytes_is_cut_and_costs_little():
    started = time.perf_counter()
    terminal = Terminal()
    for _ in range(10):
        assert terminal.feed(b"x" * 1_000_000).complete == ()
    [line] = terminal.feed(b"\n").complete
    assert line == "x" * 2000 + " \u2026 (9,998,000 more characters)"
    assert time.perf_counter() - started < 2


def test_an_escape_that_never_ends_does_not_swallow_the_output():
    terminal = Terminal()
    terminal.feed(b"\x1b]0;")
    terminal.feed(b"y" * 5000)
    lines = terminal.feed(b"\n", is_last=True).complete
    assert "yyyy" in "".join(lines)


def test_problems_are_lines_that_speak_of_trouble_and_whole_tracebacks():
    trace = ["Traceback (most recent call last):", "  File x", "    push()", "KeyError: 1"]
    assert Problems().kept(["ok", *trace, "fine", "0 errors", "failed"]) == [*trace, "failed"]


def test_lines_come_one_below_the_other_and_a_growing_one_in_its_place(qtbot, view):
    view.add(["one"], "wor")
    view.add([], "working")
    view.add(["working", ""], "")
    view.add(["end"])
    assert settle(qtbot, view) == "one\nworking\n\nend"


def test_a_hundred_thousand_lines_keep_the_newest_and_never_block(qtbot, view):
    longest = 0.0
    for thousand in range(100):
        started = time.perf_counter()
        view.add([f"line {thousand * 1000 + n}" for n in range(1000)])
        longest = max(longest, time.perf_counter() - started)
    text = settle(qtbot, view)
    assert (text.count("\n") + 1, text.splitlines()[-1]) == (20_000, "line 99999")
    assert text.startswith("line 80000\n")
    assert view.notice.text() == "Showing the last 20,000 of 100,000 lines."
    assert longest < 1


def test_one_flood_is_shown_in_portions(qtbot, view):
    view.add(["early"])
    view.add([f"line {n}" for n in range(50_000)])
    assert not view.is_settled
    assert settle(qtbot, view).startswith("line 30000\n")


def test_only_problems_hides_the_rest_and_gives_it_back(qtbot, view):
    view.add(["ok", "it failed", "ok"])
    view.problems_action.trigger()
    assert settle(qtbot, view) == "it failed"
    view.add(["an error", "ok"])
    assert settle(qtbot, view) == "it failed\nan error"
    view.problems_action.trigger()
    assert settle(qtbot, view) == "ok\nit failed\nok\nan error\nok"


def test_without_a_problem_it_says_so(qtbot, view):
    view.add(["ok"])
    view.problems_action.trigger()
    assert settle(qtbot, view) == ""
    assert view.text.placeholderText() == "No line of it speaks of a problem."


def test_it_follows_until_somebody_scrolls_up_and_again_at_the_end(qtbot, view):
    view.add([str(n) for n in range(500)])
    settle(qtbot, view)
    bar = view.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    assert not view.follow_action.isChecked()
    view.add([str(n) for n in range(500)])
    settle(qtbot, view)
    assert bar.value() == 10
    bar.setValue(bar.maximum())
    assert view.follow_action.isChecked()
    view.add(["last"])
    settle(qtbot, view)
    assert bar.value() == bar.maximum()


def test_finding_goes_on_and_back_and_around(qtbot, view):
    view.add(["needle one", "hay", "Needle two"])
    settle(qtbot, view)
    view.find_line.setText("needle")
    found = []
    for action in (view.next_action, view.next_action, view.next_action, view.previous_action):
        action.trigger()
        found.append(view.text.textCursor().blockNumber())
    assert found == [0, 2, 0, 2] or found == [2, 0, 2, 0]
    view.find_line.setText("nothing like it")
    qtbot.keyClick(view.find_line, Qt.Key.Key_Return)
    assert view.not_found.isVisible()


def test_copying_takes_what_is_selected_or_all_of_it(qtbot, view):
    view.add(["one", "two"])
    settle(qtbot, view)
    view.copy_action.trigger()
    assert QGuiApplication.clipboard().text() == "one\ntwo"
    view.find_line.setText("two")
    view.next_action.trigger()
    view.copy_action.trigger()
    assert QGuiApplication.clipboard().text() == "two"


def test_emptying_forgets_everything_and_leaves_the_hint(qtbot, view):
    view.add([str(n) for n in range(30_000)])
    view.empty(hint="Nothing yet.")
    assert settle(qtbot, view) == ""
    assert view.text.placeholderText() == "Nothing yet."
    assert not view.notice.isVisible()


def test_more_is_offered_beside_the_notice(qtbot, view):
    view.add(["x"])
    view.offer_more("Show all", beginning="Showing the end of the output.")
    assert view.more.isVisible()
    with qtbot.waitSignal(view.more_asked):
        view.more.click()


def test_everything_in_it_has_a_name(qtbot, view):
    assert nameless(view) == []
