"""Puts other texts into an array that is written over several lines; comments and layout stay."""

import re
import tomllib
from collections.abc import Sequence
from difflib import SequenceMatcher

from ridgeline_desktop.core.toml_layout import texts_of
from ridgeline_desktop.core.values import dataclass, replace

_COMMA = re.compile(r"(?:\s|#[^\n]*)*,")
_LINE_END = re.compile(r"[ \t\r]*(?:#[^\n]*)?\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One item, what stands before it, and what stands behind it and its comma on the same line."""

    before: str
    item: str
    after: str
    has_comma: bool


def with_items(array: str, wanted: Sequence[str]) -> str:
    """The array with the `wanted` texts, each as TOML writes it, in its brackets.

    What stays keeps its place and its comments. A comment behind an item goes with it, one on a line of its
    own stays.
    """
    opening, rows, closing = _taken_apart(array)
    old = [_meant(row.item) for row in rows]
    kept: list[_Row] = []
    left = ""
    matcher = SequenceMatcher(a=old, b=[_meant(item) for item in wanted], autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        fresh = [] if tag == "equal" else list(wanted[begin:end])
        for row in rows[first:last]:
            if tag == "equal":
                kept.append(replace(row, before=left + row.before))
            elif fresh:
                kept.append(replace(row, before=left + row.before, item=fresh.pop(0)))
            else:
                left += _own_lines(row.before)
                continue
            left = ""
        for item in fresh:
            kept.append(_new_row(item, kept, rows, array))
    items = [
        f"{row.before}{row.item}{',' if row.has_comma or row is not kept[-1] else ''}{row.after}"
        for row in kept
    ]
    return opening + "".join(items) + left + closing


def _taken_apart(array: str) -> tuple[str, list[_Row], str]:
    line_end = _LINE_END.match(array, 1)
    at = begin = line_end.end() if line_end else 1
    rows = []
    for start, end in texts_of(array):
        before, comma = array[at:start], _COMMA.match(array, end)
        item = array[start : comma.end() - 1] if comma else array[start:end]
        at = comma.end() if comma else end
        line_end = _LINE_END.match(array, at)
        after = line_end[0] if line_end else ""
        at += len(after)
        rows.append(_Row(before=before, item=item, after=after, has_comma=comma is not None))
    return array[:begin], rows, array[at:]


def _meant(item: str) -> str:
    return str(tomllib.loads(f"item = [{item}\n]")["item"][0])


def _own_lines(before: str) -> str:
    return before[: before.rfind("\n") + 1] if "#" in before else ""


def _new_row(item: str, kept: Sequence[_Row], rows: Sequence[_Row], array: str) -> _Row:
    newline = "\r\n" if "\r\n" in array else "\n"
    beside = next(iter((*kept[-1:], *rows)), None)
    if beside is None:
        return _Row(before="  ", item=item, after=newline, has_comma=True)
    indent = beside.before.rpartition("\n")[2]
    after = newline if beside.after.endswith("\n") else ""
    return _Row(before=indent, item=item, after=after, has_comma=(rows or kept)[-1].has_comma)
