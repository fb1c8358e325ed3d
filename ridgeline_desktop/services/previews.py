"""What a schedule form shows while it is filled in: words, next runs, cautions, the text to be registered."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.clock_changes import note_for
from ridgeline_desktop.core.draft_tables import checked, with_limits
from ridgeline_desktop.core.drafts import DraftProblem, ScheduleDraft
from ridgeline_desktop.core.errors import CannotExpress
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.fire_times import fire_times
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.registrations import Registration
from ridgeline_desktop.core.schedule_cautions import cautions_of, shared_minutes
from ridgeline_desktop.core.schedules import BackendName, in_words
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.services.jobs import Shop
from ridgeline_desktop.services.surveying import Reading, Surveying, chosen_for, is_wanted, remembered_for

NEXT_RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRun:
    """One fire time (UTC) and what is odd about it ("" = nothing)."""

    at: datetime
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulePreview:
    """What a draft would mean. With problems everything else is empty.

    `native` is the exact text that would be registered, "" where nothing would be; `backend` who starts it
    (NONE = nobody here). `zone` is the clock that the times are read on.
    """

    problems: tuple[DraftProblem, ...] = ()
    sentence: str = ""
    next_runs: tuple[NextRun, ...] = ()
    cautions: tuple[str, ...] = ()
    native: str = ""
    backend: BackendName = BackendName.NONE
    zone: ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a preview is judged against, looked up once when the form opens. `known` is our own record."""

    shop: Shop
    surveying: Surveying
    readings: tuple[Reading, ...]
    known: Registration | None


def preview(draft: ScheduleDraft, *, job: Job, around: Surroundings, now: datetime) -> SchedulePreview:
    """The preview of `draft` as the schedule of `job`; asks no scheduler and no records."""
    answer, shop = checked(draft), around.shop
    if answer.schedule is None or answer.run is None:
        return SchedulePreview(problems=answer.problems, zone=shop.zone)
    meant = replace(job, schedule=answer.schedule, run=with_limits(job.run, answer.run))
    zone = zone_of(meant.schedule, shop.zone)
    fires = tuple(islice(fire_times(meant.schedule, zone=zone, after=now), NEXT_RUNS))
    backend, native, known = _starter(meant, around)
    others = [other for other in shop.jobs() if other.job_id != job.job_id and is_wanted(other, shop)]
    return SchedulePreview(
        sentence=_capital(in_words(meant.schedule)),
        next_runs=tuple(
            NextRun(at=fire, note=note_for(meant.schedule, zone=zone, fire=fire)) for fire in fires
        ),
        cautions=(
            *(_capital(text) for text in known),
            *cautions_of(meant, zone=zone, now=now),
            *shared_minutes(meant, others, fires, zone=zone, shop_zone=shop.zone),
        ),
        native=native,
        backend=backend,
        zone=zone,
    )


def _starter(job: Job, around: Surroundings) -> tuple[BackendName, str, tuple[str, ...]]:
    """Who would start the job, the text for it, and what stands in the way or should be known of it."""
    if not job.is_scheduled:
        return BackendName.NONE, "", ()
    if not is_wanted(job, around.shop):
        return BackendName.NONE, "", ("this job runs on another computer; here nothing starts it",)
    try:
        chosen = chosen_for(job, around.readings, remembered_for(job, around.known))
    except CannotExpress as error:
        return BackendName.NONE, "", (str(error),)
    entry = around.surveying.entry(job, around.shop.zone)
    objections = around.surveying.objections(chosen.backend, entry)
    native = "" if objections else chosen.backend.preview(entry)
    return chosen.backend.name, native, (*objections, *_state(chosen))


def _state(chosen: Reading) -> Iterator[str]:
    if chosen.error:
        yield chosen.error
    elif chosen.service.running is False and chosen.backend.name is not BackendName.IN_APP:
        yield chosen.service.sentence
    if chosen.backend.name is BackendName.IN_APP:
        yield "it runs only while Ridgeline is open on this computer"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")
