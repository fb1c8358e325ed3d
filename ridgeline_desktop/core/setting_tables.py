"""The settings form as keys of settings.toml: from the settings, back to them, and all that is wrong."""

import re
from typing import Any

from ridgeline_desktop.core.drafts import DraftProblem, SettingsDraft
from ridgeline_desktop.core.settings import (
    DEFAULT_PATH,
    CloseButton,
    DeadLock,
    Retention,
    Settings,
    Theme,
    settings_in,
)
from ridgeline_desktop.core.toml_tables import Table

_KEPT = ("days", "runs", "log_megabytes")
_WORDS = {
    "shop_folder": 'Write a full path, such as "/srv/shop", or one that begins with "~/".',
    "name": "Write it on one line.",
    "path": "Write the folders on one line, with : between them.",
    "days": "Write a whole number from 1 to 36500.",
    "runs": "Write a whole number from 1 to 1000000.",
    "log_megabytes": "Write a whole number from 1 to 100000.",
}


def settings_draft(settings: Settings) -> SettingsDraft:
    """The form that shows these settings; what is the default is shown as it applies, but for "" texts."""
    return SettingsDraft(
        shop_folder=settings.shop_folder,
        zone=settings.zone,
        name=settings.name,
        path=settings.path,
        runs_elsewhere=settings.runs_elsewhere,
        dead_lock=settings.dead_lock,
        trust_shared_folder=settings.trust_shared_folder,
        theme=settings.theme,
        close=settings.close,
        days=str(settings.retention.days),
        runs=str(settings.retention.runs),
        log_megabytes=str(settings.retention.log_megabytes),
    )


def checked_settings(draft: SettingsDraft) -> tuple[DraftProblem, ...]:
    """What is wrong with the form, each problem at its field, as the reader of settings.toml has it."""
    values: dict[str, Any] = {}
    for name, value in settings_values(draft).items():
        table, dot, key = name.rpartition(".")
        target = values.setdefault(table, {}) if dot else values
        if value is not None:
            target[key] = value
    read = Table(values, source="")
    settings_in(read)
    found: dict[str, str] = {}
    for problem in read.problems:
        field = problem.key.removeprefix("retention.")
        found.setdefault(field, _WORDS.get(field) or f"{problem.message}.")
    return tuple(DraftProblem(field=field, message=text) for field, text in found.items())


def settings_values(draft: SettingsDraft) -> dict[str, Any]:
    """Every key of settings.toml with its value, None for the default; "retention.days" is one in a table."""
    path, usual = draft.path.strip(), Retention()
    values: dict[str, Any] = {
        "shop_folder": draft.shop_folder.strip() or None,
        "zone": draft.zone.strip() or None,
        "path": path if path not in ("", DEFAULT_PATH) else None,
        "name": draft.name.strip() or None,
        "runs_elsewhere": list(draft.runs_elsewhere) or None,
        "dead_lock": draft.dead_lock.value if draft.dead_lock is not DeadLock.SETTLE else None,
        "trust_shared_folder": draft.trust_shared_folder or None,
        "theme": draft.theme.value if draft.theme is not Theme.SYSTEM else None,
        "close": draft.close.value if draft.close is not CloseButton.ASK else None,
    }
    for key in _KEPT:
        typed = getattr(draft, key).strip()
        number = int(typed) if re.fullmatch("[0-9]{1,9}", typed) else typed
        values[f"retention.{key}"] = None if number in ("", getattr(usual, key)) else number
    return values


def setting_changes(old: SettingsDraft, new: SettingsDraft) -> dict[str, Any]:
    """The keys that `new` sets otherwise than `old`; None takes a key out, so that its default applies."""
    before = settings_values(old)
    return {key: value for key, value in settings_values(new).items() if value != before[key]}
