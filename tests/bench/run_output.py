"""Memory of a run whose job prints 1 GB, as the kernel counts it for the runner alone."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_MEGABYTES = 40
GIGABYTE_OF_LINES = "yes 0123456789012345678901234567890123456789012345678901234567890 | head -c 1000000000"
REPORT = """
import resource, sys
from ridgeline_desktop.__main__ import main
code = main(["run", "loud"])
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def main() -> int:
    """Print the figures and 0, or 1 where the runner took more than is promised."""
    with tempfile.TemporaryDirectory() as home:
        jobs = Path(home, "data", "shop", "jobs")
        jobs.mkdir(parents=True, mode=0o700)
        (jobs / "loud.toml").write_text(f'shell = "{GIGABYTE_OF_LINES}"\n')
        done = subprocess.run(
            [sys.executable, "-I", "-c", REPORT],
            env={"PATH": os.environ["PATH"], "RIDGELINE_HOME": home, "HOME": home},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        kept = sum(path.stat().st_size for path in Path(home, "state", "logs").rglob("*") if path.is_file())
    code, kilobytes = (int(word) for word in done.stdout.split())
    megabytes = kilobytes / 1024
    print(f"1 GB through a run: exit {code}, {megabytes:.1f} MB of memory, {kept / 1e6:.1f} MB kept on disk")
    return 0 if code == 0 and megabytes <= MOST_MEGABYTES else 1


if __name__ == "__main__":
    sys.exit(main())
