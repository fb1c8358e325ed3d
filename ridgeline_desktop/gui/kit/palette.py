"""The two sets of colours, light and dark, and which of them the desktop wants right now."""

import os
import sys
from enum import StrEnum
from functools import lru_cache

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from ridgeline_desktop.core.values import dataclass

LEAST_POINTS = 9.0
PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
PORTAL_SETTINGS = "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"
COLOR_SCHEME = "color-scheme"
PREFERS_DARK = 1
TOLD = "1told(QString,QString,QDBusVariant)"  # the 1 is how Qt marks a slot
PORTAL_TIMEOUT_MS = 3000
DARKER_BY_FUSION = 140  # percent
LISTS = ("QAbstractItemView", "QMenu", "QMenuBar")
INPUTS = ("QCheckBox", "QRadioButton", "QLineEdit", "QComboBox", "QAbstractSpinBox")


class Scheme(StrEnum):
    """What a person chose in the settings; SYSTEM follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """Every colour the windows use. Those named after a state are for its word; `fill_…` for its shape.

    Words keep at least 4.5:1 on `window`, `base`, `stripe`, `selection` and every `card…`; a fill carries a
    white glyph. `edge` is what an input is seen by, `accent` the input with the caret: 3:1 on any of these.
    """

    ok: QColor
    late: QColor
    overdue: QColor
    never: QColor
    paused: QColor
    unknown: QColor
    running: QColor
    text: QColor
    muted: QColor
    link: QColor
    accent: QColor
    window: QColor
    base: QColor
    stripe: QColor
    button: QColor
    border: QColor
    edge: QColor
    selection: QColor
    card: QColor
    card_red: QColor
    card_amber: QColor
    card_grey: QColor
    card_blue: QColor
    bar: QColor
    fill_ok: QColor
    fill_late: QColor
    fill_overdue: QColor
    fill_never: QColor
    fill_paused: QColor
    fill_running: QColor
    glyph: QColor
    is_dark: bool = False


_FILLS = {
    "fill_ok": "#008F73",
    "fill_late": "#BC6500",
    "fill_overdue": "#D9434A",
    "fill_never": "#8A60D4",
    "fill_paused": "#6F7A85",
    "fill_running": "#2F7BDD",
    "glyph": "#FFFFFF",
}
_LIGHT = {
    "ok": "#00705A",
    "late": "#8A6100",
    "overdue": "#A8123A",
    "never": "#6A3AB2",
    "paused": "#59636E",
    "unknown": "#59636E",
    "running": "#0B5CC0",
    "text": "#1F2328",
    "muted": "#59636E",
    "link": "#0B5CC0",
    "accent": "#0B5CC0",
    "window": "#F5F6F8",
    "base": "#FFFFFF",
    "stripe": "#F8F9FB",
    "button": "#FCFCFD",
    "border": "#C9D0D8",
    "edge": "#6E7781",
    "selection": "#DDEBFB",
    "card": "#FFFFFF",
    "card_red": "#FDF1F2",
    "card_amber": "#FDF5E6",
    "card_grey": "#F0F2F4",
    "card_blue": "#EDF4FD",
    "bar": "#5FA694",
}
_DARK = {
    "ok": "#3CCFB0",
    "late": "#FFC04D",
    "overdue": "#FF7A70",
    "never": "#C4A5FF",
    "paused": "#A3ADB8",
    "unknown": "#A3ADB8",
    "running": "#6CB2FF",
    "text": "#E6E9ED",
    "muted": "#A3ADB8",
    "link": "#6CB2FF",
    "accent": "#6CB2FF",
    "window": "#26292E",
    "base": "#1D2024",
    "stripe": "#212429",
    "button": "#33373D",
    "border": "#474D55",
    "edge": "#858E98",
    "selection": "#213A58",
    "card": "#2B2F35",
    "card_red": "#382629",
    "card_amber": "#362D1D",
    "card_grey": "#2E3238",
    "card_blue": "#20303F",
    "bar": "#2F8A76",
}


@lru_cache(maxsize=2)
def colours(*, dark: bool) -> Colours:
    """The colours of one scheme."""
    values = _FILLS | (_DARK if dark else _LIGHT)
    return Colours(**{name: QColor(value) for name, value in values.items()}, is_dark=dark)


def is_dark_palette(palette: QPalette) -> bool:
    """Whether a palette puts light text on dark grounds. Its window does not tell: see `input_palette`."""
    return palette.color(QPalette.ColorRole.Base).lightness() < 128


def colours_of(palette: QPalette) -> Colours:
    """The colours that go with a widget's palette."""
    return colours(dark=is_dark_palette(palette))


