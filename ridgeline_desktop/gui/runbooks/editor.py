"""The window that changes a runbook; one that is not there yet begins with a template."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.gui.kit.text_editor import EditorWords, TextEditor, Theirs
from ridgeline_desktop.gui.kit.words import trouble_of
from ridgeline_desktop.services.runbooks import Runbook, Runbooks

translate = QCoreApplication.translate


class RunbookEditor(TextEditor):
    """The plain editor for one runbook. `saved` = the file was written."""

    def __init__(
        self,
        runbook: Runbook,
        *,
        runbooks: Runbooks,
        tasks: Tasks,
        feedback: Feedback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            runbook.text if runbook.is_there else None,
            words=_words(runbook.title),
            write=partial(_write, runbooks, runbook),
            tasks=tasks,
            feedback=feedback,
            parent=parent,
        )
        self.saved.connect(self._say)
        if not runbook.is_there:
            self.text.setEnabled(False)
            template = partial(runbooks.template, runbook.job_id)
            tasks.run(template, then=self._fill, failed=self._not_filled)

    def _say(self) -> None:
        self._feedback.say(self.tr("The runbook is saved."))

    def _fill(self, template: str) -> None:
        self.text.setEnabled(True)
        self.text.setPlainText(template)
        self.text.document().setModified(False)
        self.text.setFocus()

    def _not_filled(self, error: Exception) -> None:
        self.text.setEnabled(True)
        said = self.tr("There is no outline to begin with; you can still write. {why}")
        self.problem.say(said.format(why=trouble_of(error, what="").why))


def _write(runbooks: Runbooks, runbook: Runbook, old: str | None, new: str) -> Theirs | None:
    theirs = runbooks.save(replace(runbook, text=old or "", is_there=old is not None), text=new)
    return None if theirs is None else Theirs(theirs)


def _words(title: str) -> EditorWords:
    return EditorWords(
        title=translate("RunbookEditor", "Runbook of “{job}”").format(job=title),
        name=translate("RunbookEditor", "Text of the runbook"),
        hint=translate(
            "RunbookEditor",
            "Headings begin with #, lists with - or 1. and code stands between lines of ```.",
        ),
        moved=translate(
            "RunbookEditor",
            "Somebody else has changed this runbook meanwhile. Nothing was written. Below is theirs.",
        ),
        kept=translate("RunbookEditor", "The runbook in the shop folder stays as it is."),
        not_saved=translate("RunbookEditor", "The runbook was not saved."),
    )
