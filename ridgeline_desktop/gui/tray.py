"""The icon near the clock: the worst light with its count, a menu, and panels that come and go."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from ridgeline_desktop.core.health import Attention
from ridgeline_desktop.core.snapshots import Snapshot
from ridgeline_desktop.gui.kit.icons import icon, tray_icon
from ridgeline_desktop.gui.kit.shapes import Shape
from ridgeline_desktop.gui.kit.words import button_text
from ridgeline_desktop.gui.tray_menu import Ask, Entry, are_alike, count_of, menu_of, tooltip_of

WATCHER = "org.kde.StatusNotifierWatcher"
# A panel says it is there a little before it takes icons.
PANEL_SETTLES = 300
# Panels may tell that their menu has closed before they tell what was chosen from it.
CHOICE_ARRIVES_WITHIN = 300
# Not every panel tells that its copy of the menu was closed.
MENU_CLOSES_WITHIN = 30_000


class Tray(QObject):
    """Shows snapshots near the clock; signals say what a person wants, those of one job with its id.

    Its icon is up from the start until `close`, wherever and whenever there is a panel. A desktop without
    one is no error: `is_available` is False there. Panels that use no session bus are noticed by `recheck`.
    """

    open_asked = Signal()
    show_asked = Signal(str)
    run_asked = Signal(str)
    runbook_asked = Signal(str)
    settings_asked = Signal()
    quit_asked = Signal()
    availability_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._picture = tray_icon(Attention.GREY, 0)
        self._look: tuple[Attention, int, bool] | None = None
        self._tooltip = "Ridgeline"
        self._menu = TrayMenu()
        self._menu.chosen.connect(self._chosen)
        self._menu.show_entries(menu_of(None))
        self._is_available = QSystemTrayIcon.isSystemTrayAvailable()
        self._icon = self._new_icon()
        self._icon.show()
        self._settling = _single_shot(self)
        self._settling.timeout.connect(self._panel_is_there)
        self._panels = self._watch_panels()

    @property
    def is_available(self) -> bool:
        """Whether this desktop has a place for the icon, as last seen."""
        return self._is_available

    def close(self) -> None:
        """Take the icon away; for the end of the application."""
        if self._panels is not None:
            self._panels.setWatchedServices([])
        self._settling.stop()
        self._icon.hide()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show these lights; what has not changed is not touched."""
        running = any(row.running is not None for row in snapshot.rows)
        look = (snapshot.attention, count_of(snapshot), running)
        if look != self._look:
            self._look = look
            self._picture = tray_icon(look[0], look[1], running=running)
            self._icon.setIcon(self._picture)
        tooltip = tooltip_of(snapshot)
        if tooltip != self._tooltip:
            self._tooltip = tooltip
            self._icon.setToolTip(tooltip)
        self._menu.show_entries(menu_of(snapshot))

    def recheck(self) -> None:
        """See again whether there is a place for icons; to be called about once a minute."""
        is_available = QSystemTrayIcon.isSystemTrayAvailable()
        if is_available is not self._is_available:
            self._is_available = is_available
            self.availability_changed.emit(is_available)

    def _new_icon(self) -> QSystemTrayIcon:
        made = QSystemTrayIcon(self._picture, self)
        made.setToolTip(self._tooltip)
        made.setContextMenu(self._menu.menu)
        made.activated.connect(self._activated)
        return made

    def _watch_panels(self) -> QDBusServiceWatcher | None:
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return None
        owner_change = QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange
        made = QDBusServiceWatcher(WATCHER, bus, owner_change, self)
        made.serviceOwnerChanged.connect(self._panel_changed)
        return made

    def _panel_changed(self, _name: str, _old: str, _new: str) -> None:
        self._settling.start(PANEL_SETTLES)

    def _panel_is_there(self) -> None:
        """An icon made before a panel came does not move into it by itself, so a new one is made."""
        self._icon.hide()
        self._icon.deleteLater()
        self._icon = self._new_icon()
        self._icon.show()
        self.recheck()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.open_asked.emit()

    def _chosen(self, ask: str, job_id: str) -> None:
        if ask == Ask.OPEN:
            self.open_asked.emit()
        elif ask == Ask.SETTINGS:
            self.settings_asked.emit()
        elif ask == Ask.QUIT:
            self.quit_asked.emit()
        elif ask == Ask.SHOW:
            self.show_asked.emit(job_id)
        elif ask == Ask.RUN:
            self.run_asked.emit(job_id)
        elif ask == Ask.RUNBOOK:
            self.runbook_asked.emit(job_id)


class TrayMenu(QObject):
    """A menu that is changed only where its content differs, and never while a person has it open."""

    chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.menu = QMenu()
        self.menu.triggered.connect(self._triggered)
        self.menu.aboutToShow.connect(self._opened)
        self.menu.aboutToHide.connect(self._closed)
        self._shown: tuple[Entry, ...] = ()
        self._wanted: tuple[Entry, ...] = ()
        self._submenus: list[QMenu] = []
        self._open = _single_shot(self)
        self._open.timeout.connect(self._catch_up)

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Show these lines, as soon as the menu is closed."""
        self._wanted = entries
        if not self._open.isActive():
            self._catch_up()

    def _opened(self) -> None:
        # This comes before anything is drawn, so what waits for the menu to close can still come in.
        self._catch_up()
        self._open.start(MENU_CLOSES_WITHIN)

    def _closed(self) -> None:
        self._open.start(CHOICE_ARRIVES_WITHIN)

    def _catch_up(self) -> None:
        if self.menu.isVisible():
            self._open.start(MENU_CLOSES_WITHIN)
            return
        if self._wanted == self._shown:
            return
        if are_alike(self._wanted, self._shown):
            _reword(self.menu, self._wanted)
        else:
            self._rebuild()
        self._shown = self._wanted

    def _rebuild(self) -> None:
        self.menu.clear()
        for submenu in self._submenus:
            submenu.deleteLater()
        self._submenus = []
        self._fill(self.menu, self._wanted)

    def _fill(self, menu: QMenu, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            if not entry.text:
                menu.addSeparator()
            elif entry.entries:
                submenu = menu.addMenu("")
                self._submenus.append(submenu)
                _word(submenu.menuAction(), entry)
                self._fill(submenu, entry.entries)
            else:
                _word(menu.addAction(""), entry)

    def _triggered(self, action: QAction) -> None:
        ask, job_id = action.data() or (Ask.NOTHING, "")
        self.chosen.emit(ask, job_id)


def _reword(menu: QMenu, entries: tuple[Entry, ...]) -> None:
    for action, entry in zip(menu.actions(), entries, strict=True):
        _word(action, entry)
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            _reword(submenu, entry.entries)


def _word(action: QAction, entry: Entry) -> None:
    if not entry.text:
        return
    action.setText(button_text(entry.text))
    action.setEnabled(entry.is_on)
    action.setData((entry.ask.value, entry.job_id))
    action.setIcon(_icon_of(entry.shape))


def _icon_of(shape: Shape | None) -> QIcon:
    if shape is None:
        return QIcon()
    # A desktop's own menus are light or dark whatever Ridgeline is; the hollow shapes have a tone for both.
    return tray_icon(Attention.GREY, 0) if shape is Shape.UNKNOWN else icon(shape, dark=False)


def _single_shot(parent: QObject) -> QTimer:
    made = QTimer(parent)
    made.setSingleShot(True)
    return made
