"""Asking whoever looks after a job: the message is shown, copied or mailed, and holds no secret."""

from PySide6.QtCore import QUrl, QUrlQuery
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from rows import SYNC, job, red_row, snapshot
from running import OFFSCREEN, make_room, nameless, press, say

from ridgeline_desktop.core.asking import Message
from ridgeline_desktop.gui.runs.asking import AskDialog, can_mail, mail_link

pytestmark = OFFSCREEN
MESSAGE = Message(subject="Order sync & more", body="Hello Jordan,\n100 % é\n")


def words(dialog) -> list[str]:
    return [button.text() for button in dialog.findChildren(QPushButton)]


def test_the_message_holds_the_job_s_output_and_none_of_its_secrets(qtbot, office, tasks, window):
    office.job("order-sync", 'every = "15 minutes"')
    secret = job(text=SYNC.replace("[schedule]", 'environment = { SHOP_TOKEN = "sesame-4711" }\n[schedule]'))
    failed = office.run("order-sync", "2026-02-28T11:00", "failed")
    say(office, failed, b"calling with sesame-4711\nthe shop API answered 503\n")
    room = make_room(office, tasks, window)
    shown = red_row(job=secret, recent=(failed,))
    room.show_row(shown, snapshot(shown))
    room.ask(shown)
    qtbot.waitUntil(lambda: room.asking.box is not None)
    box = room.asking.box
    assert box.windowTitle() == "Ask Jordan"
    text = box.text.toPlainText()
    assert "calling with •••\nthe shop API answered 503" in text
    assert "sesame" not in text
    assert nameless(box) == []
    press(box, "Copy the message")
    assert QGuiApplication.clipboard().text() == text
    assert box.copied.isVisible()
    press(box, "Close")


def test_mail_is_offered_only_where_there_seems_to_be_a_program_for_it(qtbot, window):
    with_mail = AskDialog(MESSAGE, name="", can_mail=True, parent=window)
    assert set(words(with_mail)) == {"Copy the message", "Write an e-mail…", "Close"}
    assert with_mail.windowTitle() == "Ask for help"
    without = AskDialog(MESSAGE, name="Jordan", can_mail=False, parent=window)
    assert "Write an e-mail…" not in words(without)


def test_a_link_for_mail_carries_subject_and_text_whole():
    query = QUrlQuery(mail_link(MESSAGE))
    whole = QUrl.ComponentFormattingOption.FullyDecoded
    assert mail_link(MESSAGE).scheme() == "mailto"
    assert query.queryItemValue("subject", whole) == MESSAGE.subject
    assert query.queryItemValue("body", whole) == MESSAGE.body


def test_a_program_for_mail_is_known_by_the_desktop_s_own_lists(tmp_path, monkeypatch):
    applications = tmp_path / "applications"
    applications.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    assert not can_mail()
    (applications / "mimeinfo.cache").write_text("x-scheme-handler/mailto=mail.desktop;\n")
    assert can_mail()
