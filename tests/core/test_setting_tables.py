"""The form of settings: what it shows, what is wrong with it, and which keys it changes."""

from dataclasses import replace

import pytest

from ridgeline_desktop.core.drafts import SettingsDraft
from ridgeline_desktop.core.setting_tables import checked_settings, setting_changes, settings_draft
from ridgeline_desktop.core.settings import (
    DEFAULT_PATH,
    CloseButton,
    DeadLock,
    Retention,
    Settings,
    Theme,
    read_settings,
)
from ridgeline_desktop.core.toml_edits import with_values

USUAL = settings_draft(Settings())
OTHER = Settings(
    shop_folder="/srv/shop",
    zone="America/Toronto",
    path="/bin",
    name="Sam",
    runs_elsewhere=("weekly-report",),
    dead_lock=DeadLock.ASK,
    trust_shared_folder=True,
    retention=Retention(days=30, runs=100, log_megabytes=5),
    theme=Theme.DARK,
    close=CloseButton.TRAY,
)


def nested(changes: dict) -> dict:
    tables: dict = {}
    for name, value in changes.items():
        table, dot, key = name.rpartition(".")
        (tables.setdefault(table, {}) if dot else tables)[key] = value
    return tables


def test_the_form_shows_the_settings_as_they_apply():
    assert (USUAL.path, USUAL.days, USUAL.zone) == (DEFAULT_PATH, "400", "")
    assert checked_settings(USUAL) == ()
    assert setting_changes(USUAL, USUAL) == {}


def test_every_setting_goes_through_the_form_and_comes_back():
    draft = settings_draft(OTHER)
    assert checked_settings(draft) == ()
    text = with_values("", {}, nested(setting_changes(USUAL, draft)), tables=("retention",))
    assert read_settings(text) == (OTHER, ())


def test_what_is_emptied_or_the_default_takes_its_key_out():
    back = setting_changes(settings_draft(OTHER), USUAL)
    assert set(back.values()) == {None}
    emptied = SettingsDraft(path=" ", days="", runs=" ", log_megabytes="")
    assert setting_changes(settings_draft(OTHER), emptied) == back


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("shop_folder", "shop", "full path"),
        ("zone", "Mars/Base", '"Mars/Base" is not a time zone'),
        ("name", "a\nb", "on one line"),
        ("path", "a\nb", "on one line"),
        ("runs_elsewhere", ("X",), '"X" is not a job\'s id'),
        ("days", "0", "1 to 36500"),
        ("days", "some", "1 to 36500"),
        ("runs", "1.5", "1 to 1000000"),
        ("log_megabytes", "100001", "1 to 100000"),
    ],
)
def test_each_problem_says_what_to_write_instead(field, typed, words):
    [problem] = checked_settings(replace(USUAL, **{field: typed}))
    assert problem.field == field
    assert words in problem.message


def test_all_problems_are_told_at_once():
    draft = replace(USUAL, zone="Mars/Base", days="x", runs="x")
    assert {problem.field for problem in checked_settings(draft)} == {"zone", "days", "runs"}
