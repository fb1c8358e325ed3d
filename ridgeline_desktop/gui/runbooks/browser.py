"""Shows Markdown that anybody may have written: no HTML, nothing read from disk or net, nothing opened."""

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from ridgeline_desktop.gui.kit.palette import colours_of
from ridgeline_desktop.gui.runbooks.code_blocks import dress
from ridgeline_desktop.gui.runbooks.limits import can_be_formatted, plain_excerpt
from ridgeline_desktop.gui.runbooks.links import Deed, click_on, slug

MARKED_FOR_MS = 4_000
MARGIN = 2


class RunbookBrowser(QTextBrowser):
    """A runbook's text. `open_asked` carries an address and its host, `refused` why a link stays closed.

    `copied` says that the text of a block of code is on the clipboard.
    """

    open_asked = Signal(str, str)
    refused = Signal(str)
    copied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._pictures: dict[str, QImage] = {}
        self._codes: tuple[str, ...] = ()
        self._held_at = ""
        self.is_formatted = True
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setAccessibleName(self.tr("Runbook"))
        flag = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flag.TextBrowserInteraction | flag.TextSelectableByKeyboard)
        self.document().setDocumentMargin(12)
        self._unmark = QTimer(self)
        self._unmark.setSingleShot(True)
        self._unmark.setInterval(MARKED_FOR_MS)
        self._unmark.timeout.connect(self._take_mark_away)
        self.anchorClicked.connect(self._click)
        self.verticalScrollBar().actionTriggered.connect(self._let_go)

    def show_text(self, text: str, *, pictures: dict[str, QImage], heading: str = "") -> None:
        """Show Markdown from its top, or from `heading` on, which is marked for a moment."""
        self._text, self._pictures = text, pictures
        self._render()
        self.verticalScrollBar().setValue(0)
        self._held_at = heading
        if heading:
            self._scroll(mark=True)

    def scroll_to(self, heading: str) -> bool:
        """Bring a heading to the top of the view and mark it; False where there is no such heading."""
        if self._block(heading) is None:
            return False
        self._held_at = heading
        self._scroll(mark=True)
        return True

    def heading_at_top(self) -> str:
        """The heading that the top of the view belongs to; "" above the first."""
        block = self.cursorForPosition(QPoint(MARGIN, MARGIN + 4)).block()
        while block.isValid() and not block.blockFormat().headingLevel():
            block = block.previous()
        return block.text() if block.isValid() else ""

    @property
    def marked(self) -> str:
        """The text of what is marked now; "" = nothing."""
        selections = self.extraSelections()
        return str(selections[0].cursor.block().text()) if selections else ""

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 (Qt's name)
        """A picture that was read with the runbook; an empty frame for any other, and nothing for the rest.

        Never Qt's own answer, nor none: in both cases it would read the file of that name.
        """
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        url = QUrl(name)
        encoded = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        picture = self._pictures.get(encoded) or self._pictures.get(url.toString())
        return picture or self._empty_frame()

    def doSetSource(  # noqa: N802 (Qt's name)
        self, name: QUrl | str, kind: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource
    ) -> None:
        """Go nowhere: this shows what it is given."""

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the text anew in the colours there are now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text:
            place, marked = self.verticalScrollBar().value(), self.marked
            self._render()
            if block := self._block(marked):
                self._mark(block)
            self.verticalScrollBar().setValue(place)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Stay at the heading it was opened at, until somebody scrolls."""
        super().resizeEvent(event)
        self._scroll(mark=False)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Only now is it known how high the text is."""
        super().showEvent(event)
        self._scroll(mark=bool(self._held_at))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """A person scrolls."""
        self._held_at = ""
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """A person may scroll."""
        self._held_at = ""
        super().keyPressEvent(event)

    def _render(self) -> None:
        self.is_formatted = can_be_formatted(self._text)
        if not self.is_formatted:
            self._codes = ()
            self.setPlainText(plain_excerpt(self._text))
            return
        document = self.document()
        feature = QTextDocument.MarkdownFeature
        document.setMarkdown(self._text, feature.MarkdownDialectGitHub | feature.MarkdownNoHTML)
        self._codes = dress(document, colours_of(self.palette()), copy=self.tr("Copy"))

    def _scroll(self, *, mark: bool) -> None:
        block = self._block(self._held_at) if self._held_at else None
        if block is None:
            return
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top) - MARGIN)
        if mark:
            self._mark(block)

    def _block(self, heading: str) -> QTextBlock | None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and heading in (block.text(), slug(block.text())):
                return block
            block = block.next()
        return None

    def _mark(self, block: QTextBlock) -> None:
        selection = QTextEdit.ExtraSelection()
        selection.cursor = QTextCursor(block)
        selection.format.setBackground(colours_of(self.palette()).card_amber)
        selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        self.setExtraSelections([selection])
        self._unmark.start()

    @Slot()
    def _take_mark_away(self) -> None:
        self.setExtraSelections([])

    @Slot(int)
    def _let_go(self, _action: int) -> None:
        self._held_at = ""

    @Slot(QUrl)
    def _click(self, url: QUrl) -> None:
        click = click_on(url)
        if click.deed is Deed.ASK:
            self.open_asked.emit(click.text, click.host)
        elif click.deed is Deed.REFUSE:
            self.refused.emit(click.text)
        elif click.deed is Deed.SCROLL:
            if not self.scroll_to(click.text):
                self.refused.emit(
                    self.tr("There is no such heading in this runbook: {name}").format(name=click.text)
                )
        elif click.text.isdecimal() and int(click.text) < len(self._codes):
            QGuiApplication.clipboard().setText(self._codes[int(click.text)])
            self.copied.emit()

    def _empty_frame(self) -> QImage:
        """What stands in the place of a picture that is not shown."""
        c = colours_of(self.palette())
        text = self.tr("Picture not shown")
        metrics = self.fontMetrics()
        image = QImage(
            metrics.horizontalAdvance(text) + 24,
            metrics.height() + 16,
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.fill(QColor(0, 0, 0, 0))
        painter = QPainter(image)
        painter.setFont(self.font())
        painter.setPen(QPen(c.border, 1, Qt.PenStyle.DashLine))
        painter.drawRect(image.rect().adjusted(0, 0, -1, -1))
        painter.setPen(c.muted)
        painter.drawText(QRect(image.rect()), Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
        return image
