"""Changes single values of a TOML text; every other character stays: comments, order, blanks, line ends."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from ridgeline_desktop.core.toml_arrays import with_items
from ridgeline_desktop.core.toml_layout import Layout, Path, Setting, layout_of

Values = Mapping[str, Any]
_COMMENT_GAP = re.compile(r"([ \t]{2,})#")
_LONE_COMMENTS = re.compile(r"(?:[ \t]*#[^\n]*\n)+\Z")


def with_values(
    text: str,
    old: Values,
    new: Values,
    *,
    tables: Sequence[str] = (),
    swaps: Sequence[Sequence[str]] = (),
) -> str:
    """`text` where each key whose value differs between `old` and `new` says the new one, or is gone.

    Both are tables as they are read; keys of the text that neither names are left alone. New keys stand in
    the order of `new`. `tables` are those written as [table] where there are none yet, in their order; of
    keys that exclude each other, named in one of `swaps`, the new one takes the place of the old one.
    """
    for step in _steps(old, new, (), tables):
        text = step.taken(text, tables, swaps)
    return text


def toml_value(value: Any, *, newline: str = "\n") -> str:
    """A text, number, flag, date, list or table as TOML; a text of several lines stays readable."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, str) and "\n" in value:
        lines = [_escaped(line) for line in value.split("\n")]
        return '"""' + newline + newline.join(lines) + '"""'
    return f'"{_escaped(value)}"' if isinstance(value, str) else str(value)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


class _Step:
    """What becomes of the keys of one table."""

    def __init__(self, table: Path, gone: list[str], changed: list[str], new: Values) -> None:
        self._table, self._gone, self._changed, self._new = table, gone, changed, new

    def taken(self, text: str, tables: Sequence[str], swaps: Sequence[Sequence[str]]) -> str:
        gone = list(self._gone)
        for key in self._changed:
            path, value = (*self._table, key), self._new[key]
            rival = next((one for one in gone if any(one in swap and key in swap for swap in swaps)), None)
            swapped = _replaced(text, path, value)
            if swapped is None and rival:
                swapped = _swapped(text, (*self._table, rival), key, value)
                gone.remove(rival)
                text = text if swapped else without(text, (*self._table, rival))
            text = swapped or self._put(without(text, path), key, tables)
        for key in gone:
            text = without(text, (*self._table, key))
        return text

    def _put(self, text: str, key: str, tables: Sequence[str]) -> str:
        order = list(self._new)
        place = order.index(key)
        near = [(name, True) for name in order[:place][::-1]] + [(name, False) for name in order[place + 1 :]]
        return _with_key(text, self._table, key, self._new[key], near=near, tables=tables)


def _steps(old: Values, new: Values, table: Path, tables: Sequence[str]) -> Iterator[_Step]:
    gone, changed = [], []
    for key in dict.fromkeys((*new, *old)):
        before, after = old.get(key), new.get(key)
        path = (*table, key)
        if not table and key in tables:
            yield from _steps(before or {}, after or {}, path, tables)
        elif before and after and isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _steps(before, after, path, tables)
        elif key not in new:
            gone.append(key)
        elif key not in old or before != after:
            changed.append(key)
    if gone or changed:
        yield _Step(table, gone, changed, new)


def _newline_of(text: str) -> str:
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _replaced(text: str, path: Path, value: Any) -> str | None:
    setting = layout_of(text).at(path)
    if setting is None:
        return None
    written = text[setting.value : setting.end]
    if "\n" in written and written[0] == "[":
        return (
            text[: setting.value]
            + with_items(written, [toml_value(item) for item in value])
            + text[setting.end :]
        )
    return _spliced(text, setting.value, setting.end, toml_value(value, newline=_newline_of(text)))


def _swapped(text: str, path: Path, key: str, value: Any) -> str | None:
    setting = layout_of(text).at(path)
    if setting is None:
        return None
    between = text[setting.key_end : setting.value]
    return _spliced(text, setting.last_key, setting.end, f"{key}{between}{toml_value(value)}")


def _spliced(text: str, start: int, end: int, new: str) -> str:
    """Put `new` there; a comment set off by two blanks or more keeps its column where there is room."""
    gap = _COMMENT_GAP.match(text, end)
    if gap and "\n" not in text[start:end] + new:
        blanks = " " * max(len(gap[1]) - (len(new) - (end - start)), 1)
        return text[:start] + new + blanks + text[end + len(gap[1]) :]
    return text[:start] + new + text[end:]


