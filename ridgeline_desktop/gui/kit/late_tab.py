"""A tab whose content is made when it is first looked at: making all of them would slow every start."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

Content = TypeVar("Content", bound=QWidget)


class LateTab(QWidget, Generic[Content]):
    """Holds what `make` gives; it is called once, when the tab is seen or its content asked for."""

    def __init__(self, make: Callable[[], Content]) -> None:
        super().__init__()
        self._make = make
        self._content: Content | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    @property
    def is_made(self) -> bool:
        """Whether there is content by now."""
        return self._content is not None

    def content(self) -> Content:
        """What the tab shows; made now, if it was not yet."""
        if self._content is None:
            self._content = made = self._make()
            self._box.addWidget(made)
            made.show()
            self._box.activate()  # so that nobody sees it before it is laid out
        return self._content

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Be filled, the first time."""
        super().showEvent(event)
        self.content()
