"""What `ridgeline run` adds around a program that does nothing, against moreutils' chronic, in one run."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

ROUNDS = 40
MOST = 4.0
COMMANDS = {
    "chronic true": ["chronic", "true"],
    "ridgeline run": [sys.executable, "-I", "-m", "ridgeline_desktop", "run", "quick"],
    "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
}


def seconds(argv: list[str], environment: dict[str, str]) -> float:
    """One whole process, from its start to its end; a wait with a time limit would only look now and then."""
    begin = perf_counter()
    process = subprocess.Popen(argv, env=environment)
    _, status = os.waitpid(process.pid, 0)
    took = perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{argv} ended with {process.returncode}")
    return took


def main() -> int:
    """Print the medians and 0, or 1 where the ratio is above what is promised."""
    if shutil.which("chronic") is None:
        print(
            "run_overhead: chronic (Debian's moreutils) is not installed, so there is nothing to compare with"
        )
        return 0
    with tempfile.TemporaryDirectory() as home:
        jobs = Path(home, "data", "shop", "jobs")
        jobs.mkdir(parents=True, mode=0o700)
        (jobs / "quick.toml").write_text('command = ["/bin/true"]\nsafe_to_rerun = "yes"\n')
        environment = {"PATH": os.environ["PATH"], "RIDGELINE_HOME": home, "HOME": home}
        for argv in COMMANDS.values():
            seconds(argv, environment)
        rounds = [
            {name: seconds(argv, environment) for name, argv in COMMANDS.items()} for _ in range(ROUNDS)
        ]
    medians = {name: statistics.median(one[name] for one in rounds) for name in COMMANDS}
    for name, median in medians.items():
        print(f"{median * 1000:7.1f} ms  {name}")
    ratio = medians["ridgeline run"] / medians["chronic true"]
    print(f"ridgeline run takes {ratio:.2f} times as long as chronic (at most {MOST})")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
