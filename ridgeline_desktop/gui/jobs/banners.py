"""What concerns all jobs at once, above the list: a sentence and the buttons that do something about it."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ridgeline_desktop.core.snapshots import Banner, BannerKind
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone, plain_label
from ridgeline_desktop.gui.kit.flow import FlowLayout
from ridgeline_desktop.gui.kit.icons import Shape
from ridgeline_desktop.gui.kit.words import banner_word

TONES = {
    BannerKind.RECORDS_UNREADABLE: Tone.GREY,
    BannerKind.NO_SHOP: Tone.GREY,
    BannerKind.SHOP_EMPTY: Tone.GREY,
}


class Banners(QWidget):
    """`asked` carries the kind of banner, what its button does, and the jobs the banner names.

    What buttons do: "register", "elsewhere", "take-out", "settings", "check".
    """

    asked = Signal(object, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[Banner, str], ...] = ()
        self._cards: list[QWidget] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(6)
        self.hide()

    def show_banners(self, banners: Sequence[Banner], names: Mapping[str, str]) -> None:
        """Show these and no others, with these names for jobs; where all is as before nothing moves."""
        shown = tuple((banner, banner.text_with(names)) for banner in banners)
        if shown == self._shown:
            return
        self._shown = shown
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards = [self._card(banner, text) for banner, text in shown]
        for card in self._cards:
            self._box.addWidget(card)
        self.setVisible(bool(banners))

    def _card(self, banner: Banner, text: str) -> QWidget:
        card = Card(TONES.get(banner.kind, Tone.AMBER))
        row = QHBoxLayout(card)
        row.setContentsMargins(14, 9, 12, 9)
        row.setSpacing(10)
        row.addWidget(Mark(Shape.WARNING), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addWidget(plain_label(banner_word(banner.kind), is_bold=True, is_selectable=True))
        self._say(banner.kind, text, words)
        buttons = self._buttons(banner)
        if buttons:
            holder = QWidget()
            flow = FlowLayout(holder)
            for button in buttons:
                flow.addWidget(button)
            words.addSpacing(4)
            words.addWidget(holder)
        row.addLayout(words, 1)
        return card

    def _say(self, kind: BannerKind, text: str, words: QVBoxLayout) -> None:
        if kind is not BannerKind.RECORDS_UNREADABLE:
            words.addWidget(plain_label(text, is_selectable=True))
            return
        plain = self.tr(
            "No light can be trusted until they can be read again. The jobs go on running, and how they end "
            "is kept. Check now tries to put it right."
        )
        from ridgeline_desktop.gui.kit.forms import Fold  # rarely needed; it would slow every start

        fold = Fold(self.tr("Technical details"))
        fold.set_content(plain_label(text, is_selectable=True))
        words.addWidget(plain_label(plain, is_selectable=True))
        words.addWidget(fold)

    def _buttons(self, banner: Banner) -> list[QPushButton]:
        labels = {
            "register": self.tr("Register them here"),
            "elsewhere": self.tr("They run elsewhere"),
            "take-out": self.tr("Take it out"),
            "settings": self.tr("Settings…"),
            "check": self.tr("Check now"),
        }
        made = []
        for action in actions_of(banner.kind):
            button = QPushButton(labels[action])
            button.setObjectName(action)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._ask, banner, action))
            made.append(button)
        return made

    def _ask(self, banner: Banner, action: str, _checked: bool = False) -> None:
        self.asked.emit(banner.kind, action, banner.job_ids)


def actions_of(kind: BannerKind) -> tuple[str, ...]:
    """What can be done about a banner, the likeliest first."""
    return {
        BannerKind.NEVER_REGISTERED: ("register", "elsewhere"),
        BannerKind.SOME_NEVER_REGISTERED: ("register", "elsewhere"),
        BannerKind.ORPHANS: ("take-out",),
        BannerKind.NO_SHOP: ("settings",),
        BannerKind.SHOP_EMPTY: ("settings",),
        BannerKind.RECORDS_UNREADABLE: ("check",),
    }.get(kind, ())
