"""Checked values out of TOML: each wrong one is named with its line and what is allowed."""

from datetime import date, time, timedelta
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.toml_tables import Problem, Table, clock_time, line_of, parse_toml, printable


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def table(text: str) -> Table:
    values, problems = parse_toml(text)
    assert problems == ()
    return Table(values, source=text)


def said(found: Table) -> list[str]:
    return [problem.message for problem in found.problems]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\nb = hello\n", 2, "this is not valid TOML: Invalid value; a text goes in quotes"),
        ('a = "x\nb = 1\n', 1, "this is not valid TOML: Illegal character '\\n'; a closing quote is missing"),
        ("a = 1\n\n[t\n", 3, "this is not valid TOML: Expected ']' at the end of a table declaration"),
        ("a = 1\nb =", 2, "this is not valid TOML: Invalid value; a text goes in quotes"),
        (
            "a = 1\rb = 2\n",
            1,
            "this is not valid TOML: Expected newline or end of document after a statement",
        ),
        ("a = 2026-02-30\n", 1, "this is not valid TOML: Invalid date or datetime"),
        ('a = "\x00"\n', 1, "this is not valid TOML: Illegal character '\\x00'"),
        ("a = 1\n\nb = 2\na = 3\n", 4, '"a" is set twice, first in line 1; keep one of them'),
        ("a = 1\nb = 2\na = 3", 3, '"a" is set twice, first in line 1; keep one of them'),
        ("[s]\na = 1\n[t]\na = 1\n[s]\n", 5, '"s" is set twice, first in line 1; keep one of them'),
        ("[s]\nx = 1\n'x' = 2\n", 3, '"s.x" is set twice, first in line 2; keep one of them'),
        ("a = 1\n[a]\nb = 1\n", 2, '"a" is set twice, first in line 1; keep one of them'),
        ("[[l]]\na = 1\n[[l]]\na = 1\na = 2\n", 5, '"l.a" is set twice, first in line 4; keep one of them'),
        ("a.b = 1\na.b.c = 2\n", 2, "this is not valid TOML: Cannot overwrite a value"),
        ("a = { b = 1, b = 2 }\n", 1, "this is not valid TOML: Duplicate inline table key 'b'"),
    ],
)
def test_what_is_no_toml_is_one_problem_with_its_line(text, line, message):
    values, problems = parse_toml(text)
    assert values == {}
    assert [(problem.line, problem.message) for problem in problems] == [(line, message)]


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 100_000, "a = " + "{a=" * 100_000])
def test_absurd_input_is_refused_in_words_too(text):
    values, problems = parse_toml(text)
    assert values == {}
    assert "nested too deeply" in problems[0].message


@pytest.mark.parametrize("text", ["", "\n", "\r\n", "# only a comment", "\ufeff"])
def test_an_empty_file_is_a_table_without_keys(text):
    assert parse_toml(text) == ({}, ())


def test_a_byte_order_mark_and_windows_line_ends_are_no_problem():
    text = '\ufeffa = 1\r\nb = "x"\r\n'
    assert parse_toml(text) == ({"a": 1, "b": "x"}, ())
    assert (line_of(text, ("a",)), line_of(text, ("b",))) == (1, 2)


@given(st.text(alphabet="ab=.\"'[]{}#,\n\\ 1-\u2028\r\x00"))
def test_whatever_is_typed_gives_values_or_a_problem_in_one_printable_line(text):
    values, problems = parse_toml(text)
    assert values == {} or problems == ()
    assert all(problem.message.isprintable() for problem in problems)
    assert all(problem.line is None or 1 <= problem.line <= text.count("\n") + 1 for problem in problems)


