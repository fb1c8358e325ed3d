"""Needs a session bus: a stand-in for the desktop's portal answers on it."""

import os
import threading

import pytest

from ridgeline_desktop.gui.kit.palette import Appearance, Scheme

LIGHT, DARK = 2, 1
PORTAL = "org.freedesktop.portal.Desktop"


class Portal:
    """Answers who asks for the colour scheme, and tells of a change."""

    def __init__(self, scheme: int) -> None:
        from jeepney import DBusAddress
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        self._scheme = scheme
        self._here = DBusAddress(
            "/org/freedesktop/portal/desktop", interface="org.freedesktop.portal.Settings"
        )
        self._bus = open_dbus_connection("SESSION")
        self._bus.send_and_get_reply(message_bus.RequestName(PORTAL))
        threading.Thread(target=self._serve, daemon=True).start()

    def tell(self, scheme: int) -> None:
        from jeepney import new_signal

        said = ("org.freedesktop.appearance", "color-scheme", ("u", scheme))
        self._bus.send(new_signal(self._here, "SettingChanged", "ssv", said))

    def _serve(self) -> None:
        from jeepney import MessageType, new_method_return

        while True:
            message = self._bus.receive()
            if message.header.message_type is MessageType.method_call:
                self._bus.send(new_method_return(message, "v", (("v", ("u", self._scheme)),)))


@pytest.mark.desktop
def test_the_desktops_portal_is_asked_and_listened_to_without_waiting(qtbot, qapp):
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        pytest.skip("there is no session bus")
    before, sheet = qapp.palette(), qapp.styleSheet()
    portal = Portal(DARK)
    appearance = Appearance(qapp)
    appearance.apply(Scheme.SYSTEM)
    assert not appearance.is_dark
    qtbot.waitUntil(lambda: appearance.is_dark)
    portal.tell(LIGHT)
    qtbot.waitUntil(lambda: not appearance.is_dark)
    appearance.deleteLater()
    qapp.setStyleSheet(sheet)
    qapp.setPalette(before)
