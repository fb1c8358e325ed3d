"""The whole set-up on a fresh copy of the checkout, with the real pip."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

pytestmark = pytest.mark.system
PARTS = ("pyproject.toml", "README.md", ".gitignore", "packaging", "resources", "ridgeline_desktop")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory, pytestconfig):
    """A git checkout with nothing set up."""
    root = tmp_path_factory.mktemp("fresh")
    for part in PARTS:
        source = pytestconfig.rootpath / part
        if source.is_dir():
            shutil.copytree(source, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, root / part)
    said("git", "init", "--quiet", cwd=root)
    said("git", "add", "--all", cwd=root)
    author = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
    said("git", *author, "commit", "--quiet", "--message", "fresh", cwd=root)
    return root


def said(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_set_up_works_once_is_then_skipped_and_leaves_git_nothing_to_see(fresh):
    bench = (sys.executable, "packaging/bootstrap.py", "bench")
    assert "installing Ridgeline" in said(*bench, cwd=fresh)
    assert "set-up" not in said(*bench, cwd=fresh)
    assert said("git", "status", "--porcelain", cwd=fresh) == ""
    # The command is there and finds the package, from anywhere.
    assert os.access(fresh / ".venv" / "bin" / "ridgeline", os.X_OK)
    said(fresh / ".venv" / "bin" / "ridgeline", "--help", cwd="/")


def test_every_package_of_the_environment_has_its_pin(fresh):
    frozen = said(fresh / ".venv" / "bin" / "python", "-m", "pip", "freeze", "--exclude-editable", cwd=fresh)
    pins = (fresh / "packaging" / "constraints.txt").read_text().lower().splitlines()
    assert [line for line in frozen.lower().replace("_", "-").splitlines() if line not in pins] == []


def test_the_wheel_brings_the_resources_along(fresh, tmp_path):
    python = fresh / ".venv" / "bin" / "python"
    said(python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, ".", cwd=fresh)
    (wheel,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(wheel).namelist()
    resources = [path.relative_to(fresh) for path in (fresh / "resources").rglob("*") if path.is_file()]
    assert {f"ridgeline_desktop/{path.as_posix()}" for path in resources} <= set(inside)
