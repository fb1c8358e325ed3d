"""The program with windows: makes the rooms, connects them, and ends in order."""

from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from shiboken6 import delete

import ridgeline_desktop.gui.plain_imports  # noqa: F401 (loading it is its use)
from ridgeline_desktop.core.health import Attention
from ridgeline_desktop.core.settings import CloseButton
from ridgeline_desktop.core.snapshots import BannerKind, JobRow, Snapshot, Step, StepKind, blind
from ridgeline_desktop.core.values import replace
from ridgeline_desktop.gui.closing import Closing
from ridgeline_desktop.gui.demo_bar import DemoBar
from ridgeline_desktop.gui.job_actions import JobActions
from ridgeline_desktop.gui.kit.feedback import message_box
from ridgeline_desktop.gui.kit.garbage import Garbage
from ridgeline_desktop.gui.kit.palette import Appearance
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.gui.parts import Parts
from ridgeline_desktop.gui.rooms import Rooms
from ridgeline_desktop.gui.signals import SystemSignals, Unforeseen
from ridgeline_desktop.gui.single_instance import SingleInstance, StartAs
from ridgeline_desktop.gui.tray import Tray
from ridgeline_desktop.gui.watcher import Watcher

NAME = "Ridgeline"
DRAW_SIZE = (1180, 720)
DRAW_LIMIT = 20_000
POLL = 50
PANEL_LIMIT = 10_000
NO_TRAY_TOLD = "tray/told-that-there-is-none"


def make_qt(arguments: list[str]) -> QApplication:
    """The one Qt application of this process, in Fusion; it goes on when its last window closes."""
    QApplication.setQuitOnLastWindowClosed(False)
    QApplication.setApplicationName(NAME)
    QApplication.setApplicationDisplayName(NAME)
    QApplication.setDesktopFileName("ridgeline-desktop")
    # As an argument, for setStyle gives a QStyle, whose hundreds of names would be made at every start.
    return QApplication([*arguments, "-style", "Fusion"])


def show_refusal(text: str, why: str) -> int:
    """Say that Ridgeline cannot start, and give the exit code once that is read."""
    box = message_box(text, why, title=NAME)
    box.addButton(QApplication.translate("Start", "Close"), QMessageBox.ButtonRole.AcceptRole)
    box.finished.connect(_qt().quit)
    box.open()
    _qt().exec()
    return 1


