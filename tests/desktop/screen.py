"""The real window on a real screen: what can be seen of it, and a hand at the mouse or the keys."""

import subprocess
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot
from tray_host import Picture, TrayHost

from ridgeline_desktop.gui.application import Application
from ridgeline_desktop.gui.jobs.table_model import Col
from ridgeline_desktop.gui.kit.palette import colours
from ridgeline_desktop.gui.runbooks.browser import RunbookBrowser
from ridgeline_desktop.gui.runs.console import RunConsole
from ridgeline_desktop.gui.runs.output_text import OutputText

PATIENCE = 20_000
MOST_TABS = 40
ICON_SIZE = 22
CROSS = 12
# pytest-qt looks every 10 ms.
LOOKS = 10

Given = TypeVar("Given")
Part = TypeVar("Part", bound=QWidget)


class Screen:
    """One main window, the windows it has opened, and its icon on a panel."""

    def __init__(self, app: Application, *, panel: TrayHost, qtbot: QtBot) -> None:
        self.window, self.rooms = app.window, app.rooms
        self._panel, self._qtbot = panel, qtbot

    def until(self, condition: Callable[[], object]) -> None:
        """Wait while Qt goes on; an AssertionError counts as "not yet"."""
        self._qtbot.waitUntil(condition, timeout=PATIENCE)

    def until_done(self, answer: "Future[Given]") -> Given:
        """What another thread answers, while Qt goes on."""
        self.until(answer.done)
        return answer.result()

    # What is seen

    def is_in_front(self) -> bool:
        """Whether the window is on the screen, and the one that gets the keys."""
        return is_in_front(self.window)

    def cell(self, place: int, column: Col) -> str:
        """The words in one cell of the list."""
        return str(self.rooms.page.table.jobs.index(place, column).data())

    def selected(self) -> str:
        """The job whose line is marked."""
        (index,) = self.rooms.page.table.selectionModel().selectedRows(Col.JOB)
        return str(index.data())

    def card(self) -> str:
        """What the card says."""
        return "\n".join(texts(self.rooms.detail.card))

    def tab(self) -> str:
        """The tab that is shown."""
        tabs = self.rooms.detail.tabs
        return str(tabs.tabText(tabs.currentIndex()))

    def in_tab(self, kind: type[Part]) -> Part | None:
        """What of this kind can be seen in the tab that is shown."""
        found = self.rooms.detail.tabs.currentWidget().findChildren(kind)
        return next((part for part in found if part.isVisible()), None)

    def heading_in_sight(self) -> str:
        """The heading that the runbook was opened at, where it can really be read; else ""."""
        browser = self.in_tab(RunbookBrowser)
        if browser is None:
            return ""
        block = browser.document().begin()
        while block.isValid() and block.text() != browser.marked:
            block = block.next()
        place = browser.document().documentLayout().blockBoundingRect(block)
        place.translate(0, -browser.verticalScrollBar().value())
        sight = browser.viewport().rect()
        is_seen = sight.top() <= place.top() and place.bottom() <= sight.bottom()
        return str(block.text()) if is_seen else ""

    def place_of_link(self, address: str) -> QPoint | None:
        """Where in the runbook a link can be clicked; None where it is out of sight."""
        browser = self.in_tab(RunbookBrowser)
        sight = browser.viewport().rect()
        places = (QPoint(x, y) for y in range(0, sight.height(), 4) for x in range(0, sight.width(), 8))
        return next((place for place in places if browser.anchorAt(place) == address), None)

    def question(self) -> QDialog | None:
        """What is asked right now, once it can be answered."""
        return next((window for window in open_windows(QDialog) if is_in_front(window)), None)

    def consoles(self) -> list[RunConsole]:
        """The windows of runs that are open."""
        return open_windows(RunConsole)

    def output(self) -> str:
        """What the Output tab shows."""
        text = self.in_tab(OutputText)
        return "" if text is None else str(text.toPlainText())

    def checkpoint(self) -> str:
        """What the Checkpoint tab says."""
        return "\n".join(texts(self.rooms.detail.tabs.currentWidget()))

    def button(self, word: str, *, parent: QWidget | None = None) -> QAbstractButton:
        """The first button with that word that can be seen, in the window or a part of it."""
        found = (parent or self.window).findChildren(QAbstractButton)
        return next(each for each in found if each.text().replace("&", "") == word and each.isVisible())

    def is_in_tray(self, light: str, tooltip: str) -> bool:
        """Whether the icon near the clock is of that light's colour, with that tooltip."""
        icon = self.until_done(self._panel.icon())
        return icon.tooltip == tooltip and main_colour(icon.picture(ICON_SIZE)) == tray_colour(light)

    # What is done

    def minimise(self) -> None:
        """Out of the way, as the task bar does it."""
        self.hand("windowminimize", str(int(self.window.winId())))
        self.until(lambda: not self.window.windowHandle().isExposed())

    def open_from_tray(self) -> None:
        """Click the icon near the clock."""
        self.until_done(self._panel.activate())
        self.until(self.is_in_front)

    def hand(self, *words: str) -> None:
        """Real events of the X server; back when they are out."""
        done = subprocess.Popen(["xdotool", *words])
        self.until(lambda: done.poll() is not None)
        assert done.returncode == 0

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Press the left mouse button in the middle of a widget, or at a place in it."""
        self.until(lambda: widget.isVisible() and widget.isEnabled())
        place = at or widget.rect().center()
        self.until(Steady(lambda: widget.mapToGlobal(place)))
        self.click_at(widget.mapToGlobal(place))

    def click_at(self, place: QPoint) -> None:
        """Press the left mouse button there on the screen."""
        self.hand("mousemove", str(place.x()), str(place.y()), "click", "1")

    def click_tab(self, title: str) -> None:
        """Press the tab of that name."""
        tabs = self.rooms.detail.tabs
        number = next(at for at in range(tabs.count()) if tabs.tabText(at) == title)
        self.click(tabs.tabBar(), tabs.tabBar().tabRect(number).center())

    def click_close(self, window: QWidget) -> None:
        """Press the cross that the window manager draws."""
        frame = window.frameGeometry()
        self.click_at(QPoint(frame.right() - CROSS, (frame.top() + window.geometry().top()) // 2))

    def press(self, *keys: str) -> None:
        """Press keys one after the other, in the window that is active."""
        self.until(has_the_keyboard)
        self.hand("key", *keys)

    def tab_to(self, widget: QWidget) -> None:
        """Press Tab until the widget has the focus."""
        for _ in range(MOST_TABS):
            before = QApplication.focusWidget()
            if before is widget:
                return
            self.press("Tab")
            self.until(lambda before=before: QApplication.focusWidget() is not before)
        raise AssertionError(f"Tab does not lead to {widget}")


class Steady:
    """True once something has been the same for some looks, such as where a button stands."""

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._seen: list[object] = []

    def __call__(self) -> bool:
        self._seen = [*self._seen[-LOOKS:], self._look()]
        return self._seen.count(self._seen[-1]) > LOOKS


def texts(widget: QWidget) -> list[str]:
    """The words of all labels that can be seen."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def main_colour(picture: Picture) -> QColor:
    """The colour that most of a picture has."""
    solid = [pixel for pixel in picture.pixels() if pixel[3] == 255]
    return QColor(*max(set(solid), key=solid.count))


def tray_colour(light: str) -> QColor:
    """The colour that fills the tray's icon for a light: "ok", "late", "overdue"."""
    return QColor(getattr(colours(dark=False), f"fill_{light}"))


def open_windows(kind: type[Part]) -> list[Part]:
    """All windows of this kind that can be seen."""
    shown = (window for window in QApplication.topLevelWidgets() if window.isVisible())
    return [window for window in shown if isinstance(window, kind)]


def is_in_front(window: QWidget) -> bool:
    """Whether a window is on the screen, and the one that gets the keys."""
    return window.windowHandle().isExposed() and window.isActiveWindow()


def has_the_keyboard() -> bool:
    """Whether keys really go where Qt says; while a question opens, Qt is ahead of the window manager."""
    active = QApplication.activeWindow()
    asked = subprocess.run(
        ["xdotool", "getwindowfocus", "-f"], capture_output=True, text=True, timeout=10, check=False
    )
    return active is not None and asked.stdout.strip() == str(int(active.winId()))
