"""How a run ended and why, in words for people; the record's own sentence stays under the details."""

import re
from datetime import timedelta

from PySide6.QtCore import QCoreApplication

from ridgeline_desktop.core.runs import Reason, RunRecord, RunStatus
from ridgeline_desktop.gui.kit.words import took_text

translate = QCoreApplication.translate
_EXIT_CODE = re.compile(r"\bexit code (\d+)")


def end_text(record: RunRecord, *, telling: str = "") -> str:
    """How a run ended, as a sentence of its own: "It worked. Took 12 s", "Failed: …".

    `telling` is the line of its output that says most about a failure; it says more than an error's number.
    """
    has_taken = record.duration is not None
    worked = translate("ends", "It worked. Took {took}") if has_taken else translate("ends", "It worked")
    stopped = translate("ends", "It was {why}") if record.reason else translate("ends", "It was stopped")
    sentence = {
        RunStatus.RUNNING: translate("ends", "It ended, and nobody knows how. The next check settles it."),
        RunStatus.COMPLETED: worked,
        RunStatus.FAILED: translate("ends", "Failed: {why}"),
        RunStatus.TIMED_OUT: translate("ends", "It ran out of time after {took} and was ended"),
        RunStatus.REFUSED: translate("ends", "Did not start: {why}"),
        RunStatus.INTERRUPTED: translate("ends", "Broken off: {why}"),
        RunStatus.STOPPED: stopped,
    }[record.status]
    by_number = record.reason_code is Reason.EXIT_CODE
    why = telling if telling and by_number else why_text(record)
    return sentence.format(took=took_text(record.duration), why=why or translate("ends", "nobody knows why"))


def usual_text(length: timedelta) -> str:
    """About how long something takes, in one unit from a minute and a half on."""
    seconds = length.total_seconds()
    if seconds < 90:
        return took_text(seconds)
    minutes = round(seconds / 60)
    return translate("ends", "{minutes} min").format(minutes=minutes) if minutes < 90 else took_text(seconds)


def why_text(record: RunRecord) -> str:
    """Why a run did not work or did not start; "" where it worked and nothing is to be said."""
    plain = {
        Reason.SIGNAL: translate("ends", "it was ended from outside, by this computer or by somebody"),
        Reason.RUNNER_SIGNALLED: translate(
            "ends", "this computer told it to end, as it does when it shuts down"
        ),
        Reason.RUNNER_DIED: translate(
            "ends", "it was cut short, by a power cut or a restart of this computer"
        ),
        Reason.DEADLINE: translate("ends", "it was not finished in the time it may take"),
        Reason.LOCK_HELD: translate("ends", "another run of it was still going on"),
        Reason.LOCK_UNCLEAR: translate("ends", "a lock that another run left stood in the way"),
        Reason.NOT_SAFE: translate("ends", "it ran before, and is not to be repeated without asking"),
        Reason.DUPLICATE: translate("ends", "another run had already served that time"),
        Reason.MISSED: translate("ends", "it came too late, and missed times of this job are skipped"),
    }
    if record.reason_code in plain:
        return plain[record.reason_code]
    # A run that a success rule calls failed ended with a number that is none of an error.
    return _EXIT_CODE.sub(translate("ends", r"it ended with code \1"), record.reason)