def palette_of(c: Colours) -> QPalette:
    """Our palette for the Fusion style, which rings what has the focus in the colour of selected text."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette(c.button, c.window)
    shown = {
        role.Window: c.window,
        role.WindowText: c.text,
        role.Base: c.base,
        role.AlternateBase: c.stripe,
        role.Text: c.text,
        role.Button: c.button,
        role.ButtonText: c.text,
        role.BrightText: c.overdue,
        role.ToolTipBase: c.card,
        role.ToolTipText: c.text,
        role.PlaceholderText: c.muted,
        role.Highlight: c.accent,
        role.HighlightedText: c.base,
        role.Accent: c.accent,
        role.Link: c.link,
        role.LinkVisited: c.never,
    }
    for name, colour in shown.items():
        palette.setColor(name, colour)
    faint = QColor("#6F767E") if c.is_dark else QColor("#8C959F")
    for name in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(group.Disabled, name, faint)
    palette.setColor(group.Disabled, role.Highlight, c.card_grey)
    return palette


def list_palette(c: Colours) -> QPalette:
    """The palette of lists and menus: what is chosen keeps its colour, so that states stay readable."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = palette_of(c)
    for name in (group.Active, group.Inactive):
        palette.setColor(name, role.Highlight, c.selection)
        palette.setColor(name, role.HighlightedText, c.text)
    return palette


def input_palette(c: Colours) -> QPalette:
    """The palette of inputs. Fusion draws their edges in a darker shade of the window: unseen in the dark.

    They show nothing else in the colour of the window.
    """
    palette = palette_of(c)
    palette.setColor(QPalette.ColorRole.Window, c.edge.lighter(DARKER_BY_FUSION))
    return palette


def style_sheet(c: Colours) -> str:
    """What Fusion draws too loudly for our colours, or, around text of several lines, not at all."""
    edge, text, window = c.border.name(), c.text.name(), c.window.name()
    return (
        f"QToolTip {{ color: {text}; background: {c.card.name()}; border: 1px solid {edge}; padding: 3px; }}"
        f"QPlainTextEdit {{ border: 1px solid {c.edge.name()}; border-radius: 2px; }}"
        f"QPlainTextEdit:focus {{ border-color: {c.accent.name()}; }}"
        f"QTabWidget::pane {{ border: 1px solid {edge}; background: {window}; top: -1px; }}"
        f"QHeaderView {{ background: {window}; }}"
        f"QHeaderView::section {{ color: {c.muted.name()}; background: {window}; border: none;"
        f" border-bottom: 1px solid {edge}; padding: 4px 7px; }}"
        f"QToolBar {{ background: {window}; border: none; border-bottom: 1px solid {edge};"
        " padding: 4px 6px; spacing: 3px; }"
        f"QMenuBar {{ background: {window}; }}"
        "QStatusBar::item { border: none; }"
    )


def dress(c: Colours, *widgets: QWidget) -> None:
    """Give these the style sheet before the application has it."""
    for widget in widgets:
        widget.setStyleSheet(style_sheet(c))


