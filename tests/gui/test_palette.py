import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.gui.kit.palette import (
    LEAST_POINTS,
    Appearance,
    Scheme,
    _Portal,
    colours,
    colours_of,
    input_palette,
    is_dark_palette,
    list_palette,
    palette_of,
)

WORDS = ("ok", "late", "overdue", "never", "paused", "unknown", "running", "text", "muted", "link")
GROUNDS = (
    "window",
    "base",
    "stripe",
    "button",
    "selection",
    "card",
    "card_red",
    "card_amber",
    "card_grey",
    "card_blue",
)
FILLS = ("fill_ok", "fill_late", "fill_overdue", "fill_never", "fill_paused", "fill_running")
PANELS = ("#000000", "#2B2B2B", "#F0F0F0", "#FFFFFF")
TABLE = {
    "ok": ("#00705A", "#3CCFB0"),
    "late": ("#8A6100", "#FFC04D"),
    "overdue": ("#A8123A", "#FF7A70"),
    "paused": ("#59636E", "#A3ADB8"),
    "running": ("#0B5CC0", "#6CB2FF"),
}


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture
def appearance(qapp: QApplication):
    before, font, sheet = qapp.palette(), qapp.font(), qapp.styleSheet()
    made = Appearance(qapp)
    yield made
    made.deleteLater()
    qapp.setStyleSheet(sheet)
    qapp.setPalette(before)
    qapp.setFont(font)
    qapp.styleHints().unsetColorScheme()


def window_with(qtbot, kind: type[QWidget]) -> tuple[QWidget, QWidget]:
    """A window that is shown, and the one input that it holds."""
    window, made = QWidget(), kind()
    QVBoxLayout(window).addWidget(made)
    qtbot.addWidget(window)
    window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.show()
    window.setFocus()
    return window, made


def pixels(window: QWidget, made: QWidget) -> list[QColor]:
    image = window.grab(made.geometry()).toImage()
    return [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]


def max_contrast(window: QWidget, made: QWidget) -> float:
    ground = window.palette().color(QPalette.ColorRole.Window)
    return max(contrast(pixel, ground) for pixel in pixels(window, made))


def ring_pixels(window: QWidget, made: QWidget) -> list[QColor]:
    """What is painted in a blue that is seen against the window."""
    ground = window.palette().color(QPalette.ColorRole.Window)
    return [
        pixel
        for pixel in pixels(window, made)
        if pixel.hslSaturationF() > 0.3 and contrast(pixel, ground) >= 3.0
    ]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("word", WORDS)
def test_every_word_can_be_read_on_every_ground(dark, ground, word):
    c = colours(dark=dark)
    assert contrast(getattr(c, word), getattr(c, ground)) >= 4.5


@pytest.mark.parametrize("fill", FILLS)
def test_a_fill_stands_out_from_any_panel_and_carries_a_white_glyph(fill):
    c = colours(dark=False)
    colour = getattr(c, fill)
    assert contrast(colour, c.glyph) >= 3.9
    assert min(contrast(colour, QColor(panel)) for panel in PANELS) >= 3.0


@pytest.mark.parametrize(("name", "light_and_dark"), TABLE.items())
def test_the_states_have_the_colours_that_were_agreed(name, light_and_dark):
    found = tuple(getattr(colours(dark=dark), name).name().upper() for dark in (False, True))
    assert found == light_and_dark


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("palette_for", [palette_of, list_palette, input_palette])
def test_every_palette_tells_its_colours(dark, palette_for):
    palette = palette_for(colours(dark=dark))
    assert is_dark_palette(palette) is dark
    assert colours_of(palette) is colours(dark=dark)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("dark", [False, True])
def test_the_edges_of_inputs_are_seen_on_every_ground(dark, ground):
    c = colours(dark=dark)
    assert min(contrast(edge, getattr(c, ground)) for edge in (c.edge, c.accent)) >= 3.0


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton, QLineEdit, QComboBox, QSpinBox, QPlainTextEdit])
def test_an_input_that_is_empty_can_be_seen(qtbot, appearance, scheme, kind):
    appearance.apply(scheme)
    window, made = window_with(qtbot, kind)
    qtbot.waitUntil(lambda: max_contrast(window, made) >= 3.0)


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
@pytest.mark.parametrize(
    "kind", [QCheckBox, QRadioButton, QLineEdit, QComboBox, QSpinBox, QPlainTextEdit, QPushButton]
)
def test_what_has_the_focus_is_ringed_in_a_colour_of_its_own(qtbot, appearance, scheme, kind):
    appearance.apply(scheme)
    window, made = window_with(qtbot, kind)
    assert not ring_pixels(window, made)
    with qtbot.waitActive(window):
        window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_Tab)
    assert window.focusWidget() is made
    assert len(ring_pixels(window, made)) > 20


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_a_chosen_row_keeps_the_colour_of_its_text(qtbot, appearance, scheme):
    appearance.apply(scheme)
    view = QListWidget()
    qtbot.addWidget(view)
    view.addItem("Order sync")
    view.setCurrentRow(0)
    view.show()
    image = view.viewport().grab(view.visualItemRect(view.item(0))).toImage()
    c = colours(dark=appearance.is_dark)
    assert image.pixelColor(image.width() - 2, image.height() // 2) == c.selection
    assert view.palette().color(QPalette.ColorRole.HighlightedText) == c.text


def test_what_was_chosen_is_shown_at_once_and_widgets_follow(qtbot, appearance):
    label = QLabel("Order sync")
    qtbot.addWidget(label)
    appearance.apply(Scheme.LIGHT)
    with qtbot.waitSignal(appearance.changed):
        appearance.apply(Scheme.DARK)
    assert appearance.is_dark
    assert colours_of(label.palette()).is_dark
    appearance.apply(Scheme.LIGHT)
    assert not colours_of(label.palette()).is_dark


def test_choosing_the_same_again_changes_nothing(qtbot, appearance):
    appearance.apply(Scheme.DARK)
    with qtbot.assertNotEmitted(appearance.changed):
        appearance.apply(Scheme.DARK)


def test_a_desktop_that_says_nothing_is_light(appearance):
    appearance.apply(Scheme.SYSTEM)
    assert not appearance.is_dark


def test_the_desktops_word_counts_only_while_the_system_is_followed(appearance):
    appearance.apply(Scheme.SYSTEM)
    appearance._on_portal(True)
    assert appearance.is_dark
    appearance.apply(Scheme.LIGHT)
    appearance._on_portal(True)
    assert not appearance.is_dark
    appearance.apply(Scheme.SYSTEM)
    assert appearance.is_dark
    appearance._on_portal(False)
    assert not appearance.is_dark


def test_only_the_settings_for_the_colour_scheme_are_listened_to(qtbot, qapp):
    portal = _Portal()
    answers: list[bool] = []
    portal.answered.connect(answers.append)
    portal.told("org.freedesktop.appearance", "accent-color", 1)
    portal.told("org.freedesktop.appearance", "color-scheme", 1)
    portal.told("org.freedesktop.appearance", "color-scheme", 2)
    assert answers == [True, False]


def test_letters_are_never_smaller_than_nine_points(qapp, appearance):
    font = qapp.font()
    font.setPointSizeF(7)
    qapp.setFont(font)
    again = Appearance(qapp)
    assert qapp.font().pointSizeF() == LEAST_POINTS
    again.deleteLater()


def test_a_larger_font_of_the_desktop_is_kept(qapp, appearance):
    font = qapp.font()
    font.setPointSizeF(14)
    qapp.setFont(font)
    again = Appearance(qapp)
    assert qapp.font().pointSizeF() == 14
    again.deleteLater()
