"""The line at the foot of the main window: how many jobs there are, how they are, and what comes next."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.health import Health
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.kit.words import ago_text, utc_text, when_text

translate = QCoreApplication.translate
SEPARATOR = " · "


def status_text(snapshot: Snapshot, *, now: datetime) -> str:
    """One line, such as "15 jobs · 1 overdue · next: Order sync at 11:00 · last check 3 min ago"."""
    parts = [
        _number(len(snapshot.rows)),
        *_troubles(snapshot.rows),
        _next(snapshot, now),
        _check(snapshot, now),
    ]
    return SEPARATOR.join(part for part in parts if part)


def status_tip(snapshot: Snapshot) -> str:
    """When the background check last ended, in UTC, and what that check is."""
    what = translate(
        "status", "The check settles runs that broke off and notices silence. Press F5 to have one now."
    )
    if snapshot.checked_at is None:
        return what
    when = translate("status", "It last ended {time}.").format(time=utc_text(snapshot.checked_at))
    return f"{what}\n{when}"


def _number(total: int) -> str:
    if total == 0:
        return translate("status", "No jobs yet")
    if total == 1:
        return translate("status", "1 job")
    return translate("status", "{total} jobs").format(total=total)


def _troubles(rows: tuple[JobRow, ...]) -> list[str]:
    sentences = {
        Health.OVERDUE: translate("status", "{count} overdue"),
        Health.NEVER_SUCCEEDED: translate("status", "{count} never succeeded"),
        Health.LATE: translate("status", "{count} late"),
        Health.UNKNOWN: translate("status", "{count} can't tell"),
        Health.PAUSED: translate("status", "{count} paused"),
    }
    found = [(sentence, sum(row.health is health for row in rows)) for health, sentence in sentences.items()]
    running = sum(row.running is not None for row in rows)
    texts = [sentence.format(count=count) for sentence, count in found if count]
    return [*texts, translate("status", "{count} running").format(count=running)] if running else texts


def _next(snapshot: Snapshot, now: datetime) -> str:
    coming = [row for row in snapshot.rows if row.next_fire is not None and row.next_fire >= now]
    if not coming:
        return ""
    row = min(coming, key=lambda row: row.next_fire or now)
    assert row.next_fire is not None
    local, today = row.next_fire.astimezone(snapshot.zone), now.astimezone(snapshot.zone)
    if local.date() == today.date():
        return translate("status", "next: {job} at {time}").format(job=row.title, time=f"{local:%H:%M}")
    when = when_text(row.next_fire, zone=snapshot.zone, now=now)
    return translate("status", "next: {job}, {when}").format(job=row.title, when=when)


def _check(snapshot: Snapshot, now: datetime) -> str:
    if snapshot.checked_at is None:
        return translate("status", "no background check yet")
    return translate("status", "last check {ago}").format(ago=ago_text(snapshot.checked_at, now=now))
