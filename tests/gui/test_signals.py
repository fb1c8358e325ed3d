import os
import signal
import subprocess
import sys

import pytest

from ridgeline_desktop.gui.signals import SystemSignals

PROGRAM = """
import signal, sys
from PySide6.QtCore import QCoreApplication
from ridgeline_desktop.gui.signals import SystemSignals
app = QCoreApplication([])
signals = SystemSignals()
signals.asked_to_end.connect(app.quit)
print("ready", flush=True)
code = app.exec()
signals.close()
print("ended", code, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_event_loop_in_order_though_no_timer_looks_for_it(number):
    program = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "ready\n"
    os.kill(program.pid, number)
    out, _ = program.communicate(timeout=20)
    assert (out, program.returncode) == ("ended 0\n", 0)


def test_once_closed_the_former_handlers_are_back(qapp):
    before = signal.getsignal(signal.SIGTERM)
    signals = SystemSignals()
    assert signal.getsignal(signal.SIGTERM) is not before
    signals.close()
    assert signal.getsignal(signal.SIGTERM) is before


UNFORESEEN = """
import threading
from PySide6.QtCore import QCoreApplication, QTimer
from ridgeline_desktop.gui.signals import Unforeseen
app = QCoreApplication([])
unforeseen = Unforeseen()
seen = []
def take(error):
    seen.append(type(error).__name__)
    assert threading.current_thread() is threading.main_thread()
    if len(seen) == 2:
        app.quit()
unforeseen.happened.connect(take)
threading.Thread(target=lambda: {}["lost"]).start()
QTimer.singleShot(0, lambda: int("odd"))
QTimer.singleShot(10000, app.quit)
app.exec()
unforeseen.close()
print(sorted(seen))
"""


def test_what_a_thread_or_a_slot_lets_through_is_told_on_the_gui_thread_and_printed():
    done = subprocess.run(
        [sys.executable, "-c", UNFORESEEN], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "['KeyError', 'ValueError']\n", done.stderr
    assert "KeyError: 'lost'" in done.stderr
    assert "ValueError: invalid literal" in done.stderr
