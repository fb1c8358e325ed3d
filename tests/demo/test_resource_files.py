"""Where the shipped files are found."""

import subprocess
import sys
from pathlib import Path

from ridgeline_desktop import resource_files

SOURCE = Path(resource_files.__file__).read_text()


def test_in_a_checkout_the_resources_lie_beside_the_package():
    assert resource_files.folder("demo/jobs").is_dir()
    assert "order-sync" in resource_files.read_text("demo/jobs/order-sync.toml")


def test_in_an_installed_package_they_lie_inside_it(tmp_path):
    package = tmp_path / "ridgeline_desktop"
    (package / "resources").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "resources" / "note.txt").write_text("inside")
    (package / "resource_files.py").write_text(SOURCE)
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "note.txt").write_text("beside")
    program = "from ridgeline_desktop import resource_files; print(resource_files.read_text('note.txt'))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "inside\n"


def test_the_module_that_finds_them_is_a_leaf():
    assert "ridgeline_desktop" not in SOURCE
