"""What stops a command is said in words, with what to do about it."""

import errno
import shutil
import subprocess
import sys

import environment
import pytest
from commands import in_words


def raising(problem):
    def task():
        raise problem

    return task


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "/x/.venv"), ("denied: /x/.venv", "sudo rm -r")),
        (OSError(errno.ENOSPC, "No space left on device"), ("No space left", "free some space")),
        (OSError(errno.EIO, "Input/output error", "/x"), ("Input/output error: /x", "run this again")),
        (subprocess.TimeoutExpired(["apt-get", "install"], 60), ("within 60 s: apt-get install", "again")),
    ],
)
def test_a_disk_or_a_program_that_fails_is_told_with_what_to_do(capsys, problem, words):
    assert in_words(raising(problem)) == 1
    said = capsys.readouterr().err
    assert all(word in said for word in words), said


def test_a_set_up_that_misses_a_file_ends_without_a_traceback(tmp_path, pytestconfig):
    root = tmp_path / "checkout"
    shutil.copytree(pytestconfig.rootpath / "packaging", root / "packaging")
    shutil.copy(pytestconfig.rootpath / "pyproject.toml", root)
    (root / ".venv").mkdir()
    (root / ".venv" / environment.STAMP).touch()
    (root / "packaging" / "constraints.txt").unlink()
    done = subprocess.run(
        [sys.executable, root / "packaging" / "bootstrap.py", "lint"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(root / "packaging" / "constraints.txt") in done.stderr


def test_a_step_whose_output_cannot_be_kept_still_says_what_failed(tmp_path, pytestconfig):
    program = "import steps\ntry: steps.run_step('x', ['sh', '-c', 'echo broken; exit 1'], limit=9)\n"
    program += "except steps.SetUpError as error: print(error)\n"
    done = subprocess.run(
        [sys.executable, "-c", "import tempfile; tempfile.tempdir = '/no/such/folder'\n" + program],
        cwd=pytestconfig.rootpath / "packaging",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "This did not work: x." in done.stdout, done.stderr
    assert "| broken" in done.stdout
