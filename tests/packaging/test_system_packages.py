"""Who may install system packages, and what a person types who may not."""

import shutil
import subprocess
from pathlib import Path

import pytest
from system_packages import LAB_NEEDS, QT_NEEDS, Need, apt_plan, package_names

MISSING = ["tzdata", "cron"]


def plan(*, is_root=False, can_sudo=False, has_sudo=False):
    return apt_plan(is_root=is_root, can_sudo=can_sudo, has_sudo=has_sudo, missing=MISSING)


def test_root_installs_directly():
    assert plan(is_root=True, has_sudo=True).prefix == ()


def test_a_user_whose_sudo_asks_nothing_installs_through_it():
    assert plan(can_sudo=True, has_sudo=True).prefix == ("sudo", "-n")


def test_a_user_whose_sudo_asks_for_a_password_gets_the_line_to_type():
    refused = plan(has_sudo=True)
    assert refused.prefix is None
    assert refused.line == "sudo apt-get update && sudo apt-get install -y tzdata cron"


def test_a_user_without_sudo_gets_a_line_for_roots_password():
    refused = plan()
    assert refused.prefix is None
    assert refused.line == "su -c 'apt-get update && apt-get install -y tzdata cron'"


def test_a_need_is_met_by_a_program_or_a_file_that_is_there():
    assert Need(package="python3", program="python3").is_met()
    assert not Need(package="none", program="no-such-program-here").is_met()
    assert not Need(package="none", pattern="no-such-folder-here/*").is_met()


GLIB = Need(package="libglib2.0-0", pattern="no-such-file", renamed="libglib2.0-0t64")


def test_a_package_that_newer_systems_renamed_is_asked_for_by_the_name_known_here():
    assert package_names([GLIB], {"libglib2.0-0"}.__contains__) == ["libglib2.0-0"]
    assert package_names([GLIB], {"libglib2.0-0t64"}.__contains__) == ["libglib2.0-0t64"]


def test_a_system_without_package_lists_is_asked_for_the_older_name():
    assert package_names([GLIB, *LAB_NEEDS[:1]], set().__contains__) == ["libglib2.0-0", "cron"]


@pytest.mark.skipif(shutil.which("ldd") is None, reason="not on this platform: no ldd")
def test_every_library_for_x11_that_qts_plugin_asks_for_is_looked_for():
    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    linked = subprocess.run(["ldd", plugin], capture_output=True, text=True, timeout=60, check=True).stdout
    names = {line.split()[0] for line in linked.splitlines()}
    for_x11 = {name for name in names if name.startswith(("libxcb-", "libX11-xcb", "libxkbcommon"))}
    assert "libxcb-cursor.so.0" in for_x11
    assert for_x11 <= {Path(need.pattern).name for need in QT_NEEDS}
