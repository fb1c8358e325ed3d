"""The card that says why a light is not green, and what to do about it."""

from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.snapshots import JobRow, ReasonLine, Step
from ridgeline_desktop.gui.jobs.reasons import Offer, Why, why_of
from ridgeline_desktop.gui.kit.cards import Card, Mark, plain_label
from ridgeline_desktop.gui.kit.flow import FlowLayout
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import button_text, plain_tip

MARGIN, GAP, STRIPE = 12, 8, 4
LEAST_LINES = 4
SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class WhyCard(Card):
    """Shows one job's causes; as high as they are, but never higher than it may be, then it scrolls.

    `step_asked` carries the job's id and the Step of the button that was pressed.
    """

    step_asked = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._job_id = ""
        self._shown: Why | None = None
        self._most = 16_777_215
        self.buttons: tuple[QPushButton, ...] = ()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(self.tr("Why, and what to do"))
        for widget in (self._scroll, self._scroll.viewport()):
            widget.setAutoFillBackground(False)
        self._body = QWidget()
        self._row_of_buttons = QWidget()
        # Placed by hand: Qt would ask a layout, and not the card, how high it is at a width.
        for child in (self._scroll, self._row_of_buttons):
            child.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_row(self, row: JobRow, *, zone: ZoneInfo, now: datetime) -> None:
        """Show this job; what has not changed keeps its selection and its scroll, and buttons their focus."""
        self._job_id = row.job_id
        why = why_of(row, zone=zone, now=now)
        before, self._shown = self._shown, why
        if why == before:
            return
        self.set_tone(why.tone)
        self._fill(why)
        if before is None or why.offers != before.offers:
            self._make_buttons(why.offers)
        self._settle()

    def set_most_height(self, height: int) -> None:
        """Never be higher than this."""
        if height != self._most:
            self._most = height
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Its text wraps."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """As high as its text, up to the most."""
        inside = width - STRIPE - 2 * MARGIN
        wanted = self._body.heightForWidth(inside) + 2 * MARGIN
        if self.buttons:
            wanted += self._row_of_buttons.heightForWidth(inside) + GAP
        return max(0, min(wanted, max(self._most, self._least(inside))))

    def _least(self, inside: int) -> int:
        """Room for the heading, the first cause and the buttons."""
        buttons = self._row_of_buttons.heightForWidth(inside) + GAP if self.buttons else 0
        return self.fontMetrics().height() * LEAST_LINES + 2 * MARGIN + buttons

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """For whoever does not ask by width."""
        return QSize(MARGIN * 30, self.heightForWidth(MARGIN * 30))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """It can be small, since it scrolls; but never without a cause in sight."""
        return QSize(MARGIN * 16, self._least(max(self.width(), MARGIN * 16) - STRIPE - 2 * MARGIN))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """What is inside counts only from now on, and the layout above is busy right now."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._settle)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """The buttons stand at the bottom, the text has the rest."""
        super().resizeEvent(event)
        self._place()

    def _settle(self) -> None:
        self.updateGeometry()
        self._place()

    def _place(self) -> None:
        before, after = MARGIN + STRIPE, MARGIN
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            before, after = after, before
        inside = self.rect().adjusted(before, MARGIN, -after, -MARGIN)
        high = self._row_of_buttons.heightForWidth(inside.width()) if self.buttons else 0
        self._row_of_buttons.setGeometry(inside.left(), inside.bottom() + 1 - high, inside.width(), high)
        room = inside.height() - (high + GAP if high else 0)
        # A scroll bar that is there makes the text wrap earlier, and so finds itself needed.
        fits = self._body.heightForWidth(inside.width()) <= room
        policy = Qt.ScrollBarPolicy
        self._scroll.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAsNeeded
        )
        self._scroll.setGeometry(inside.left(), inside.top(), inside.width(), max(0, room))

    def _fill(self, why: Why) -> None:
        self._body = QWidget()
        box = QVBoxLayout(self._body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(_heading(why.shape, why.heading))
        for reason in why.reasons:
            self._add_reason(box, reason)
        box.addStretch(1)
        self._scroll.setWidget(self._body)
        self._body.setAutoFillBackground(False)  # setWidget has turned it on
        self._body.show()

    def _make_buttons(self, offers: tuple[Offer, ...]) -> None:
        self._row_of_buttons.hide()
        self._row_of_buttons.deleteLater()
        self.buttons = tuple(self._button(offer, is_first=offer is offers[0]) for offer in offers)
        self._row_of_buttons = _side_by_side(self.buttons, self)
        self._row_of_buttons.setVisible(bool(self.buttons))

    def _add_reason(self, box: QVBoxLayout, reason: ReasonLine) -> None:
        box.addWidget(_text(reason.text))
        for proof in reason.proof:
            box.addLayout(_proof(proof))
        if len(reason.steps) > 1:
            box.addSpacing(4)
        for number, step in enumerate(reason.steps, start=1):
            if step.text:
                box.addLayout(_step(number if len(reason.steps) > 1 else 0, step))
        box.addSpacing(6)

    def _button(self, offer: Offer, *, is_first: bool) -> QPushButton:
        button = QPushButton(button_text(offer.word))
        button.setEnabled(not offer.objection)
        button.setToolTip(plain_tip(offer.objection))
        button.setDefault(is_first and not offer.objection)
        button.setAutoDefault(False)
        button.clicked.connect(partial(self._ask, offer.step))
        return button

    def _ask(self, step: Step, *_: object) -> None:
        self.step_asked.emit(self._job_id, step)


def _side_by_side(buttons: tuple[QPushButton, ...], parent: QWidget) -> QWidget:
    holder = QWidget(parent)
    flow = FlowLayout(holder)
    for button in buttons:
        flow.addWidget(button)
    return holder


class _Quiet(QLabel):
    """Smaller and muted: the proof of what stands above it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(SELECTABLE)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        font = self.font()
        font.setPointSizeF(max(9.0, font.pointSizeF() * 0.93))
        self.setFont(font)


def _text(text: str, *, bold: bool = False) -> QLabel:
    label = plain_label(text, is_bold=bold)
    label.setTextInteractionFlags(SELECTABLE)
    return label


def _heading(shape: Shape, text: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(Mark(shape), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(_text(text, bold=True), 1)
    return row


def _proof(text: str) -> QHBoxLayout:
    """A line behind a dot, so that what wraps stays clear of it."""
    row = QHBoxLayout()
    row.setSpacing(6)
    dot = _Quiet("·")
    dot.setWordWrap(False)
    row.addSpacing(dot.fontMetrics().averageCharWidth())
    row.addWidget(dot, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(_Quiet(text), 1)
    return row


def _step(number: int, step: Step) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    mark = _text(f"{number}." if number else "→")
    mark.setWordWrap(False)
    row.addSpacing(mark.fontMetrics().averageCharWidth())
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(_text(step.text), 1)
    return row
