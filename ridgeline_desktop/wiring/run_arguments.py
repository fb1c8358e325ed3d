"""The arguments of `ridgeline run`, read without loading the rest of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime

from ridgeline_desktop.core.fire_times import EARLIEST_START
from ridgeline_desktop.core.runs import Trigger
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.host.run_files import is_run_id


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArguments:
    """What was asked for. `scheduled_for` is UTC; `home`, `run_id` None and `by` "" where not given."""

    job_id: str
    home: str | None
    trigger: Trigger
    event_key: str
    scheduled_for: datetime | None
    by: str
    run_id: str | None
    again: bool


class _Formatter(argparse.HelpFormatter):
    """A fixed width: asking the terminal loads a module at every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100)


def read_arguments(argv: Sequence[str], *, now: datetime) -> RunArguments:
    """The arguments as given at `now`; on a mistake the usage goes to stderr and SystemExit(2) is raised."""
    parser = argparse.ArgumentParser(
        prog="ridgeline run",
        description="Run a job now, under its lock and with a record. Exits with the job's own code; "
        "75 = it did not start, 124 = it ran out of time, 143 = it was stopped, 70 = it is not on record.",
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    parser.add_argument("job", metavar="JOB")
    parser.add_argument("--home", metavar="FOLDER", help="keep everything below this folder")
    parser.add_argument(
        "--trigger",
        choices=[trigger.value for trigger in Trigger],
        default=Trigger.MANUAL.value,
        help="why the run begins (default: manual)",
    )
    parser.add_argument("--event-key", default="", metavar="K", help="what the event was")
    parser.add_argument("--for", dest="fire", type=_instant, metavar="T", help="the fire time that is served")
    parser.add_argument("--by", default="", metavar="NAME", help="who asks")
    parser.add_argument("--run-id", type=_run_id, metavar="ID", help="the id of the run, a UUID")
    parser.add_argument("--again", action="store_true", help='run a job marked safe_to_rerun = "ask" again')
    found = parser.parse_args(list(argv))
    trigger = Trigger(found.trigger)
    if found.fire and trigger not in (Trigger.SCHEDULE, Trigger.CATCH_UP):
        parser.error("--for goes with --trigger schedule or catch-up; other runs serve no fire time")
    if found.fire and found.fire > now + EARLIEST_START:
        parser.error("--for is in the future: a run serves a fire time that has come")
    return RunArguments(
        job_id=found.job,
        home=found.home,
        trigger=trigger,
        event_key=found.event_key,
        scheduled_for=found.fire,
        by=" ".join(found.by.split()),
        run_id=found.run_id,
        again=found.again,
    )


def _instant(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f'"{text}" is not an instant such as 2026-03-02T06:30-05:00'
        ) from None
    if not 1970 <= moment.year <= 2999:
        raise argparse.ArgumentTypeError(f'"{text}" is not between 1970 and 2999')
    if moment.tzinfo is None:
        raise argparse.ArgumentTypeError(f'"{text}" lacks its offset from UTC, such as -05:00')
    return moment.astimezone(UTC)


def _run_id(text: str) -> str:
    if not is_run_id(text):
        raise argparse.ArgumentTypeError(f'"{text}" is not a UUID in small letters')
    return text