def without(text: str, path: Path) -> str:
    """The text without everything at and below `path`; comments on lines of their own stay."""
    layout, depth = layout_of(text), len(path)
    cuts = [
        (*_line_at(text, header.start), header.start)
        for header in layout.headers
        if header.path[:depth] == path
    ]
    for setting in layout.settings:
        if setting.path[:depth] != path:
            continue
        if setting.inside is None:
            cuts.append((_line_at(text, setting.start)[0], _line_at(text, setting.end)[1], setting.start))
        elif len(setting.under) < depth:
            cuts.append((*_member_cut(layout, setting), setting.start))
    for start, end, _ in sorted(cuts, key=lambda cut: cut[2], reverse=True):
        text = text[:start] + text[end:]
    return text


def _member_cut(layout: Layout, setting: Setting) -> tuple[int, int]:
    """What goes with a member of an inline table: the comma that parts it from a neighbour."""
    beside = [one for one in layout.settings if one.inside == setting.inside]
    place = beside.index(setting)
    if place + 1 < len(beside):
        return setting.start, beside[place + 1].start
    return (beside[place - 1].end if place else setting.start), setting.end


def _line_at(text: str, position: int) -> tuple[int, int]:
    """The line around a position, with its end."""
    end = text.find("\n", position)
    return max(text.rfind("\n", 0, position) + 1, _after_mark(text)), len(text) if end < 0 else end + 1


def _after_mark(text: str) -> int:
    return len(text) - len(text.removeprefix("\ufeff"))


def _with_key(
    text: str, table: Path, key: str, value: Any, *, near: Sequence[tuple[str, bool]], tables: Sequence[str]
) -> str:
    layout = layout_of(text)
    written = toml_value(value, newline=_newline_of(text))
    members = layout.members(table)
    for name, before in near:
        beside = [one for one in members if one.path[len(table)] == name]
        if beside:
            return _beside(text, beside[-1 if before else 0], table, key, written, after=before)
    if members:
        return _beside(text, members[-1], table, key, written, after=True)
    own = layout.at(table)
    if own is not None:
        return text[: own.value] + f"{{ {key} = {written} }}" + text[own.end :]
    header = layout.header(table)
    if header is not None:
        return _with_line(text, _line_at(text, header.end)[1], f"{key} = {written}")
    return _with_table(layout, table, f"{key} = {written}", tables)


def _beside(text: str, one: Setting, table: Path, key: str, written: str, *, after: bool) -> str:
    if one.inside is not None:
        if after:
            return text[: one.end] + f", {key} = {written}" + text[one.end :]
        return text[: one.start] + f"{key} = {written}, " + text[one.start :]
    start = _line_at(text, one.start)[0]
    prefix = "".join(f"{part}." for part in table[len(one.under) :])
    line = f"{text[start : one.start]}{prefix}{key} = {written}"
    return _with_line(text, _line_at(text, one.end)[1] if after else start, line)


def _with_line(text: str, position: int, line: str) -> str:
    """Put a line in at the beginning of another, or at the end of the text."""
    newline = _newline_of(text)
    lead = newline if position > _after_mark(text) and text[position - 1] != "\n" else ""
    return text[:position] + lead + line + newline + text[position:]


def _with_table(layout: Layout, table: Path, line: str, tables: Sequence[str]) -> str:
    text, newline = layout.text, _newline_of(layout.text)
    later = tables[tables.index(table[0]) + 1 :] if table else [header.path[0] for header in layout.headers]
    following = [header for header in layout.headers if header.path[0] in (*table, *later)]
    block = f"[{table[0]}]{newline}{line}" if table else line
    if not following:
        return _with_line(text, len(text), f"{newline if table and text.strip() else ''}{block}")
    position = _line_at(text, following[0].start)[0]
    comments = _LONE_COMMENTS.search(text, _after_mark(text), position)
    position = comments.start() if comments else position
    is_parted = position == _after_mark(text) or re.search(r"\n\r?\n\Z", text[:position])
    return _with_line(text, position, ("" if is_parted else newline) + block + newline)
