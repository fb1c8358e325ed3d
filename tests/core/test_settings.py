"""settings.toml: each key with its default, and each mistake named."""

import pytest

from ridgeline_desktop.core.settings import (
    DEFAULT_PATH,
    CloseButton,
    DeadLock,
    Retention,
    Settings,
    Theme,
    read_settings,
)

ALL = """\
shop_folder = "/srv/shop"
zone = "America/Toronto"
path = "/usr/bin:/bin"
name = "Sam"
runs_elsewhere = ["weekly-report"]
dead_lock = "ask"
trust_shared_folder = true
theme = "dark"
close = "tray"

[retention]
days = 30
runs = 100
log_megabytes = 5
"""


@pytest.mark.parametrize("text", ["", "\ufeff# nothing\n", "[retention]\n"])
def test_every_setting_has_a_default(text):
    expected = Settings(
        shop_folder="",
        zone="",
        path=DEFAULT_PATH,
        name="",
        runs_elsewhere=(),
        dead_lock=DeadLock.SETTLE,
        trust_shared_folder=False,
        retention=Retention(days=400, runs=5000, log_megabytes=200),
        theme=Theme.SYSTEM,
        close=CloseButton.ASK,
    )
    assert read_settings(text) == (expected, ())


def test_every_setting_is_read():
    expected = Settings(
        shop_folder="/srv/shop",
        zone="America/Toronto",
        path="/usr/bin:/bin",
        name="Sam",
        runs_elsewhere=("weekly-report",),
        dead_lock=DeadLock.ASK,
        trust_shared_folder=True,
        retention=Retention(days=30, runs=100, log_megabytes=5),
        theme=Theme.DARK,
        close=CloseButton.TRAY,
    )
    assert read_settings(ALL) == (expected, ())


KEYS = (
    "close, dead_lock, name, path, retention, runs_elsewhere, shop_folder, theme, trust_shared_folder, zone"
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\nsop = 1", 2, f'"sop" is not a key here; allowed: {KEYS}'),
        ("name = 1", 1, "name must be a text in quotes, not 1"),
        (
            'zone = "Toronto"',
            1,
            '"Toronto" is not a time zone of this computer; write one such as "America/Toronto"',
        ),
        ('shop_folder = "shop"', 1, 'shop_folder must be a full path such as "/srv/shop", not "shop"'),
        ('runs_elsewhere = ["ok", "Not Ok"]', 1, '"Not Ok" is not a job\'s id'),
        ('dead_lock = "clear"', 1, 'dead_lock must be one of "settle", "ask", not "clear"'),
        ("trust_shared_folder = 1", 1, "trust_shared_folder must be true or false, not 1"),
        ("[retention]\ndays = 0", 2, "days must be from 1 to 36500, not 0"),
        ("[retention]\nruns = -1", 2, "runs must be from 1 to 1000000, not -1"),
        (
            "[retention]\nlog_megabytes = 1.5",
            2,
            "log_megabytes must be a whole number from 1 to 100000, not 1.5",
        ),
        ("[retention]\nday = 1", 2, '"day" is not a key here; allowed: days, log_megabytes, runs'),
        ("retention = 30", 1, "retention must be a table, not 30"),
        ("name = Sam", 1, "this is not valid TOML: Invalid value; a text goes in quotes"),
    ],
)
def test_each_mistake_is_named_with_its_line(text, line, message):
    _, problems = read_settings(text)
    assert [(problem.line, problem.message) for problem in problems] == [(line, message)]


def test_a_wrong_value_leaves_the_default_and_the_others_as_they_are():
    settings, problems = read_settings('zone = "Nowhere"\nname = "Sam"\n')
    assert (settings.zone, settings.name, len(problems)) == ("", "Sam", 1)


def test_what_is_no_toml_leaves_all_the_defaults():
    assert read_settings("name = ")[0] == Settings()
