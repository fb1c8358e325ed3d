"""The one file every Python must be able to read, and its command line."""

import ast
import subprocess
import sys

import pytest
from bootstrap import USAGE, version_problem


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_a_python_that_will_do_is_taken(minor):
    assert version_problem(3, minor) == ""


@pytest.mark.parametrize(("major", "minor"), [(2, 7), (3, 6), (3, 10), (3, 14)])
def test_another_python_is_told_what_to_install_and_what_to_type(major, minor):
    words = version_problem(major, minor)
    assert f"Python {major}.{minor}" in words
    assert "3.11, 3.12 or 3.13" in words
    assert "python3.13 packaging/bootstrap.py run" in words


def test_the_entry_file_can_be_read_by_old_pythons(pytestconfig):
    text = (pytestconfig.rootpath / "packaging" / "bootstrap.py").read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 7))
    top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in top] == ["import sys"]


@pytest.mark.parametrize("arguments", [[], ["dance"], ["lint", "--fast"]])
def test_a_wrong_command_line_shows_the_right_ones(pytestconfig, arguments):
    entry = pytestconfig.rootpath / "packaging" / "bootstrap.py"
    done = subprocess.run(
        [sys.executable, entry, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", USAGE)
