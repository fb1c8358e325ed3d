import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QIcon, QImage, QPainter
from rows import record, row

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.gui.kit.icons import (
    ICON_SIZES,
    TRAY_SIZES,
    Shape,
    app_icon,
    colour_of,
    icon,
    paint,
    pixmap,
    shape_of,
    shape_of_status,
    tray_icon,
)
from ridgeline_desktop.gui.kit.palette import colours

LIGHTS = (Shape.OK, Shape.LATE, Shape.OVERDUE, Shape.NEVER, Shape.PAUSED, Shape.UNKNOWN)


def _mask(image: QImage) -> frozenset[tuple[int, int]]:
    """Where a picture is painted at all, whatever the colour."""
    return frozenset(
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() > 128
    )


def _greys(image: QImage) -> bytes:
    return bytes(image.convertToFormat(QImage.Format.Format_Grayscale8).constBits())


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("shape", Shape)
def test_every_shape_is_painted_at_the_smallest_size(qapp, shape, dark):
    assert len(_mask(pixmap(shape, 16, dark=dark).toImage())) >= 12


@pytest.mark.parametrize("dark", [False, True])
def test_lights_differ_by_outline_and_not_only_by_colour(qapp, dark):
    masks = {_mask(pixmap(shape, 16, dark=dark).toImage()) for shape in LIGHTS}
    assert len(masks) == len(LIGHTS)


def test_ends_of_runs_differ_by_outline_and_not_only_by_colour(qapp):
    masks = {_mask(pixmap(shape_of_status(status), 16, dark=False).toImage()) for status in RunStatus}
    assert len(masks) == len(RunStatus)


@pytest.mark.parametrize("shape", [Shape.PAUSED, Shape.UNKNOWN])
def test_paused_and_unknown_are_hollow(qapp, shape):
    image = pixmap(shape, 48, dark=False).toImage()
    assert image.pixelColor(11, 24).alpha() == 0


@pytest.mark.parametrize("health", Health)
def test_every_light_has_a_shape(health):
    assert shape_of(row(health=health)).value == {"never-succeeded": "never"}.get(health, health)


def test_every_end_of_a_run_has_a_mark():
    assert [shape_of_status(record(status=status).status) for status in RunStatus]


def test_selecting_does_not_recolour(qapp):
    made = icon(Shape.OVERDUE, dark=False)
    size = QSize(16, 16)
    normal, chosen = (made.pixmap(size, mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected))
    assert normal == chosen
    assert made.pixmap(size, QIcon.Mode.Disabled).toImage() != normal
    assert {size.width() for size in made.availableSizes()} == set(ICON_SIZES)


@pytest.mark.parametrize("attention", Attention)
@pytest.mark.parametrize("running", [False, True])
def test_the_tray_has_a_picture_for_every_panel(qapp, attention, running):
    made = tray_icon(attention, 3, running=running)
    assert sorted(size.width() for size in made.availableSizes()) == sorted(TRAY_SIZES)


def _tray(attention: Attention, count: int, *, running: bool = False, size: int = 16) -> QImage:
    return tray_icon(attention, count, running=running).pixmap(size, size).toImage()


@pytest.mark.parametrize("attention", [Attention.AMBER, Attention.RED])
def test_the_count_stands_in_the_tray_up_to_nine(qapp, attention):
    pictures = {_greys(_tray(attention, count, size=22)) for count in range(10)}
    assert len(pictures) == 10
    assert _tray(attention, 10) == _tray(attention, 250)
    assert _tray(attention, 9) != _tray(attention, 10)


@pytest.mark.parametrize("attention", [Attention.GREEN, Attention.GREY])
def test_nothing_is_counted_where_nothing_needs_attention(qapp, attention):
    assert _tray(attention, 0) == _tray(attention, 4)


def test_the_claims_differ_by_outline(qapp):
    assert len({_mask(_tray(attention, 2)) for attention in Attention}) == len(Attention)


def test_a_play_mark_leaves_most_of_the_shape(qapp):
    for attention in Attention:
        still, going = _mask(_tray(attention, 1, size=32)), _mask(_tray(attention, 1, running=True, size=32))
        assert still != going
        assert len(still & going) > 0.6 * len(still)


def test_a_shape_stays_inside_its_place(qapp):
    image = QImage(40, 40, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    for shape in Shape:
        paint(painter, QRectF(12, 12, 16, 16), shape, colours(dark=False))
    painter.end()
    assert all(11 <= x <= 28 and 11 <= y <= 28 for x, y in _mask(image))


def test_words_take_the_colour_of_their_state():
    c = colours(dark=True)
    assert colour_of(Shape.OVERDUE, c) == c.overdue
    assert colour_of(Shape.RUNBOOK, c) == c.text


def test_the_program_has_a_picture_of_its_own(qapp):
    assert _mask(app_icon().pixmap(16, 16).toImage())
