"""What a runbook's Markdown says and where: headings, the one that fits a failure, what is missing."""

import re
from collections.abc import Iterator

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.job_facts import did_not_work
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.core.word_stems import likeness, words_of

PICTURES_AT_MOST = 20
_FENCE = re.compile(r" {0,3}(`{3,}(?!.*`)|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>|#]|\d+[.)])|[ \t]*$")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_MARKS = re.compile(r"\*+|`+|~~|(?<!\w)_+|_+(?!\w)")
_LABEL = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?([^:*|]{2,60}?)(?:\*\*|__)?:(?:\*\*|__)?\s*\S")
_PICTURE = re.compile(r"!\[[^\]]*\]\(\s*(?:<([^>\n]+)>|([^)\s]+))")
_PICTURE_ELSEWHERE = re.compile(r" {0,3}\[[^\]]+\]:\s*(?:<([^>\n]+)>|(\S+))")
_RASTER = re.compile(r"(?!/|[a-z][a-z0-9+.-]*:)[^?#\\]+\.(?:png|jpe?g|gif|webp|bmp)", re.IGNORECASE)
_EXIT_CODE = re.compile(r"\b(?:exit\w*|codes?|status|returns?|error)\b", re.IGNORECASE)
_ANY_ERROR = re.compile(
    r"\b(?:other|any|unknown|every)\b.*\b(?:codes?|errors?|failures?|trouble)", re.IGNORECASE
)
_QUOTED = re.compile("“(.+)”")


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# How people head what to do about a cause. The first are asked before the output is, for what a job says
# before it is cut short tells little.
_CUT_SHORT = {
    "timed-out": _rule(
        r"(?:ran|runs|running|run) out of time|timed? ?-?out|too long|time limit|deadline|hangs"
    ),
    "interrupted": _rule(
        r"interrupted|cut short|power (?:cut|fail)|(?:went|switched|turned) off|restarted|crashe"
    ),
    "success-rule": _rule(r"ended well|(?:did|does) ?n[o']t (?:say|print)|said nothing|says nothing"),
}
_CAUSES = {
    "lock-held": _rule(r"\block(?:ed|s)?\b|(?:still|already) (?:running|runs|going on)"),
    "lock-dead": _rule(r"\block(?:ed|s)?\b"),
    "lock-cannot-tell": _rule(r"\block(?:ed|s)?\b"),
    "could-not-start": _rule(r"(?:could|can|did|does|do|will) ?n[o']t start|won't start|cannot start"),
    "stopped": _rule(r"\bstopped\b|ended by"),
    "failed": _ANY_ERROR,
    "never-succeeded": _rule(r"never (?:\w+ ){0,2}(?:succeeded|worked|ran|run)|first run"),
    "overdue": _rule(r"\bred\b|overdue|silent"),
    "late": _rule(r"\bamber\b|\blate\b"),
}
_WHEN_IT_FAILS = _rule(
    r"fail|trouble|goes wrong|problem|broken|incident|\bif (?:it|something)\b|recover|\bred\b"
)
_WANTED = (
    (
        _rule(r"what (?:it|this|the job) (?:does|is)|purpose|about|overview|summary|^what\b(?!.*touch)"),
        None,
        "what the job does",
    ),
    (
        _rule(r"touch|change|write|affect|uses?\b|needs?\b|reads?\b|inputs?|outputs?|systems|depends|data\b"),
        _rule(r"\bonly reads\b|\btouches\b"),
        "what the job touches",
    ),
    (
        _rule(r"safe|again|re-?run|repeat|twice|idempoten"),
        _rule(
            r"\b(?:safe|harmless|dangerous) to (?:re-?run|run|repeat|start)"
            r"|never run (?:it|this) (?:again|twice)"
        ),
        "whether it is safe to run again",
    ),
    (_WHEN_IT_FAILS, None, "what to do when it fails"),
    (
        _rule(r"\bask\b|contact|\bwho\b|owner|\bcall\b|looks? after|responsible|escalat|support|\bhelp\b"),
        _rule(r"\b(?:ask|call|tell|phone|mail) [A-Z]|\blooks after\b"),
        "who to ask",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading as it is shown, without marks; `level` 1 to 6, `line` from 1."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What went wrong with a job, as far as it helps to find a heading; empty = nothing did.

    `codes` are words of the machine, the most specific first: those of reasons, run statuses and healths.
    `lines` are what a run said of its trouble, or what is said of it.
    """

    codes: tuple[str, ...] = ()
    exit_code: int | None = None
    lines: tuple[str, ...] = ()


def failure_of(row: JobRow) -> Failure:
    """What went wrong with the job of this row, from its last run and from why its light is not green."""
    codes = [reason.code for reason in row.reasons]
    lines = [text for reason in row.reasons for text in (reason.text, *reason.proof)]
    last = row.last_run
    if last is not None and did_not_work(last):
        codes += (last.reason_code.value, last.status.value)
        lines.append(last.reason)
    if row.health in (Health.OVERDUE, Health.LATE, Health.NEVER_SUCCEEDED) and not row.quiet:
        codes.append(row.health.value)
    quoted = [found for text in lines for found in _QUOTED.findall(text)]
    failed = last is not None and last.status is RunStatus.FAILED
    return Failure(
        codes=tuple(code for code in codes if code),
        exit_code=last.exit_code if failed and last is not None else None,
        lines=tuple(line for line in (*quoted, *lines) if line),
    )


def headings(text: str) -> tuple[Heading, ...]:
    """The headings in their order; what looks like one inside a block of code is none."""
    found: list[Heading] = []
    above = ""
    for number, line in _prose(text):
        heading = _ATX.match(line)
        underline = _UNDERLINE.match(line)
        if heading:
            found.append(Heading(level=len(heading[1]), text=_plain(heading[2] or ""), line=number))
        elif underline and not _NO_PARAGRAPH.match(above):
            level = 1 if underline[1].startswith("=") else 2
            found.append(Heading(level=level, text=_plain(above), line=number - 1))
        above = "" if heading or underline else line
    return tuple(heading for heading in found if heading.text)


def heading_for(text: str, failure: Failure) -> str:
    """The heading under which the failure is described, the most specific; "" where none fits.

    Numbers and words of what the run said count more than the number it ended with, and that more than
    the colour of the light; where nothing fits it is the section about failures in general.
    """
    if not (failure.codes or failure.lines or failure.exit_code):
        return ""
    known = tuple(heading for heading in headings(text) if heading.level > 1) or headings(text)
    found = (
        _by_cause(known, failure.codes, _CUT_SHORT)
        or _by_lines(known, failure.lines)
        or _by_exit_code(known, failure.exit_code)
        or _by_cause(known, failure.codes, _CAUSES)
        or next((heading for heading in known if _WHEN_IT_FAILS.search(heading.text)), None)
    )
    return found.text if found else ""


def missing_sections(text: str) -> tuple[str, ...]:
    """What it does not say, each as the end of "It doesn't say …"; an empty section says nothing."""
    titles, prose = _titles(text), "\n".join(line for _, line in _prose(text))
    return tuple(
        what
        for title, said, what in _WANTED
        if not any(title.search(each) for each in titles) and not (said and said.search(prose))
    )


def picture_paths(text: str) -> tuple[str, ...]:
    """The pictures that the text asks for by a path relative to itself, as written; at most twenty.

    Addresses, absolute paths and everything but PNG, JPEG, GIF, WebP and BMP are left out.
    """
    found: dict[str, None] = {}
    for _, line in _prose(text):
        for match in (*_PICTURE.finditer(line), *_PICTURE_ELSEWHERE.finditer(line)):
            path = match[1] or match[2]
            if _RASTER.fullmatch(path):
                found[path] = None
    return tuple(found)[:PICTURES_AT_MOST]


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside of fenced code, each with its number."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = _FENCE.match(line)
        if not fence:
            if mark:
                fence = mark[1]
            else:
                yield number, line
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""


def _plain(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


def _by_cause(
    known: tuple[Heading, ...], codes: tuple[str, ...], rules: dict[str, re.Pattern[str]]
) -> Heading | None:
    for code in codes:
        for heading in known:
            if code in rules and rules[code].search(heading.text):
                return heading
    return None


def _by_lines(known: tuple[Heading, ...], lines: tuple[str, ...]) -> Heading | None:
    said = tuple(map(words_of, lines))
    best: tuple[tuple[int, float], Heading] | None = None
    for heading in known:
        if _names_exit_code(heading):
            continue
        wanted = words_of(heading.text)
        score = max((likeness(wanted, words) for words in said), default=(0, 0.0))
        if score > (0, 0.0) and (best is None or score > best[0]):
            best = (score, heading)
    return best[1] if best else None


def _by_exit_code(known: tuple[Heading, ...], exit_code: int | None) -> Heading | None:
    number = str(exit_code)
    return next(
        (each for each in known if _names_exit_code(each) and number in re.findall(r"\d+", each.text)), None
    )


def _names_exit_code(heading: Heading) -> bool:
    return _EXIT_CODE.search(heading.text) is not None and re.search(r"\d", heading.text) is not None


def _titles(text: str) -> tuple[str, ...]:
    """Headings with something below them, and labels with something behind them ("Contact: Jordan")."""
    known = headings(text)
    filled = [number for number, line in _prose(text) if line.strip() and not _UNDERLINE.match(line)]
    ends = {
        heading.line: next(
            (h.line for h in known if h.line > heading.line and h.level <= heading.level), None
        )
        for heading in known
    }
    titles = [
        heading.text
        for heading in known
        if any(heading.line < number < (ends[heading.line] or number + 1) for number in filled)
    ]
    labels = [match[1] for _, line in _prose(text) if (match := _LABEL.match(line))]
    return (*titles, *labels)
