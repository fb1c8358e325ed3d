"""What a runbook says about running its job again."""

import re

LONGEST = 600
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_ABOUT_AGAIN = re.compile(r"\bsafe\b|\bagain\b|re-?run|repeat|twice", re.IGNORECASE)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|\[([^\]]*)\]\([^)]*\)")


def is_it_safe(markdown: str) -> str:
    """The first paragraph below the heading that speaks of a repeat, as plain text; "" for none."""
    found: list[str] = []
    is_inside = False
    for line in markdown.splitlines():
        heading = _HEADING.match(line)
        if heading or _FENCE.match(line):
            if is_inside:
                break
            is_inside = heading is not None and _ABOUT_AGAIN.search(heading[1]) is not None
        elif is_inside and line.strip():
            found.append(line.strip())
        elif found:
            break
    text = _MARKS.sub(r"\1", " ".join(found))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
