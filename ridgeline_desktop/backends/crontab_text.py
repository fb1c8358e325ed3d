"""Crontabs as bytes: our marked block in front, every other byte as it was; no tool is called here."""

import re
from collections.abc import Sequence

from ridgeline_desktop.core.errors import BackendError
from ridgeline_desktop.core.values import dataclass

BEGIN = b"# >>> Ridgeline Desktop: do not edit between these lines >>>"
END = b"# <<< Ridgeline Desktop <<<"
# Limits of Debian's cron 3.0pl1, the narrowest of the crons: bytes of a command, lines of a table.
LONGEST_LINE = 998
MOST_LINES = 10_000

_NAME = b"# ridgeline: "
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
# What cron takes for a variable: a name, bare or quoted, and an equals sign.
_SETTING = re.compile(rb"""[ \t]*(?:"[^"]*"|'[^']*'|[^\s=#"'][^\s=]*)[ \t]*=""")
_PROGRAM = re.compile(
    rb"[ \t]*(?:@\w+|[^\s#]+(?:[ \t]+[^ \t]+){4})[ \t]+(?:'(?P<quoted>[^']*)'|(?P<plain>[^ \t']+))(?:[ \t]|$)"
)
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_./:=@-]+")
_REFUSED = re.compile(r"[%\\'\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HOW_TO_MEND = "Open the crontab with crontab -e, take the block out with all its marks, and register again."


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEntry:
    """One job in our block: its name and its cron lines, without line ends."""

    name: str
    lines: tuple[bytes, ...]

    @property
    def text(self) -> bytes:
        """All its lines as they stand in the crontab, its name first, without a last line end."""
        return b"\n".join((_NAME + self.name.encode(), *self.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Crontab:
    """A crontab taken apart; what others wrote is `before` and `after`.

    Lines inside our block that are no job's count as the beginning of `after`: they are others' too.
    `is_displaced`: a variable is set above a job of ours, so that the job is not started as we meant.
    """

    before: bytes
    entries: tuple[BlockEntry, ...]
    after: bytes
    has_block: bool
    is_displaced: bool


def parse(text: bytes) -> Crontab:
    """Take a crontab apart; BackendError where our marks do not enclose exactly one block."""
    lines = _LINE.findall(text)
    marks = [(place, line.strip()) for place, line in enumerate(lines) if line.strip() in (BEGIN, END)]
    if not marks:
        return Crontab(before=text, entries=(), after=b"", has_block=False, is_displaced=False)
    if [mark for _, mark in marks] != [BEGIN, END]:
        raise BackendError(_marks_in_words([(place + 1, mark) for place, mark in marks]))
    first, last = marks[0][0], marks[1][0]
    entries, loose = _entries(lines[first + 1 : last])
    above = lines[:first] + loose
    return Crontab(
        before=b"".join(lines[:first]),
        entries=entries,
        after=b"".join(loose + lines[last + 1 :]),
        has_block=True,
        is_displaced=any(_SETTING.match(line) for line in above),
    )


def _marks_in_words(marks: list[tuple[int, bytes]]) -> str:
    places = ", ".join(str(place) for place, _ in marks)
    kinds = [mark for _, mark in marks]
    if kinds in ([BEGIN], [END]):
        problem = f"only one of the two marks around Ridgeline's block is in the crontab (line {places})"
    elif kinds[:2] == [BEGIN, BEGIN]:
        problem = f"Ridgeline's block in the crontab begins twice before it ends (marks in lines {places})"
    elif kinds == [BEGIN, END] * (len(kinds) // 2):
        problem = f"Ridgeline's block stands in the crontab more than once (marks in lines {places})"
    else:
        problem = f"the marks of Ridgeline's block in the crontab do not pair up (lines {places})"
    return f"{problem}; nothing was changed. {_HOW_TO_MEND}"


def _entries(lines: Sequence[bytes]) -> tuple[tuple[BlockEntry, ...], list[bytes]]:
    """The jobs of the block, and the lines above the first of them, which somebody else put there."""
    loose: list[bytes] = []
    found: list[tuple[str, list[bytes]]] = []
    for line in lines:
        name = line.removeprefix(_NAME).removesuffix(b"\n")
        if line.startswith(_NAME) and name:
            found.append((name.decode(errors="backslashreplace"), []))
        elif found:
            found[-1][1].append(line.removesuffix(b"\n"))
        else:
            loose.append(line)
    return tuple(BlockEntry(name=name, lines=tuple(body)) for name, body in found), loose


def with_entries(old: bytes, entries: Sequence[BlockEntry]) -> bytes:
    """Give the crontab with exactly these entries as ours: in a block at its top, or no block for none.

    All else keeps its bytes and order, only that a last line without a line end gets one, since crons refuse
    or ignore it. BackendError where writing could damage a line or cron would not take the result.
    """
    table = parse(old)
    if not entries and not table.has_block:
        return old
    foreign = table.before + table.after
    if foreign and not foreign.endswith(b"\n"):
        foreign += b"\n"
    _refuse_returns(foreign)
    block = b"\n".join((BEGIN, *(entry.text for entry in entries), END, b"")) if entries else b""
    new = block + foreign
    if any(len(line) > LONGEST_LINE for entry in entries for line in entry.lines):
        raise BackendError(f"a line for the crontab is longer than the {LONGEST_LINE} bytes cron reads.")
    if new.count(b"\n") > MOST_LINES:
        raise BackendError(f"the crontab would have more than the {MOST_LINES} lines cron reads; tidy it.")
    return new


def _refuse_returns(foreign: bytes) -> None:
    # Debian's `crontab -l` prints a carriage return as these two characters; written back they would stay so.
    for number, line in enumerate(foreign.split(b"\n"), start=1):
        if line.endswith(rb"\r"):
            raise BackendError(
                f"line {number} of the crontab (not counting Ridgeline's) has a Windows line end, which is "
                "damaged by reading it and writing it back; nothing was changed. Remove the carriage returns "
                "with an editor (crontab -e), then register again."
            )


def cron_line(pattern: str, argv: Sequence[str]) -> bytes:
    """Give one line: when, and the command with its words quoted for cron's shell where they need it."""
    words = [word if _PLAIN_WORD.fullmatch(word) else f"'{word}'" for word in argv]
    return " ".join((pattern, *words)).encode(errors="backslashreplace")


def word_problem(word: str) -> str:
    """Say why a word of a command cannot stand in a crontab; empty where it can."""
    found = _REFUSED.search(word)
    if not found:
        return ""
    return (
        f"{word!a} holds {found[0]!a}, which cron or its shell does not pass on as it is; "
        "use a path and words without % \\ ' and control characters"
    )


def program_in(lines: Sequence[bytes]) -> str:
    """Give the program the first of these cron lines starts; empty where it cannot be made out."""
    found = _PROGRAM.match(lines[0]) if lines else None
    word = (found["quoted"] or found["plain"]) if found else None
    return word.decode(errors="backslashreplace") if word else ""
