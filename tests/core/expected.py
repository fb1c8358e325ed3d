"""Words that the tests of expectations share: jobs by their schedule, instants by Toronto's clock."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.expectations import JobState, after_change, expectation_of, new_state
from ridgeline_desktop.core.health import Assessment, Health, assess
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.runs import Actor

TORONTO = ZoneInfo("America/Toronto")
SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))
OK, LATE, OVERDUE, NEVER = Health.OK, Health.LATE, Health.OVERDUE, Health.NEVER_SUCCEEDED
# March 2026: the 2nd is a Monday, the clocks go forward on the 8th.


def job(schedule: str, run: str = "") -> Job:
    text = f'command = ["true"]\n[schedule]\n{schedule}\n[run]\n{run}\n'
    found = read_job_file("report.toml", text, shop_zone=TORONTO.key)
    assert found.job is not None, found.sentences()
    return found.job


def local(text: str) -> datetime:
    """An instant in UTC, written as Toronto's clock shows it."""
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=TORONTO).astimezone(UTC)


def seen(one: Job, since: str = "01-01 00:00") -> JobState:
    return new_state(one, now=local(since))


def due(
    one: Job, *, anchor: str | None, state: JobState | None = None, resumed: str | None = None
) -> datetime | None:
    return expectation_of(
        one,
        state or seen(one),
        anchor=local(anchor) if anchor else None,
        resumed_at=local(resumed) if resumed else None,
        zone=TORONTO,
    ).due


def health(
    one: Job, state: JobState, *, anchor: str | None, now: str, resumed: str | None = None
) -> Assessment:
    success = local(anchor) if anchor else None
    resumed_at = local(resumed) if resumed else None
    found = expectation_of(one, state, anchor=success, resumed_at=resumed_at, zone=TORONTO)
    return assess(last_success=success, due=found.due, grace=found.grace, now=local(now))


ACTOR = Actor(name="Theo", host="till", via="cli")


def edited(
    state: JobState, into: Job, *, anchor: str | None, now: str, resumed: str | None = None
) -> JobState:
    return after_change(
        into,
        state,
        anchor=local(anchor) if anchor else None,
        resumed_at=local(resumed) if resumed else None,
        zone=TORONTO,
        now=local(now),
    )


DAILY = job('daily = ["05:30"]')
WEEKLY = job('weekly = { days = ["mon"], at = ["06:30"] }')
QUARTER = job('every = "15 minutes"')
OPEN_HOURS = job('every = "15 minutes"\nbetween = "08:00-18:00"\ndays = ["mon", "tue", "wed", "thu", "fri"]')
