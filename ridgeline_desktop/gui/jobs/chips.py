"""The buttons above the list, each a kind of job with how many there are."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from ridgeline_desktop.gui.jobs.filters import SHAPES, Filter, filter_word
from ridgeline_desktop.gui.kit.flow import FlowLayout
from ridgeline_desktop.gui.kit.icons import paint
from ridgeline_desktop.gui.kit.palette import Colours, colours_of

SIDES, ABOVE, GAP = 10, 4, 6


class Chip(QAbstractButton):
    """A pill with a mark, a word and a number; the one that is chosen has a ring around it."""

    def __init__(self, kind: Filter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._shape = SHAPES.get(kind)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_count(0)

    def set_count(self, count: int) -> None:
        """Say how many jobs there are."""
        text = self.tr("{kind} {count}").format(kind=filter_word(self.kind), count=count)
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(self.tr("Show: {kind}").format(kind=text))
            self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The room for mark and words."""
        metrics = self.fontMetrics()
        mark = metrics.height() + GAP if self._shape is not None else 0
        width = metrics.horizontalAdvance(self.text()) + mark + 2 * SIDES
        return QSize(width, metrics.height() + 2 * ABOVE + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the pill."""
        c = colours_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._pill(painter, c)
        side, left = self.fontMetrics().height(), float(SIDES)
        if self._shape is not None:
            top = (self.height() - side) / 2
            paint(painter, QRectF(left, top, side, side), self._shape, c)
            left += side + GAP
        painter.setPen(c.text)
        words = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())

    def _pill(self, painter: QPainter, c: Colours) -> None:
        chosen, wide = self.isChecked(), 2.0 if self.hasFocus() else 1.0
        ground = c.selection if chosen else c.button if self.underMouse() else c.base
        painter.setBrush(ground)
        painter.setPen(QPen(c.accent if chosen or self.hasFocus() else c.border, wide))
        inside = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        painter.drawRoundedRect(inside, inside.height() / 2, inside.height() / 2)


class Chips(QWidget):
    """One chip a kind that has jobs, and the chosen one in any case; `chosen` carries the kind."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._chips = {kind: Chip(kind) for kind in Filter}
        row = FlowLayout(self)
        for chip in self._chips.values():
            self._group.addButton(chip)
            row.addWidget(chip)
            chip.setVisible(chip.kind is Filter.ALL)
        self._chips[Filter.ALL].setChecked(True)
        self._group.buttonClicked.connect(self._on_click)

    @property
    def kind(self) -> Filter:
        """The kind that is chosen."""
        return next((kind for kind, chip in self._chips.items() if chip.isChecked()), Filter.ALL)

    def choose(self, kind: Filter) -> None:
        """Choose a kind as if its chip had been pressed, but without a signal."""
        self._chips[kind].setChecked(True)
        self._chips[kind].setVisible(True)

    def set_counts(self, counts: Mapping[Filter, int]) -> None:
        """Say how many jobs there are of each kind."""
        for kind, chip in self._chips.items():
            chip.set_count(counts[kind])
            chip.setVisible(kind is Filter.ALL or counts[kind] > 0 or chip.isChecked())

    @Slot(QAbstractButton)
    def _on_click(self, chip: QAbstractButton) -> None:
        assert isinstance(chip, Chip)
        self.chosen.emit(chip.kind)
