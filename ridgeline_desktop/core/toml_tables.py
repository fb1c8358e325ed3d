"""Reads TOML into checked values: every problem is collected with its line and what is allowed."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

from ridgeline_desktop.core.schedules import parse_duration
from ridgeline_desktop.core.values import dataclass

Choice = TypeVar("Choice", bound=StrEnum)
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
# All of a TOML text but its blanks, so that its keys can be found by character and by line.
TOKEN = re.compile(
    r"""
      \"{3}[^"\\]*(?:(?:\\.|"{1,2}(?!"))[^"\\]*)*"{3,5}   # texts over several lines
    | '{3}[^']*(?:'{1,2}(?!')[^']*)*'{3,5}
    | "[^"\\\n]*(?:\\.[^"\\\n]*)*"                        # texts on one line
    | '[^'\n]*'
    | \#[^\n]*
    | [^\s"'\#=\[\]{},.]+
    | [\n=\[\]{},.]
    """,
    re.VERBOSE | re.DOTALL,
)
_HINTS = {
    "Invalid value": "; a text goes in quotes",
    "Illegal character '\\n'": "; a closing quote is missing",
}
_FIRST_YEAR, _LAST_YEAR = 1970, 2999
_LONGEST_SHOWN = 60
_LARGEST_SHOWN = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong in a file: the line (None = the whole file), the key ("" = none), the sentence."""

    line: int | None
    key: str
    message: str


def parse_toml(text: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The document as plain values, or ({}, the one problem that makes it no TOML)."""
    text = text.removeprefix("\ufeff")
    try:
        return tomllib.loads(text), ()
    except tomllib.TOMLDecodeError as error:
        return {}, (_no_toml(text, str(error)),)
    except (ValueError, RecursionError):
        message = "this is not valid TOML: a number is too long, or brackets are nested too deeply"
        return {}, (Problem(line=None, key="", message=message),)


def _no_toml(text: str, error: str) -> Problem:
    twice = _set_twice(text) if error.startswith("Cannot ") else None
    if twice is not None:
        return twice
    place = _PLACE.search(error)
    line = int(place[1]) if place and place[1] else len(text.rstrip("\n").split("\n"))
    said = _PLACE.sub("", error)
    return Problem(
        line=line, key="", message=printable(f"this is not valid TOML: {said}{_HINTS.get(said, '')}")
    )


def _set_twice(text: str) -> Problem | None:
    first: dict[tuple[str, ...], int] = {}
    for path, line in _keys(text):
        if path in first:
            name = printable(_dotted(path))
            message = f'"{name}" is set twice, first in line {first[path]}; keep one of them'
            return Problem(line=line, key=name, message=message)
        first[path] = line
    return None


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line (from 1) where `path` is set, or the nearest enclosing table's line; None if unseen.

    The n-th table of a [[list]] is the part "#n" of a path, counted from 0.
    """
    lines = _lines(text)
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), None)


@lru_cache(maxsize=4)
def _lines(text: str) -> Mapping[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for path, line in _keys(text.removeprefix("\ufeff")):
        for length in range(len(path), 0, -1):
            found.setdefault(path[:length], line)
    return found


def _keys(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Each header and each key that stands outside a value, in order, with its line."""
    header: tuple[str, ...] = ()
    tables: dict[tuple[str, ...], int] = {}
    parts: list[str] = []
    line, depth, brackets, in_value = 1, 0, 0, False
    for token in (match[0] for match in TOKEN.finditer(text)):
        if in_value:
            depth += (token in ("[", "{")) - (token in ("]", "}"))
            in_value = token != "\n" or depth > 0
        elif token == "[":
            brackets += 1
        elif token == "]":
            header = _placed(parts, tables, is_listed=brackets > 1)
            yield header, line
            parts, brackets, in_value = [], 0, True
        elif token == "=":
            yield header + tuple(parts), line
            parts, depth, in_value = [], 0, True
        elif token == "\n":
            parts, brackets = [], 0
        elif token != "." and not token.startswith("#"):
            parts.append(unquoted(token))
        line += token.count("\n")


def _placed(parts: Sequence[str], tables: dict[tuple[str, ...], int], *, is_listed: bool) -> tuple[str, ...]:
    """The path of a header, through the newest table of each list on its way."""
    path: tuple[str, ...] = ()
    for number, part in enumerate(parts, start=1):
        path = (*path, part)
        if is_listed and number == len(parts):
            tables[path] = tables.get(path, -1) + 1
        if path in tables:
            path = (*path, f"#{tables[path]}")
    return path


def unquoted(key: str) -> str:
    """The name that a key stands for as it is written, with quotes or without."""
    if key[0] not in "\"'":
        return key
    try:
        return str(tomllib.loads(f"key = {key}")["key"])
    except tomllib.TOMLDecodeError:
        return key


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(part for part in path if not part.startswith("#"))


def printable(text: str) -> str:
    """The text on one line and without what a terminal would obey instead of show."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


class Table:
    """One TOML table while it is read. Each getter takes a key, checks it, and notes what is wrong.

    A getter that finds a problem gives the default, so that all problems of a file come out at once.
    """

    def __init__(self, values: Mapping[str, Any], *, source: str, path: tuple[str, ...] = ()) -> None:
        self.values = values
        self._source = source
        self._path = path
        self._asked: set[str] = set()
        self.problems: list[Problem] = []

    def complain(self, key: str, message: str, *, below: str = "") -> None:
        """Note a problem at `key` ("" = this table as a whole), or at what stands `below` it."""
        path = (*self._path, *filter(None, (key, below)))
        self.problems.append(
            Problem(line=line_of(self._source, path), key=_dotted(path), message=printable(message))
        )

    def has(self, key: str) -> bool:
        """Whether the key is present, whatever its value."""
        return key in self.values

    def raw(self, key: str, kinds: tuple[type, ...], wanted: str) -> Any:
        """The value if it is one of `kinds`, else None (after a complaint where it is present)."""
        self._asked.add(key)
        if key not in self.values:
            return None
        value = self.values[key]
        if isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds):
            return value
        self.complain(key, f"{key} must be {wanted}, not {_shown(value)}")
        return None

    def text(self, key: str, default: str = "", *, one_line: bool = True) -> str:
        """A string without control characters."""
        value = self.raw(key, (str,), "a text in quotes")
        if value is None:
            return default
        if _has_controls(value if one_line else value.replace("\n", "")):
            self.complain(key, f"{key} must not contain line breaks or control characters")
            return default
        return str(value)

    def full_path(self, key: str, example: str, *, from_home: bool = True) -> str:
        """A path that means the same wherever the reader stands; `from_home` allows a leading ~."""
        value = self.text(key)
        is_full = value.startswith("/") or value[1:3] == ":\\"
        if value and not is_full and not (from_home and (value == "~" or value.startswith("~/"))):
            self.complain(key, f'{key} must be a full path such as "{example}", not {_shown(value)}')
        return value

    def flag(self, key: str, default: bool) -> bool:
        """A boolean."""
        value = self.raw(key, (bool,), "true or false")
        return default if value is None else bool(value)

    def whole(self, key: str, default: int, *, least: int, most: int) -> int:
        """A whole number between both bounds, bounds included."""
        value = self.raw(key, (int,), f"a whole number from {least} to {most}")
        if value is None:
            return default
        if not least <= value <= most:
            self.complain(key, f"{key} must be from {least} to {most}, not {_shown(value)}")
            return default
        return int(value)

    def choice(self, key: str, kind: type[Choice], default: Choice) -> Choice:
        """One member of the enumeration `kind`."""
        allowed = ", ".join(f'"{member.value}"' for member in kind)
        value = self.raw(key, (str,), f"one of {allowed}")
        if value is None:
            return default
        if value not in [member.value for member in kind]:
            self.complain(key, f"{key} must be one of {allowed}, not {_shown(value)}")
            return default
        return kind(value)

    def duration(self, key: str, default: timedelta | None) -> timedelta | None:
        """A length of time such as "15 minutes"."""
        value = self.raw(key, (str,), 'a length of time such as "15 minutes"')
        if value is None:
            return default
        try:
            return parse_duration(value)
        except ValueError as error:
            self.complain(key, f"{key}: {error}")
            return default

    def day(self, key: str) -> date | None:
        """A date written without quotes, such as 2026-01-31."""
        value = self.raw(key, (date, str), "a date such as 2026-01-31, without quotes")
        if isinstance(value, datetime | str):
            self.complain(key, f"{key} must be a date such as 2026-01-31, without quotes and without a time")
            return None
        if value is not None and not _FIRST_YEAR <= value.year <= _LAST_YEAR:
            self.complain(key, f"{key} must lie in the years {_FIRST_YEAR} to {_LAST_YEAR}, not {value}")
            return None
        return value if isinstance(value, date) else None

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts, each without control characters."""
        value = self.raw(key, (list,), 'a list of texts such as ["one", "two"]')
        if value is None:
            return default
        if not all(isinstance(item, str) for item in value):
            self.complain(key, f"every item of {key} must be a text in quotes")
            return default
        if any(_has_controls(item) for item in value):
            self.complain(key, f"{key} must not contain line breaks or control characters")
            return default
        return tuple(value)

    def wholes(self, key: str, default: tuple[int, ...], *, least: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers between both bounds."""
        value = self.raw(key, (list,), "a list of whole numbers such as [0]")
        if value is None:
            return default
        fits = all(type(item) is int and least <= item <= most for item in value)
        if not fits or not value:
            self.complain(key, f"{key} must list whole numbers from {least} to {most}, at least one")
            return default
        return tuple(value)

    def times(self, key: str) -> tuple[time, ...]:
        """A list of clock times such as ["06:30", "18:00"], sorted; a repeated one is a problem."""
        found = []
        for item in self.texts(key):
            moment = clock_time(item)
            if moment is None:
                self.complain(key, f'{key}: "{item}" is not a time; write hours and minutes, such as "06:30"')
                return ()
            found.append(moment)
        if len(set(found)) != len(found):
            self.complain(key, f"{key} names the same time twice")
        if self.has(key) and not found and not self.problems_at(key):
            self.complain(key, f'{key} must name at least one time, such as ["06:30"]')
        return tuple(sorted(set(found)))

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """A table of texts, in its order."""
        inner = self.table(key)
        found = []
        for name in inner.values:
            found.append((name, inner.text(name)))
        self.absorb(inner)
        return tuple(found)

    def table(self, key: str) -> "Table":
        """The table below `key`, empty where there is none; `absorb` it when done."""
        value = self.raw(key, (dict,), "a table")
        return Table(value or {}, source=self._source, path=(*self._path, key))

    def tables(self, key: str) -> tuple["Table", ...]:
        """The list of tables below `key` ([[key]])."""
        value = self.raw(key, (list,), f"written as [[{key}]]") or []
        if not all(isinstance(item, dict) for item in value):
            self.complain(key, f"{key} must be written as [[{key}]], one for each")
            return ()
        return tuple(
            Table(item, source=self._source, path=(*self._path, key, f"#{number}"))
            for number, item in enumerate(value)
        )

    def absorb(self, inner: "Table") -> None:
        """Take over the problems of a table below this one, its unknown keys included."""
        inner.refuse_unknown()
        self.problems.extend(inner.problems)

    def problems_at(self, key: str) -> bool:
        """Whether something is already wrong at `key`."""
        name = _dotted((*self._path, key))
        return any(problem.key == name for problem in self.problems)

    def refuse_unknown(self, extra: Iterable[str] = ()) -> None:
        """Complain, once, of each key that is neither asked for nor in `extra`, naming those that exist."""
        self._asked.update(extra)
        known = ", ".join(sorted(self._asked))
        for key in self.values:
            if key not in self._asked:
                self.complain(key, f"{_shown(key)} is not a key here; allowed: {known}")
        self._asked.update(self.values)


def clock_time(text: str) -> time | None:
    """The time of day written as HH:MM, or None."""
    if re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text) is None:
        return None
    return time(int(text[:2]), int(text[3:]))


def _has_controls(text: str) -> bool:
    return any(char < " " or "\x7f" <= char < "\xa0" or char in "\u2028\u2029" for char in text)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= _LONGEST_SHOWN else f'"{value[:_LONGEST_SHOWN]}…"'
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > _LARGEST_SHOWN:
        return "a number as large as that"
    return str(value)
