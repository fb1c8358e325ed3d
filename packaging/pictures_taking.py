"""Plays a scene in the real windows, and takes the pictures: looks for what must not be seen, then saves."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from ridgeline_desktop.gui.application import Application

POLL_MS = 40
QUIET_POLLS = 4
LIMIT_SECONDS = 60.0
MOST_BYTES = 150_000
FRAME = "#AEB6BF"
COLOURS, OPAQUE, SMALLEST = 256, 0xFF000000, 0
PLAIN = Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither

Wait = Callable[[], bool]
Scene = Iterator[Wait]


class PictureError(Exception):
    """A picture that cannot be shown to anybody, and why."""


class Player(QObject):
    """Plays a scene: goes on whenever what it waits for has come and nothing is being read any more.

    It ends the application after the last step, or at the first that fails; `failure` is what failed then.
    """

    def __init__(self, application: Application, scene: Scene) -> None:
        super().__init__()
        self.failure: Exception | None = None
        self._application, self._scene = application, scene
        self._wait: Wait = lambda: application.snapshot is not None
        self._quiet, self._since = 0, time.monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(POLL_MS)

    def _look(self) -> None:
        try:
            self._step()
        except StopIteration:
            self._end(None)
        except Exception as error:  # noqa: BLE001 (whatever it is, whoever started this must hear of it)
            self._end(error)

    def _step(self) -> None:
        if time.monotonic() - self._since > LIMIT_SECONDS:
            raise PictureError(f"what a scene waits for did not come within {LIMIT_SECONDS:.0f} s")
        is_quiet = self._application.is_idle and self._wait()
        self._quiet = self._quiet + 1 if is_quiet else 0
        if self._quiet >= QUIET_POLLS:
            self._quiet, self._since = 0, time.monotonic()
            self._wait = next(self._scene)

    def _end(self, failure: Exception | None) -> None:
        self.failure = failure
        self._timer.stop()
        self._application.end()


class Camera:
    """Takes pictures of windows into `folder`. In none of them may any of the words `unseen` be."""

    def __init__(self, folder: Path, unseen: Sequence[str]) -> None:
        self._folder, self._unseen = folder, unseen

    def take(self, name: str, window: QWidget) -> None:
        """Save the window as name.png; PictureError where it shows what nobody is to see, or is too large."""
        for text in words_in(window):
            for word in self._unseen:
                if word in text:
                    raise PictureError(f"{name} shows {word!r}: {text}")
        save(framed(window.grab().toImage()), self._folder / f"{name}.png")


def words_in(window: QWidget) -> Iterator[str]:
    """What the visible parts of a window say, as far as they are not painted."""
    yield window.windowTitle()
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            yield widget.text()
        elif isinstance(widget, QPlainTextEdit | QTextEdit):
            yield widget.toPlainText()
        elif isinstance(widget, QComboBox):
            yield widget.currentText()


def framed(image: QImage) -> QImage:
    """The picture with a thin line around it, for pages that are as white as the window."""
    painter = QPainter(image)
    painter.setPen(QColor(FRAME))
    width, height = image.deviceIndependentSize().toTuple()
    painter.drawRect(0, 0, round(width) - 1, round(height) - 1)
    painter.end()
    return image


def save(image: QImage, path: Path) -> None:
    """Write a PNG file of at most 256 colours."""
    flat = image.convertToFormat(QImage.Format.Format_RGB32)
    seen = Counter(memoryview(flat.constBits()).cast("B").cast("I"))
    small = flat.convertToFormat(QImage.Format.Format_Indexed8, best_colours(seen), PLAIN)
    if not small.save(str(path), "PNG", SMALLEST):  # type: ignore[call-overload]
        raise PictureError(f"{path} cannot be written")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise PictureError(f"{path.name} has {size} bytes, more than {MOST_BYTES}")


def best_colours(seen: Counter[int]) -> list[int]:
    """The 256 colours to draw a picture with: half of them the most frequent, half the most different."""
    by_number = [colour | OPAQUE for colour, _ in seen.most_common()]
    chosen, left = by_number[: COLOURS // 2], by_number[COLOURS // 2 :]
    distances = [min(_distance(colour, other) for other in chosen) for colour in left]
    while left and len(chosen) < COLOURS:
        farthest = max(range(len(left)), key=distances.__getitem__)
        chosen.append(left.pop(farthest))
        distances.pop(farthest)
        pairs = zip(distances, left, strict=True)
        distances = [min(known, _distance(colour, chosen[-1])) for known, colour in pairs]
    return chosen


def _distance(one: int, other: int) -> int:
    return sum((((one >> shift) & 255) - ((other >> shift) & 255)) ** 2 for shift in (0, 8, 16))


def dialog() -> QWidget | None:
    """The question or form that is open in front of everything."""
    return QApplication.activeModalWidget()


def has_dialog() -> bool:
    """Whether one is."""
    return dialog() is not None


__all__ = ["Camera", "PictureError", "Player", "Scene", "dialog", "framed", "has_dialog", "save"]
