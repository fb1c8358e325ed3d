"""What every form has in common: it shows a draft, gives it back, and holds what is wrong with it."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget

from ridgeline_desktop.core.drafts import DraftProblem
from ridgeline_desktop.gui.kit.forms import FormRows
from ridgeline_desktop.gui.kit.keeps_still import KeepsStill


class DraftForm(QWidget):
    """`changed` says that a person changed something; showing a draft does not.

    A form shows a draft between `_begin_filling` and `_end_filling`, and says by `_read` what stands in it.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows = FormRows()
        self._filling = True
        self._first: Mapping[str, object] = {}
        self._still = KeepsStill(self)

    def draft(self) -> Any:
        """What the form says now; what was not touched is just as it was in the draft it shows."""
        raise NotImplementedError

    @property
    def is_changed(self) -> bool:
        """Whether anything is to be saved."""
        raise NotImplementedError

    def touched(self) -> dict[str, Any]:
        """The fields that say something else than at first, and what they say."""
        return {name: value for name, value in self._read().items() if value != self._first[name]}

    def set_problems(self, problems: Sequence[DraftProblem]) -> None:
        """Show these problems, each at its field, and no others."""
        raise NotImplementedError

    def focus_first_problem(self) -> None:
        """Put the caret into the first field with a problem."""
        self._rows.focus_first_problem()

    def _read(self) -> Mapping[str, object]:
        raise NotImplementedError

    def _begin_filling(self) -> None:
        self._filling = True

    def _end_filling(self) -> None:
        self._first = self._read()
        self._filling = False

    def _keep_still(self) -> None:
        """Let the wheel scroll past the inputs there are now."""
        self._still.watch((*self.findChildren(QComboBox), *self.findChildren(QAbstractSpinBox)))

    @Slot()
    def _tell(self) -> None:
        if not self._filling:
            self.changed.emit()
