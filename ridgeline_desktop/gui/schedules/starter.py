"""Who starts a job, folded away: few people ever choose it, and its words are those of the computer."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from ridgeline_desktop.core.drafts import OFFERED_BACKENDS
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.gui.kit.forms import Fold, FormRows, beside
from ridgeline_desktop.gui.schedules.texts import kept_starter_word, starter_choices


class StarterInput(Fold):
    """A choice of those that this version can speak to, and of the one that the job's file names already."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Technical details"))
        self.box = QComboBox()
        for backend, words in starter_choices().items():
            self.box.addItem(words, backend)
        rows = FormRows()
        rows.setContentsMargins(18, 0, 0, 0)
        rows.add("backend", self.tr("Started &by"), beside(self.box, None), buddy=self.box)
        self.set_content(rows)
        self.box.currentIndexChanged.connect(self.changed)

    def backend(self) -> BackendName:
        """The one that is chosen."""
        return BackendName(self.box.currentData())

    def set_backend(self, backend: BackendName) -> None:
        """Show this one; where it is not offered, it can be chosen again until another draft is shown."""
        while self.box.count() > len(OFFERED_BACKENDS):
            self.box.removeItem(len(OFFERED_BACKENDS))
        if backend not in OFFERED_BACKENDS:
            self.box.addItem(kept_starter_word(backend), backend)
        self.box.setCurrentIndex(self.box.findData(backend))
