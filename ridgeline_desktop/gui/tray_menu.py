"""What the tray's menu and tooltip say of a snapshot, as plain values."""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.by_hand import RerunAnswer, by_hand_needs
from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.job_facts import did_not_work, last_ended
from ridgeline_desktop.core.registrations import DRIFT, RegistrationState
from ridgeline_desktop.core.runs import Trigger
from ridgeline_desktop.core.snapshots import BannerKind, JobRow, Snapshot
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.by_hand_words import why_not_in_brief
from ridgeline_desktop.gui.kit.icons import shape_of
from ridgeline_desktop.gui.kit.shapes import Shape

MOST_UNHEALTHY = 5
MOST_TO_RUN = 8
LONGEST_TITLE = 40
LONGEST_BANNER = 70
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_RANK = {Attention.RED: 0, Attention.AMBER: 1, Attention.GREY: 2}

translate = QCoreApplication.translate


class Ask(StrEnum):
    """What choosing an entry asks for; NOTHING = it cannot be chosen."""

    NOTHING = "nothing"
    OPEN = "open"
    SHOW = "show"
    RUN = "run"
    RUNBOOK = "runbook"
    SETTINGS = "settings"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the menu; without `text` a separator, with `entries` a submenu."""

    text: str = ""
    ask: Ask = Ask.NOTHING
    job_id: str = ""
    shape: Shape | None = None
    entries: tuple["Entry", ...] = ()

    @property
    def is_on(self) -> bool:
        """Whether it can be chosen, or opened."""
        return self.ask is not Ask.NOTHING or bool(self.entries)

    def is_like(self, other: "Entry") -> bool:
        """Whether both are the same line, which may only have new words or a new picture."""
        mine, others = (self.job_id, bool(self.text)), (other.job_id, bool(other.text))
        return mine == others and are_alike(self.entries, other.entries)


def are_alike(some: tuple[Entry, ...], others: tuple[Entry, ...]) -> bool:
    """Whether two menus have the same lines in the same places."""
    return len(some) == len(others) and all(map(Entry.is_like, some, others))


def count_of(snapshot: Snapshot) -> int:
    """How many jobs make the tray red or amber; 0 for the other colours."""
    if snapshot.attention not in (Attention.RED, Attention.AMBER):
        return 0
    return sum(row.attention is snapshot.attention for row in snapshot.rows)


def tooltip_of(snapshot: Snapshot) -> str:
    """ "Ridgeline: 1 overdue, 11 OK": every job is counted once, the worst first."""
    rows = snapshot.rows
    to_look_at = sum(_only_needs_a_look(row) for row in rows)
    health = [row.health for row in rows if not _only_needs_a_look(row)]
    counts: tuple[tuple[int, Callable[[int], str]], ...] = (
        (health.count(Health.OVERDUE), lambda n: translate("Tray", "%n overdue", "", n)),
        (health.count(Health.NEVER_SUCCEEDED), lambda n: translate("Tray", "%n never succeeded", "", n)),
        (health.count(Health.LATE), lambda n: translate("Tray", "%n late", "", n)),
        (to_look_at, lambda n: translate("Tray", "%n to look at", "", n)),
        (health.count(Health.UNKNOWN), lambda n: translate("Tray", "%n can't tell", "", n)),
        (health.count(Health.PAUSED), lambda n: translate("Tray", "%n paused", "", n)),
        (health.count(Health.OK), lambda n: translate("Tray", "%n OK", "", n)),
    )
    said = [words(count) for count, words in counts if count]
    # Windows remembers where an icon belongs by how its tooltip begins, so the first word stays.
    nothing = translate("Tray", "can't tell") if _is_blind(snapshot) else translate("Tray", "no jobs yet")
    return "Ridgeline: " + (", ".join(said) or nothing)


def _is_blind(snapshot: Snapshot) -> bool:
    return any(banner.kind is not BannerKind.FIRST_START for banner in snapshot.banners)


def menu_of(snapshot: Snapshot | None) -> tuple[Entry, ...]:
    """The menu's lines; before the first look (None) without anything about jobs."""
    start = (Entry(text=translate("Tray", "Open Ridgeline"), ask=Ask.OPEN), Entry())
    end = (
        Entry(text=translate("Tray", "Settings…"), ask=Ask.SETTINGS),
        Entry(text=translate("Tray", "Quit Ridgeline…"), ask=Ask.QUIT),
    )
    if snapshot is None:
        return (*start, *end)
    to_run = Entry(text=translate("Tray", "Run now"), entries=_jobs_to_run(snapshot.rows))
    return (*start, *_how_it_is(snapshot), Entry(), to_run, *end)


def _how_it_is(snapshot: Snapshot) -> tuple[Entry, ...]:
    unhealthy = sorted((row for row in snapshot.rows if row.attention in _RANK), key=_rank)
    if not unhealthy:
        return (_calm(snapshot),)
    shown = tuple(_unhealthy(row) for row in unhealthy[:MOST_UNHEALTHY])
    more = len(unhealthy) - len(shown)
    if not more:
        return shown
    return (*shown, Entry(text=translate("Tray", "and %n more…", "", more), ask=Ask.OPEN))


