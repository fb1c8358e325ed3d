"""When .venv is good as it is, and when it is made anew."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import environment
import pytest

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "sample"
version = "1"
"""


@pytest.fixture
def checkout(tmp_path):
    """A small checkout whose .venv is a real environment, set up to the end."""
    root = tmp_path / "checkout"
    (root / "packaging").mkdir(parents=True)
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "packaging" / "constraints.txt").write_text("hatchling==1.0\n")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], timeout=60, check=True)
    (root / ".venv" / environment.STAMP).write_text(environment.stamp(root))
    return root


def tree(root):
    return {path: path.lstat().st_mtime_ns for path in root.rglob("*")}


def test_a_whole_environment_is_left_as_it_is_without_a_word(checkout, capsys):
    before = tree(checkout)
    environment.ensure(checkout)
    assert tree(checkout) == before
    assert capsys.readouterr().out == ""


def test_a_missing_environment_is_made(checkout):
    shutil.rmtree(checkout / ".venv")
    assert environment.why_remake(checkout) == "there is none yet"


def test_an_environment_whose_set_up_was_interrupted_is_made_again(checkout):
    (checkout / ".venv" / environment.STAMP).unlink()
    assert "never finished" in environment.why_remake(checkout)


@pytest.mark.parametrize("changed", ["pyproject.toml", "packaging/constraints.txt"])
def test_an_environment_for_other_pins_is_made_again(checkout, changed):
    path = checkout / changed
    path.write_text(path.read_text().replace("1", "2"))
    assert "pins" in environment.why_remake(checkout)


def test_settings_of_tools_do_not_touch_the_environment(checkout):
    with (checkout / "pyproject.toml").open("a") as text:
        text.write("[tool.ruff]\nline-length = 110\n")
    assert environment.why_remake(checkout) == ""


def test_an_environment_that_was_moved_is_made_again(checkout):
    moved = checkout.rename(checkout.with_name("elsewhere"))
    assert "folder changed" in environment.why_remake(moved)


def test_an_environment_whose_python_vanished_is_made_again(checkout):
    python = Path(environment.program(checkout, "python"))
    python.unlink()
    python.symlink_to(checkout / "uninstalled-python")
    assert "does not start" in environment.why_remake(checkout)


def test_without_a_network_set_up_stops_with_the_reason_and_begins_anew_next_time(checkout, pytestconfig):
    shutil.copytree(pytestconfig.rootpath / "packaging", checkout / "packaging", dirs_exist_ok=True)
    (checkout / ".venv" / environment.STAMP).unlink()
    (checkout / ".venv" / "left-over").touch()
    offline = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "",
        "PIP_CONFIG_FILE": os.devnull,
        "TMPDIR": str(checkout),
    }
    done = subprocess.run(
        [sys.executable, checkout / "packaging" / "bootstrap.py", "bench"],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "never finished" in done.stdout
    assert "Traceback" not in done.stderr
    assert "This did not work: installing the build tools" in done.stderr
    assert Path(re.search(r"All it said is in (.*)", done.stderr)[1]).read_text()
    assert not (checkout / ".venv" / "left-over").exists()
    assert "never finished" in environment.why_remake(checkout)
