"""Single values of a TOML text, changed where they stand."""

import tomllib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.toml_arrays import with_items
from ridgeline_desktop.core.toml_edits import toml_value, with_values, without

TABLES = ("first", "second", "third")


def put(text: str, new: dict, old: dict | None = None) -> str:
    """`text` with `new` in the place of `old`, which is all of the text where it is left out."""
    changed = with_values(text, tomllib.loads(text) if old is None else old, new, tables=TABLES)
    tomllib.loads(changed.removeprefix("\ufeff"))
    return changed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (7, "7"),
        (date(2026, 3, 1), "2026-03-01"),
        ("", '""'),
        ('a "b" \\ é\x7f\t', r'"a \"b\" \\ é\u007f\t"'),
        ("a\nb", '"""\na\nb"""'),
        (["a", "b"], '["a", "b"]'),
        ({"a": 1, "b": ["c"]}, '{ a = 1, b = ["c"] }'),
    ],
)
def test_values_are_written_as_toml_reads_them(value, text):
    assert toml_value(value) == text
    assert tomllib.loads(f"key = {text}")["key"] == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_was(text):
    if "\r" not in text:
        assert tomllib.loads(f"key = {toml_value(text)}")["key"] == text


@pytest.mark.parametrize(
    ("text", "new", "changed"),
    [
        ("", {"a": 1}, "a = 1\n"),
        ("# c\n", {"a": 1}, "# c\na = 1\n"),
        ("a = 1.5 # c\n", {"a": "x"}, 'a = "x" # c\n'),
        ("a = 2026-01-01 10:00:00 # c", {"a": 2}, "a = 2 # c"),
        ("a=1\n", {"a": 1, "b": 2}, "a=1\nb = 2\n"),
        ("b=1\n", {"a": 1, "b": 1}, "a = 1\nb=1\n"),
        ("  b=1\n", {"b": 1, "a": 1}, "  b=1\n  a = 1\n"),
        ("[x]\nb=1\n", {"a": 1, "x": {"b": 1}}, "a = 1\n\n[x]\nb=1\n"),
        ("# c\n\n# of x\n[x]\n", {"a": 1, "x": {}}, "# c\n\na = 1\n\n# of x\n[x]\n"),
        ("a = 1", {}, ""),
        ("a = 1\n\n# c\nb = 2\n", {"b": 2}, "\n# c\nb = 2\n"),
        ("a = { b = 1, c = 2, d = 3 }\n", {"a": {"b": 1, "d": 3}}, "a = { b = 1, d = 3 }\n"),
        ("a = { b = 1, c = 2 }\n", {"a": {"b": 1}}, "a = { b = 1 }\n"),
        ("a = { b = 1, c = 2 }\n", {"a": {"c": 2}}, "a = { c = 2 }\n"),
        ("a = { c = 2 }\n", {"a": {"b": 1, "c": 2}}, "a = { b = 1, c = 2 }\n"),
        ("a = { b = { c = 1 } }\n", {"a": {"b": {"c": 2}}}, "a = { b = { c = 2 } }\n"),
        ("a = {b={}}\n", {"a": {"b": {"c": 2}}}, "a = {b={ c = 2 }}\n"),
        ("first = {}\n", {"first": {"c": 2}}, "first = { c = 2 }\n"),
        ("[first]\n# c\n", {"first": {"c": 2}}, "[first]\nc = 2\n# c\n"),
        ("[first]\nd=1\n\n[x]\n", {"first": {"d": 1, "c": 2}, "x": {}}, "[first]\nd=1\nc = 2\n\n[x]\n"),
        ("[third]\n", {"second": {"c": 2}, "third": {}}, "[second]\nc = 2\n\n[third]\n"),
        ("[first]\n", {"first": {}, "second": {"c": 2}}, "[first]\n\n[second]\nc = 2\n"),
        ("first.b = 1\n[x]\n", {"first": {"b": 1, "c": 2}, "x": {}}, "first.b = 1\nfirst.c = 2\n[x]\n"),
        ("[x.y]\na=1\n[x]\nb=2\n", {"x": {"y": {"a": 1}, "b": 3}}, "[x.y]\na=1\n[x]\nb=3\n"),
        ('"a.b" = 1\n', {"a.b": 2}, '"a.b" = 2\n'),
        (
            "[[x]]\nc=1\n",
            {"x": [{"c": 1}], "second": {"a": 1}},
            "[[x]]\nc=1\n\n[second]\na = 1\n",
        ),
        ("a = [\n  1,\n]\nb = 1\n", {"a": [1], "b": 2}, "a = [\n  1,\n]\nb = 2\n"),
        ("a = '''\n]'''\nb = 1\n", {"a": "]", "b": 2}, "a = '''\n]'''\nb = 2\n"),
        ("a.b = 1\na.c = 2\n", {"a": 3}, "a = 3\n"),
    ],
)
def test_a_change_touches_nothing_but_its_key(text, new, changed):
    assert put(text, new) == changed
    assert tomllib.loads(changed) == new


