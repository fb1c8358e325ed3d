"""What a run's output says of its failure: the lines that tell, made fit to be shown anywhere."""

import re

_TELLING = re.compile(
    r"""
      error | exception | fatal | fail | abort | panic | denied | refused | killed | invalid | unreachable
    | unable | cannot | can't | could\ not | not\ found | not\ permitted | no\ such | no\ space | timed?\ ?out
    | (?:\b|_)(?:http(?:/[\d.]+)?|status|code|response|answered|returned|got)\W{1,3}[45]\d\d\b
    | (?-i:\b[45]\d\d\ [A-Z][a-z])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ALL_WELL = re.compile(
    r"\b(?:0|no|without) (?:errors?|failures?|failed|exceptions?)\b|(?:errors?|failures?|failed) ?[:=] ?0\b",
    re.IGNORECASE,
)
_TRACEBACK = "Traceback (most recent call last)"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")
# A time and a level before what a line says: "2026-03-02 10:45:01,123 ERROR no stock".
_STAMP = re.compile(
    r"""
      (?: \[? \d{4}-\d\d-\d\d [T\ ] \d\d:\d\d (?: :\d\d (?: [.,]\d+ )? )?
          (?: Z | [+-]\d\d:?\d\d )? \]? [\s:|-]+ )?
      (?: \[? (?: ERROR | FATAL | CRITICAL ) \]? [\s:|-]+ | (?i: error | fatal ): \s+ )?
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+")
LONGEST_LINE = 200


def telling_line(output: bytes) -> str:
    """The line of a run's output that says most about its failure, "" where there is none.

    That is the last one that speaks of trouble, the exception at a traceback's end among them; else the last.
    """
    return next(reversed(telling_lines(output, most=1)), "")


def telling_lines(output: bytes, *, most: int) -> tuple[str, ...]:
    """The last lines that speak of trouble, oldest first; the very last where none does.

    Of lines that differ in their numbers alone, as those of one loop, only the newest is given.
    """
    lines = said_lines(output)
    found = [_shortened(line) for line in _spoken(lines) or lines[-1:]]
    newest_of: dict[str, str] = {}
    for line in reversed(found):
        newest_of.setdefault(_NUMBER.sub("#", line), line)
    return tuple(reversed(list(newest_of.values())[:most]))


def last_lines(output: bytes, *, most: int) -> tuple[str, ...]:
    """The last lines that say anything, oldest first."""
    return tuple(_shortened(line) for line in said_lines(output)[-most:])


def said_lines(output: bytes) -> list[str]:
    """All lines that say anything, oldest first, made fit to be shown."""
    return [line for line in map(plain_line, output.decode("utf-8", "replace").splitlines()) if line.strip()]


def without_stamp(line: str) -> str:
    """The line without the time and the level that logs put first; the whole line where nothing else is."""
    return _STAMP.sub("", line, count=1) or line


def _shortened(line: str) -> str:
    line = line.strip()
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def _spoken(lines: list[str]) -> list[str]:
    found, in_traceback = [], False
    for line in lines:
        if _TRACEBACK in line:
            in_traceback = True
        elif not (in_traceback and line[0] == " "):
            if in_traceback or speaks_of_trouble(line):
                found.append(line)
            in_traceback = False
    return found


def speaks_of_trouble(line: str) -> bool:
    """Whether a line of output, looked at alone, tells of something that went wrong."""
    return _TELLING.search(line) is not None and _ALL_WELL.search(line) is None


def plain_line(line: str) -> str:
    """The line without a terminal's colours, and a space for whatever else cannot be shown."""
    return "".join(char if char.isprintable() else " " for char in _ESCAPE.sub("", line)).rstrip()
