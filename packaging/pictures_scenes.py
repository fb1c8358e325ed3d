"""The scenes that pictures are taken of: what a person does in the window, and what is worth a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pictures_shop import PictureShop
from pictures_taking import Camera, Scene, dialog, has_dialog
from PySide6.QtCore import QDate, QSize, QTime
from PySide6.QtWidgets import QPushButton, QWidget

from ridgeline_desktop.gui.application import Application
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.runs.console import RunConsole

WINDOW = QSize(1240, 760)


@dataclass(frozen=True, slots=True, kw_only=True)
class Set:
    """What a scene plays with: the open windows, the camera and the shop behind them."""

    application: Application
    camera: Camera
    shop: PictureShop

    def select(self, job_id: str) -> None:
        """Select a job in the list."""
        self.application.rooms.page.select(job_id)

    def do(self, name: str) -> None:
        """Choose what the tool bar or a menu of the window offers."""
        self.application.window.actions_of[name].trigger()

    def take(self, name: str, window: QWidget | None = None) -> None:
        """A picture of a window, the main window where none is given."""
        self.camera.take(name, window or self.application.window)

    def open_console(self) -> RunConsole:
        """The console that is open."""
        [console] = self.application.rooms.runs.consoles.values()
        return console


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One process's pictures: how the shop is, what is played, and in which colours and size."""

    prepare: Callable[[PictureShop], None]
    play: Callable[[Set], Scene]
    scheme: Scheme = Scheme.LIGHT
    scale: str = "1"
    is_real: bool = False


def ready() -> bool:
    """Nothing in particular: only that everything asked for has been read and drawn."""
    return True


def one_window(name: str, job_id: str, stage: Set) -> Scene:
    """The main window with a job selected ("" = none)."""
    if job_id:
        stage.select(job_id)
    yield ready
    stage.take(name)


def red_windows(suffix: str, stage: Set) -> Scene:
    """The main window, and the windows that people look at longest."""
    stage.select("order-sync")
    yield ready
    stage.take(f"red-{suffix}")
    yield from _schedule_form(stage, f"schedule-{suffix}")
    yield from _runbook(stage, f"runbook-{suffix}")


def many_windows(stage: Set) -> Scene:
    """Every window that can be opened from the main one while nothing is run."""
    page = stage.application.rooms.page
    page.find_box.setText("coffee beans")
    yield ready
    stage.take("nothing-found")
    page.find_box.clear()
    yield from _schedule_problems(stage)
    yield from _job_form(stage)
    yield from _new_job(stage)
    yield from _dialog_of(stage, "settings", "settings")
    yield from _dialog_of(stage, "pause", "pause")
    stage.select("stock-count")
    yield from _dialog_of(stage, "run", "ask-first")
    yield from _dialog_of(stage, "quit", "quit")


def dead_lock(stage: Set) -> Scene:
    """The evidence about a lock whose run is gone."""
    stage.select("nightly-invoices")
    yield from _dialog_of(stage, "lock", "lock-left-behind")


def going_on(stage: Set) -> Scene:
    """A run that is going on: in the list, in its console, and its lock."""
    stage.select("order-sync")
    yield ready
    stage.take("running")
    stage.application.run("order-sync")
    yield lambda: bool(stage.application.rooms.runs.consoles)
    stage.take("run-going-on", stage.open_console())
    stage.open_console().close()
    yield from _dialog_of(stage, "lock", "lock-held")


def by_hand(stage: Set) -> Scene:
    """Run now while the web shop is broken, and again when it is mended."""
    stage.select("order-sync")
    yield ready
    stage.take("sample-shop")
    stage.do("run")
    yield partial(_is_over, stage)
    stage.take("run-failed", stage.open_console())
    stage.open_console().close()
    _press(stage.application.window, "&Mend it")
    yield ready
    stage.do("run")
    yield partial(_is_over, stage)
    stage.take("run-done", stage.open_console())
    stage.open_console().close()
    yield ready


