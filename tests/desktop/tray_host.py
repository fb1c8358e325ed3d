"""A desktop panel for tests: takes StatusNotifier icons over D-Bus, and is stricter than any real one.

What real panels forgive is kept in `complaints`: an item that registers twice, a property of a wrong type,
an icon whose bytes do not fit its size.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    MessageType,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

WATCHER = "org.kde.StatusNotifierWatcher"
WATCHER_PATH = "/StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
ITEM_PATH = "/StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
ANSWERS_WITHIN = 5.0
LOOKS_EVERY = 0.02
TYPES = {
    "Category": "s",
    "IconName": "s",
    "IconPixmap": "a(iiay)",
    "Id": "s",
    "ItemIsMenu": "b",
    "Menu": "o",
    "Status": "s",
    "Title": "s",
    "ToolTip": "(sa(iiay)ss)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One size of an icon; `at` gives a pixel as (red, green, blue, alpha)."""

    width: int
    height: int
    argb: bytes

    def at(self, x: int, y: int) -> tuple[int, int, int, int]:
        """One pixel, the first being the upper left one."""
        start = 4 * (y * self.width + x)
        alpha, red, green, blue = self.argb[start : start + 4]
        return red, green, blue, alpha

    def pixels(self) -> list[tuple[int, int, int, int]]:
        """All of them, line by line."""
        return [self.at(x, y) for y in range(self.height) for x in range(self.width)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """What a panel sees of an item."""

    status: str
    tooltip: str
    pictures: tuple[Picture, ...]
    menu_path: str

    def picture(self, size: int) -> Picture:
        """The picture of that many pixels a side."""
        return next(one for one in self.pictures if one.width == one.height == size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a menu, as a panel would draw it."""

    number: int
    text: str
    is_on: bool
    is_separator: bool
    has_picture: bool
    lines: tuple["Line", ...]


class TrayHost:
    """Appears on the session bus and vanishes when told; questions are answered by a thread of its own."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.calls: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._items: list[str] = []
        self._stop = threading.Event()
        self._serving: threading.Thread | None = None
        self._asking = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tray-host")
        self._client = open_dbus_connection(bus="SESSION")

    @property
    def items(self) -> tuple[str, ...]:
        """The bus names of the icons that are up, oldest first."""
        return tuple(self._items)

    def appear(self) -> None:
        """Become the session's panel; returns once icons are taken."""
        ready = threading.Event()
        self._stop.clear()
        self._serving = threading.Thread(target=self._serve, args=(ready,), name="tray-watcher")
        self._serving.start()
        assert ready.wait(ANSWERS_WITHIN), "another panel has this session"

    def vanish(self) -> None:
        """Go from the bus as a panel does that was killed; nothing is remembered."""
        if self._serving is None:
            return
        self._stop.set()
        self._serving.join(ANSWERS_WITHIN)
        self._serving = None
        self._items.clear()

    def close(self) -> None:
        """Vanish for good."""
        self.vanish()
        self._asking.shutdown(cancel_futures=True)
        self._client.close()

    def icon(self) -> "Future[Icon]":
        """What the only icon looks like."""
        return self._asking.submit(self._read_icon)

    def menu(self) -> "Future[tuple[Line, ...]]":
        """The lines of the only icon's menu, opened as a panel opens it."""
        return self._asking.submit(self._open_menu)

    def open_menu(self) -> "Future[tuple[Line, ...]]":
        """The lines of the menu that is open, read again."""
        return self._asking.submit(self._read_menu)

    def click(self, line: Line) -> "Future[None]":
        """Choose a line of the menu."""
        return self._asking.submit(self._menu_event, line.number, "clicked")

    def close_menu(self) -> "Future[None]":
        """Tell that the menu was closed."""
        return self._asking.submit(self._menu_event, 0, "closed")

    def activate(self) -> "Future[None]":
        """Click the icon itself."""
        return self._asking.submit(self._call, ITEM_PATH, ITEM, "Activate", "ii", (10, 10))

    # -- what the test's threads ask the item ----------------------------------------------------------

    def _call(self, path: str, interface: str, method: str, signature: str = "", body: Any = ()) -> Any:
        (item,) = self._items
        address = DBusAddress(path, bus_name=item, interface=interface)
        message = new_method_call(address, method, signature or None, body)
        reply = self._client.send_and_get_reply(message, timeout=ANSWERS_WITHIN)
        if reply.header.message_type is MessageType.error:
            raise AssertionError(f"{interface}.{method}: {reply.body}")
        return reply.body

    def _property(self, name: str) -> Any:
        ((signature, value),) = self._call(ITEM_PATH, PROPERTIES, "Get", "ss", (ITEM, name))
        if signature != TYPES[name]:
            self.complaints.append(f"{name} is of type {signature} and should be {TYPES[name]}")
        return value

    def _read_icon(self) -> Icon:
        values = {name: self._property(name) for name in TYPES}
        pictures = []
        for width, height, argb in values["IconPixmap"]:
            if len(argb) != 4 * width * height:
                self.complaints.append(f"{len(argb)} bytes are no picture of {width} x {height}")
            pictures.append(Picture(width=width, height=height, argb=bytes(argb)))
        _name, _pictures, title, text = values["ToolTip"]
        tooltip = "\n".join(part for part in (title, text) if part)
        return Icon(
            status=values["Status"],
            tooltip=tooltip,
            pictures=tuple(pictures),
            menu_path=values["Menu"],
        )

    def _open_menu(self) -> tuple[Line, ...]:
        self._call(self._property("Menu"), MENU, "AboutToShow", "i", (0,))
        return self._read_menu()

    def _read_menu(self) -> tuple[Line, ...]:
        path = self._property("Menu")
        _revision, (_number, _properties, children) = self._call(path, MENU, "GetLayout", "iias", (0, -1, []))
        return tuple(_line(child) for child in children)

    def _menu_event(self, number: int, event: str) -> None:
        path = self._property("Menu")
        self._call(path, MENU, "Event", "isvu", (number, event, ("i", 0), 0))

    # -- the watcher -----------------------------------------------------------------------------------

    def _serve(self, ready: threading.Event) -> None:
        with open_dbus_connection(bus="SESSION") as bus:
            asked = Proxy(message_bus, bus, timeout=ANSWERS_WITHIN)
            owner_changes = MatchRule(type="signal", sender="org.freedesktop.DBus", member="NameOwnerChanged")
            asked.AddMatch(owner_changes)
            (code,) = asked.RequestName(WATCHER, 4)
            if code != 1:
                return
            ready.set()
            while not self._stop.is_set():
                try:
                    message = bus.receive(timeout=LOOKS_EVERY)
                except TimeoutError:
                    continue
                self._answer(bus, message)

    def _answer(self, bus: DBusConnection, message: Any) -> None:
        fields = message.header.fields
        member = fields.get(HeaderFields.member)
        if message.header.message_type is MessageType.signal:
            if member == "NameOwnerChanged" and not message.body[2]:
                self._gone(bus, message.body[0])
            return
        if message.header.message_type is not MessageType.method_call:
            return
        self.calls.put(member)
        answers: dict[str, Callable[[], Any]] = {
            "RegisterStatusNotifierItem": lambda: self._register(bus, message),
            "RegisterStatusNotifierHost": lambda: new_method_return(message),
            "Get": lambda: new_method_return(message, "v", (self._facts()[message.body[1]],)),
            "GetAll": lambda: new_method_return(message, "a{sv}", (self._facts(),)),
        }
        answer = answers.get(member, lambda: new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        bus.send(answer())

    def _facts(self) -> dict[str, tuple[str, Any]]:
        return {
            "RegisteredStatusNotifierItems": ("as", list(self._items)),
            "IsStatusNotifierHostRegistered": ("b", True),
            "ProtocolVersion": ("i", 0),
        }

    def _register(self, bus: DBusConnection, message: Any) -> Any:
        (item,) = message.body
        if item in self._items:
            self.complaints.append(f"{item} registered twice")
            return new_error(message, "org.kde.StatusNotifierWatcher.Error.Twice")
        self._items.append(item)
        self._tell(bus, "StatusNotifierItemRegistered", item)
        return new_method_return(message)

    def _gone(self, bus: DBusConnection, name: str) -> None:
        if name in self._items:
            self._items.remove(name)
            self._tell(bus, "StatusNotifierItemUnregistered", name)

    def _tell(self, bus: DBusConnection, signal: str, item: str) -> None:
        bus.send(new_signal(DBusAddress(WATCHER_PATH, interface=WATCHER), signal, "s", (item,)))


def _line(variant: Any) -> Line:
    number, properties, children = variant[1]
    values = {name: value for name, (_type, value) in properties.items()}
    return Line(
        number=number,
        text=values.get("label", ""),
        is_on=values.get("enabled", True),
        is_separator=values.get("type") == "separator",
        has_picture=bool(values.get("icon-data")),
        lines=tuple(_line(child) for child in children),
    )