class Application(QObject):
    """Everything that is open for one home; `stay` returns when it is quit."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self._parts = parts
        self._garbage, self._unforeseen = Garbage(), Unforeseen()
        self._tasks = Tasks(failed=self._could_not)
        self._watcher = Watcher(
            look=parts.look, places=parts.places, tasks=self._tasks, clock=parts.desk.clock
        )
        self._watcher.look_now()  # it reads while the windows are made
        self._appearance = Appearance(_qt(), in_haste=True)
        self._appearance.apply(parts.scheme)
        self._store = QSettings(parts.window_file, QSettings.Format.IniFormat)
        self.rooms = Rooms(parts=parts, tasks=self._tasks, store=self._store)
        self.window = self.rooms.window
        self.actions = JobActions(
            desk=parts.desk, tasks=self._tasks, feedback=self.rooms.feedback, window=self.window
        )
        self.tray: Tray | None = None
        self.snapshot: Snapshot | None = None
        self._demo_bar = self._made_demo_bar()
        self._closing = Closing(
            window=self.window,
            tasks=self._tasks,
            choice=self._close_choice,
            remember=self._remember_close,
            stops_with_us=self._stopping_with_us,
            is_sample=parts.sample is not None,
        )
        self._connect()

    @property
    def is_idle(self) -> bool:
        """Whether everything that was asked for has been answered."""
        return not self._tasks.pending and not self._watcher.is_looking

    def stay(self, *, is_hidden: bool = False) -> int:
        """Show the window (or the tray alone, where there is one) and stay until quit; the exit code.

        Where Ridgeline is open already for this home, that one's window is raised instead.
        """
        parts = self._parts
        instance = SingleInstance(home=parts.home, folder=parts.state)
        started = instance.start()
        if started is not StartAs.FIRST:
            self.close()
            return 0 if started is StartAs.SHOWN else self._tell_not_answering()
        instance.show_asked.connect(self.window.show_again)
        signals = SystemSignals()
        signals.asked_to_end.connect(self.end)
        self.open_tray()
        if not is_hidden:
            self.window.show()
        QTimer.singleShot(PANEL_LIMIT, self._do_without_tray)
        code = _qt().exec()
        self.close()
        signals.close()
        instance.close()
        return code

    def _tell_not_answering(self) -> int:
        return show_refusal(
            self.tr("Ridgeline is already running but does not answer."),
            self.tr("Wait a moment and start it again, or end the one that hangs."),
        )

    def draw(self, picture: str) -> bool:
        """Draw the window into a PNG file as it looks once everything is read; False where that fails."""
        self.window.resize(*DRAW_SIZE)
        self.window.show()
        saved: list[bool] = []
        poll = QTimer(self)
        poll.timeout.connect(partial(self._draw_when_read, picture, saved, poll))
        poll.start(POLL)
        QTimer.singleShot(DRAW_LIMIT, self.end)
        _qt().exec()
        self.close()
        return saved == [True]

    def _draw_when_read(self, picture: str, saved: list[bool], poll: QTimer) -> None:
        if self.snapshot is None or not self.is_idle:
            return
        poll.stop()
        saved.append(self.window.grab().save(picture))
        self.end()

    def open_tray(self) -> None:
        """Put the icon up; it appears wherever and whenever the desktop has a place for it."""
        self.tray = tray = Tray()
        tray.open_asked.connect(self._open_from_tray)
        tray.show_asked.connect(self._show_job)
        tray.run_asked.connect(self._run_from_tray)
        tray.runbook_asked.connect(self._runbook_from_tray)
        tray.settings_asked.connect(self._settings_from_tray)
        tray.quit_asked.connect(self._closing.quit_asked)
        tray.availability_changed.connect(self._tray_came_or_went)
        self._tray_came_or_went(tray.is_available)
        if self.snapshot is not None:
            tray.show_snapshot(self.snapshot)

    def _tray_came_or_went(self, is_there: bool) -> None:
        self._closing.set_tray(is_there)
        if is_there:
            self.window.hide_notice()

    def _do_without_tray(self) -> None:
        """Where no panel has come up by now: be reachable by the window, and say so once."""
        if self.tray is None or self.tray.is_available:
            return
        if not self.window.isVisible():
            self.window.showMinimized()
        if not self._store.value(NO_TRAY_TOLD):
            self._store.setValue(NO_TRAY_TOLD, 1)
            self.window.show_notice(
                self.tr(
                    "This desktop has no place for Ridgeline's icon, so the lights are in this window alone. "
                    "Keep it open or minimised."
                )
            )

    def end(self) -> None:
        """End the program, without a question; runs go on."""
        self.window.allow_close()
        _qt().exit(0)  # quit() would ask every window, and an open form may refuse

    def close(self) -> None:
        """Take everything down in order: no look, no icon and no window is left; runs go on."""
        self._watcher.stop()
        if self.tray is not None:
            self.tray.close()
        self.window.save_shape()
        self.rooms.close()
        self._tasks.close()
        self._parts.close()
        # Left to Python they would go in any order, and after Qt itself; a tool bar does not own its widgets.
        for widget in (self.rooms.page.find_box, self.window):
            delete(widget)
        delete(self._store)  # it writes what it holds when it goes, and its folder may go next
        self._unforeseen.close()
        self._garbage.close()

    def _connect(self) -> None:
        self._watcher.taken.connect(self._show)
        self._watcher.failed.connect(self._show_nothing)
        self._watcher.ticked.connect(self.rooms.tick)
        self._unforeseen.happened.connect(self._could_not)
        self.window.visibility_changed.connect(self._visible)
        self.window.close_asked.connect(self._closing.close_asked)
        self.window.action_asked.connect(self.act)
        self._closing.confirmed.connect(self.end)
        self.rooms.page.banner_asked.connect(self._banner)
        self.rooms.page.retry_asked.connect(self._watcher.look_now)
        self.rooms.step_asked.connect(self._step)
        self.rooms.changed.connect(self._watcher.look_now)
        self.rooms.run_asked.connect(self.run)
        self.rooms.settings.scheme_changed.connect(self._appearance.apply)
        self.actions.changed.connect(self._watcher.look_now)
        _qt().commitDataRequest.connect(self._session_ends)

    def _made_demo_bar(self) -> DemoBar | None:
        if self._parts.sample is None:
            return None
        bar = DemoBar(controls=self._parts.sample, tasks=self._tasks)
        self.window.set_demo_bar(bar)
        return bar

    def _show(self, snapshot: Snapshot) -> None:
        self._dress_once_painted()
        self.snapshot = snapshot
        self.rooms.show(snapshot)
        if self._demo_bar is not None:
            self._demo_bar.refresh()
        if self.tray is not None:
            self.tray.show_snapshot(snapshot)
            self.tray.recheck()

    def _dress_once_painted(self) -> None:
        if self.snapshot is None:
            QTimer.singleShot(0, self._appearance.dress_all)

    def _show_nothing(self, error: Exception) -> None:
        """What kept us from looking is all there is to show; no light of before can be trusted."""
        self._dress_once_painted()
        zone = self.snapshot.zone if self.snapshot else ZoneInfo("UTC")
        self.snapshot = blind(str(error), zone=zone, now=self._parts.desk.clock.now())
        self.rooms.show_nothing(self.snapshot, error)
        if self.tray is not None:
            self.tray.show_snapshot(self.snapshot)

    def _visible(self, is_visible: bool) -> None:
        self._watcher.show_seconds(is_visible)
        if is_visible and self.snapshot is not None:  # the first look is under way
            self._watcher.look_now()

    def act(self, name: str, row: JobRow | None) -> None:
        """Do what an action of the window is called: one about a job where `row` is one, or a general one."""
        general: dict[str, Callable[[], object]] = {
            "add": self.rooms.jobs.add,
            "settings": self.rooms.settings.open,
            "check": self.actions.check,
            "quit": self._closing.quit_asked,
        }
        if name in general:
            general[name]()
        elif row is not None and self.snapshot is not None:
            self._act_on(name, row, self.snapshot)

    def _act_on(self, name: str, row: JobRow, snapshot: Snapshot) -> None:
        on_a_job: dict[str, Callable[[], object]] = {
            "run": partial(self.rooms.runs.run_now, row),
            "stop": partial(self.rooms.runs.stop, row),
            "pause": partial(self.actions.pause, row, snapshot),
            "resume": partial(self.actions.resume, row.job_id, row.title),
            "schedule": partial(self.rooms.schedules.edit, row.job_id),
            "edit-job": partial(self.rooms.jobs.edit, row.job_id),
            "runbook": partial(self.rooms.runbooks.open, row),
            "output": partial(self.rooms.runs.show_output, row),
            "lock": partial(self.rooms.locks.open, row),
            "ask": partial(self.rooms.runs.ask, row),
            "register": partial(self.actions.register, (row.job_id,), snapshot),
        }
        on_a_job[name]()

    def _step(self, job_id: str, step: Step) -> None:
        row = self._row(job_id)
        names = {
            StepKind.RUN_NOW: "run",
            StepKind.SHOW_OUTPUT: "output",
            StepKind.SHOW_LOCK: "lock",
            StepKind.REGISTER: "register",
            StepKind.RESUME: "resume",
            StepKind.EDIT_JOB: "edit-job",
            StepKind.EDIT_SCHEDULE: "schedule",
            StepKind.ASK: "ask",
        }
        if row is None:
            return
        if step.kind is StepKind.OPEN_RUNBOOK:
            self.rooms.runbooks.open(row, step.heading)
        elif step.kind in names:
            self.act(names[step.kind], row)

    def run(self, job_id: str) -> None:
        """Run a job now, as the button does."""
        row = self._row(job_id)
        if row is not None:
            self.rooms.runs.run_now(row)

    def _open_from_tray(self) -> None:
        """Show the job that gave the icon its colour, unless one that needs somebody is selected already."""
        self.window.show_again()
        selected = self.rooms.page.selected_row()
        rows = self.snapshot.rows if self.snapshot else ()
        if rows and _is_calm(selected) and not _is_calm(rows[0]):
            self.rooms.page.select(rows[0].job_id)

    def _run_from_tray(self, job_id: str) -> None:
        self._show_job(job_id)
        self.run(job_id)

    def _runbook_from_tray(self, job_id: str) -> None:
        self._show_job(job_id)
        row = self._row(job_id)
        if row is not None:
            self.rooms.runbooks.open(row)

    def _settings_from_tray(self) -> None:
        self.window.show_again()
        self.rooms.settings.open()

    def _show_job(self, job_id: str) -> None:
        self.window.show_again()
        self.rooms.page.select(job_id)

    def _row(self, job_id: str) -> JobRow | None:
        rows = self.snapshot.rows if self.snapshot else ()
        return next((row for row in rows if row.job_id == job_id), None)

    def _banner(self, kind: BannerKind, action: str, job_ids: tuple[str, ...]) -> None:
        if self.snapshot is None:
            return
        if action == "register":
            named = job_ids if kind is BannerKind.SOME_NEVER_REGISTERED else ()
            self.actions.register(named, self.snapshot)
        elif action == "elsewhere":
            self.actions.run_elsewhere(job_ids, self.snapshot)
        elif action == "take-out":
            self.actions.take_out(job_ids)
        elif action == "check":
            self.actions.check()

    def _stopping_with_us(self) -> tuple[str, ...]:
        """The names of the jobs that only this program starts; called in a thread."""
        titles = {row.job_id: row.title for row in self.snapshot.rows} if self.snapshot else {}
        return tuple(titles.get(job_id, job_id) for job_id in self._parts.in_app_jobs())

    def _close_choice(self) -> CloseButton:
        return self._parts.desk.jobs.settings().close

    def _remember_close(self, choice: CloseButton) -> None:
        settings = self._parts.desk.settings
        before = settings.draft()
        settings.save(before, replace(before, close=choice))

    def _could_not(self, error: Exception) -> None:
        self.rooms.feedback.fail(trouble_of(error, what=self.tr("Something did not work.")))

    def _session_ends(self, _manager: object) -> None:
        self.end()


def _is_calm(row: JobRow | None) -> bool:
    return row is None or row.attention is Attention.GREEN


def _qt() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found
