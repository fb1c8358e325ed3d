"""The message that asks whoever looks after a job for help, with everything secret masked."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.output_lines import said_lines
from ridgeline_desktop.core.runs import RunRecord
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.texts import clock_text, sentence_of
from ridgeline_desktop.core.values import dataclass

MASK = "•••"
OUTPUT_LINES = 50
LONGEST_LINE = 500
_SHORTEST_SECRET = 4
_RUNS_TOLD = 5
# Words that mean a secret wherever they stand in a name, and those that do only as a word of their own.
_ANYWHERE = r"(?:(?:api|access|private)[_-]?key|passw(?:or)?d|passphrase|pgpass|secret|token|credential)"
_ALONE = r"(?:key|pass|pwd|pin|auth|cookie|signature)"
_NAME = rf"(?<![\w-])(?:[\w-]*{_ANYWHERE}[\w-]*|(?:[\w-]*[_-])?{_ALONE}s?(?:[_-][\w-]*)?)(?![\w-])"
_SECRET_NAME = re.compile(_NAME, re.IGNORECASE)
_HEADER = re.compile(r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)(\"?'?\s*[:=]\s*)[^\r\n]+")
_SCHEME = re.compile(r"(?i)\b(bearer|basic|digest)(\s+)[A-Za-z0-9._~+/=-]{6,}")
_ADDRESS = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@]+@")
_VALUE = r"(\"[^\"\r\n]*\"|'[^'\r\n]*'|[^\s&,;\"']+)"
_SETTING = re.compile(rf"({_NAME})([\"']?\s*(?:=>|[:=])\s*){_VALUE}", re.IGNORECASE)
_OPTION = re.compile(
    rf"(?<!\S)(-{{1,2}}[\w-]*(?:{_ANYWHERE}|(?<=-){_ALONE}))(\s+)(?!-){_VALUE}", re.IGNORECASE
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S
)
_KNOWN_SHAPE = re.compile(
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[\w-]{10,}|[sr]k_(?:live|test)_\w{10,}|AKIA[0-9A-Z]{16}"
    r"|shp[a-z]{2}_[A-Fa-f0-9]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it would be sent: one line of subject, and its text."""

    subject: str
    body: str


def compose_message(row: JobRow, *, output: bytes, zone: ZoneInfo, now: datetime, place: str = "") -> Message:
    """What is known of the job's trouble, with the end of `output` (the newest run's), nothing secret in it.

    Plain words first; below them what only whoever looks after the job needs. Times are the shop's, in
    `zone`. `place` is the computer's name ("" = left out).
    """
    name = row.job.looked_after_by if row.job else ""
    secrets = secret_values(dict(row.job.environment) if row.job else {})
    lines = end_of_output(output, secrets=secrets)
    parts = (
        f"Hello {name}," if name else "Hello,",
        _in_plain_words(row, zone=zone, now=now),
        f"For {name}:" if name else "For whoever looks after it:",
        _facts(row, zone=zone, now=now, place=place),
        _why(row),
        _runs(row, zone, now),
        "The end of the output:\n" + "\n".join(lines) if lines else "It wrote no output.",
    )
    body = masked("\n\n".join(part for part in parts if part), secrets=secrets)
    subject = masked(f"{row.title}: {row.summary}", secrets=secrets)
    return Message(subject=subject, body=body + "\n")


def masked(text: str, *, secrets: Iterable[str] = ()) -> str:
    """The text with these values hidden, and whatever looks like a password, a key or a token."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    text = _PRIVATE_KEY.sub(MASK, text)
    text = _ADDRESS.sub(rf"\g<1>{MASK}@", text)
    text = _HEADER.sub(rf"\g<1>\g<2>{MASK}", text)
    text = _SCHEME.sub(rf"\g<1>\g<2>{MASK}", text)
    text = _OPTION.sub(rf"\g<1>\g<2>{MASK}", text)
    text = _SETTING.sub(rf"\g<1>\g<2>{MASK}", text)
    return _KNOWN_SHAPE.sub(MASK, text)


def secret_values(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables whose names speak of a secret; those too short to be one are left out.

    Of a value of several lines, each line is one too.
    """
    return tuple(
        part
        for name, value in environment.items()
        if _SECRET_NAME.search(name)
        for part in dict.fromkeys((value, *value.splitlines()))
        if len(part) >= _SHORTEST_SECRET
    )


def end_of_output(output: bytes, *, secrets: Iterable[str] = ()) -> list[str]:
    """The last 50 lines that say anything, fit to be read anywhere, with nothing secret in them."""
    told = "\n".join(said_lines(output)[-OUTPUT_LINES:])
    shown = masked(told, secrets=secrets).splitlines()
    return [line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…" for line in shown]


def _in_plain_words(row: JobRow, *, zone: ZoneInfo, now: datetime) -> str:
    """What is the matter, since when, and when it last worked."""
    state = _state(row, zone=zone, now=now)
    lines = [f"“{row.title}” needs a look{': ' if state else ''}{state}."]
    lines += [
        reason.text if reason.text.endswith((".", "!", "?", "…")) else f"{reason.text}."
        for reason in row.reasons
    ]
    if row.last_success is not None:
        ended = row.last_success.finished_at or row.last_success.started_at
        lines.append(f"It last worked {clock_text(ended, zone=zone, now=now)}.")
    if row.next_fire is not None:
        lines.append(f"Its next run is {clock_text(row.next_fire, zone=zone, now=now)}.")
    return "\n".join(lines)


def _state(row: JobRow, *, zone: ZoneInfo, now: datetime) -> str:
    if row.health in (Health.LATE, Health.OVERDUE) and row.due is not None:
        begun = row.due if row.health is Health.LATE else row.due + row.grace
        return f"it has been {row.health.value} since {clock_text(begun, zone=zone, now=now)}"
    return {
        Health.OK: "",
        Health.NEVER_SUCCEEDED: "it has never worked on this computer",
        Health.UNKNOWN: "nobody can tell how it is doing",
    }.get(row.health, f"it is {row.health.value}")


def _facts(row: JobRow, *, zone: ZoneInfo, now: datetime, place: str) -> str:
    where = f" on {place}" if place else ""
    written = f"{now.astimezone(zone):%Y-%m-%d %H:%M} ({zone.key})"
    lines = [f"{row.job_id}{where}, written {written}", sentence_of(row.summary)]
    if row.due is not None:
        lines.append(f"Due {clock_text(row.due, zone=zone, now=now)}")
    return "\n".join(lines)


def _why(row: JobRow) -> str:
    """The causes that are proven, each with its proof; the others stand in the plain words."""
    lines: list[str] = []
    for reason in row.reasons:
        lines += [reason.text, *(f"  - {proof}" for proof in reason.proof)] if reason.proof else ()
    return "What proves it:\n" + "\n".join(lines) if lines else ""


def _runs(row: JobRow, zone: ZoneInfo, now: datetime) -> str:
    records = row.recent or ((row.last_run,) if row.last_run else ())
    lines = [_run(record, zone, now) for record in records[:_RUNS_TOLD]]
    return "The newest runs:\n" + "\n".join(lines) if lines else ""


def _run(record: RunRecord, zone: ZoneInfo, now: datetime) -> str:
    started = clock_text(record.started_at, zone=zone, now=now)
    times = f" ({record.count} times)" if record.count > 1 else ""
    reason = f": {record.reason}" if record.reason else ""
    return f"  {started}  {record.status.value.replace('-', ' ')}{times}{reason}  [run {record.run_id}]"
