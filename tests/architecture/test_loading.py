"""What is loaded at run time, seen in fresh interpreters."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

ROOMS_WITH_QT = ("ridgeline_desktop.gui", "ridgeline_desktop.wiring.desktop")
# Each costs a job that starts every minute more than its start itself, or has no business there.
HEAVY = {
    "apprise", "apscheduler", "asyncio", "click", "http.client", "keyring", "multiprocessing", "psutil",
    "PySide6", "requests", "ssl", "tenacity", "tomlkit", "urllib3",
}  # fmt: skip
FRONT_ROOMS = ("gui", "cli", "services")

IMPORT_EVERY_ROOM = f"""
import importlib, json, pkgutil, sys
import ridgeline_desktop
names = [m.name for m in pkgutil.walk_packages(ridgeline_desktop.__path__, "ridgeline_desktop.")
         if not m.name.startswith({ROOMS_WITH_QT!r})]
for name in names:
    importlib.import_module(name)
print(json.dumps([names, sorted(sys.modules)]))
"""
IMPORT_A_RUN = """
import json, sys
from ridgeline_desktop.wiring import one_run
print(json.dumps(sorted(sys.modules)))
"""


def printed(program: str) -> list:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_room_but_the_windows_loads_qt(root):
    names, modules = printed(IMPORT_EVERY_ROOM)
    assert len(names) > 1
    assert [name for name in modules if name.split(".")[0] in ("PySide6", "shiboken6")] == []


def test_a_run_loads_nothing_heavy_before_its_job_starts():
    assert HEAVY & set(printed(IMPORT_A_RUN)) == set()


@pytest.mark.skipif(sys.platform == "win32", reason="not on this platform: jobs run on POSIX so far")
def test_a_whole_run_of_a_quick_job_loads_nothing_heavy(tmp_path):
    jobs = tmp_path / "data" / "shop" / "jobs"
    jobs.mkdir(parents=True)
    (jobs / "quick.toml").write_text('command = ["true"]\n')
    done = subprocess.run(
        [sys.executable, "-I", "-X", "importtime", "-m", "ridgeline_desktop", "run", "quick"],
        env={**os.environ, "RIDGELINE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "import time:" in line}
    assert "ridgeline_desktop" in loaded
    assert HEAVY & loaded == set()


def test_every_front_room_that_exists_is_kept_from_the_adapters(root):
    tables = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    sources = [
        set(contract["source_modules"])
        for contract in tables["tool"]["importlinter"]["contracts"]
        if "ridgeline_desktop.store" in contract.get("forbidden_modules", ())
    ]
    there = {
        f"ridgeline_desktop.{room}" for room in FRONT_ROOMS if (root / "ridgeline_desktop" / room).is_dir()
    }
    assert any(there <= named for named in sources)