def test_keys_that_neither_side_names_are_left_alone():
    assert put("a = 1\n# c\nb = 2 # d\n", {"c": 3}, {"a": 1}) == "# c\nb = 2 # d\nc = 3\n"
    assert put("a = 1\n", {"c": 3}, {"b": 9}) == "a = 1\nc = 3\n"


def test_lines_end_as_they_do_in_the_rest_of_the_file():
    assert (
        put("\ufeffa = 1\r\n", {"a": 1, "b": "x\ny"}, {"a": 1}) == '\ufeffa = 1\r\nb = """\r\nx\r\ny"""\r\n'
    )
    assert put("\ufeffa = 1\r\n", {"b": 1}, {"a": 1}) == "\ufeffb = 1\r\n"


def test_a_rival_is_replaced_where_it_stands():
    swaps = (("a", "b"),)
    assert with_values("x = 1\na = 1    # c\n", {"a": 1}, {"b": 22}, swaps=swaps) == "x = 1\nb = 22   # c\n"
    assert with_values("[a]\nx = 1\n", {"a": {"x": 1}}, {"b": 2}, swaps=swaps) == "b = 2\n"
    assert with_values("d.a = 1\n", {"d": {"a": 1}}, {"d": {"b": 2}}, swaps=swaps) == "d.b = 2\n"


def test_a_table_goes_with_all_that_stands_in_it():
    text = "a = 1\n[b] # c\nx = 1\n# d\n[b.c]\ny = 2\n[d]\n"
    assert without(text, ("b",)) == "a = 1\n# d\n[d]\n"


@pytest.mark.parametrize(
    ("array", "items", "changed"),
    [
        ('[\n  "a", # 1\n  # 2\n  "b" # 3\n]', ["a"], '[\n  "a", # 1\n  # 2\n]'),
        ('[\n  "a", # 1\n  # 2\n  "b" # 3\n]', ["b"], '[\n  # 2\n  "b" # 3\n]'),
        ('[\n  "a", # 1\n  # 2\n  "b" # 3\n]', [], "[\n  # 2\n]"),
        ('[\n  "a", # 1\n  # 2\n  "b" # 3\n]', ["a", "b", "c"], '[\n  "a", # 1\n  # 2\n  "b", # 3\n  "c"\n]'),
        ('[\n  "a", # 1\n  # 2\n  "b" # 3\n]', ["c", "a", "b"], '[\n  "c",\n  "a", # 1\n  # 2\n  "b" # 3\n]'),
        ('[\n  "a", # 1\n  "b", # 2\n]', ["c", "b"], '[\n  "c", # 1\n  "b", # 2\n]'),
        ('[\n  "a",\n  # 1\n  "b",\n  "c",\n]', ["a", "c"], '[\n  "a",\n  # 1\n  "c",\n]'),
        ("[ # 1\n  # 2\n]", ["a"], '[ # 1\n  "a",\n  # 2\n]'),
        ('["a",\n "b"]', ["a", "b", "c"], '["a",\n "b", "c"]'),
        ('["a"\n # 1\n , "b"]', ["a", "c"], '["a"\n # 1\n , "c"]'),
        ('[\r\n  "a",\r\n]', ["a", "b"], '[\r\n  "a",\r\n  "b",\r\n]'),
    ],
)
def test_a_list_over_several_lines_keeps_its_comments(array, items, changed):
    assert with_items(array, [toml_value(item) for item in items]) == changed
    assert tomllib.loads(f"a = {changed}")["a"] == items


texts = st.lists(st.sampled_from("abcdef"), max_size=5)


@given(old=texts, new=texts, is_closed=st.booleans())
def test_any_list_over_several_lines_takes_any_items(old, new, is_closed):
    rows = [
        f'  "{item}"{"," if is_closed or place < len(old) - 1 else ""} # {item}'
        for place, item in enumerate(old)
    ]
    array = "\n".join(["[ # begin", *rows, "  # end", "]"])
    changed = with_items(array, [f'"{item}"' for item in new])
    assert tomllib.loads(f"a = {changed}")["a"] == new
    assert changed.startswith("[ # begin\n")
    assert changed.endswith("  # end\n]")
