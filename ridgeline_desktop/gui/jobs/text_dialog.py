"""The window that changes a job file as plain text, for a file that is not in order and so has no form."""

from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.core.errors import JobFileMoved
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.text_editor import EditorWords, TextEditor, Theirs
from ridgeline_desktop.services.editing import Editing, Saved

translate = QCoreApplication.translate


def job_text_editor(
    job_id: str, text: str, *, editing: Editing, tasks: Tasks, feedback: Feedback, parent: QWidget
) -> TextEditor:
    """The plain editor for a job file that holds `text`; `saved` carries the Saved. The caller opens it."""
    return TextEditor(
        text,
        words=_words(job_id),
        write=partial(_write, editing, job_id),
        check=partial(editing.problems_of, job_id),
        tasks=tasks,
        feedback=feedback,
        parent=parent,
    )


def _write(editing: Editing, job_id: str, old: str | None, new: str) -> Saved | Theirs:
    try:
        return editing.write_text(job_id, new, replacing=old)
    except JobFileMoved as error:
        return Theirs(error.theirs or "")


def _words(job_id: str) -> EditorWords:
    return EditorWords(
        title=translate("JobText", "The file of “{job}”").format(job=job_id),
        name=translate("JobText", "Text of the job file"),
        hint=translate(
            "JobText",
            "Each line says one thing as name = value, text in quotes. What stands behind # is a note. "
            "What is wrong is named below with its line.",
        ),
        moved=translate(
            "JobText", "Somebody else has changed this file meanwhile. Nothing was written. Below is theirs."
        ),
        kept=translate("JobText", "The job file in the shop folder stays as it is."),
        not_saved=translate("JobText", "The job file was not saved."),
    )
