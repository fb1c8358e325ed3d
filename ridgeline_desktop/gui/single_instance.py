"""One Ridgeline per home: a second start asks the first to come to the front, and ends."""

import logging
import os
import re
import stat
import sys
import tempfile
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject, QThread, QTimer, Signal

from ridgeline_desktop.core.digests import hex_digest

if TYPE_CHECKING:  # loaded once the window is up: it would slow every start
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWERS_WITHIN = 1000
LISTENS_AFTER = 300
TRIES_EVERY = 50
# Of the 103 characters a socket's path may have everywhere, our name in it takes 27.
LONGEST_FOLDER = 72
LONGEST_MESSAGE = 256
MOST_CALLERS = 8
# What the desktop hands a started program so that it may take the focus; its value means nothing to us.
TOKEN = "XDG_ACTIVATION_TOKEN"
MESSAGE = re.compile(rb"show(?: (?P<token>[!-~]{1,200}))?\n")
ANSWER = b"ok\n"

_log = logging.getLogger(__name__)


class StartAs(StrEnum):
    """What a start has become: the FIRST goes on; another one ends, having SHOWN the first or not."""

    FIRST = "first"
    SHOWN = "shown"
    NOT_ANSWERING = "not-answering"


def meeting_folder(environment: Mapping[str, str], state_folder: str) -> str:
    """Where the starts of one user meet: the session's own folder, else `state_folder`.

    A folder whose path is too long for a socket is replaced by a private one in the temporary folder.
    """
    named = environment.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(named) and os.access(named, os.W_OK | os.X_OK):
        return named
    if sys.platform == "win32" or len(os.fsencode(state_folder)) <= LONGEST_FOLDER:
        return state_folder
    short = Path(tempfile.gettempdir(), f"ridgeline-{os.getuid()}")
    short.mkdir(mode=0o700, exist_ok=True)
    # Anybody may have made a folder of that name there.
    facts = short.lstat()
    is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o077
    return str(short) if is_ours else state_folder


class SingleInstance(QObject):
    """Keeps the place of the one Ridgeline that watches `home`; lives as long as the application.

    `home` is any text that is the same for every start that means the same home; `folder` is ours to write
    to, for where the session has none. While `show_asked` is answered, the activation token of the start
    that asked stands in the environment, as Qt looks for it there.
    """

    show_asked = Signal()

    def __init__(self, *, home: str, folder: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        place = Path(meeting_folder(os.environ, folder))
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"ridgeline-{hex_digest(home)[:16]}"
        self._address = name if sys.platform == "win32" else str(place / name)
        self._lock = QLockFile(str(place / f"{name}.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None
        self._until_listening = QTimer(self)
        self._until_listening.setSingleShot(True)
        self._until_listening.timeout.connect(self.listen)
        self._callers: list[_Caller] = []

    @property
    def address(self) -> str:
        """Where the first one listens."""
        return self._address

    def start(self) -> StartAs:
        """Take the place, or ask who has it to show itself; waits for that at most a second.

        The first one listens a moment later, when its window has come up.
        """
        if self._lock.tryLock(0):
            self._until_listening.start(LISTENS_AFTER)
            return StartAs.FIRST
        if self._lock.error() is not QLockFile.LockError.LockFailedError:
            _log.warning("no lock can be kept beside %s: two windows are possible", self._address)
            return StartAs.FIRST
        return StartAs.SHOWN if _ask(self._address, os.environ.get(TOKEN, "")) else StartAs.NOT_ANSWERING

    def close(self) -> None:
        """Give the place up."""
        self._until_listening.stop()
        if self._server is not None:
            self._server.close()
        for caller in tuple(self._callers):
            caller.drop()
        self._lock.unlock()

    def listen(self) -> None:
        """Answer those who start Ridgeline again; for the first one only."""
        from PySide6.QtNetwork import QLocalServer

        self._until_listening.stop()
        self._server = server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._called)
        # The lock is ours, so a socket that stands here belongs to one that was killed.
        QLocalServer.removeServer(self._address)
        if not server.listen(self._address):
            _log.warning("cannot listen at %s: %s", self._address, server.errorString())

    def _called(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            if len(self._callers) >= MOST_CALLERS:
                socket.abort()
                socket.deleteLater()
                continue
            caller = _Caller(socket, self)
            caller.over.connect(self._forget)
            caller.asked.connect(self._asked)
            self._callers.append(caller)
            caller.listen()

    def _forget(self, caller: "_Caller") -> None:
        if caller in self._callers:
            self._callers.remove(caller)
        caller.deleteLater()

    def _asked(self, token: str) -> None:
        if token:
            os.environ[TOKEN] = token
        try:
            self.show_asked.emit()
        finally:
            if token:
                os.environ.pop(TOKEN, None)


class _Caller(QObject):
    """One connection: at most one short message within a second; anything else ends it."""

    asked = Signal(str)
    over = Signal(object)

    def __init__(self, socket: "QLocalSocket", parent: QObject) -> None:
        super().__init__(parent)
        self._socket = socket
        socket.setParent(self)
        socket.setReadBufferSize(LONGEST_MESSAGE)
        socket.readyRead.connect(self._read)
        socket.disconnected.connect(self._ended)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self.drop)
        self._heard = b""

    def listen(self) -> None:
        self._patience.start(ANSWERS_WITHIN)
        self._read()

    def drop(self) -> None:
        self._socket.abort()
        self._ended()

    def _read(self) -> None:
        self._heard += bytes(self._socket.readAll().data())
        if b"\n" not in self._heard and len(self._heard) < LONGEST_MESSAGE:
            return
        message = MESSAGE.fullmatch(self._heard)
        if message is None:
            self.drop()
            return
        self._socket.readyRead.disconnect(self._read)
        self._socket.write(ANSWER)
        # The window may take its time to come up, and the other waits for a second only.
        self._socket.flush()
        self._socket.disconnectFromServer()
        self.asked.emit((message["token"] or b"").decode("ascii"))

    def _ended(self) -> None:
        self._patience.stop()
        self.over.emit(self)


def _ask(address: str, token: str) -> bool:
    """Whether the one that listens at `address` said it will show itself."""
    from PySide6.QtNetwork import QLocalSocket

    message = b"show\n"
    with_token = f"show {token}\n".encode()
    if MESSAGE.fullmatch(with_token):
        message = with_token
    until = QDeadlineTimer(ANSWERS_WITHIN)
    socket = QLocalSocket()
    socket.connectToServer(address)
    # One that has just taken the lock is about to listen.
    while not socket.waitForConnected(max(1, until.remainingTime())):
        if until.hasExpired():
            return False
        QThread.msleep(TRIES_EVERY)
        socket.connectToServer(address)
    socket.write(message)
    answer = b""
    while len(answer) < len(ANSWER) and socket.waitForReadyRead(max(1, until.remainingTime())):
        answer += bytes(socket.readAll().data())
    return answer == ANSWER
