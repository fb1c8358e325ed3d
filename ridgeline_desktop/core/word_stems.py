"""How alike two short English texts are, by the stems of their words and by what they mean."""

import re

from ridgeline_desktop.core.values import dataclass

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IDLE = re.compile(
    "an?|and|are|as|at|be|because|been|but|by|code|do|does|did|done|error|exception|exit|fail|for|from|get|got"
    "|had|has|have|if|in|is|it|its|job|last|no|not|of|on|or|out|run|said|says?|so|some|than|that|the|then|there"
    "|this|to|was|were|when|will|with"
)
# Ways to say the same thing, which scripts and people put differently.
_MEANINGS = {
    "no-answer": r"n[o']t (?:answer|respond|reply)|unreachable|not reachable|connectionerror|max retries"
    r"|connection ?(?:refused|reset|aborted)|establish a new connection|no route|name or service not known"
    r"|name resolution|read timed out|\bis down\b|off-?line",
    "not-readable": r"(?:cannot|can't|could not|can not) be (?:read|parsed|decoded|loaded)|unreadable|damaged"
    r"|corrupt|no json|jsondecode|\btorn\b",
    "full": r"no space|(?:disk|drive|quota|storage|card)\w* (?:is |was |are )?(?:almost )?(?:full|exceeded)",
    "missing": r"not found|no such|does not exist|doesn't exist|\bmissing\b|is gone|filenotfound",
    "not-allowed": r"permission|not permitted|not allowed|access denied|\bforbidden\b|unauthori[sz]ed"
    r"|log ?in failed|\bpassword\b|\bcredentials?\b",
}
_MEANING = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _MEANINGS.items()}
_MEANING_WEIGHT, _NUMBER_WEIGHT = 2, 3
LEAST_WEIGHT, LEAST_SHARE = 2, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a text is about: stems of its words, its numbers of three digits and more, and what it means."""

    stems: frozenset[str]
    numbers: frozenset[str]
    meanings: frozenset[str]

    @property
    def weight(self) -> int:
        """How much there is to find again; a number or a meaning says more than a word."""
        return len(self.stems) + _MEANING_WEIGHT * len(self.meanings) + _NUMBER_WEIGHT * len(self.numbers)


def words_of(text: str) -> Words:
    """The words of a text without those that say nothing."""
    meanings = frozenset(name for name, pattern in _MEANING.items() if pattern.search(text))
    for name in meanings:
        text = _MEANING[name].sub(" ", text)
    parts = [word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))]
    numbers = frozenset(part for part in parts if part.isdigit() and len(part) >= 3)
    stems = {_stem(part) for part in parts if not (_IDLE.fullmatch(part) or part in numbers)}
    telling = frozenset(stem for stem in stems if not _IDLE.fullmatch(stem))
    return Words(stems=telling, numbers=numbers, meanings=meanings)


def likeness(wanted: Words, found: Words) -> tuple[int, float]:
    """How much of `wanted` is in `found`, as weight and share; (0, 0.0) where they are about other things.

    A text that names numbers, or says what is wrong, is about nothing else than that.
    """
    numbers, meanings = wanted.numbers & found.numbers, wanted.meanings & found.meanings
    if (wanted.numbers and not numbers) or (wanted.meanings and not meanings):
        return 0, 0.0
    same = Words(stems=wanted.stems & found.stems, numbers=numbers, meanings=meanings)
    share = same.weight / wanted.weight if wanted.weight else 0.0
    return (same.weight, share) if same.weight >= LEAST_WEIGHT and share >= LEAST_SHARE else (0, 0.0)


def _stem(word: str) -> str:
    """The word without its ending, so that "answers" and "answered" are one; not a word any more."""
    word = re.sub(r"'\w+$", "", word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    word = re.sub(r"y$", "i", word)
    return re.sub(r"([^aeiou\d])\1$", r"\1", word)