SAMPLE = """\
title = "one # two"       # on line 1
about = \'\'\'
[schedule]
every = "x" \'\' still about
\'\'\'
literal = \"\"\"
'a' = \\\"\"\" ""b""\"\"\"
command = [               # on line 8
  "a",
  "title",
  "[run]",
]
"quoted.key" = 1          # on line 13
'its'.b = 2               # a\u2028separator

[schedule]                # on line 16
weekly = { days = ["mon"], at = [
    "06:30"] }
[ run . "success" ]       # on line 19
exit_codes = [0]
[[lock_file]]             # on line 21
path = "/a"
[[lock_file]]
path = "/b"               # on line 24
[lock_file.more]
x = 1                     # on line 26
[[lock_file.list]]
y = 1                     # on line 28
[[lock_file.list]]
y = [{ x = 1 },           # on line 30
  [
]]
z = 2                     # on line 33
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("about",), 2),
        (("literal",), 6),
        (("a",), None),
        (("command",), 8),
        (("quoted.key",), 13),
        (("its", "b"), 14),
        (("its",), 14),
        (("schedule",), 16),
        (("schedule", "weekly"), 17),
        (("schedule", "weekly", "at"), 17),
        (("schedule", "every"), 16),
        (("run",), 19),
        (("run", "success", "exit_codes"), 20),
        (("lock_file", "#0", "path"), 22),
        (("lock_file", "#1", "path"), 24),
        (("lock_file", "#1", "more", "x"), 26),
        (("lock_file", "#1", "list", "#0", "y"), 28),
        (("lock_file", "#1", "list", "#1", "y"), 30),
        (("lock_file", "#1", "list", "#1", "x"), 29),
        (("lock_file", "#1", "list", "#1", "z"), 33),
        (("lock_file", "#2", "path"), 21),
        (("nowhere",), None),
        ((), None),
    ],
)
def test_a_key_is_found_on_its_line_and_never_inside_a_text(path, line):
    assert parse_toml(SAMPLE)[1] == ()
    assert line_of(SAMPLE, path) == line


def test_quoted_keys_are_read_as_toml_reads_them():
    text = 'a = 1\n"b\\u0063" = 2\n'
    assert line_of(text, ("bc",)) == 2
    assert line_of('"b\\q" = 2\n', ('"b\\q"',)) == 1  # no TOML, but no crash either


KEYS = st.lists(st.sampled_from(["a", "b-c", '"d e"', "'f.g'", "h_1"]), min_size=1, max_size=30, unique=True)
VALUES = st.sampled_from(
    ['"x"', "[1, 2]", '["a",\n "b = 1",\n]', '"""\na = 1\n[b]\n"""', "{ a = 1 }", "'''\n'''"]
)


@given(st.lists(st.tuples(KEYS, VALUES), max_size=6))
def test_every_key_of_a_written_document_is_found_where_it_was_written(tables):
    text, expected = "", {}
    for number, (keys, value) in enumerate(tables):
        text += f"[t{number}] # [x]\n"
        for key in keys:
            expected[(f"t{number}", key.strip("\"'"))] = text.count("\n") + 1
            text += f"{key} = {value}\n"
    assert parse_toml(text)[1] == ()
    assert {path: line_of(text, path) for path in expected} == expected


def test_each_wrong_type_is_told_apart_and_gets_the_default():
    found = table('a = 1\nb = "x"\nc = 1.5\nd = true\ne = [1]\nf = { x = 1 }\ng = nan\nh = 06:30:00\n')
    assert found.text("a", "kept") == "kept"
    assert found.flag("b", True) is True
    assert found.whole("c", 7, least=1, most=9) == 7
    assert found.whole("d", 7, least=1, most=9) == 7
    assert found.texts("e", ("kept",)) == ("kept",)
    assert found.text("f") == ""
    assert found.whole("g", 7, least=1, most=9) == 7
    assert found.day("h") is None
    assert found.problems == [
        Problem(line=1, key="a", message="a must be a text in quotes, not 1"),
        Problem(line=2, key="b", message='b must be true or false, not "x"'),
        Problem(line=3, key="c", message="c must be a whole number from 1 to 9, not 1.5"),
        Problem(line=4, key="d", message="d must be a whole number from 1 to 9, not true"),
        Problem(line=5, key="e", message="every item of e must be a text in quotes"),
        Problem(line=6, key="f", message="f must be a text in quotes, not a table"),
        Problem(line=7, key="g", message="g must be a whole number from 1 to 9, not nan"),
        Problem(line=8, key="h", message="h must be a date such as 2026-01-31, without quotes, not 06:30:00"),
    ]


def test_values_in_order_are_given_as_they_are():
    found = table(
        'a = "x"\nb = false\nc = 9\nd = "red"\ne = "90 seconds"\nf = 2026-01-31\ng = ["x", ""]\nh = [0, 3]\n'
    )
    assert found.text("a") == "x"
    assert found.flag("b", True) is False
    assert found.whole("c", 1, least=1, most=9) == 9
    assert found.choice("d", Colour, Colour.BLUE) is Colour.RED
    assert found.duration("e", None) == timedelta(seconds=90)
    assert found.day("f") == date(2026, 1, 31)
    assert found.texts("g") == ("x", "")
    assert found.wholes("h", (1,), least=0, most=9) == (0, 3)
    assert found.problems == []


def test_a_missing_key_is_its_default_without_a_word():
    found = table("")
    assert (found.text("a", "x"), found.full_path("a", "/srv"), found.flag("a", True)) == ("x", "", True)
    assert found.choice("a", Colour, Colour.BLUE) is Colour.BLUE
    assert (found.whole("a", 3, least=1, most=9), found.wholes("a", (1,), least=0, most=9)) == (3, (1,))
    assert (found.duration("a", timedelta(1)), found.day("a"), found.times("a")) == (timedelta(1), None, ())
    assert (found.texts("a", ("x",)), found.pairs("a"), found.tables("a")) == (("x",), (), ())
    assert found.problems == []


@pytest.mark.parametrize(
    "char", ["\\u0000", "\\n", "\\t", "\\u001b", "\\u007f", "\\u0085", "\\u2028", "\\u2029"]
)
def test_control_characters_are_refused_even_where_they_are_written_as_escapes(char):
    found = table(f'a = "x{char}y"\nb = ["x{char}y"]\n')
    assert (found.text("a", "kept"), found.texts("b")) == ("kept", ())
    assert said(found) == [f"{key} must not contain line breaks or control characters" for key in "ab"]


def test_a_text_may_have_line_breaks_only_where_that_is_meant():
    found = table('a = """x\ny"""\n')
    assert found.text("a", one_line=False) == "x\ny"
    assert found.text("a") == ""
    assert len(found.problems) == 1


@pytest.mark.parametrize("text", ["é", "\u00a0", "日本", "👩\u200d🔧"])
def test_other_letters_are_welcome(text):
    assert table(f'a = "{text}"\n').text("a") == text


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('"green"', 'a must be one of "red", "blue", not "green"'),
        ("1", 'a must be one of "red", "blue", not 1'),
        ('"RED"', 'a must be one of "red", "blue", not "RED"'),
        ('"x\\ny"', 'a must be one of "red", "blue", not "x\ufffdy"'),
        (f'"{"x" * 70}"', f'a must be one of "red", "blue", not "{"x" * 60}…"'),
    ],
)
def test_a_choice_names_all_its_members(value, message):
    found = table(f"a = {value}\n")
    assert found.choice("a", Colour, Colour.BLUE) is Colour.BLUE
    assert said(found) == [message]


@pytest.mark.parametrize("value", ["0", "10", "-5", "0x" + "f" * 5000])
def test_a_whole_number_out_of_bounds_is_refused_however_large(value):
    found = table(f"a = {value}\n")
    assert found.whole("a", 3, least=1, most=9) == 3
    assert said(found)[0].startswith("a must be from 1 to 9, not ")
    assert len(said(found)[0]) < 100


@pytest.mark.parametrize("value", ["[]", "[true]", "[1.0]", "[-1]", "[10]", '["1"]', "[[1]]"])
def test_a_list_of_whole_numbers_takes_nothing_else_and_is_not_empty(value):
    found = table(f"a = {value}\n")
    assert found.wholes("a", (3,), least=0, most=9) == (3,)
    assert said(found) == ["a must list whole numbers from 0 to 9, at least one"]


@pytest.mark.parametrize(
    "value", ['"soon"', '"-5 minutes"', '""', '"nan days"', '"1e9 days"', '"99999999 weeks"']
)
def test_a_length_of_time_says_how_it_is_written(value):
    found = table(f"a = {value}\n")
    assert found.duration("a", None) is None
    assert "write a whole number and seconds, minutes, hours, days or weeks" in said(found)[0]


BAD_DATES = ["2026-01-01T00:00:00", "'2026-01-01'", "1969-12-31", "3000-01-01", "20260101"]


@pytest.mark.parametrize("value", BAD_DATES)
def test_a_date_is_a_toml_date_of_a_sane_year(value):
    found = table(f"a = {value}\n")
    assert found.day("a") is None
    assert len(found.problems) == 1
    assert said(found)[0].startswith("a must ")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('["6:30"]', 'a: "6:30" is not a time; write hours and minutes, such as "06:30"'),
        ('["24:00"]', 'a: "24:00" is not a time; write hours and minutes, such as "06:30"'),
        ('["06:30:00"]', 'a: "06:30:00" is not a time; write hours and minutes, such as "06:30"'),
        ('["0٦:30"]', 'a: "0٦:30" is not a time; write hours and minutes, such as "06:30"'),
        ("[06:30:00]", "every item of a must be a text in quotes"),
        ('["06:30", "06:30"]', "a names the same time twice"),
        ("[]", 'a must name at least one time, such as ["06:30"]'),
        ('"06:30"', 'a must be a list of texts such as ["one", "two"], not "06:30"'),
    ],
)
def test_clock_times_say_how_they_are_written(value, message):
    found = table(f"a = {value}\n")
    found.times("a")
    assert said(found) == [message]


def test_clock_times_come_sorted():
    assert table('a = ["18:00", "06:30"]\n').times("a") == (time(6, 30), time(18))
    assert (clock_time("23:59"), clock_time("23:60")) == (time(23, 59), None)


@pytest.mark.parametrize("value", ["/srv/a", "~", "~/a", "C:\\\\a"])
def test_a_full_path_means_the_same_everywhere(value):
    found = table(f'a = "{value}"\n')
    assert found.full_path("a", "/srv") == value.replace("\\\\", "\\")
    assert found.problems == []


@pytest.mark.parametrize("value", ["srv/a", "./a", "~theo/a", "$HOME/a"])
def test_a_path_that_depends_on_where_one_stands_is_refused(value):
    found = table(f'a = "{value}"\n')
    found.full_path("a", "/srv")
    assert said(found) == [f'a must be a full path such as "/srv", not "{value}"']


def test_a_path_from_home_can_be_refused():
    found = table('a = "~/a"\n')
    found.full_path("a", "/srv", from_home=False)
    assert len(found.problems) == 1


def test_pairs_keep_their_order_and_name_the_one_that_is_wrong():
    text = '[a]\nZ = "1"\nB = 2\nC = "3"\n'
    found = table(text)
    assert found.pairs("a") == (("Z", "1"), ("B", ""), ("C", "3"))
    assert found.problems == [Problem(line=3, key="a.B", message="B must be a text in quotes, not 2")]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("{ x = 1 }", "a must be written as [[a]], not a table"),
        ("[1]", "a must be written as [[a]], one for each"),
        ('"x"', 'a must be written as [[a]], not "x"'),
    ],
)
def test_a_list_of_tables_says_how_it_is_written(value, message):
    found = table(f"a = {value}\n")
    assert found.tables("a") == ()
    assert said(found) == [message]


def test_problems_in_the_second_table_of_a_list_have_its_line():
    found = table("[[a]]\nx = 1\n[[a]]\nx = true\n")
    for inner in found.tables("a"):
        inner.whole("x", 1, least=1, most=9)
        found.absorb(inner)
    assert found.problems == [
        Problem(line=4, key="a.x", message="x must be a whole number from 1 to 9, not true")
    ]


def test_an_unknown_key_is_named_once_with_all_that_are_allowed():
    found = table('b = 1\n"\\n" = 1\nd = 1\n')
    found.whole("b", 1, least=1, most=9)
    found.refuse_unknown(("a",))
    found.refuse_unknown()
    assert said(found) == [
        '"\ufffd" is not a key here; allowed: a, b',
        '"d" is not a key here; allowed: a, b',
    ]


def test_a_problem_can_be_noted_at_the_table_at_a_key_and_below_it():
    found = table("[s]\nb = { c = 1 }\n").table("s")
    found.complain("", "one")
    found.complain("b", "two")
    found.complain("b", "three", below="c")
    assert [(problem.key, problem.line) for problem in found.problems] == [("s", 1), ("s.b", 2), ("s.b.c", 2)]
    assert (found.problems_at("b"), found.problems_at("c")) == (True, False)


def test_thousands_of_wrong_keys_are_all_named():
    found = table("".join(f"k{number} = 1\n" for number in range(20_000)))
    found.refuse_unknown()
    assert [problem.line for problem in found.problems] == list(range(1, 20_001))


def test_what_a_terminal_would_obey_is_shown_as_a_mark():
    assert printable("a\x1b[2Jb\nc\u202ed\udc80") == "a\ufffd[2Jb\ufffdc\ufffdd\ufffd"
