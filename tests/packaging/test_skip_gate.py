"""Under CI a skip that nobody meant turns the session red."""

import os
import shutil
import subprocess
import sys

import pytest


def exit_code(tmp_path, conftest, reason, **environment):
    shutil.copy(conftest, tmp_path / "conftest.py")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_one.py").write_text(
        f"import pytest\ndef test_runs(): pass\ndef test_skips(): pytest.skip({reason!r})\n"
    )
    others = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path],
        cwd=tmp_path,
        env={**others, **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize(
    ("reason", "environment", "code"),
    [
        ("cron is not installed", {"CI": "true"}, 1),
        ("not on this platform: no cron", {"CI": "true"}, 0),
        ("cron is not installed", {}, 0),
    ],
)
def test_a_skip_passes_under_ci_only_when_it_is_meant(tmp_path, pytestconfig, reason, environment, code):
    conftest = pytestconfig.rootpath / "tests" / "conftest.py"
    assert exit_code(tmp_path, conftest, reason, **environment) == code
