"""Our fire times per second against cronsim's, in one process; exits 1 where ours are slower in all."""

import sys
from datetime import UTC, datetime
from itertools import islice
from time import perf_counter
from zoneinfo import ZoneInfo

from cronsim import CronSim

from ridgeline_desktop.core.cron_expressions import Refused, parse_cron
from ridgeline_desktop.core.fire_times import fire_times
from ridgeline_desktop.core.schedules import CronRule, Schedule

EXPRESSIONS = (
    "* * * * *", "*/15 * * * *", "0 */2 * * *", "30 6 * * *", "30 6 * * 1", "0 9 13 * 5", "0 0 1 */3 *",
)  # fmt: skip
COUNT = 1000
START = datetime(2026, 1, 1, tzinfo=UTC)
ZONE = ZoneInfo("America/Toronto")


def our_seconds(text: str) -> float:
    """Seconds for parsing one expression and walking its first fire times."""
    begin = perf_counter()
    answer = parse_cron(text)
    if isinstance(answer, Refused):
        raise ValueError(answer.message)
    schedule = Schedule(rule=CronRule(expression=answer.expression))
    found = list(islice(fire_times(schedule, zone=ZONE, after=START), COUNT))
    return (perf_counter() - begin) / len(found)


def cronsim_seconds(text: str) -> float:
    """The same by cronsim."""
    begin = perf_counter()
    found = list(islice(CronSim(text, START.astimezone(ZONE)), COUNT))
    return (perf_counter() - begin) / len(found)


def main() -> int:
    """Print a line per expression and the ratio of the totals."""
    ours_total = theirs_total = 0.0
    for text in EXPRESSIONS:
        ours, theirs = our_seconds(text), cronsim_seconds(text)
        ours_total, theirs_total = ours_total + ours, theirs_total + theirs
        sys.stdout.write(
            f"{text:14} {1 / ours:>10,.0f}/s  cronsim {1 / theirs:>9,.0f}/s  ratio {theirs / ours:5.1f}\n"
        )
    ratio = theirs_total / ours_total
    sys.stdout.write(f"in all: {ratio:.1f} times as fast as cronsim\n")
    return 0 if ratio >= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
