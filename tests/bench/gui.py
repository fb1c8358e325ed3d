"""The window's first paint and memory with 15 jobs, against a bare PySide6 table with a tray, in one run."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

ROUNDS = 7
MOST_TIME, MOST_MEMORY = 2.0, 1.5
JOBS, RUNS = 15, 20
PROGRAM = Path(__file__).with_name("_first_paint.py")
JOB = """\
title = "Job {number}"
command = ["/bin/true"]
safe_to_rerun = "yes"
[schedule]
every = "15 minutes"
backend = "none"
"""
RECORD = """
import sys
from ridgeline_desktop.__main__ import main
for _ in range(int(sys.argv[3])):
    for number in range(int(sys.argv[2])):
        main(["--home", sys.argv[1], "record", f"job-{number}", "--status", "completed"])
"""


@contextmanager
def screen():
    """An X server of our own; gives its DISPLAY."""
    read, write = os.pipe()
    argv = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(argv, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


def measured(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds from the process's start to its first painted rows, and its megabytes afterwards."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-I", str(PROGRAM), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode or not done.stdout.strip():
        raise SystemExit(f"{arguments} ended with {done.returncode}: {done.stderr[-2000:]}")
    painted, memory = done.stdout.split()
    return float(painted) - begin, float(memory)


def make_home(root: str) -> None:
    """A home with 15 jobs, each with twenty runs on record."""
    jobs = Path(root, "data", "shop", "jobs")
    jobs.mkdir(parents=True, mode=0o700)
    for number in range(JOBS):
        (jobs / f"job-{number}.toml").write_text(JOB.format(number=number))
    argv = [sys.executable, "-I", "-c", RECORD, root, str(JOBS), str(RUNS)]
    subprocess.run(argv, stdout=subprocess.DEVNULL, timeout=120, check=True)


def main() -> int:
    """Print the medians and 0, or 1 where a ratio is above what is promised."""
    if shutil.which("Xvfb") is None:
        print("gui: Xvfb is not installed, so there is no screen to measure on")
        return 0
    with tempfile.TemporaryDirectory() as home, screen() as display:
        make_home(home)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        programs = {"bare table and tray": ["minimal"], "ridgeline, 15 jobs": ["ridgeline", home]}
        for arguments in programs.values():
            measured(arguments, environment)
        rounds = [
            {name: measured(arguments, environment) for name, arguments in programs.items()}
            for _ in range(ROUNDS)
        ]
    medians = {
        name: tuple(statistics.median(one[name][place] for one in rounds) for place in (0, 1))
        for name in programs
    }
    for name, (seconds, memory) in medians.items():
        print(f"{seconds * 1000:7.0f} ms  {memory:6.1f} MB  {name}")
    (bare, bare_memory), (ours, our_memory) = medians.values()
    print(
        f"first paint {ours / bare:.2f} x (at most {MOST_TIME}), memory {our_memory / bare_memory:.2f} x "
        f"(at most {MOST_MEMORY})"
    )
    return 0 if ours / bare <= MOST_TIME and our_memory / bare_memory <= MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
