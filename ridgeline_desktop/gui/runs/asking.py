"""Asking whoever looks after a job: the message is shown, secrets out, before it goes anywhere."""

import sys
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QStandardPaths, Qt, QUrl, QUrlQuery
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from ridgeline_desktop.core.asking import Message, compose_message
from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.runs import RunRecord, RunStatus
from ridgeline_desktop.core.snapshots import JobRow
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.gui.kit.tasks import Tasks
from ridgeline_desktop.services.runs import Runs

TAIL_BYTES = 65_536
LONGEST_LINK = 1800
MAIL = "x-scheme-handler/mailto"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """What the dialog shows."""

    name: str
    message: Message
    can_mail: bool


class Asking(QObject):
    """Composes the message off the GUI thread and shows it."""

    def __init__(self, *, runs: Runs, tasks: Tasks, clock: Clock, window: QWidget) -> None:
        super().__init__(window)
        self._runs, self._tasks, self._clock, self._window = runs, tasks, clock, window
        self.box: AskDialog | None = None

    def ask(self, row: JobRow, *, zone: ZoneInfo) -> None:
        """Show the message about this job."""
        self._tasks.run(partial(_prepare, self._runs, row, zone, self._clock.now()), then=self._show)

    def _show(self, prepared: _Prepared) -> None:
        self.box = AskDialog(
            prepared.message, name=prepared.name, can_mail=prepared.can_mail, parent=self._window
        )
        self.box.open()


class AskDialog(QDialog):
    """Shows a message with [Copy the message], and [Write an e-mail…] where a mail program seems to be."""

    def __init__(self, message: Message, *, name: str, can_mail: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._message = message
        title = self.tr("Ask {name}").format(name=name) if name else self.tr("Ask for help")
        self.setWindowTitle(title)
        about = QLabel(
            self.tr(
                "This is what would be sent. Nothing is sent by itself. What looks like a password or a key "
                "is hidden behind •••; have a look before you pass it on."
            ),
            wordWrap=True,
        )
        self.text = QPlainTextEdit(message.body, readOnly=True)
        self.text.setAccessibleName(self.tr("The message"))
        self.copied = QLabel(self.tr("Copied. Paste it into a mail or a chat."))
        self.copied.setVisible(False)
        layout = QVBoxLayout(self)
        for widget in (about, self.text, self.copied, self._buttons(can_mail=can_mail)):
            layout.addWidget(widget)
        letter = self.fontMetrics().averageCharWidth()
        self.resize(letter * 90, self.fontMetrics().height() * 26)

    def _buttons(self, *, can_mail: bool) -> QDialogButtonBox:
        buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.copy_button = buttons.addButton(self.tr("Copy the message"), role.ActionRole)
        self.copy_button.setDefault(True)
        self.copy_button.clicked.connect(self._copy)
        if can_mail:
            mail = buttons.addButton(self.tr("Write an e-mail…"), role.ActionRole)
            mail.clicked.connect(self._mail)
        buttons.addButton(self.tr("Close"), role.RejectRole)
        buttons.rejected.connect(self.reject)
        return buttons

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._message.body)
        self.copied.show()

    def _mail(self) -> None:
        url = mail_link(self._message)
        if len(self._message.body) > LONGEST_LINK:
            self._copy()
            rest = self.tr("(The whole message is too long for a link. It was copied: paste it here.)")
            url = mail_link(Message(subject=self._message.subject, body=rest))
        QDesktopServices.openUrl(url)


def mail_link(message: Message) -> QUrl:
    """A link that opens a mail program with this message."""
    query = QUrlQuery()
    for name, value in (("subject", message.subject), ("body", message.body)):
        query.addQueryItem(name, bytes(QUrl.toPercentEncoding(value).data()).decode())
    url = QUrl("mailto:")
    url.setQuery(query)
    return url


def can_mail() -> bool:
    """Whether a program for mail seems to be installed; reads files, so not on the GUI thread."""
    if sys.platform != "linux":
        return True
    places = QStandardPaths.StandardLocation.ApplicationsLocation
    return any(
        MAIL in Path(path).read_text(encoding="utf-8", errors="replace")
        for name in ("mimeinfo.cache", "mimeapps.list")
        for path in QStandardPaths.locateAll(places, name)
    )


def _prepare(runs: Runs, row: JobRow, zone: ZoneInfo, now: datetime) -> _Prepared:
    record = _with_output(row)
    output = runs.tail(record, size=TAIL_BYTES) if record else b""
    message = compose_message(row, output=output, zone=zone, now=now, place=runs.actor.host)
    name = row.job.looked_after_by if row.job else ""
    return _Prepared(name=name, message=message, can_mail=can_mail())


def _with_output(row: JobRow) -> RunRecord | None:
    known = (*row.recent, row.last_run)
    return next((r for r in known if r is not None and r.status is not RunStatus.REFUSED), None)
