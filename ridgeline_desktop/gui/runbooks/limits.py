"""How much of a runbook is laid out: a window must not stand still for a text that is out of bounds."""

MOST_LETTERS = 60_000
MOST_LINES = 2_000
# Each row of a table, each picture and each level of a list costs many times what a line does.
MOST_CELL_MARKS = 3_000
MOST_PICTURE_MARKS = 200
MOST_PLAIN = 200_000
LONGEST_LINE = 1_000


def can_be_formatted(text: str) -> bool:
    """Whether the text is small enough to be shown with headings, tables and lists."""
    return (
        len(text) <= MOST_LETTERS
        and text.count("\n") <= MOST_LINES
        and text.count("|") <= MOST_CELL_MARKS
        and text.count("![") <= MOST_PICTURE_MARKS
    )


def plain_excerpt(text: str) -> str:
    """The beginning of a text that is too large, with its endless lines broken."""
    shown = text[:MOST_PLAIN]
    lines = [
        line[start : start + LONGEST_LINE]
        for line in shown.split("\n")
        for start in range(0, max(1, len(line)), LONGEST_LINE)
    ]
    return "\n".join(lines)
