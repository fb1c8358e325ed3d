"""Why a job cannot be run by hand now: the same words wherever [Run now] stands."""

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.by_hand import RerunAnswer, by_hand_needs
from ridgeline_desktop.core.snapshots import JobRow

translate = QCoreApplication.translate


def why_not_by_hand(row: JobRow) -> str:
    """Why this job cannot be run by hand now, as a sentence; "" where it can, if need be after a question."""
    if row.running is not None:
        return translate("by_hand", "It is running already.")
    if row.job is None:
        return translate(
            "by_hand", "Its job file is missing or not in order, so nobody can tell what to start."
        )
    if by_hand_needs(row) is RerunAnswer.NEVER:
        return translate(
            "by_hand", "It ran before, and its file says that it must never be run again by hand."
        )
    return ""


def why_not_in_brief(row: JobRow) -> str:
    """The same in two or three words, for the menu of the tray."""
    if not why_not_by_hand(row):
        return ""
    if row.running is not None:
        return translate("by_hand", "running")
    if row.job is None:
        return translate("by_hand", "can't be run")
    return translate("by_hand", "not safe to run again")
