"""Reads a runbook with its pictures, in a thread: the window only shows what this gives."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from ridgeline_desktop.core.runbooks import Failure, headings
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.runbooks import Runbook, Runbooks

MOST_PIXELS = 40_000_000
WIDEST = 1_200


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A runbook, its pictures decoded, and the heading to open it at ("" = the top)."""

    runbook: Runbook
    pictures: dict[str, QImage]
    heading: str


def load(runbooks: Runbooks, job_id: str, *, failure: Failure, heading: str) -> Loaded:
    """Read the runbook; `heading` goes before the one that fits the failure, where there is such a one."""
    runbook = runbooks.open(job_id, failure=failure)
    known = {each.text for each in headings(runbook.text)}
    decoded = {path: decode(data) for path, data in runbook.pictures}
    return Loaded(
        runbook=runbook,
        pictures={path: image for path, image in decoded.items() if not image.isNull()},
        heading=heading if heading in known else runbook.heading,
    )


def decode(data: bytes) -> QImage:
    """A picture, made smaller where it is wider than a page; a null one where it is none or too large."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    if bytes(reader.format().data()).decode() in ("svg", "svgz", "pdf"):
        return QImage()
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MOST_PIXELS:
        return QImage()
    if size.width() > WIDEST:
        reader.setScaledSize(size.scaled(QSize(WIDEST, size.height()), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