STAGES = {
    "light": Stage(prepare=PictureShop.has_a_past, play=partial(red_windows, "light")),
    "dark": Stage(prepare=PictureShop.has_a_past, play=partial(red_windows, "dark"), scheme=Scheme.DARK),
    "150": Stage(prepare=PictureShop.has_a_past, play=partial(red_windows, "150"), scale="1.5"),
    "windows": Stage(prepare=PictureShop.has_a_past, play=many_windows),
    "green": Stage(prepare=PictureShop.is_well, play=partial(one_window, "green", "order-sync")),
    "empty": Stage(prepare=PictureShop.is_empty, play=partial(one_window, "no-jobs", "")),
    "moved": Stage(prepare=PictureShop.has_moved, play=partial(one_window, "new-computer", "order-sync")),
    "broken": Stage(
        prepare=PictureShop.has_a_broken_job, play=partial(one_window, "broken-job-file", "photo-resize")
    ),
    "unreadable": Stage(
        prepare=PictureShop.lost_its_records, play=partial(one_window, "cannot-tell", "order-sync")
    ),
    "locked": Stage(prepare=PictureShop.has_a_dead_lock, play=dead_lock),
    "running": Stage(prepare=PictureShop.has_a_run, play=going_on, is_real=True),
    "by-hand": Stage(prepare=PictureShop.has_a_past, play=by_hand, is_real=True),
}


def _dialog_of(stage: Set, action: str, name: str) -> Scene:
    """The dialog that an action opens; it is put away again."""
    stage.do(action)
    yield has_dialog
    yield from _taken(stage, name)


def _taken(stage: Set, name: str) -> Scene:
    window = dialog()
    assert window is not None
    stage.take(name, window)
    window.close()
    yield ready
    left = dialog()
    if left is not None:  # a form with changes asks whether to throw them away
        _press(left, "Throw them away")
    yield lambda: not has_dialog()


def _schedule_form(stage: Set, name: str) -> Scene:
    stage.select("nightly-invoices")
    stage.do("schedule")
    yield has_dialog
    form = stage.application.rooms.schedules.dialog
    assert form is not None
    form.form.times.edits[0].setTime(QTime(2, 30))
    yield ready
    yield from _taken(stage, name)
    stage.select("order-sync")


def _schedule_problems(stage: Set) -> Scene:
    stage.select("order-sync")
    stage.do("schedule")
    yield has_dialog
    form = stage.application.rooms.schedules.dialog
    assert form is not None
    for box in form.form.every_days.boxes.values():
        box.setChecked(False)
    form.form.between.set_between(("18:00", "08:00"))
    form.form.starts.set_text("2026-03-09", today=QDate(2026, 3, 7))
    form.form.ends.set_text("2026-03-08", today=QDate(2026, 3, 7))
    yield ready
    yield from _taken(stage, "schedule-problems")


def _job_form(stage: Set) -> Scene:
    stage.do("edit-job")
    yield has_dialog
    yield from _taken(stage, "job-form")


def _new_job(stage: Set) -> Scene:
    stage.do("add")
    yield has_dialog
    new = stage.application.rooms.jobs.dialog
    assert new is not None
    new.form.title.setText("Photo resize")
    new.form.title.textEdited.emit("Photo resize")
    new.form.about.setPlainText("Makes small copies of the new product photos.")
    new.form.program.setText("/usr/bin/photo-resize")
    new.form.folder.setText("/srv/photos")
    new.form.runbook.setText("runbooks/photo-resize.md")
    yield ready
    yield from _taken(stage, "new-job")


def _runbook(stage: Set, name: str) -> Scene:
    rooms = stage.application.rooms
    rooms.detail.show_tab("Runbook")
    yield ready
    rooms.runbooks.page.window_button.click()
    yield ready
    [window] = [each for each in stage.application.window.findChildren(QWidget) if _is_runbook(each)]
    stage.take(name, window)
    window.close()
    yield ready


def _is_runbook(widget: QWidget) -> bool:
    return widget.isWindow() and widget.isVisible() and widget.windowTitle().startswith("Runbook of")


def _is_over(stage: Set) -> bool:
    consoles = stage.application.rooms.runs.consoles.values()
    return bool(consoles) and all(console.is_over for console in consoles)


def _press(window: QWidget, text: str) -> None:
    [button] = [each for each in window.findChildren(QPushButton) if each.text() == text]
    button.click()


__all__ = ["STAGES", "WINDOW", "Set", "Stage"]
