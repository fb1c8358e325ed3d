"""What can become of a saved schedule beside success: it stands otherwise, or somebody was faster."""

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QPushButton

from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.schedules import in_words
from ridgeline_desktop.gui.kit.moved_card import OutcomeCard, side_by_side
from ridgeline_desktop.services.editing import Saved


class DifferenceCard(OutcomeCard):
    """The file is saved, but this computer's schedule does not say the same."""

    again_wanted = Signal()
    undo_wanted = Signal()

    def __init__(self, saved: Saved) -> None:
        super().__init__(self.tr("Saved in the job's file, but it does not run by it yet"))
        self.saved = saved
        self.say(saved.sentence)
        if saved.difference:
            wanted, found = saved.difference
            self.add(
                side_by_side(
                    (self.tr("Should stand in the schedule"), wanted or self.tr("nothing")),
                    (self.tr("Was found there, and still applies"), found or self.tr("nothing")),
                )
            )
        self.again, self.undo = QPushButton(self.tr("Tr&y again")), QPushButton(self.tr("&Undo my change"))
        self.again.clicked.connect(self.again_wanted)
        self.undo.clicked.connect(self.undo_wanted)
        self.undo.setVisible(saved.undo is not None)
        self.offer(self.again, self.undo)


def said_by(text: str) -> str:
    """What a job file asks for, in words."""
    file = read_job_file("theirs.toml", text, shop_zone="UTC")
    if file.job is None:
        return QCoreApplication.translate("schedules", "their file is not in order")
    words = in_words(file.job.schedule)
    return words[:1].upper() + words[1:]
