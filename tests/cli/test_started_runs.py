"""A run started by a window goes on when the window is killed, and ends with a record."""

import os
import signal
import subprocess
import sys
import time

# What a window does when somebody asks for a run.
WINDOW = """
import sys, time
from ridgeline_desktop.wiring.headless import open_desk
print(open_desk(sys.argv[1]).runs.start_now("slow").run_id, flush=True)
time.sleep(60)
"""
SLOW = """
shell = "while [ ! -e goes-on ]; do sleep 0.05; done; echo done"
folder = "{folder}"
safe_to_rerun = "yes"
[schedule]
backend = "none"
"""


def test_a_run_outlives_the_window_that_started_it_and_is_recorded(home):
    home.job("slow", SLOW.format(folder=home.root))
    window = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(home.root)],
        env=home.environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    with window:
        assert window.stdout is not None
        run_id = window.stdout.readline().decode().strip()
        assert wait_for(home, "running") == run_id
        os.killpg(window.pid, signal.SIGKILL)
    (home.root / "goes-on").touch()
    assert wait_for(home, "completed") == run_id
    assert home.run("log", "slow").out == "done\n"


def wait_for(home, status):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for run in home.json("history", "slow"):
            if run["status"] == status:
                return run["run_id"]
    raise AssertionError(f"no {status} run")