class Appearance(QObject):
    """Keeps the application, which is in Fusion, in our colours. `changed` says that they are others now.

    Widgets have the new palette with the next turn of the event loop; Qt tells them by PaletteChange.
    It never waits for the desktop: until the desktop has answered, SYSTEM is light.

    With `in_haste` there is no style sheet before `dress_all`: it makes each widget slower to make. What is
    seen until then is handed to `dress`.
    """

    changed = Signal()

    def __init__(self, app: QApplication, *, in_haste: bool = False) -> None:
        super().__init__(app)
        self._app = app
        self._has_sheet = not in_haste
        self._scheme = Scheme.SYSTEM
        self._portal_says_dark = False
        self._portal: QObject | None = None
        self._shown: bool | None = None
        _enlarge(app)
        app.styleHints().colorSchemeChanged.connect(self._on_hint)

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown now."""
        return bool(self._shown)

    @property
    def scheme(self) -> Scheme:
        """What was asked for last."""
        return self._scheme

    def apply(self, scheme: Scheme) -> None:
        """Show this scheme from now on."""
        self._scheme = scheme
        if scheme is Scheme.SYSTEM and self._portal is None and _has_session_bus():
            self._portal = _Portal(self)
            self._portal.answered.connect(self._on_portal)
            QTimer.singleShot(0, self._portal.ask)
        self._show()

    @Slot()
    def dress_all(self) -> None:
        """Have the style sheet everywhere from now on."""
        if not self._has_sheet:
            self._has_sheet = True
            self._app.setStyleSheet(style_sheet(colours(dark=self.is_dark)))

    @Slot(Qt.ColorScheme)
    def _on_hint(self, _scheme: Qt.ColorScheme) -> None:
        self._show()

    @Slot(bool)
    def _on_portal(self, prefers_dark: bool) -> None:
        self._portal_says_dark = prefers_dark
        self._show()

    def _wanted(self) -> bool:
        if self._scheme is not Scheme.SYSTEM:
            return self._scheme is Scheme.DARK
        hint = self._app.styleHints().colorScheme()
        if hint is not Qt.ColorScheme.Unknown:
            return hint is Qt.ColorScheme.Dark
        return self._portal_says_dark

    def _show(self) -> None:
        dark = self._wanted()
        if dark is self._shown:
            return
        self._shown = dark
        mine = colours(dark=dark)
        self._app.setPalette(palette_of(mine))
        for names, palette in ((LISTS, list_palette(mine)), (INPUTS, input_palette(mine))):
            for name in names:
                self._app.setPalette(palette, name)  # type: ignore[arg-type]  # the stubs say bytes, which it refuses
        if self._has_sheet:
            self._app.setStyleSheet(style_sheet(mine))
        self.changed.emit()


class _Portal(QObject):
    """Asks the desktop's portal which scheme is preferred, now and whenever that changes."""

    answered = Signal(bool)

    @Slot()
    def ask(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        place = (PORTAL, PORTAL_PATH, PORTAL_SETTINGS, "SettingChanged")
        bus.connect(*place, self, TOLD)  # type: ignore[call-overload]  # the stubs say bytes, which it refuses
        question = QDBusMessage.createMethodCall(PORTAL, PORTAL_PATH, PORTAL_SETTINGS, "Read")
        question.setArguments([APPEARANCE, COLOR_SCHEME])
        watcher = QDBusPendingCallWatcher(bus.asyncCall(question, PORTAL_TIMEOUT_MS), self)
        watcher.finished.connect(self._read)

    @Slot("QDBusPendingCallWatcher*")
    def _read(self, watcher: QObject) -> None:
        reply = watcher.reply()  # type: ignore[attr-defined]
        watcher.deleteLater()
        if reply.errorName() == "" and reply.arguments():
            self._take(reply.arguments()[0])

    @Slot(str, str, "QDBusVariant")
    def told(self, namespace: str, key: str, value: object) -> None:
        """The desktop's settings have changed, perhaps the one that concerns us."""
        if (namespace, key) == (APPEARANCE, COLOR_SCHEME):
            self._take(value)

    def _take(self, value: object) -> None:
        while hasattr(value, "variant"):
            value = value.variant()
        if isinstance(value, int):
            self.answered.emit(value == PREFERS_DARK)


def _has_session_bus() -> bool:
    """Whether a bus is named; without one, looking for it could start a program and wait for it."""
    return sys.platform == "linux" and bool(os.environ.get("DBUS_SESSION_BUS_ADDRESS"))


def _enlarge(app: QApplication) -> None:
    font = app.font()
    if 0 < font.pointSizeF() < LEAST_POINTS:
        font.setPointSizeF(LEAST_POINTS)
        app.setFont(font)
