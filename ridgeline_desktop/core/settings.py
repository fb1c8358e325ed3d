"""Settings of one computer: the values of settings.toml, checked, with their defaults."""

from enum import StrEnum

from ridgeline_desktop.core.jobs import is_job_id
from ridgeline_desktop.core.schedule_tables import is_zone
from ridgeline_desktop.core.toml_tables import Problem, Table, parse_toml
from ridgeline_desktop.core.values import dataclass

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class DeadLock(StrEnum):
    """What the next start does with a lock whose owner is proven dead."""

    SETTLE = "settle"
    ASK = "ask"


class Theme(StrEnum):
    """How the windows look; SYSTEM follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class CloseButton(StrEnum):
    """What closing the window does: asks each time, leaves the icon near the clock, or ends Ridgeline."""

    ASK = "ask"
    TRAY = "tray"
    QUIT = "quit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is kept per job: days, number of runs, megabytes of logs."""

    days: int = 400
    runs: int = 5000
    log_megabytes: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`shop_folder` "" is the default one, `zone` "" the computer's, `name` "" the login name.

    `theme` and `close` are for the windows only.
    """

    shop_folder: str = ""
    zone: str = ""
    path: str = DEFAULT_PATH
    name: str = ""
    runs_elsewhere: tuple[str, ...] = ()
    dead_lock: DeadLock = DeadLock.SETTLE
    trust_shared_folder: bool = False
    retention: Retention = Retention()
    theme: Theme = Theme.SYSTEM
    close: CloseButton = CloseButton.ASK


def read_settings(text: str) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings in `text`; where something is wrong, the problems, and defaults in its place."""
    values, problems = parse_toml(text)
    if problems:
        return Settings(), problems
    table = Table(values, source=text)
    settings = settings_in(table)
    table.refuse_unknown()
    return settings, tuple(table.problems)


def settings_in(table: Table) -> Settings:
    """The settings that a table asks for; problems are left in it, unknown keys are not looked at."""
    keep, default = table.table("retention"), Retention()
    retention = Retention(
        days=keep.whole("days", default.days, least=1, most=36500),
        runs=keep.whole("runs", default.runs, least=1, most=1_000_000),
        log_megabytes=keep.whole("log_megabytes", default.log_megabytes, least=1, most=100_000),
    )
    table.absorb(keep)
    return Settings(
        shop_folder=table.full_path("shop_folder", "/srv/shop"),
        zone=_zone(table),
        path=table.text("path") or DEFAULT_PATH,
        name=table.text("name"),
        runs_elsewhere=_runs_elsewhere(table),
        dead_lock=table.choice("dead_lock", DeadLock, DeadLock.SETTLE),
        trust_shared_folder=table.flag("trust_shared_folder", False),
        retention=retention,
        theme=table.choice("theme", Theme, Theme.SYSTEM),
        close=table.choice("close", CloseButton, CloseButton.ASK),
    )


def _zone(table: Table) -> str:
    zone = table.text("zone")
    if zone and not is_zone(zone):
        table.complain(
            "zone", f'"{zone}" is not a time zone of this computer; write one such as "America/Toronto"'
        )
        return ""
    return zone


def _runs_elsewhere(table: Table) -> tuple[str, ...]:
    jobs = table.texts("runs_elsewhere")
    for job_id in jobs:
        if not is_job_id(job_id):
            table.complain("runs_elsewhere", f'"{job_id}" is not a job\'s id')
    return jobs
