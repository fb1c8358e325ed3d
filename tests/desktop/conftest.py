"""A desktop on the screen and session bus that were given: a window manager, and a home of its own."""

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest
from pytestqt.qtbot import QtBot

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "desktop"), str(TESTS / "system")]

Answer = TypeVar("Answer")
Start = Callable[..., "subprocess.Popen[bytes]"]
PATIENCE = 10_000


def _lacking() -> str:
    """What keeps these tests from running here, "" = nothing."""
    if os.environ.get("QT_QPA_PLATFORM") != "xcb" or not os.environ.get("DISPLAY"):
        return "no X screen for Qt (QT_QPA_PLATFORM=xcb)"
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return "no session bus"
    programs = ("openbox", "tint2", "xdotool", "xfce4-panel")
    return ", ".join(f"no {name}" for name in programs if shutil.which(name) is None)


@pytest.fixture(scope="session", autouse=True)
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of programs of this desktop; they read and write below a folder of their own."""
    if reason := _lacking():
        pytest.skip(f"not on this platform: {reason}; bootstrap.py test --all makes a desktop for it")
    home = tmp_path_factory.mktemp("desktop")
    folders = {
        "HOME": home,
        "XDG_CACHE_HOME": home / "cache",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_RUNTIME_DIR": home / "runtime",
        "XDG_STATE_HOME": home / "state",
    }
    for folder in folders.values():
        folder.mkdir(mode=0o700, exist_ok=True)
    _make_openbox_quick(home / "config")
    named = {name: str(folder) for name, folder in folders.items()}
    _tell_the_bus(named)
    environment = {**os.environ, **named, "XFCE_PANEL_MIGRATE_DEFAULT": "1"}
    with _running(["openbox"], environment):
        yield environment


@pytest.fixture
def start(desktop: dict[str, str]) -> Iterator[Start]:
    """Start a program of the desktop; it is ended with the test."""
    with contextlib.ExitStack() as all_of_them:
        yield lambda *command: all_of_them.enter_context(_running(list(command), desktop))


@pytest.fixture
def wait_for(qtbot: QtBot) -> Callable[["Future[Answer]"], Answer]:
    """The answer of another thread, while Qt goes on."""

    def wait(future: "Future[Answer]") -> Answer:
        qtbot.waitUntil(future.done, timeout=PATIENCE)
        return future.result()

    return wait


def _make_openbox_quick(config: Path) -> None:
    """Windows come and go at once: a click goes through one that is still on its way."""
    usual = Path("/etc/xdg/openbox/rc.xml").read_text()
    quick = usual.replace("<animateIconify>yes<", "<animateIconify>no<")
    assert quick != usual
    (config / "openbox").mkdir()
    (config / "openbox" / "rc.xml").write_text(quick)


def _tell_the_bus(environment: dict[str, str]) -> None:
    """What the bus starts by itself, such as a store of settings, must not find the real home either."""
    from jeepney import DBusAddress, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    bus = DBusAddress(
        "/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus"
    )
    told = new_method_call(bus, "UpdateActivationEnvironment", "a{ss}", (environment,))
    with open_dbus_connection(bus="SESSION") as connection:
        connection.send_and_get_reply(told, timeout=10)


@contextlib.contextmanager
def _running(command: list[str], environment: dict[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    child = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait(timeout=5)
