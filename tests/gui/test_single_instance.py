"""One Ridgeline per home, whatever a second start or a stranger does."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ridgeline_desktop.gui.single_instance import SingleInstance, StartAs, meeting_folder

FIRST = """
import sys
from PySide6.QtCore import QCoreApplication
from ridgeline_desktop.gui.single_instance import SingleInstance
app = QCoreApplication([])
one = SingleInstance(home=sys.argv[1], folder=sys.argv[2])
print(one.start(), flush=True)
if sys.argv[3:]:
    one.show_asked.connect(lambda: print("asked", flush=True))
    if sys.argv[3] == "listens":
        app.exec()
    one.listen()
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path):
    """Where starts meet; its path is short enough for a socket, and no session has a say in it."""
    with tempfile.TemporaryDirectory(prefix="one-") as made:
        had = os.environ.pop("XDG_RUNTIME_DIR", None)
        yield Path(made)
        if had is not None:
            os.environ["XDG_RUNTIME_DIR"] = had


@pytest.fixture
def instance(qtbot, tmp_path, folder):
    made = SingleInstance(home=str(tmp_path), folder=str(folder))
    yield made
    made.close()


@pytest.fixture
def started(tmp_path, folder):
    """Start Ridgeline's first steps in a process of its own."""
    children = []

    def start(*how, token="", home=tmp_path):
        child = subprocess.Popen(
            [sys.executable, "-c", FIRST, home, folder, *how],
            env={**os.environ, "XDG_ACTIVATION_TOKEN": token},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate(timeout=20)


def said(child):
    return child.communicate(timeout=20)[0].strip()


def connected(instance):
    caller = socket.socket(socket.AF_UNIX)
    caller.settimeout(5)
    caller.connect(instance.address)
    return caller


def is_dropped(caller):
    try:
        return caller.recv(100) == b""
    except ConnectionResetError:
        return True
    except BlockingIOError:
        return False


def test_a_second_start_brings_the_first_to_the_front_and_ends(qtbot, instance, started):
    assert instance.start() is StartAs.FIRST
    with qtbot.waitSignal(instance.show_asked):
        second = started()
    assert said(second) == "shown"


def test_a_start_for_another_home_is_a_first_one(instance, started, tmp_path):
    instance.start()
    instance.listen()
    assert said(started(home=tmp_path / "other")) == "first"


def test_the_place_of_one_that_was_killed_is_taken_and_answers_again(qtbot, instance, started):
    killed = started("listens")
    assert killed.stdout.readline().strip() == "first"
    qtbot.waitUntil(Path(instance.address).exists)
    killed.send_signal(signal.SIGKILL)
    killed.wait(timeout=20)
    assert Path(instance.address).exists()
    assert instance.start() is StartAs.FIRST
    with qtbot.waitSignal(instance.show_asked):
        second = started()
    assert said(second) == "shown"


def test_one_that_hangs_is_told_as_such_within_a_second_or_so(instance, started):
    hanging = started("hangs")
    assert hanging.stdout.readline().strip() == "first"
    assert instance.start() is StartAs.NOT_ANSWERING


def test_the_activation_token_stands_in_the_environment_while_the_window_is_asked_for(
    qtbot, instance, started
):
    instance.start()
    instance.listen()
    seen = []
    instance.show_asked.connect(lambda: seen.append(os.environ.get("XDG_ACTIVATION_TOKEN")))
    with qtbot.waitSignal(instance.show_asked):
        second = started(token="gnome-shell/Ridgeline/4711-0-till_TIME123")
    assert said(second) == "shown"
    assert seen == ["gnome-shell/Ridgeline/4711-0-till_TIME123"]
    assert "XDG_ACTIVATION_TOKEN" not in os.environ


@pytest.mark.parametrize("token", ["two words", "line\nbreak", "x" * 201, "ä"])
def test_an_odd_token_is_left_out_and_the_window_comes_up_all_the_same(qtbot, instance, started, token):
    instance.start()
    instance.listen()
    seen = []
    instance.show_asked.connect(lambda: seen.append(os.environ.get("XDG_ACTIVATION_TOKEN")))
    with qtbot.waitSignal(instance.show_asked):
        started(token=token)
    assert seen == [None]


@pytest.mark.parametrize(
    "sent",
    [b"hide\n", b"show me\nshow\n", b"show \x1b\n", b"show\n\n", b"\x00\xff\n", b"shows\n", b"x" * 100_000],
)
def test_what_is_no_request_is_dropped_and_asks_for_nothing(qtbot, instance, started, sent):
    instance.start()
    instance.listen()
    asked = []
    instance.show_asked.connect(lambda: asked.append(True))
    with connected(instance) as stranger:
        stranger.setblocking(False)
        stranger.send(sent)
        qtbot.waitUntil(lambda: is_dropped(stranger))
    assert asked == []
    with qtbot.waitSignal(instance.show_asked):
        started()


def test_one_who_never_says_anything_is_dropped_after_a_second(qtbot, instance):
    instance.start()
    instance.listen()
    with connected(instance) as stranger:
        stranger.setblocking(False)
        qtbot.waitUntil(lambda: is_dropped(stranger), timeout=3000)


def test_a_crowd_of_silent_callers_keeps_nobody_out_for_long(qtbot, instance, started):
    instance.start()
    instance.listen()
    crowd = [connected(instance) for _ in range(30)]
    try:
        crowd[-1].setblocking(False)
        qtbot.waitUntil(lambda: is_dropped(crowd[-1]), timeout=500)
        crowd[0].setblocking(False)
        qtbot.waitUntil(lambda: is_dropped(crowd[0]), timeout=3000)
        with qtbot.waitSignal(instance.show_asked):
            started()
    finally:
        for stranger in crowd:
            stranger.close()


def test_only_the_owner_may_knock(instance):
    instance.start()
    instance.listen()
    assert Path(instance.address).stat().st_mode & 0o077 == 0


def test_starts_meet_in_the_sessions_folder_or_else_in_the_state_folder(tmp_path):
    here = str(tmp_path)
    assert meeting_folder({"XDG_RUNTIME_DIR": here}, "/state") == here
    assert meeting_folder({}, "/state") == "/state"
    assert meeting_folder({"XDG_RUNTIME_DIR": "."}, "/state") == "/state"
    assert meeting_folder({"XDG_RUNTIME_DIR": str(tmp_path / "gone")}, "/state") == "/state"


def test_a_path_too_long_for_a_socket_gives_way_to_a_private_folder():
    short = Path(meeting_folder({}, "/state" * 20))
    assert len(str(short)) < 72
    assert short.stat().st_uid == os.getuid()
    assert short.stat().st_mode & 0o077 == 0


def test_a_folder_nobody_can_write_to_keeps_nobody_from_starting(qtbot, folder, caplog):
    gone = folder / "gone"
    made = SingleInstance(home="home", folder=str(gone))
    gone.rmdir()
    assert made.start() is StartAs.FIRST
    assert "two windows are possible" in caplog.text
