"""The room of runs: history, output and checkpoint of a job; starting, stopping, watching, asking."""

from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.by_hand import StartedRun
from ridgeline_desktop.core.errors import StoreUnreadable
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.late_tab import LateTab
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import status_word, when_text
from ridgeline_desktop.gui.runs.by_hand import ByHand
from ridgeline_desktop.gui.runs.history import RunsTab
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.services.runs import Runs

if TYPE_CHECKING:  # loaded when they are first seen: together they would slow every start
    from ridgeline_desktop.gui.runs.asking import Asking
    from ridgeline_desktop.gui.runs.checkpoint_tab import CheckpointTab
    from ridgeline_desktop.gui.runs.console import RunConsole
    from ridgeline_desktop.gui.runs.output_tab import OutputTab

SHOWN_RUNS = 200
NO_ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """What the Output tab shows, or will show once it is looked at."""

    record: RunRecord | None
    heading: str
    hint: str


class RunsRoom(QObject):
    """`changed` = a run began, ended or was asked to stop; `tab_asked` carries the title of a tab to show."""

    changed = Signal()
    tab_asked = Signal(str)

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
        self._runs, self._tasks, self._clock, self._window = runs, tasks, clock, window
        self.by_hand = ByHand(
            runs=runs, runbooks=runbooks, tasks=tasks, feedback=feedback, clock=clock, window=window
        )
        self.asking: Asking | None = None
        self.runs_tab = RunsTab()
        self._output, self._checkpoint = LateTab(self._make_output), LateTab(self._make_checkpoint)
        self.consoles: dict[str, RunConsole] = {}
        self._row: JobRow | None = None
        self._rows: dict[str, JobRow] = {}
        self._zone = NO_ZONE
        self._loaded: object = None
        self._asked = 0  # which question about a history is the newest
        self._is_read = False
        self._history: tuple[RunRecord, ...] = ()
        self._shown = _Shown(record=None, heading="", hint="")
        self.by_hand.started.connect(self._on_started)
        self.by_hand.stopping.connect(self._on_stopping)
        self.by_hand.not_stopped.connect(self._on_not_stopped)
        self.runs_tab.chosen.connect(self._show_run)
        self.runs_tab.opened.connect(self._open)

    def tabs(self) -> tuple[tuple[str, QWidget], ...]:
        """The tabs of the detail pane that belong to this room."""
        return (
            (self.tr("Runs"), self.runs_tab),
            (self.tr("Output"), self._output),
            (self.tr("Checkpoint"), self._checkpoint),
        )

    @property
    def output_tab(self) -> "OutputTab":
        """The output of the run that is chosen, made when it is first asked for."""
        return self._output.content()

    @property
    def checkpoint_tab(self) -> "CheckpointTab":
        """The saved progress of the job that is selected, made when it is first asked for."""
        return self._checkpoint.content()

    def _make_output(self) -> "OutputTab":
        from ridgeline_desktop.gui.runs.output_tab import OutputTab

        made = OutputTab(runs=self._runs, tasks=self._tasks)
        made.window_asked.connect(self._open)
        made.show_run(self._shown.record, heading=self._shown.heading, hint=self._shown.hint)
        return made

    def _make_checkpoint(self) -> "CheckpointTab":
        from ridgeline_desktop.gui.runs.checkpoint_tab import CheckpointTab

        made = CheckpointTab(runs=self._runs, tasks=self._tasks, clock=self._clock)
        self._show_checkpoint(made)
        return made

    # What is selected

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Show this job's runs; they are read again only where one has begun or ended."""
        self._zone = snapshot.zone
        self._rows = {each.job_id: each for each in snapshot.rows}
        is_another = (row.job_id if row else None) != (self._row.job_id if self._row else None)
        self._row = row
        if self._checkpoint.is_made:
            self._show_checkpoint(self.checkpoint_tab)
        if is_another:
            self._forget_history()
        if row is None:
            self.runs_tab.say(self.tr("Select a job to see its runs."))
            self._no_output(self.tr("Select a job to see what it wrote."))
            return
        key = _state(row)
        if key != self._loaded:
            self._loaded = key
            self._read_history(row.job_id)
        elif self._is_read:
            self._show_history()

    def _forget_history(self) -> None:
        """Nothing of the job before stands below the title of the next one."""
        self._loaded, self._history, self._is_read = None, (), False
        self._asked += 1
        self.runs_tab.forget()
        self.runs_tab.show_runs((), zone=self._zone, now=self._clock.now())
        self.runs_tab.say(self.tr("Reading…"))
        self._no_output(self.tr("Reading…"))

    def _read_history(self, job_id: str) -> None:
        self._asked += 1
        self._tasks.run(
            partial(self._runs.history, job_id, limit=SHOWN_RUNS),
            then=partial(self._take_history, self._asked),
            failed=partial(self._no_history, self._asked),
        )

    def _take_history(self, asked: int, records: tuple[RunRecord, ...]) -> None:
        if asked == self._asked:
            self._history, self._is_read = records, True
            self._show_history()

    def _no_history(self, asked: int, error: Exception) -> None:
        if asked == self._asked:
            self._loaded, self._history, self._is_read = None, (), False
            self.runs_tab.say(self._why_no_history(error))
            self._no_output(self.tr("There is no output to show."))

    def _why_no_history(self, error: Exception) -> str:
        if self._row is not None and self._row.problems:
            return self.tr("Its file is not in order, so its runs cannot be shown.")
        if isinstance(error, StoreUnreadable):
            return self.tr("The run records cannot be read, so its runs cannot be shown.")
        return self.tr("Its runs cannot be shown: {why}").format(why=error)

    def _show_history(self) -> None:
        self.runs_tab.show_runs(self._history, zone=self._zone, now=self._clock.now())
        chosen = self.runs_tab.selected() or self._newest_with_output()
        if chosen is None:
            self._no_output(self.tr("This job has not run yet, so it has written nothing."))
        else:
            self._show_run(chosen)

    def _newest_with_output(self) -> RunRecord | None:
        return next((r for r in self._history if r.status is not RunStatus.REFUSED), None)

    def _show_run(self, record: RunRecord) -> None:
        when = when_text(record.started_at, zone=self._zone, now=self._clock.now())
        heading = self.tr("{when} · {result}").format(when=when, result=status_word(record.status))
        self._show_output(_Shown(record=record, heading=heading, hint=""))

    def _no_output(self, hint: str) -> None:
        self._show_output(_Shown(record=None, heading="", hint=hint))

    def _show_output(self, shown: "_Shown") -> None:
        self._shown = shown
        if self._output.is_made:
            self.output_tab.show_run(shown.record, heading=shown.heading, hint=shown.hint)

    def _show_checkpoint(self, tab: "CheckpointTab") -> None:
        if self._row is None:
            tab.show_job("", state=None, zone=None)
        else:
            tab.show_job(self._row.job_id, state=_state(self._row), zone=self._zone)

    # What is asked for

    def run_now(self, row: JobRow) -> None:
        """Run the job and open its console; a job that is running already only gets its console."""
        going_on = row.running.run_id if row.running else self._followed_run(row.job_id)
        if going_on:
            self.open_console(row.job_id, going_on, row.title)
        else:
            self.by_hand.run(row, zone=self._zone)

    def _followed_run(self, job_id: str) -> str:
        """The run of this job that a console knows to be going on, or starting; "" = none."""
        consoles = self.consoles.items()
        return next((run for run, each in consoles if each.job_id == job_id and not each.is_over), "")

    def stop(self, row: JobRow) -> None:
        """Ask whether to stop what runs of this job."""
        self.by_hand.stop(row.job_id, row.title)

    def show_output(self, row: JobRow) -> None:
        """Bring the Output tab to the front; the job is the one that is selected."""
        self.tab_asked.emit(self.tr("Output"))

    def ask(self, row: JobRow) -> None:
        """Show the message that asks whoever looks after the job."""
        from ridgeline_desktop.gui.runs.asking import Asking

        if self.asking is None:
            self.asking = Asking(runs=self._runs, tasks=self._tasks, clock=self._clock, window=self._window)
        self.asking.ask(row, zone=self._zone)

    def open_console(self, job_id: str, run_id: str, title: str) -> "RunConsole":
        """A window that follows this run, the one that is open already where there is one."""
        from ridgeline_desktop.gui.runs.console import RunConsole

        console = self.consoles.get(run_id)
        if console is None:
            row = self._rows.get(job_id)
            console = RunConsole(
                runs=self._runs,
                tasks=self._tasks,
                clock=self._clock,
                job_id=job_id,
                run_id=run_id,
                title=title,
                zone=self._zone,
                usual=row.usual if row else None,
                command=_command(row.job) if row and row.job else "",
            )
            self.consoles[run_id] = console
            console.over.connect(self._on_over)
            console.stop_asked.connect(self._on_stop_asked)
            console.closed.connect(self._on_closed)
        else:
            console.raise_()
        console.show()
        console.activateWindow()
        return console

    def close(self) -> None:
        """Close every console; the runs go on."""
        for console in tuple(self.consoles.values()):
            console.close()

    # What happened

    def _open(self, record: RunRecord) -> None:
        row = self._rows.get(record.job_id)
        self.open_console(record.job_id, record.run_id, row.title if row else record.job_id)

    def _on_started(self, started: StartedRun, title: str) -> None:
        self.open_console(started.job_id, started.run_id, title)
        self.changed.emit()

    def _on_over(self, _job_id: str) -> None:
        self.changed.emit()

    def _on_stop_asked(self, job_id: str) -> None:
        row = self._rows.get(job_id)
        sender = self.sender()
        window = sender if isinstance(sender, QWidget) else None
        self.by_hand.stop(job_id, row.title if row else job_id, window=window)

    def _on_stopping(self, record: RunRecord) -> None:
        if record.run_id in self.consoles:
            self.consoles[record.run_id].note_stopping()
        self.changed.emit()

    def _on_not_stopped(self, job_id: str) -> None:
        for console in self.consoles.values():
            if console.job_id == job_id:
                console.note_not_stopped()

    def _on_closed(self, run_id: str) -> None:
        self.consoles.pop(run_id, None)


def _state(row: JobRow) -> object:
    """What changes whenever one of the job's runs begins or ends."""
    return (row.job_id, row.last_run, row.running, row.recent[:1])


def _command(job: Job) -> str:
    return job.shell or " ".join(job.command)
