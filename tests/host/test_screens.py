import socket
from pathlib import Path

from ridgeline_desktop.host.screens import has_screen


def test_without_a_display_there_is_no_screen():
    assert not has_screen({})
    assert not has_screen({"DISPLAY": ""})


def test_a_display_that_nobody_serves_is_no_screen(tmp_path: Path):
    assert not has_screen({"DISPLAY": ":4711"})
    assert not has_screen({"DISPLAY": "nonsense"})
    assert not has_screen({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_compositor_that_listens_is_a_screen(tmp_path: Path):
    with socket.socket(socket.AF_UNIX) as served:
        served.bind(str(tmp_path / "wayland-0"))
        served.listen()
        assert has_screen({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)})
        assert has_screen({"WAYLAND_DISPLAY": str(tmp_path / "wayland-0")})


def test_an_x_server_that_listens_is_a_screen_by_its_abstract_name():
    with socket.socket(socket.AF_UNIX) as served:
        served.bind("\0/tmp/.X11-unix/X4712")
        served.listen()
        assert has_screen({"DISPLAY": ":4712.0"})
