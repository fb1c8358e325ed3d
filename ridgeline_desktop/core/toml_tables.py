"""Reads TOML into checked values: every problem is collected with its line and what is allowed."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from ridgeline_desktop.core.schedules import parse_duration

Choice = TypeVar("Choice", bound=StrEnum)
_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*([A-Za-z0-9_.\-"' ]+?)\s*=""")
_PLACE = re.compile(r"\s*\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong in a file: the line (None = the whole file), the key ("" = none), the sentence."""

    line: int | None
    key: str
    message: str


def parse_toml(text: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The document as plain values, or ({}, the one problem that makes it no TOML)."""
    try:
        return tomllib.loads(text), ()
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place.group(1)) if place else None
        said = _PLACE.sub("", str(error))
        return {}, (Problem(line=line, key="", message=f"this is not valid TOML: {said}"),)


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line (from 1) where `path` is set, or the nearest enclosing table's line; None if unseen."""
    best: tuple[int, int] | None = None
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        heading = _HEADER.match(line)
        key = None if heading else _KEY.match(line)
        if heading:
            header = _split(heading.group(1))
            seen = header
        elif key:
            seen = header + _split(key.group(1))
        else:
            continue
        if path[: len(seen)] == seen and (best is None or len(seen) > best[0]):
            best = (len(seen), number)
    return best[1] if best else None


def _split(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


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

    def complain(self, key: str, message: str) -> None:
        """Note a problem at `key` ("" = this table as a whole)."""
        path = (*self._path, key) if key else self._path
        name = ".".join(path)
        self.problems.append(Problem(line=line_of(self._source, path), key=name, message=message))

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
        if any(ord(char) < 32 and not (char == "\n" and not one_line) for char in value):
            self.complain(key, f"{key} must not contain line breaks or control characters")
            return default
        return str(value)

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
            self.complain(key, f"{key} must be from {least} to {most}, not {value}")
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
        return value if isinstance(value, date) else None

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """A list of texts, each without control characters."""
        value = self.raw(key, (list,), 'a list of texts such as ["one", "two"]')
        if value is None:
            return default
        if not all(isinstance(item, str) for item in value):
            self.complain(key, f"every item of {key} must be a text in quotes")
            return default
        if any(ord(char) < 32 for item in value for char in item):
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
        return tuple(Table(item, source=self._source, path=(*self._path, key)) for item in value)

    def absorb(self, inner: "Table") -> None:
        """Take over the problems of a table below this one, its unknown keys included."""
        inner.refuse_unknown()
        self.problems.extend(inner.problems)

    def problems_at(self, key: str) -> bool:
        """Whether something is already wrong at `key`."""
        name = ".".join((*self._path, key))
        return any(problem.key == name for problem in self.problems)

    def refuse_unknown(self, extra: Iterable[str] = ()) -> None:
        """Complain of each key that no getter asked for, naming those that exist."""
        known = sorted(self._asked | set(extra))
        for key in self.values:
            if key not in known:
                self.complain(key, f'"{key}" is not a key here; allowed: {", ".join(known)}')


def clock_time(text: str) -> time | None:
    """The time of day written as HH:MM, or None."""
    if re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", text) is None:
        return None
    return time(int(text[:2]), int(text[3:]))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return str(value)
