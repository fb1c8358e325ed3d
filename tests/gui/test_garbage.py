import gc
import threading
from typing import ClassVar

from PySide6.QtWidgets import QWidget

from ridgeline_desktop.gui.kit.garbage import Garbage


class Cycle(QWidget):
    destroyed_in: ClassVar[list[int]] = []

    def __init__(self) -> None:
        super().__init__()
        self.itself = self

    def __del__(self) -> None:
        Cycle.destroyed_in.append(threading.get_ident())


def make_objects() -> None:
    for _ in range(200_000):
        object_with_room = [[]]
        object_with_room.append(object_with_room)


def test_a_window_in_a_cycle_is_destroyed_on_the_gui_thread_however_busy_others_are(qtbot):
    garbage = Garbage()
    try:
        Cycle.destroyed_in.clear()
        Cycle()
        thread = threading.Thread(target=make_objects)
        thread.start()
        thread.join(30)
        assert Cycle.destroyed_in == []
        for _ in range(200):
            qtbot.wait(1)
            if Cycle.destroyed_in:
                break
            make_objects()
    finally:
        garbage.close()
    assert Cycle.destroyed_in == [threading.get_ident()]
    assert gc.isenabled()


def test_what_was_there_before_is_not_looked_through_again_while_windows_are_open(qtbot):
    before = gc.get_freeze_count()
    garbage = Garbage()
    try:
        assert gc.get_freeze_count() - before > 10_000
    finally:
        garbage.close()
    assert gc.get_freeze_count() == 0
