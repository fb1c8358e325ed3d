"""What the card of a job says: its colour's cause, the proof, what to do, and with which buttons."""

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Step, StepKind
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.by_hand_words import why_not_by_hand
from ridgeline_desktop.gui.kit.cards import Tone
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import step_word, when_text

translate = QCoreApplication.translate
BROKEN, UNREADABLE = "broken-job-file", "records-unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A button: what it says, the step it stands for, and why it is off ("" = it is on)."""

    word: str
    step: Step
    objection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """All that the card shows."""

    tone: Tone
    shape: Shape
    heading: str
    reasons: tuple[ReasonLine, ...]
    offers: tuple[Offer, ...] = ()


def why_of(row: JobRow, *, zone: ZoneInfo, now: datetime) -> Why:
    """What is to be said of this job now, in the colour of its attention."""
    if row.health is Health.PAUSED and row.attention is Attention.GREEN:
        tone, shape, heading = Tone.GREY, Shape.PAUSED, translate("why", "Why is this paused?")
    else:
        tone, shape, heading = _colour(row)
    if row.attention is Attention.GREEN and row.health is not Health.PAUSED:
        fine = ReasonLine(code="fine", text=_fine(row, zone, now))
        return Why(tone=tone, shape=shape, heading=heading, reasons=(fine, *row.reasons), offers=_offers(row))
    reasons = tuple(_spelled(row, reason) for reason in row.reasons)
    return Why(
        tone=tone, shape=shape, heading=heading, reasons=reasons or (_summary(row),), offers=_offers(row)
    )


def _colour(row: JobRow) -> tuple[Tone, Shape, str]:
    own = {Health.NEVER_SUCCEEDED: Shape.NEVER, Health.UNKNOWN: Shape.UNKNOWN}.get(row.health)
    red, amber = own or Shape.OVERDUE, own or Shape.LATE
    if row.health is Health.UNKNOWN and row.attention is Attention.AMBER:
        return Tone.AMBER, amber, translate("why", "Why can nobody tell how it is?")
    return {
        Attention.RED: (Tone.RED, red, translate("why", "Why is this red?")),
        Attention.AMBER: (Tone.AMBER, amber, translate("why", "Why is this amber?")),
        Attention.GREY: (Tone.GREY, Shape.UNKNOWN, translate("why", "Why is this grey?")),
        Attention.GREEN: (Tone.PLAIN, Shape.OK, _all_well(row)),
    }[row.attention]


def _all_well(row: JobRow) -> str:
    if row.health is Health.NEVER_SUCCEEDED:
        return translate("why", "Nothing is wrong: it has not been due yet")
    return translate("why", "Everything is fine")


def _fine(row: JobRow, zone: ZoneInfo, now: datetime) -> str:
    parts = []
    if row.last_success is not None:
        when = when_text(row.last_success.started_at, zone=zone, now=now)
        parts.append(translate("why", "Last success: {when}").format(when=when))
    if row.next_fire is not None:
        when = when_text(row.next_fire, zone=zone, now=now)
        parts.append(translate("why", "next run: {when}").format(when=when))
    text = " · ".join(parts)
    return text[:1].upper() + text[1:] if text else _summary(row).text


def _summary(row: JobRow) -> ReasonLine:
    return ReasonLine(code="summary", text=row.summary[:1].upper() + row.summary[1:])


def _spelled(row: JobRow, reason: ReasonLine) -> ReasonLine:
    """A broken job file with a line for each mistake; records without what the banner says of them."""
    if reason.code == UNREADABLE:
        return ReasonLine(code=reason.code, text=reason.text, steps=reason.steps)
    if reason.code != BROKEN or not row.problems:
        return reason
    file = f"jobs/{row.job_id}.toml"
    text = translate("why", "Its job file is not in order, so nobody can tell how it is doing.")
    whole = translate("why", "{file}: {problem}")
    lined = translate("why", "{file}, line {line}: {problem}")
    proof = tuple(
        whole.format(file=file, problem=problem.message)
        if problem.line is None
        else lined.format(file=file, line=problem.line, problem=problem.message)
        for problem in row.problems
    )
    return ReasonLine(code=reason.code, text=text, proof=proof, steps=reason.steps)


def _offers(row: JobRow) -> tuple[Offer, ...]:
    """One button for each kind of step; whoever looks after the job can always be asked about trouble."""
    steps: dict[StepKind, Step] = {}
    for reason in row.reasons:
        for step in reason.steps:
            if step.kind is not StepKind.WAIT:
                steps.setdefault(step.kind, step)
    if row.attention is not Attention.GREEN:
        asking = steps.pop(StepKind.ASK, Step(kind=StepKind.ASK, text=""))
        steps[StepKind.ASK] = asking
    who = row.job.looked_after_by if row.job else ""
    return tuple(
        Offer(word=step_word(kind, who), step=step, objection=_objection(row, kind))
        for kind, step in steps.items()
    )


def _objection(row: JobRow, kind: StepKind) -> str:
    return why_not_by_hand(row) if kind is StepKind.RUN_NOW else ""
