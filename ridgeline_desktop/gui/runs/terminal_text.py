"""A run's bytes as lines that a window can show: whatever they are, nothing in them is obeyed."""

import codecs
import re
from collections.abc import Iterable

from ridgeline_desktop.core.output_lines import speaks_of_trouble
from ridgeline_desktop.core.values import dataclass

LONGEST_LINE = 2000
LONGEST_ESCAPE = 4096
_TRACEBACK = "Traceback (most recent call last)"
_ESCAPE = re.compile(
    r"""
      \x1b\[ [0-?]* [\ -/]* [@-~]                          # colours, moves of the cursor
    | \x1b[\]PX^_] [^\x07\x1b]{0,4096} (?: \x07 | \x1b\\ ) # titles, links and the like
    | \x1b[\ -/]+ [0-~]
    | \x1b [0-OQ-WYZ\\`a-~]
    """,
    re.VERBOSE,
)
_CUT_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)\Z")
# Controls, what turns the direction of text, what Qt takes for the end of a line or a frame.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufdd0-\ufdef\ufff0-\uffff]"
    "|[\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The lines that are complete now, and the beginning of one that is not ("" = none)."""

    complete: tuple[str, ...]
    partial: str


class Terminal:
    """Takes the output of one run in pieces, cut anywhere, and gives its lines.

    Colours and other commands to a terminal vanish; of a line that overwrote itself the last state stays;
    invalid bytes and control characters become signs; what a line has beyond 2,000 characters is counted.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._line = _Line()

    def feed(self, piece: bytes, *, is_last: bool = False) -> Lines:
        """The lines that this piece completes; with `is_last` the unfinished one among them."""
        text = self._held + self._decoder.decode(piece, final=is_last)
        text = _ESCAPE.sub("", text)
        cut = None if is_last else _CUT_ESCAPE.search(text)
        is_held = cut is not None and len(text) - cut.start() <= LONGEST_ESCAPE
        text, self._held = (text[: cut.start()], text[cut.start() :]) if cut and is_held else (text, "")
        if text.endswith("\r") and not is_last:
            text, self._held = text[:-1], "\r" + self._held  # it may be the first half of an end of line
        complete = []
        *ends, rest = text.split("\n")
        for end in ends:
            self._line.add(end.removesuffix("\r"))
            complete.append(self._line.shown())
            self._line = _Line()
        self._line.add(rest)
        partial = self._line.shown()
        if is_last and partial:
            complete.append(partial)
            self._line, partial = _Line(), ""
        return Lines(complete=tuple(complete), partial=partial)


class _Line:
    """One line as it grows; keeps no more of it than is shown."""

    def __init__(self) -> None:
        self._text, self._more = "", 0

    def add(self, text: str) -> None:
        states = [state for state in text.split("\r") if state] if "\r" in text else [text]
        if "\r" in text:
            if len(states) > 1 or (text.startswith("\r") and states):
                self._text, self._more = "", 0
            text = states[-1] if states else ""
        room = LONGEST_LINE - len(self._text)
        self._text += text[:room]
        self._more += max(0, len(text) - room)

    def shown(self) -> str:
        text = _HARMFUL.sub(_sign, self._text)
        return f"{text} … ({self._more:,} more characters)" if self._more else text


class Problems:
    """Keeps the lines that speak of trouble; a traceback is kept as a whole."""

    def __init__(self) -> None:
        self._in_traceback = False

    def kept(self, lines: Iterable[str]) -> list[str]:
        """Those of the next lines that tell of something that went wrong."""
        return [line for line in lines if self._is_kept(line)]

    def _is_kept(self, line: str) -> bool:
        if _TRACEBACK in line:
            self._in_traceback = True
            return True
        if self._in_traceback:
            self._in_traceback = line.startswith(" ")
            return True
        return speaks_of_trouble(line)


def plain_text(output: bytes) -> list[str]:
    """All lines of an output that is complete."""
    return list(Terminal().feed(output, is_last=True).complete)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
