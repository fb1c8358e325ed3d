"""Output of more than a log keeps: followed while it comes, and after a runner was killed."""

import os
import signal
import subprocess
import sys
import time

import pytest

MUCH = 12_000_000
LAST = b"%09d\n" % (MUCH // 10 - 1)
PROGRAM = f"""
import os, time
for start in range(0, {MUCH // 10}, 1000):
    os.write(1, b"".join(b"%09d\\n" % number for number in range(start, start + 1000)))
open("written", "w").close()
while not os.path.exists("go-on"):
    time.sleep(0.02)
"""


def until(claim) -> None:
    """Wait for something that another process does; a failing test ends after a while."""
    ends = time.monotonic() + 30
    while not claim():
        assert time.monotonic() < ends, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def wordy(home, tmp_path):
    """A run that has written all of its output, which its runner has taken in; it waits for a file go-on."""
    (tmp_path / "wordy.py").write_text(PROGRAM)
    home.job("wordy", f'command = ["{sys.executable}", "wordy.py"]\nfolder = "{tmp_path}"\n')
    process = home.start("run", "wordy")
    until(lambda: (tmp_path / "written").exists() or process.poll() is not None)
    logs = tmp_path / "state" / "logs" / "wordy"
    until(lambda: sorted(logs.iterdir())[-1].read_bytes().endswith(LAST))
    yield process
    process.kill()
    process.communicate(timeout=5)


def log(home, *options):
    return subprocess.run(
        home.argv("log", "wordy", *options),
        env=home.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    ).stdout


def test_what_a_killed_runner_had_taken_in_is_printed_to_its_end(home, wordy):
    child = home.json("lock", "show", "wordy")["evidence"]["child"]["pid"]
    wordy.kill()
    wordy.wait(5)
    os.kill(child, signal.SIGKILL)
    shown = log(home)
    begin, _, rest = shown.partition(b"\n--- ")
    missing, _, end = rest.partition(b" bytes left out ---\n")
    assert len(begin) + int(missing) + len(end) == MUCH
    assert len(begin) == 8 << 20
    assert end.endswith(LAST)


def test_following_a_run_of_much_output_prints_what_its_log_holds_in_the_end(home, wordy, tmp_path):
    with (tmp_path / "followed").open("wb") as output:
        follower = subprocess.Popen(
            home.argv("log", "wordy", "--follow"), env=home.environment(), stdout=output, stderr=output
        )
    until(lambda: (tmp_path / "followed").stat().st_size == 8 << 20)
    (tmp_path / "go-on").touch()
    assert (follower.wait(30), wordy.wait(30)) == (0, 0)
    followed = (tmp_path / "followed").read_bytes()
    assert followed == log(home)
    assert followed.endswith(LAST)