def _rank(row: JobRow) -> int:
    return _RANK[row.attention]


def _calm(snapshot: Snapshot) -> Entry:
    """The one line where no job stands out, which need not mean that all is well."""
    if snapshot.attention is Attention.GREEN:
        text = translate("Tray", "Everything is OK. Looked at {time}.")
        time = snapshot.taken_at.astimezone(snapshot.zone).strftime("%H:%M")
        return Entry(text=text.format(time=time))
    telling = [banner for banner in snapshot.banners if banner.kind is not BannerKind.FIRST_START]
    if telling:
        titles = {row.job_id: row.title for row in snapshot.rows}
        text = _short(telling[0].text_with(titles), LONGEST_BANNER)
        return Entry(text=text, ask=Ask.OPEN, shape=Shape.LATE)
    if not snapshot.rows:
        return Entry(text=translate("Tray", "No jobs yet."))
    if snapshot.attention is Attention.GREY:
        return Entry(text=translate("Tray", "Every job is paused."))
    return Entry(text=translate("Tray", "Something needs a look…"), ask=Ask.OPEN, shape=Shape.LATE)


def _unhealthy(row: JobRow) -> Entry:
    entries = (
        _run_now(row),
        _runbook(row),
        Entry(text=translate("Tray", "Show"), ask=Ask.SHOW, job_id=row.job_id),
    )
    shape = Shape.LATE if row.attention is Attention.AMBER else shape_of(row)
    if row.attention is Attention.GREY:
        shape = Shape.UNKNOWN
    return Entry(text=_sentence(row), job_id=row.job_id, shape=shape, entries=entries)


def _sentence(row: JobRow) -> str:
    job = _short(row.title, LONGEST_TITLE)
    if row.attention is Attention.RED and row.health is Health.NEVER_SUCCEEDED:
        text = translate("Tray", "{job} has never succeeded")
    elif row.attention is Attention.RED:
        text = translate("Tray", "{job} is overdue")
    elif row.health is Health.LATE:
        text = translate("Tray", "{job} is late")
    elif did_not_work(last_ended(row.recent)):
        text = translate("Tray", "The last run of {job} failed")
    elif row.registration is RegistrationState.NEVER_REGISTERED:
        text = translate("Tray", "{job} is not registered here")
    elif row.registration in DRIFT:
        text = translate("Tray", "{job} is not as registered")
    elif row.problems:
        text = translate("Tray", "The file of {job} has a mistake")
    elif row.attention is Attention.GREY:
        text = translate("Tray", "Can't tell how {job} is")
    else:
        text = translate("Tray", "{job} needs a look")
    return text.format(job=job)


def _only_needs_a_look(row: JobRow) -> bool:
    return row.health is Health.OK and row.attention is Attention.AMBER


def _runbook(row: JobRow) -> Entry:
    if row.job is None or not row.job.runbook:
        return Entry(text=translate("Tray", "Open runbook (there is none)"), job_id=row.job_id)
    return Entry(text=translate("Tray", "Open runbook"), ask=Ask.RUNBOOK, job_id=row.job_id)


def _run_now(row: JobRow) -> Entry:
    if reason := why_not_in_brief(row):
        text = translate("Tray", "Run now ({reason})").format(reason=reason)
        return Entry(text=text, job_id=row.job_id)
    asks = by_hand_needs(row) is RerunAnswer.ASK
    text = translate("Tray", "Run now…") if asks else translate("Tray", "Run now")
    return Entry(text=text, ask=Ask.RUN, job_id=row.job_id)


def _jobs_to_run(rows: tuple[JobRow, ...]) -> tuple[Entry, ...]:
    """The jobs that were last run by hand, then the others by title."""
    known = [row for row in rows if row.job is not None]
    by_title = sorted(known, key=lambda row: row.title.casefold())
    chosen = sorted(by_title, key=_last_by_hand, reverse=True)[:MOST_TO_RUN]
    entries = tuple(_to_run(row) for row in chosen)
    if len(chosen) == len(known):
        return entries
    return (*entries, Entry(), Entry(text=translate("Tray", "All jobs…"), ask=Ask.OPEN))


def _last_by_hand(row: JobRow) -> datetime:
    started = (record.started_at for record in row.recent if record.trigger is Trigger.MANUAL)
    return max(started, default=_LONG_AGO)


def _to_run(row: JobRow) -> Entry:
    title = _short(row.title, LONGEST_TITLE)
    if reason := why_not_in_brief(row):
        text = translate("Tray", "{job} ({reason})").format(job=title, reason=reason)
        return Entry(text=text, job_id=row.job_id)
    asks = by_hand_needs(row) is RerunAnswer.ASK
    return Entry(text=f"{title}…" if asks else title, ask=Ask.RUN, job_id=row.job_id)


def _short(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
