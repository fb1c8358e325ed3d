"""Where the keys and tables of a TOML text stand, by character."""

from collections.abc import Iterator

from ridgeline_desktop.core.toml_tables import TOKEN, unquoted
from ridgeline_desktop.core.values import dataclass

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One `key = value`. `under` is the path of the header, or of the inline table, that it stands in.

    `last_key` is where the last part of a dotted key begins. `inside` is where the inline table that holds it
    begins, None for one on a line of its own.
    """

    path: Path
    under: Path
    start: int
    last_key: int
    key_end: int
    value: int
    end: int
    inside: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """One `[table]` or `[[table]]`; the path of the latter ends with "[]", so that nothing is put into it."""

    path: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """All settings and headers in the order of the text."""

    text: str
    settings: tuple[Setting, ...]
    headers: tuple[Header, ...]

    def at(self, path: Path) -> Setting | None:
        """The one setting of exactly this path; None where it is spread over several, or not there."""
        return next((setting for setting in self.settings if setting.path == path), None)

    def header(self, path: Path) -> Header | None:
        """The header of exactly this path."""
        return next((header for header in self.headers if header.path == path), None)

    def members(self, table: Path) -> list[Setting]:
        """What stands in `table` where something can be put beside it; none from tables below it."""
        depth = len(table)
        return [
            setting
            for setting in self.settings
            if len(setting.path) > depth
            and setting.path[:depth] == table
            and setting.under == table[: len(setting.under)]
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Token:
    text: str
    start: int
    end: int


def layout_of(text: str) -> Layout:
    """The layout of a text that is valid TOML; a byte order mark may stand before it."""
    reader = _Reader(text)
    reader.read()
    return Layout(text=text, settings=tuple(reader.settings), headers=tuple(reader.headers))


def texts_of(array: str) -> tuple[tuple[int, int], ...]:
    """Where each text of an array of texts begins and ends; `array` is as written, with its brackets."""
    return tuple((token.start, token.end) for token in _tokens(array) if token.text[0] in "\"'")


def _tokens(text: str) -> Iterator[_Token]:
    mark = len(text) - len(text.removeprefix("\ufeff"))
    for match in TOKEN.finditer(text, mark):
        yield _Token(text=match[0], start=match.start(), end=match.end())


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = [*_tokens(text), _Token(text="\n", start=len(text), end=len(text))]
        self._at = 0
        self.settings: list[Setting] = []
        self.headers: list[Header] = []

    def read(self) -> None:
        under: Path = ()
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token.text == "[":
                under = self._header()
            elif token.text == "\n" or token.text[0] == "#":
                self._at += 1
            else:
                self._setting(under, inside=None)

    def _header(self) -> Path:
        start, brackets, parts = self._tokens[self._at].start, 0, []
        while self._tokens[self._at].text != "]":
            token = self._take()
            brackets += token.text == "["
            if token.text not in ("[", "."):
                parts.append(unquoted(token.text))
        while self._tokens[self._at].text == "]":
            end = self._take().end
        path = (*parts, "[]") if brackets > 1 else tuple(parts)
        self.headers.append(Header(path=path, start=start, end=end))
        return path

    def _setting(self, under: Path, *, inside: int | None) -> None:
        keys = []
        while self._tokens[self._at].text != "=":
            token = self._take()
            if token.text != ".":
                keys.append(token)
        self._take()
        path = (*under, *(unquoted(key.text) for key in keys))
        value, number = self._tokens[self._at].start, len(self.settings)
        end = self._value(path)
        setting = Setting(
            path=path,
            under=under,
            start=keys[0].start,
            last_key=keys[-1].start,
            key_end=keys[-1].end,
            value=value,
            end=end,
            inside=inside,
        )
        self.settings.insert(number, setting)

    def _value(self, path: Path) -> int:
        """Step over a value; give its end."""
        token = self._take()
        if token.text == "{":
            return self._inline(path, token.start)
        if token.text == "[":
            return self._array()
        end = token.end
        while self._tokens[self._at].text not in ("\n", ",", "}") and self._tokens[self._at].text[0] != "#":
            end = self._take().end
        return end

    def _inline(self, path: Path, start: int) -> int:
        while self._tokens[self._at].text != "}":
            if self._tokens[self._at].text == ",":
                self._at += 1
            else:
                self._setting(path, inside=start)
        return self._take().end

    def _array(self) -> int:
        depth = 1
        while depth:
            token = self._take()
            depth += (token.text in ("[", "{")) - (token.text in ("]", "}"))
        return token.end

    def _take(self) -> _Token:
        token = self._tokens[self._at]
        self._at += 1
        return token
