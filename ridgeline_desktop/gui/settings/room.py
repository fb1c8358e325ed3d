"""The room of the settings: their window, with the services behind it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.drafts import SettingsDraft
from ridgeline_desktop.core.errors import NotWritten
from ridgeline_desktop.core.ports import Autostart, Clock
from ridgeline_desktop.core.settings import Theme
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.palette import Scheme
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.settings import SavedSettings, SettingsDesk

if TYPE_CHECKING:  # loaded when the window is first opened: it would slow every start
    from ridgeline_desktop.gui.settings.dialog import SettingsDialog


@dataclass(frozen=True, slots=True)
class _Change:
    """What was saved, and what the start at login was before (None = it was left alone).

    `trouble` is what kept the start at login from being changed when the settings were written.
    """

    saved: SavedSettings
    was_on: bool | None = None
    trouble: Exception | None = None

    @property
    def can_be_undone(self) -> bool:
        return bool(self.saved.undo) or self.was_on is not None


class SettingsRoom(QObject):
    """`changed` says that something was written; `scheme_changed(Scheme)` what the windows should look like.

    The appearance is shown as soon as it is chosen, and goes back where it is not saved.
    """

    changed = Signal()
    scheme_changed = Signal(object)

    def __init__(
        self,
        *,
        settings: SettingsDesk,
        autostart: Autostart,
        tasks: Tasks,
        feedback: Feedback,
        clock: Clock,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._settings, self._autostart = settings, autostart
        self._tasks, self._feedback, self._window = tasks, feedback, window
        self._draft = SettingsDraft()
        self._dialog: SettingsDialog | None = None
        self._opening = False
        self._asked = 0

    @property
    def dialog(self) -> "SettingsDialog | None":
        """The window that is open, None where it is not."""
        return self._dialog

    @Slot()
    def open(self) -> None:
        """Open the window; where it is open already it comes to the front instead."""
        if self._dialog is not None:
            self._dialog.raise_()
            self._dialog.activateWindow()
        elif not self._opening:
            self._opening = True
            self._tasks.run(self._settings.draft, then=self._show, failed=self._not_opened)

    def _show(self, draft: SettingsDraft) -> None:
        from ridgeline_desktop.gui.kit.zone_box import zone_names
        from ridgeline_desktop.gui.settings.dialog import SettingsDialog

        self._opening = False
        self._draft = draft
        self._dialog = dialog = SettingsDialog(parent=self._window)
        dialog.form.set_draft(draft, system_zone=self._settings.jobs.system_zone.key)
        dialog.form.set_autostart(None)
        dialog.form.theme_changed.connect(self._show_theme)
        dialog.check_wanted.connect(self._check)
        dialog.save_wanted.connect(self._save)
        dialog.accepted.connect(self._closed)
        dialog.rejected.connect(self._thrown_away)
        self._tasks.run(self._autostart.is_on, then=self._show_autostart, failed=self._no_autostart)
        self._tasks.run(zone_names, then=self._offer_zones)
        self._check()
        dialog.open()

    def _not_opened(self, error: Exception) -> None:
        self._opening = False
        what = self.tr("The settings cannot be shown.")
        self._feedback.fail(trouble_of(error, what=what, safe=self.tr("Nothing was changed.")))

    def _show_autostart(self, is_on: bool) -> None:
        if self._dialog is not None:
            self._dialog.form.set_autostart(is_on)

    def _no_autostart(self, error: Exception) -> None:
        if self._dialog is not None:
            why = self.tr("Nobody can tell whether it does: {why}").format(why=error)
            self._dialog.form.set_autostart(None, why)

    def _offer_zones(self, zones: tuple[str, ...]) -> None:
        if self._dialog is not None:
            self._dialog.form.zone.offer(zones)

    @Slot(object)
    def _show_theme(self, theme: Theme) -> None:
        self.scheme_changed.emit(Scheme(theme.value))

    @Slot()
    def _check(self) -> None:
        if self._dialog is not None:
            self._asked += 1
            work = partial(self._settings.check, self._dialog.form.draft())
            self._tasks.run(work, then=partial(self._checked, self._asked))

    def _checked(self, number: int, problems: object) -> None:
        if number == self._asked and self._dialog is not None:
            assert isinstance(problems, tuple)
            self._dialog.show_problems(problems)

    @Slot()
    def _save(self) -> None:
        if self._dialog is not None:
            form = self._dialog.form
            work = partial(self._write, form.draft(), form.wanted_autostart())
            self._tasks.run(work, then=self._saved, failed=self._not_saved)

    def _write(self, draft: SettingsDraft, autostart: bool | None) -> _Change:
        saved = self._settings.save(self._draft, draft)
        if autostart is None or saved.problems:
            return _Change(saved)
        try:
            was_on = self._autostart.is_on()
            self._autostart.set(autostart)
        except OSError as error:
            trouble = NotWritten(self._why_login_stays().format(why=error.strerror or error))
            if not saved.written:
                raise trouble from error
            return _Change(saved, trouble=trouble)
        sentence = saved.sentence if saved.written else self.tr("Saved.")
        return _Change(replace(saved, sentence=sentence), was_on=was_on)

    def _saved(self, change: _Change) -> None:
        if self._dialog is None:
            return
        saved = change.saved
        if saved.problems:
            self._dialog.show_not_saved(saved.problems)
            return
        self._dialog.done_with()
        self._feedback.say(saved.sentence, partial(self._undo, change) if change.can_be_undone else None)
        self.changed.emit()
        if change.trouble is not None:
            self._tell_login_stays(change.trouble)

    def _why_login_stays(self) -> str:
        return self.tr("The file that the desktop reads when you log in cannot be changed: {why}.")

    def _tell_login_stays(self, error: Exception) -> None:
        what = self.tr("Whether Ridgeline starts when you log in was not changed.")
        safe = self.tr("The other settings are as you wanted them.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    def _not_saved(self, error: Exception) -> None:
        if self._dialog is not None:
            self._dialog.show_not_saved()
        what, safe = self.tr("Not everything was saved."), self.tr("What you typed is still in the window.")
        self._feedback.fail(trouble_of(error, what=what, safe=safe))

    def _undo(self, change: _Change) -> None:
        self._tasks.run(partial(self._take_back, change), then=self._undone, failed=self._not_undone)

    def _take_back(self, change: _Change) -> Exception | None:
        """Set everything back; what kept the start at login from it, once the settings file is as it was."""
        if change.saved.undo:
            self._settings.undo(change.saved)
        if change.was_on is not None:
            try:
                self._autostart.set(change.was_on)
            except OSError as error:
                return NotWritten(self._why_login_stays().format(why=error.strerror or error))
        return None

    def _undone(self, trouble: Exception | None) -> None:
        self._show_theme(self._draft.theme)
        self.changed.emit()
        if trouble is None:
            self._feedback.say(self.tr("Undone."))
        else:
            self._tell_login_stays(trouble)

    def _not_undone(self, error: Exception) -> None:
        what = self.tr("The change was not taken back.")
        self._feedback.fail(
            trouble_of(error, what=what, safe=self.tr("The settings stay as you saved them."))
        )

    @Slot()
    def _closed(self) -> None:
        self._dialog = None

    @Slot()
    def _thrown_away(self) -> None:
        if self._dialog is not None and self._dialog.form.draft().theme is not self._draft.theme:
            self._show_theme(self._draft.theme)
        self._dialog = None
