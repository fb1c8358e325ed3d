"""Runs as a person starts and stops them: what is asked first, and what is said where it cannot be done."""

from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from ridgeline_desktop.core.by_hand import RerunAnswer, StartedRun, by_hand_needs
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.by_hand_words import why_not_by_hand
from ridgeline_desktop.gui.kit.feedback import Feedback, ask
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import Trouble, status_word, trouble_of, when_text
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.services.runs import Runs

NO_WORK = (RunStatus.REFUSED, RunStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What helps to decide whether to run a job again; "" where nothing is known."""

    runbook_says: str
    continues: str


class ByHand(QObject):
    """Starts and stops runs.

    `started` carries the StartedRun and the job's title, `stopping` the run's record, `not_stopped` the job.
    """

    started = Signal(object, str)
    stopping = Signal(object)
    not_stopped = Signal(str)

    def __init__(
        self,
        *,
        runs: Runs,
        runbooks: Runbooks,
        tasks: Tasks,
        feedback: Feedback,
        clock: Clock,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._runs, self._runbooks, self._tasks = runs, runbooks, tasks
        self.feedback, self._clock, self._window = feedback, clock, window
        self._under_way: set[str] = set()  # jobs that are being asked about or started
        self._questions: dict[str, QDialog] = {}

    def run(self, row: JobRow, *, zone: ZoneInfo) -> None:
        """Start the job, after a yes where its file wants one; says why where it must not be started.

        A job that is being asked about or started already only has its question brought to the front.
        """
        needs = by_hand_needs(row)
        if row.job_id in self._under_way:
            self._raise_question(row.job_id)
        elif needs is RerunAnswer.FREE:
            self._start(row.job_id, row.title, again=False)
        elif needs is RerunAnswer.ASK:
            self._under_way.add(row.job_id)
            self._tasks.run(
                partial(known_of, self._runs, self._runbooks, row.job_id),
                then=partial(self._ask, row, zone),
                failed=partial(self._on_not_known, row, zone),
            )
        else:
            self.feedback.fail(Trouble(what=self._not_run(row.title), why=why_not_by_hand(row)))

    def stop(self, job_id: str, title: str, *, window: QWidget | None = None) -> None:
        """Ask whether to stop the job's run, and then ask the run to end."""
        ask(
            window or self._window,
            title=self.tr("Stop “{title}”?").format(title=title),
            text=self.tr("What it has done so far stays done."),
            confirm=self.tr("Stop it"),
            cancel=self.tr("Let it finish"),
            then=partial(self._stop, job_id, title),
        )

    def _ask(self, row: JobRow, zone: ZoneInfo, known: Known) -> None:
        plain = self.tr(
            "Its file says to ask first: what it does would be done twice, if it was done already."
        )
        parts = [known.runbook_says or plain]
        if known.continues:
            parts.append(self.tr("It {continues}.").format(continues=known.continues))
        last = next((record for record in row.recent if record.status not in NO_WORK), None)
        if last is not None:
            parts.append(self._last_ran(last, zone, self._clock.now()))
        elif row.history_lost:
            parts.append(self.tr("Its records were lost, so nobody can tell whether it ran before."))
        self._questions[row.job_id] = box = ask(
            self._window,
            title=self.tr("Run “{title}” again?").format(title=row.title),
            text="\n\n".join(parts),
            confirm=self.tr("Run it again"),
            cancel=self.tr("Leave it"),
            then=partial(self._start, row.job_id, row.title, again=True),
        )
        box.finished.connect(partial(self._on_answered, row.job_id))

    def _on_answered(self, job_id: str, result: int) -> None:
        self._questions.pop(job_id, None)
        if result != QDialog.DialogCode.Accepted:
            self._under_way.discard(job_id)

    def _on_not_known(self, row: JobRow, zone: ZoneInfo, error: Exception) -> None:
        self._under_way.discard(row.job_id)
        trouble = trouble_of(error, what=self._not_run(row.title), safe=self.tr("Nothing was changed."))
        self.feedback.fail(trouble, partial(self.run, row, zone=zone))

    def _raise_question(self, job_id: str) -> None:
        box = self._questions.get(job_id)
        if box is not None:
            box.raise_()
            box.activateWindow()

    def _last_ran(self, record: RunRecord, zone: ZoneInfo, now: datetime) -> str:
        return self.tr("The last run: {when}, {result}.").format(
            when=when_text(record.started_at, zone=zone, now=now), result=status_word(record.status).lower()
        )

    def _start(self, job_id: str, title: str, *, again: bool) -> None:
        self._under_way.add(job_id)
        self._tasks.run(
            partial(self._runs.start_now, job_id, again=again),
            then=partial(self._on_started, title),
            failed=partial(self._on_not_started, job_id, title, again),
        )

    def _on_started(self, title: str, started: StartedRun) -> None:
        self._under_way.discard(started.job_id)
        self.started.emit(started, title)

    def _on_not_started(self, job_id: str, title: str, again: bool, error: Exception) -> None:
        self._under_way.discard(job_id)
        safe = self.tr("Nothing was changed.")
        trouble = trouble_of(error, what=self._not_run(title), safe=safe)
        self.feedback.fail(trouble, partial(self._start, job_id, title, again=again))

    def _not_run(self, title: str) -> str:
        return self.tr("“{title}” was not started.").format(title=title)

    def _stop(self, job_id: str, title: str) -> None:
        self._tasks.run(
            partial(self._runs.stop, job_id),
            then=partial(self._on_stopping, title),
            failed=partial(self._on_not_stopped, job_id, title),
        )

    def _on_stopping(self, title: str, record: RunRecord) -> None:
        said = self.tr("“{title}” was asked to stop. It ends within a few seconds.")
        self.feedback.say(said.format(title=title))
        self.stopping.emit(record)

    def _on_not_stopped(self, job_id: str, title: str, error: Exception) -> None:
        what = self.tr("“{title}” was not stopped.").format(title=title)
        self.feedback.fail(trouble_of(error, what=what), partial(self._stop, job_id, title))
        self.not_stopped.emit(job_id)


def known_of(runs: Runs, runbooks: Runbooks, job_id: str) -> Known:
    """What runbook and checkpoint say about a repeat; a runbook that cannot be read says nothing."""
    from ridgeline_desktop.gui.runs.rerun_words import is_it_safe  # slow to load, and rarely asked

    try:
        says = is_it_safe(runbooks.open(job_id).text)
    except (RidgelineError, OSError):
        says = ""
    try:
        found = runs.checkpoint(job_id)
    except RidgelineError as error:
        return Known(runbook_says=f"{says}\n\n{error}".strip(), continues="")
    return Known(runbook_says=says, continues=found.sentence if found else "")
