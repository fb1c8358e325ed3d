"""What is said inside a window: quiet coloured grounds, plain paragraphs, a mark that follows the colours."""

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from ridgeline_desktop.gui.kit.icons import Shape, paint
from ridgeline_desktop.gui.kit.palette import Colours, colours_of

RADIUS = 5.0
STRIPE = 4.0
READABLE = Qt.TextInteractionFlag.TextSelectableByMouse


class Tone(StrEnum):
    """How grave a card is."""

    PLAIN = "plain"
    RED = "red"
    AMBER = "amber"
    GREY = "grey"
    BLUE = "blue"


class Card(QWidget):
    """A rounded ground with a stripe at its beginning in the colour of its tone (none for PLAIN)."""

    def __init__(self, tone: Tone = Tone.PLAIN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone

    @property
    def tone(self) -> Tone:
        """The tone it is painted in."""
        return self._tone

    def set_tone(self, tone: Tone) -> None:
        """Paint it in this tone from now on."""
        self._tone = tone
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the ground; what stands on it paints itself."""
        c = colours_of(self.palette())
        ground, stripe = _tones(c)[self._tone]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(c.border, 1.0))
        painter.setBrush(ground)
        painter.drawRoundedRect(inside, RADIUS, RADIUS)
        if stripe is not None:
            self._paint_stripe(painter, inside, stripe)

    def _paint_stripe(self, painter: QPainter, inside: QRectF, colour: QColor) -> None:
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = inside.right() - STRIPE if is_mirrored else inside.left()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.setClipRect(QRectF(left, inside.top(), STRIPE, inside.height()))
        painter.drawRoundedRect(inside, RADIUS, RADIUS)


class Said(Card):
    """A sentence or more on a ground of its own; hidden while there is none."""

    def __init__(self, tone: Tone, parent: QWidget | None = None) -> None:
        super().__init__(tone, parent)
        self._label = plain_label(is_selectable=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 8, 12, 8)
        box.addWidget(self._label)
        self.hide()

    def say(self, text: str) -> None:
        """Show this, or nothing for ""."""
        self._label.setText(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """What is shown; "" = nothing."""
        return self._label.text()


class Mark(QWidget):
    """One shape, as high as a line of text; hidden from screen readers, since a word stands beside it."""

    def __init__(self, shape: Shape, parent: QWidget | None = None, *, scale: float = 1.0) -> None:
        super().__init__(parent)
        self._shape, self._scale = shape, scale
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_shape(self, shape: Shape) -> None:
        """Show another shape."""
        self._shape = shape
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As high and wide as a line of text, times its scale."""
        side = round(max(16, self.fontMetrics().height()) * self._scale)
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the shape in the colours of the palette it has now."""
        painter = QPainter(self)
        paint(painter, QRectF(self.rect()), self._shape, colours_of(self.palette()))


def plain_label(text: str = "", *, is_bold: bool = False, is_selectable: bool = False) -> QLabel:
    """A paragraph that wraps and shows its text to the letter, whatever is written in it."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if is_selectable:
        label.setTextInteractionFlags(READABLE)
    if is_bold:
        font = label.font()
        font.setBold(True)
        label.setFont(font)
    return label


def _tones(c: Colours) -> dict[Tone, tuple[QColor, QColor | None]]:
    return {
        Tone.PLAIN: (c.card, None),
        Tone.RED: (c.card_red, c.fill_overdue),
        Tone.AMBER: (c.card_amber, c.fill_late),
        Tone.GREY: (c.card_grey, c.fill_paused),
        Tone.BLUE: (c.card_blue, c.fill_running),
    }
