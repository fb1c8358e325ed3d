import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QObject


class Receiver(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []
        self.threads: list[int] = []

    def take(self, answer: object) -> None:
        self.answers.append(answer)
        self.threads.append(threading.get_ident())


@pytest.fixture
def receiver(qapp) -> Receiver:
    return Receiver()


def test_work_is_done_in_another_thread_and_answered_on_the_gui_thread(qtbot, tasks, receiver):
    tasks.run(threading.get_ident, then=receiver.take)
    qtbot.waitUntil(lambda: len(receiver.answers) == 1)
    assert receiver.answers[0] != threading.get_ident()
    assert receiver.threads == [threading.get_ident()]


def test_a_failure_reaches_its_own_receiver_or_else_the_one_for_all(qtbot, tasks, receiver, failures):
    def fail() -> None:
        raise ValueError("no")

    tasks.run(fail, failed=receiver.take)
    tasks.run(fail)
    qtbot.waitUntil(lambda: tasks.pending == 0)
    assert [str(error) for error in (*receiver.answers, *failures)] == ["no", "no"]


def test_an_answer_for_an_object_that_is_gone_is_dropped(qtbot, tasks, receiver, failures):
    import shiboken6

    gate = threading.Event()
    tasks.run(lambda: gate.wait(5), then=receiver.take)
    shiboken6.delete(receiver)
    gate.set()
    qtbot.waitUntil(lambda: tasks.pending == 0)
    assert receiver.answers == []
    assert failures == []


def test_work_that_never_ends_does_not_keep_the_program_from_ending():
    program = """
import threading
from PySide6.QtCore import QCoreApplication
from ridgeline_desktop.gui.kit.tasks import Tasks
app = QCoreApplication([])
tasks = Tasks(failed=print)
tasks.run(threading.Event().wait)
tasks.close()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_after_closing_no_work_is_taken_and_none_is_answered(qtbot, tasks, receiver):
    gate = threading.Event()
    tasks.run(lambda: gate.wait(5), then=receiver.take)
    tasks.close()
    tasks.run(lambda: 1, then=receiver.take)
    gate.set()
    qtbot.waitUntil(lambda: tasks.pending == 0)
    assert receiver.answers == []
