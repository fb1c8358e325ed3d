"""Windows on Qt's offscreen platform, unless the session says which screen to use."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from office import Office
from pytestqt.qtbot import QtBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """The real services of a throwaway home; Saturday 28 February 2026, noon in Toronto."""
    made = Office(tmp_path)
    yield made
    made.end_survivors()


@pytest.fixture
def window(qtbot: QtBot) -> object:
    """A window that is shown, for others to belong to."""
    from PySide6.QtWidgets import QWidget

    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def failures() -> list[Exception]:
    """What work in threads failed with."""
    return []


@pytest.fixture
def tasks(qtbot: QtBot, failures: list[Exception]) -> Iterator[object]:
    from ridgeline_desktop.gui.kit.garbage import Garbage
    from ridgeline_desktop.gui.kit.tasks import Tasks

    made, garbage = Tasks(failed=failures.append), Garbage()
    yield made
    qtbot.waitUntil(lambda: made.pending == 0)
    made.close()
    garbage.close()
