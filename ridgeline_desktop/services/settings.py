"""The settings of this computer, shown and changed by a form."""

from collections.abc import Mapping
from typing import Any

from ridgeline_desktop.core.drafts import DraftProblem, SettingsDraft
from ridgeline_desktop.core.environments import OnDisk
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.ports import Programs, SettingsFile
from ridgeline_desktop.core.setting_tables import checked_settings, setting_changes, settings_draft
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.core.values import dataclass, field
from ridgeline_desktop.services.jobs import Jobs


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSettings:
    """What became of a change: a sentence for a person, whether the file was written, and the way back.

    With `problems` nothing was written. `undo` goes back to `SettingsDesk.undo`; empty = no way back.
    """

    sentence: str
    written: bool
    problems: tuple[DraftProblem, ...] = ()
    undo: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDesk:
    """Every method reads or writes disks: never on the GUI's thread."""

    jobs: Jobs
    settings_file: SettingsFile
    programs: Programs

    def read(self) -> Settings:
        """The settings as they apply; SettingsBroken where the file is not in order."""
        return self.jobs.settings()

    def draft(self) -> SettingsDraft:
        """The form filled in; SettingsBroken where the file is not in order."""
        return settings_draft(self.read())

    def check(self, draft: SettingsDraft) -> tuple[DraftProblem, ...]:
        """All that is wrong with the form; a shop folder that is not there may be saved all the same."""
        problems = checked_settings(draft)
        folder = draft.shop_folder.strip()
        is_wrong = any(problem.field == "shop_folder" for problem in problems)
        if not folder or is_wrong or self.programs.look(folder) is OnDisk.FOLDER:
            return problems
        text = f"There is no folder {folder} now. If its disk is not mounted yet, this may be right."
        return (*problems, DraftProblem(field="shop_folder", message=text, blocks=False))

    def save(self, old: SettingsDraft, new: SettingsDraft) -> SavedSettings:
        """Write what `new` says otherwise than `old`, which the form began with; other keys stay.

        SettingsBroken or NotWritten where the file is not in order, or the disk refuses.
        """
        problems = checked_settings(new)
        if problems:
            sentence = "Nothing was saved: the form is not in order yet."
            return SavedSettings(sentence=sentence, written=False, problems=problems)
        changes = setting_changes(old, new)
        if not changes:
            return SavedSettings(sentence="Nothing was changed, so nothing was written.", written=False)
        self.settings_file.write(changes)
        sentence = "Saved. Your name applies from the next start on." if "name" in changes else "Saved."
        return SavedSettings(sentence=sentence, written=True, undo=setting_changes(new, old))

    def undo(self, saved: SavedSettings) -> SavedSettings:
        """Set the changed keys back to what they were; later changes of other keys stay."""
        if not saved.undo:
            raise RidgelineError("there is nothing to take back")
        self.settings_file.write(saved.undo)
        return SavedSettings(sentence="Undone.", written=True)
