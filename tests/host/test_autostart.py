import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ridgeline_desktop.host.autostart import DesktopAutostart, autostart_folder

ODD_HOME = '/srv/odd $HOME `date` "shop" 100% \\ café'


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


def test_switching_it_on_writes_the_file_and_switching_it_off_removes_it(config):
    autostart = DesktopAutostart()
    assert not autostart.is_on()
    autostart.set(True)
    assert autostart.is_on()
    assert [path.name for path in (config / "autostart").iterdir()] == ["ridgeline.desktop"]
    autostart.set(False)
    assert not autostart.is_on()
    assert list((config / "autostart").iterdir()) == []


def test_switching_it_off_twice_is_no_error():
    autostart = DesktopAutostart()
    autostart.set(False)
    autostart.set(False)
    assert not autostart.is_on()


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false", "Hidden = true"])
def test_a_file_that_the_desktop_switched_off_counts_as_off(line):
    autostart = DesktopAutostart()
    autostart.set(True)
    path = Path(autostart.path)
    path.write_text(path.read_text().replace("X-GNOME-Autostart-enabled=true", line))
    assert not autostart.is_on()
    autostart.set(True)
    assert autostart.is_on()


def test_a_file_that_starts_another_program_counts_as_off(tmp_path):
    gone = DesktopAutostart(interpreter=str(tmp_path / "gone" / "python"))
    gone.set(True)
    autostart = DesktopAutostart()
    assert (gone.is_on(), autostart.is_on()) == (True, False)
    autostart.set(True)
    assert (gone.is_on(), autostart.is_on()) == (False, True)


def test_blanks_that_mean_nothing_change_nothing():
    autostart = DesktopAutostart()
    autostart.set(True)
    path = Path(autostart.path)
    path.write_text(path.read_text().replace("Exec=", "Exec = "))
    assert autostart.is_on()


def test_each_home_has_a_file_of_its_own():
    usual, other = DesktopAutostart(), DesktopAutostart(home="/srv/sample")
    other.set(True)
    assert (usual.is_on(), other.is_on()) == (False, True)


def test_it_starts_this_interpreter_apart_from_the_login_and_without_a_window():
    autostart = DesktopAutostart()
    autostart.set(True)
    [line] = [line for line in Path(autostart.path).read_text().splitlines() if line.startswith("Exec=")]
    assert line == f"Exec={sys.executable} -I -m ridgeline_desktop gui --tray"


def test_a_config_folder_that_is_no_full_path_is_not_obeyed(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for odd in ("relative", ""):
        monkeypatch.setenv("XDG_CONFIG_HOME", odd)
        assert autostart_folder() == str(tmp_path / ".config" / "autostart")


@pytest.mark.skipif(shutil.which("gio") is None, reason="not on this platform: gio reads desktop files")
def test_a_desktop_hands_on_each_word_as_it_was_meant(tmp_path):
    answer, program = tmp_path / "answer", tmp_path / "my $python"
    os.mkfifo(answer)
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\nopen({str(answer)!r}, 'w').write(json.dumps(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    autostart = DesktopAutostart(home=ODD_HOME, interpreter=str(program))
    autostart.set(True)
    environment = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run(["gio", "launch", autostart.path], check=True, timeout=30, env=environment)
    said = subprocess.run(["cat", answer], check=True, timeout=30, capture_output=True).stdout
    wanted = ["-I", "-m", "ridgeline_desktop", "--home", ODD_HOME, "gui", "--tray"]
    assert json.loads(said) == wanted
