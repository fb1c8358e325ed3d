"""What every form has in common: it shows a draft, gives it back, and holds what is wrong with it."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget

from ridgeline_desktop.core.drafts import DraftProblem, JobDraft, ScheduleDraft, SettingsDraft
from ridgeline_desktop.core.values import replace
from ridgeline_desktop.gui.kit.forms import FormRows, ProblemLabel, as_high_as_a_line
from ridgeline_desktop.gui.kit.keeps_still import KeepsStill

Draft = TypeVar("Draft", ScheduleDraft, JobDraft, SettingsDraft)


class DraftForm(QWidget, Generic[Draft]):
    """`changed` says that a person changed something; showing a draft does not.

    A form of one kind says by `_read` what stands in its inputs, and fills them between `_begin_filling`
    and `_end_filling`.
    """

    changed = Signal()

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft: Draft = draft
        self._first: Mapping[str, Any] = {}
        self._filling = True
        self._rows, self._elsewhere = FormRows(), ProblemLabel()
        self._still = KeepsStill(self)

    def draft(self) -> Draft:
        """What the form says now. What was not touched is just as it was in the draft that it shows."""
        return replace(self._draft, **self.touched())

    def touched(self) -> dict[str, Any]:
        """The fields of a draft that say something else than at first, and what they say."""
        return {name: value for name, value in self._read().items() if value != self._first[name]}

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to save."""
        return self.draft() != self._draft

    def set_problems(self, problems: Sequence[DraftProblem]) -> None:
        """Show these problems, each at its field, and no others."""
        left = tuple(replace(problem, field=self._place_of(problem.field)) for problem in problems)
        for rows in self._all_rows():
            left = rows.set_problems(left)
        self._elsewhere.show_problems(left)

    def focus_first_problem(self) -> None:
        """Put the caret into the first field with a problem."""
        any(rows.focus_first_problem() for rows in self._all_rows())

    def _read(self) -> Mapping[str, Any]:
        raise NotImplementedError

    def _place_of(self, field: str) -> str:
        """The row where a draft's field is shown."""
        return field

    def _all_rows(self) -> tuple[FormRows, ...]:
        return (self._rows,)

    def _settle_inputs(self) -> None:
        """Have the wheel scroll past the inputs that there are now, and each be as high as a line of text."""
        boxes: list[QAbstractSpinBox] = self.findChildren(QAbstractSpinBox)
        self._still.watch((*self.findChildren(QComboBox), *boxes))
        as_high_as_a_line(boxes)

    def _begin_filling(self, draft: Draft) -> None:
        self._filling = True
        self._draft = draft

    def _end_filling(self) -> None:
        self._first = self._read()
        self._filling = False

    @Slot()
    def _tell(self) -> None:
        if not self._filling:
            self.changed.emit()
