"""The inputs of the job form: shows a draft, gives it back, and puts each problem at its field."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.draft_tables import suggested_id
from ridgeline_desktop.core.drafts import JobDraft
from ridgeline_desktop.core.jobs import Job, SafeToRerun, SuccessRules
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.gui.jobs.variables import VariablesInput
from ridgeline_desktop.gui.kit.draft_form import DraftForm
from ridgeline_desktop.gui.kit.forms import beside, hint_label


class JobForm(DraftForm[JobDraft]):
    """What a job is, but for its schedule. The id of a new job is made from its name until it is typed."""

    def __init__(self, *, is_new: bool) -> None:
        super().__init__(JobDraft())
        self._is_new, self._id_is_own = is_new, False
        self._make_inputs()
        self._kept = hint_label("")
        self._lay_out()
        self._connect()
        self._settle_inputs()
        self.set_draft(self._draft)

    def set_draft(self, draft: JobDraft, job: Job | None = None) -> None:
        """Show a draft. What is not touched comes back from `draft()` just as it was here."""
        self._begin_filling(draft)
        self.job_id.setText(draft.job_id)
        for edit, text in (
            (self.title, draft.title),
            (self.looked_after_by, draft.looked_after_by),
            (self.program, draft.program),
            (self.shell, draft.shell),
            (self.folder, draft.folder),
            (self.runbook, draft.runbook),
            (self.tags, ", ".join(draft.tags)),
        ):
            edit.setText(text)
        self.about.setPlainText(draft.about)
        self.arguments.setPlainText("\n".join(draft.arguments))
        self.environment.set_pairs(draft.environment)
        self.safe_to_rerun.setCurrentIndex(self.safe_to_rerun.findData(draft.safe_to_rerun))
        (self.by_shell if draft.shell else self.by_program).setChecked(True)
        kept = _kept_lines(self, job) if job else ()
        self._kept.setText("\n".join(kept))
        self._kept.setVisible(bool(kept))
        self.title.setPlaceholderText(draft.job_id)
        self._end_filling()
        self._show_kind()

    def _read(self) -> dict[str, Any]:
        by_shell = self.by_shell.isChecked()
        arguments = self.arguments.toPlainText().rstrip("\n")
        return {
            "job_id": self.job_id.text().strip(),
            "title": self.title.text(),
            "about": self.about.toPlainText(),
            "looked_after_by": self.looked_after_by.text(),
            "program": "" if by_shell else self.program.text(),
            "arguments": tuple(arguments.split("\n")) if arguments and not by_shell else (),
            "shell": self.shell.text() if by_shell else "",
            "folder": self.folder.text(),
            "environment": self.environment.pairs(),
            "runbook": self.runbook.text(),
            "safe_to_rerun": SafeToRerun(self.safe_to_rerun.currentData()),
            "tags": tuple(tag for tag in (part.strip() for part in self.tags.text().split(",")) if tag),
        }

    def _place_of(self, field: str) -> str:
        command = "shell" if self.by_shell.isChecked() else "program"
        return command if field in ("program", "shell") else field

    def _make_inputs(self) -> None:
        self.title, self.job_id, self.looked_after_by = QLineEdit(), QLineEdit(), QLineEdit()
        self.program, self.shell, self.folder = QLineEdit(), QLineEdit(), QLineEdit()
        self.runbook, self.tags = QLineEdit(), QLineEdit()
        self.about, self.arguments = _lines(2), _lines(3)
        self.by_program = QRadioButton(self.tr("a program and its arguments"))
        self.by_shell = QRadioButton(self.tr("one line for the shell"))
        self.environment, self.safe_to_rerun = VariablesInput(), QComboBox()
        self.safe_hint = hint_label("")
        for value, word in _safe_words(self).items():
            self.safe_to_rerun.addItem(word, value)
        self.choose_program = QPushButton(self.tr("Choose…"))
        self.choose_program.setAccessibleName(self.tr("Choose the program"))
        self.choose_folder = QPushButton(self.tr("Choose…"))
        self.choose_folder.setAccessibleName(self.tr("Choose the folder"))
        for button in (self.choose_program, self.choose_folder):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        rows = self._rows
        rows.add("title", self.tr("&Name"), self.title)
        if self._is_new:
            rows.add("job_id", self.tr("&Id"), self.job_id, hint=self._id_hint())
        rows.add("about", self.tr("What it &does"), self.about)
        rows.add("looked_after_by", self.tr("&Looked after by"), self.looked_after_by, hint=self._who_hint())
        kinds = beside(self.by_program, self.by_shell, None)
        rows.add("kind", self.tr("It s&tarts"), kinds, buddy=self.by_program)
        program = beside(self.program, self.choose_program)
        rows.add("program", self.tr("&Program"), program, buddy=self.program)
        rows.add(
            "arguments",
            self.tr("&Arguments"),
            self.arguments,
            hint=self.tr("One on each line; may be empty."),
        )
        rows.add("shell", self.tr("&Shell line"), self.shell)
        folder = beside(self.folder, self.choose_folder)
        rows.add("folder", self.tr("In &folder"), folder, buddy=self.folder, hint=self._folder_hint())
        rows.add("environment", self.tr("&Variables"), self.environment, buddy=self.environment.another)
        rows.add("runbook", self.tr("&Runbook"), self.runbook, hint=self._runbook_hint())
        rows.add(
            "safe_to_rerun",
            self.tr("Safe to r&un again?"),
            _above(self.safe_to_rerun, self.safe_hint),
            buddy=self.safe_to_rerun,
        )
        rows.add(
            "tags", self.tr("Ta&gs"), self.tags, hint=self.tr("Words to find it by, with commas between.")
        )
        rows.add_wide(self._kept)
        rows.add_wide(self._elsewhere)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(rows)

    def _id_hint(self) -> str:
        return self.tr(
            "The name of its file, which stays. Small letters a-z, digits and dashes, at most 48. A letter "
            "or digit goes first."
        )

    def _who_hint(self) -> str:
        return self.tr("Who to ask when the runbook does not help.")

    def _folder_hint(self) -> str:
        return self.tr("Where it starts; your home folder if this is empty.")

    def _runbook_hint(self) -> str:
        return self.tr("A file of the shop folder, such as runbooks/order-sync.md, or a link with https://.")

    def _connect(self) -> None:
        for edit in (self.title, self.job_id, self.looked_after_by, self.program, self.shell):
            edit.textChanged.connect(self._tell)
        for edit in (self.folder, self.runbook, self.tags):
            edit.textChanged.connect(self._tell)
        self.about.textChanged.connect(self._tell)
        self.arguments.textChanged.connect(self._tell)
        self.environment.changed.connect(self._tell)
        self.safe_to_rerun.currentIndexChanged.connect(self._tell)
        self.by_shell.toggled.connect(self._tell)
        self.title.textEdited.connect(self._derive_id)
        self.job_id.textEdited.connect(self._own_id)
        self.choose_program.clicked.connect(self._choose_program)
        self.choose_folder.clicked.connect(self._choose_folder)

    @Slot()
    def _tell(self) -> None:
        if not self._filling:
            self._show_kind()
        super()._tell()

    def _show_kind(self) -> None:
        by_shell = self.by_shell.isChecked()
        self._rows.set_shown("shell", by_shell)
        self._rows.set_shown("program", not by_shell)
        self._rows.set_shown("arguments", not by_shell)
        self.safe_hint.setText(_safe_hints(self)[SafeToRerun(self.safe_to_rerun.currentData())])

    @Slot(str)
    def _derive_id(self, title: str) -> None:
        if self._is_new and not self._id_is_own:
            self.job_id.setText(suggested_id(title))

    @Slot(str)
    def _own_id(self, text: str) -> None:
        self._id_is_own = bool(text)

    @Slot()
    def _choose_program(self) -> None:
        box = QFileDialog(self, self.tr("Choose the program"), self.program.text())
        box.setFileMode(QFileDialog.FileMode.ExistingFile)
        box.fileSelected.connect(self.program.setText)
        box.open()

    @Slot()
    def _choose_folder(self) -> None:
        box = QFileDialog(self, self.tr("Choose the folder it starts in"), self.folder.text())
        box.setFileMode(QFileDialog.FileMode.Directory)
        box.fileSelected.connect(self.folder.setText)
        box.open()


def _safe_words(form: QWidget) -> dict[SafeToRerun, str]:
    return {
        SafeToRerun.YES: form.tr("Yes"),
        SafeToRerun.ASK: form.tr("Ask first"),
        SafeToRerun.NEVER: form.tr("Never"),
    }


def _safe_hints(form: QWidget) -> dict[SafeToRerun, str]:
    return {
        SafeToRerun.YES: form.tr("Anybody may run it as often as they like; nothing happens twice."),
        SafeToRerun.ASK: form.tr("Once it has run, Run now shows what the runbook says and asks first."),
        SafeToRerun.NEVER: form.tr(
            "Once it has run, it is never run again by hand: something would happen twice."
        ),
    }


def _kept_lines(form: QWidget, job: Job) -> tuple[str, ...]:
    """What the job's file holds and the form does not offer."""
    rules = job.run
    counts = rules.success != SuccessRules()
    tries = rules.retry != RetryPolicy()
    found = (
        (job.secrets, form.tr("Its file names secrets. They stay as they are.")),
        (job.alerts.people or job.alerts.ping, form.tr("Its file says whom to alert. That stays as it is.")),
        (job.lock_files, form.tr("Its file names a lock file of its own. That stays as it is.")),
        (counts, form.tr("Its file says what counts as success. That stays as it is.")),
        (tries, form.tr("Its file asks for repeated tries. They stay as they are.")),
    )
    return tuple(text for is_there, text in found if is_there)


def _lines(count: int) -> QPlainTextEdit:
    edit = QPlainTextEdit()
    edit.setTabChangesFocus(True)
    margins = 2 * (edit.frameWidth() + round(edit.document().documentMargin()))
    # A line may take a pixel more than the font says; without it there is always something to scroll.
    edit.setFixedHeight((edit.fontMetrics().lineSpacing() + 1) * count + 1 + margins)
    return edit


def _above(*inputs: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(3)
    for one in inputs:
        column.addWidget(one)
    return column
