"""Gives code in a shown runbook a ground of its own, and each block a link that copies it."""

from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)

from ridgeline_desktop.gui.kit.palette import Colours
from ridgeline_desktop.gui.runbooks.links import COPY_SCHEME


def dress(document: QTextDocument, c: Colours, *, copy: str) -> tuple[str, ...]:
    """Shade all code, add a `copy` link below each block of it, and give the texts of the blocks."""
    _mend_tables(document)
    codes: list[str] = []
    block = document.begin()
    while block.isValid():
        if not _is_code(block):
            _shade_inline(block, c)
            block = block.next()
            continue
        lines = [block]
        while block.next().isValid() and _is_code(block.next()):
            block = block.next()
            lines.append(block)
        _shade(lines, c)
        block = _add_link(lines[-1], f"{COPY_SCHEME}:{len(codes)}", copy, c).next()
        codes.append("\n".join(line.text() for line in lines))
    return tuple(codes)


def _mend_tables(document: QTextDocument) -> None:
    """Below a block of code Qt begins a table's first cell with an empty line, and not in bold."""
    for frame in document.rootFrame().childFrames():
        if not isinstance(frame, QTextTable):
            continue
        first = frame.cellAt(0, 0)
        cursor = first.firstCursorPosition()
        if cursor.block().text() or cursor.position() == first.lastCursorPosition().position():
            continue
        cursor.deleteChar()
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        cursor.mergeCharFormat(bold)


def _is_code(block: QTextBlock) -> bool:
    properties = QTextFormat.Property
    found = block.blockFormat()
    return found.hasProperty(properties.BlockCodeFence) or found.hasProperty(properties.BlockCodeLanguage)


def _shade(lines: list[QTextBlock], c: Colours) -> None:
    for line in lines:
        cursor = QTextCursor(line)
        shaded = QTextBlockFormat()
        shaded.setBackground(c.card_grey)
        shaded.setLeftMargin(line.blockFormat().leftMargin() or 8)
        shaded.setTopMargin(6 if line == lines[0] else 0)
        shaded.setBottomMargin(0)
        cursor.mergeBlockFormat(shaded)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        letters = QTextCharFormat()
        letters.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        cursor.mergeCharFormat(letters)


def _shade_inline(block: QTextBlock, c: Colours) -> None:
    spans = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        if fragment.isValid() and fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        iterator += 1
    for start, length in spans:
        cursor = QTextCursor(block)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        shaded = QTextCharFormat()
        shaded.setBackground(c.card_grey)
        cursor.mergeCharFormat(shaded)


def _add_link(after: QTextBlock, address: str, text: str, c: Colours) -> QTextBlock:
    cursor = QTextCursor(after)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
    below = QTextBlockFormat()
    below.setLeftMargin(after.blockFormat().leftMargin())
    below.setIndent(after.blockFormat().indent())
    below.setBottomMargin(8)
    link = QTextCharFormat()
    link.setAnchor(True)
    link.setAnchorHref(address)
    link.setForeground(c.link)
    link.setFontUnderline(True)
    cursor.insertBlock(below, QTextCharFormat())
    cursor.insertText(text, link)
    return cursor.block()
