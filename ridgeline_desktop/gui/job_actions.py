"""What is done to a job with one click: put on the schedule and taken off, paused and resumed, checked."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.core.texts import plural, sentence_of
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import Trouble, trouble_of, when_text
from ridgeline_desktop.services.checking import CheckReport
from ridgeline_desktop.services.desk import Desk
from ridgeline_desktop.services.scheduling import Registered

NOTHING_STANDS = (
    RegistrationState.NEVER_REGISTERED,
    RegistrationState.MISSING,
    RegistrationState.NOT_WANTED,
    RegistrationState.UNVERIFIABLE,
)


class JobActions(QObject):
    """Emits `changed` when something was written, so that the window looks again."""

    changed = Signal()

    def __init__(self, *, desk: Desk, tasks: Tasks, feedback: Feedback, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._tasks, self._feedback, self._window = desk, tasks, feedback, window

    def register(self, job_ids: Sequence[str], snapshot: Snapshot) -> None:
        """Put these jobs on this computer's schedule and read them back (none named = all that want it).

        What `snapshot` says was never there can be taken out again; a repair is not undone.
        """
        work = partial(self._desk.scheduling.register, tuple(job_ids))
        new = _in(snapshot, RegistrationState.NEVER_REGISTERED)
        self._tasks.run(work, then=partial(self._registered, new), failed=self._not_registered)

    def run_elsewhere(self, job_ids: Sequence[str], snapshot: Snapshot) -> None:
        """Note that these jobs run on another computer, and take them off this one's schedule."""
        work = partial(self._desk.scheduling.unregister, tuple(job_ids))
        stood = frozenset(job_ids) - _in(snapshot, *NOTHING_STANDS)
        self._tasks.run(work, then=partial(self._taken_off, stood), failed=self._not_registered)

    def take_out(self, job_ids: Sequence[str]) -> None:
        """Take entries that no job wants any more out of this computer's schedule."""
        work = partial(self._desk.scheduling.unregister, tuple(job_ids))
        self._tasks.run(work, then=self._took_out, failed=self._not_registered)

    def pause(self, row: JobRow, snapshot: Snapshot) -> None:
        """Ask how long, then refuse the job's scheduled starts until then."""
        from ridgeline_desktop.gui.jobs.pausing import PauseDialog  # rarely opened; it would slow every start

        clock = self._desk.clock
        dialog = PauseDialog(title=row.title, clock=clock, zone=snapshot.zone, parent=self._window)
        dialog.chosen.connect(partial(self._pause, row.job_id, row.title, snapshot))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def resume(self, job_id: str, title: str) -> None:
        """End the job's pause now."""
        self._tasks.run(
            partial(self._desk.runs.resume, job_id),
            then=partial(self._resumed, title),
            failed=partial(self._could_not, self.tr("“{job}” was not resumed.").format(job=title)),
        )

    def check(self) -> None:
        """Bring the records in order and judge every job."""
        self._tasks.run(
            self._desk.checking.check,
            then=self._checked,
            failed=partial(self._could_not, self.tr("The jobs could not be checked.")),
        )

    def _pause(self, job_id: str, title: str, snapshot: Snapshot, until: datetime | None, why: str) -> None:
        self._tasks.run(
            partial(self._desk.runs.pause, job_id, until=until, reason=why),
            then=partial(self._paused, title, snapshot),
            failed=partial(self._could_not, self.tr("“{job}” was not paused.").format(job=title)),
        )

    def _paused(self, title: str, snapshot: Snapshot, pause: Pause) -> None:
        now = self._desk.clock.now()
        text = (
            self.tr("“{job}” is paused until somebody resumes it.")
            if pause.until is None
            else self.tr("“{job}” is paused until {time}.")
        )
        time = when_text(pause.until, zone=snapshot.zone, now=now) if pause.until else ""
        self._feedback.say(text.format(job=title, time=time), undo=partial(self.resume, pause.job_id, title))
        self.changed.emit()

    def _resumed(self, title: str, _nothing: None) -> None:
        self._feedback.say(self.tr("“{job}” starts at its times again.").format(job=title))
        self.changed.emit()

    def _registered(self, new: frozenset[str], results: tuple[Registered, ...]) -> None:
        self.changed.emit()
        failed = [result for result in results if not result.done]
        if failed:
            self._tell_not_done(failed)
            return
        names = [result.job_id for result in results if result.native]
        text = self.tr("{jobs} put on this computer's schedule, and read back.").format(
            jobs=plural(len(names), "job")
        )
        can_undo = bool(names) and new.issuperset(names)
        self._feedback.say(text, undo=partial(self._take_out_again, names) if can_undo else None)

    def _take_out_again(self, names: Sequence[str]) -> None:
        work = partial(self._desk.scheduling.unregister, tuple(names), runs_elsewhere=False)
        self._tasks.run(work, then=self._took_out, failed=self._not_registered)

    def _taken_off(self, stood: frozenset[str], results: tuple[Registered, ...]) -> None:
        self.changed.emit()
        names = [result.job_id for result in results]
        text = self.tr("{jobs} left to another computer.").format(jobs=plural(len(names), "job"))
        self._feedback.say(text, undo=partial(self._back_from_elsewhere, names, sorted(stood)))

    def _back_from_elsewhere(self, names: Sequence[str], stood: Sequence[str]) -> None:
        work = partial(self._desk.scheduling.take_back, tuple(names), registered=tuple(stood))
        self._tasks.run(work, then=self._came_back, failed=self._not_registered)

    def _came_back(self, results: tuple[Registered, ...]) -> None:
        self.changed.emit()
        failed = [result for result in results if not result.done]
        if failed:
            self._tell_not_done(failed)
        else:
            self._feedback.say(self.tr("Undone: it is as it was."))

    def _took_out(self, results: tuple[Registered, ...]) -> None:
        self.changed.emit()
        text = self.tr("Taken out of this computer's schedule: {jobs}.")
        self._feedback.say(text.format(jobs=", ".join(result.job_id for result in results)))

    def _tell_not_done(self, failed: Sequence[Registered]) -> None:
        what = self.tr("{jobs} could not be put on this computer's schedule.")
        trouble = Trouble(
            what=what.format(jobs=plural(len(failed), "job")),
            why="\n".join(f"{result.job_id}: {result.sentence}" for result in failed),
            safe=self.tr("Everything that was on the schedule before is still there."),
            details="",
        )
        self._feedback.fail(trouble)

    def _not_registered(self, error: Exception) -> None:
        self._could_not(self.tr("This computer's schedule was not changed."), error)

    def _could_not(self, what: str, error: Exception) -> None:
        self._feedback.fail(trouble_of(error, what=what))
        self.changed.emit()

    def _checked(self, report: CheckReport) -> None:
        self.changed.emit()
        if report.in_order:
            told = (f"{sentence_of(note).rstrip('.')}." for note in report.notes[:2])
            self._feedback.say(" ".join((self.tr("Checked just now."), *told)))
            return
        trouble = Trouble(
            what=self.tr("The jobs were judged, but the records could not be put in order."),
            why="\n".join(sentence_of(note) for note in report.notes),
            safe=self.tr("What was on record is still there."),
            details="",
        )
        self._feedback.fail(trouble, self.check)


def _in(snapshot: Snapshot, *states: RegistrationState) -> frozenset[str]:
    """The jobs that stand so in this computer's schedule."""
    return frozenset(row.job_id for row in snapshot.rows if row.registration in states)
