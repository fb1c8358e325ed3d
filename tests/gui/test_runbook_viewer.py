"""A runbook's text: opened at the failure, and harmless whoever wrote it."""

import time

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPalette, QTextDocument

from ridgeline_desktop.gui.runbooks.browser import RunbookBrowser
from ridgeline_desktop.gui.runbooks.limits import LONGEST_LINE, MOST_PLAIN, can_be_formatted, plain_excerpt
from ridgeline_desktop.gui.runbooks.links import Deed, click_on, slug
from ridgeline_desktop.gui.runbooks.loading import decode
from ridgeline_desktop.resource_files import read_text

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ORDERS = read_text("demo/runbooks/order-sync.md")
IMAGE = QTextDocument.ResourceType.ImageResource.value


def picture(colour: str = "#ff0000", width: int = 20, kind: str = "PNG") -> bytes:
    image = QImage(width, 10, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(buffer.data().data())


@pytest.fixture
def browser(qtbot):
    made = RunbookBrowser()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    return made


def clicked(browser, href):
    """What the browser says when a link is clicked: addresses to open, and refusals."""
    opened, refused = [], []
    browser.open_asked.connect(lambda address, host: opened.append((address, host)))
    browser.refused.connect(refused.append)
    browser.anchorClicked.emit(QUrl(href))
    return opened, refused


def test_raw_html_and_scripts_are_shown_as_the_letters_they_are(browser):
    text = (
        '<img src="file:///etc/passwd"> and <b>bold</b>\n\n<script>alert(1)</script>\n\n<!-- x\n\nThe end\n'
    )
    browser.show_text(text, pictures={})
    shown = browser.toPlainText()
    for piece in ('<img src="file:///etc/passwd">', "<b>bold</b>", "<script>alert(1)</script>", "The end"):
        assert piece in shown


def test_no_picture_is_read_but_those_that_came_with_the_runbook(browser, tmp_path, qtbot):
    secret = tmp_path / "secret.png"
    secret.write_bytes(picture("#ff0000", 200))
    paths = (
        str(secret),
        secret.as_uri(),
        "../../secret.png",
        "http://127.0.0.1:9/x.png",
        ":/qt.png",
        "data:x",
    )
    browser.show_text("\n\n".join(f"![x]({path})" for path in paths) + "\n\n![ours](a%20b.png)", pictures={
        "a%20b.png": QImage.fromData(picture("#0000ff", 200))
    })  # fmt: skip
    qtbot.wait(1)
    colours = pixels(browser.grab().toImage())
    assert QColor("#0000ff").rgb() in colours
    assert QColor("#ff0000").rgb() not in colours
    for path in paths:
        frame = browser.loadResource(IMAGE, QUrl(path))
        assert isinstance(frame, QImage), "Qt reads the file itself where it is given nothing"
        assert frame.width() != 200


def pixels(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 4) for y in range(0, image.height(), 4)}


def test_no_style_and_no_other_document_is_loaded(browser, tmp_path):
    other = tmp_path / "other.md"
    other.write_text("# Other\n")
    browser.show_text("# Ours\n\n[x](other.md)\n", pictures={})
    browser.setSource(QUrl.fromLocalFile(str(other)))
    assert browser.toPlainText().startswith("Ours")
    for kind in QTextDocument.ResourceType:
        if kind.value != IMAGE:
            assert browser.loadResource(kind.value, QUrl.fromLocalFile(str(other))) == ""


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)", "file:///etc/passwd", "ftp://example.com/x", "http://example.com/x",
        "data:text/html,x", "vbscript:x", "ssh://till", "other.md", "/etc/passwd", "//example.com/x",
        "mailto:", "https://", "mailto:sam@example.com?attach=/etc/passwd", "tel:123",
        "https://bank.example.com@evil.example.com/",
        "smb://till/x", "ridgeline:run", "#no-such-heading",
    ],
)  # fmt: skip
def test_a_link_that_could_do_harm_stays_closed_and_says_so(browser, href):
    browser.show_text("# Job\n", pictures={})
    opened, refused = clicked(browser, href)
    assert opened == []
    assert len(refused) == 1
    assert browser.toPlainText().startswith("Job")


@pytest.mark.parametrize(
    ("href", "host"),
    [
        ("https://example.com/a?b=c#d", "example.com"),
        ("http://127.0.0.1:8080/status", "this computer"),
        ("http://localhost/x", "this computer"),
        ("mailto:jordan@example.com", "jordan@example.com"),
        ("HTTPS://EXAMPLE.com", "example.com"),
        ("https://\u0430pple.example", "xn--pple-43d.example"),
    ],
)
def test_a_link_out_is_shown_before_it_opens_without_look_alikes(browser, href, host):
    browser.show_text("# Job\n", pictures={})
    [(address, shown)], refused = clicked(browser, href)
    assert shown == host
    assert address.isascii()
    assert refused == []


def test_qt_itself_opens_nothing(browser):
    assert not browser.openLinks()
    assert not browser.openExternalLinks()


def test_an_endless_address_is_cut_in_the_refusal():
    click = click_on(QUrl("javascript:" + "x" * 5000))
    assert click.deed is Deed.REFUSE
    assert len(click.text) < 400


def test_a_link_to_a_heading_scrolls_there(browser):
    browser.show_text(ORDERS, pictures={})
    assert slug("It ran out of time!") == "it-ran-out-of-time"
    _, refused = clicked(browser, "#it-ran-out-of-time")
    assert refused == []
    assert browser.marked == "It ran out of time"


def test_it_opens_at_the_heading_marks_it_and_takes_the_mark_away(qtbot, browser):
    browser.show_text(ORDERS, pictures={}, heading="The shop API answers 503")
    assert browser.heading_at_top() == "The shop API answers 503"
    assert browser.marked == "The shop API answers 503"
    browser.resize(300, 200)
    assert browser.heading_at_top() == "The shop API answers 503", "it stays there when it is made narrower"
    browser._unmark.setInterval(1)
    browser.scroll_to("Exit code 1")
    qtbot.waitUntil(lambda: browser.marked == "")


def test_once_a_person_has_scrolled_it_does_not_jump_back(qtbot, browser):
    browser.show_text(ORDERS, pictures={}, heading="The shop API answers 503")
    qtbot.keyClick(browser, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    browser.verticalScrollBar().setValue(0)
    browser.resize(480, 280)
    assert browser.verticalScrollBar().value() == 0


def test_a_heading_inside_code_is_not_where_it_opens(browser):
    browser.show_text("```\n# Exit code 1\n```\n\ntext\n\n# Exit code 1\n", pictures={})
    assert browser.scroll_to("Exit code 1")
    assert browser.extraSelections()[0].cursor.block().blockFormat().headingLevel() == 1
    assert not browser.scroll_to("Nowhere")


def test_each_block_of_code_can_be_copied(qtbot, browser):
    browser.show_text(
        "```sh\none\ntwo\n```\n\ntext `inline`\n\n1. a\n\n   ```\n   three\n   ```\n", pictures={}
    )
    assert browser.toPlainText().count("Copy") == 2
    with qtbot.waitSignal(browser.copied):
        browser.anchorClicked.emit(QUrl("ridgeline-copy:1"))
    assert QGuiApplication.clipboard().text() == "three"
    browser.anchorClicked.emit(QUrl("ridgeline-copy:0"))
    assert QGuiApplication.clipboard().text() == "one\ntwo"
    for odd in ("ridgeline-copy:7", "ridgeline-copy:", "ridgeline-copy:-1", "ridgeline-copy:x"):
        browser.anchorClicked.emit(QUrl(odd))
    assert QGuiApplication.clipboard().text() == "one\ntwo"


def test_a_table_below_a_block_of_code_keeps_its_first_heading(browser):
    browser.show_text("```\nx\n```\n\n| Answer | Means |\n|-|-|\n| 503 | broken |\n", pictures={})
    assert "\n\nAnswer" not in browser.toPlainText().replace("Copy\n", "", 1)
    cell = browser.document().find("Answer")
    assert cell.charFormat().fontWeight() >= 700


def test_a_fence_that_never_ends_and_other_ruins_are_shown(browser):
    for text in (
        "# a\n```\n# b\nrm -rf /",
        "|a|\n|-",
        "[x](",
        "![",
        "> " * 3000,
        "- " * 3000,
        "\0\ufffe",
        "#" * 100,
    ):
        browser.show_text(text, pictures={}, heading="b")
        assert browser.is_formatted


@pytest.mark.parametrize(
    "text",
    [
        "|a|b|c|\n|-|-|-|\n" + "|x|y|z|\n" * 120_000,
        "x" * 1_000_000,
        "- item\n" * 20_000,
        "![a](b.png) " * 2_000,
    ],
    ids=["table", "one word", "list", "pictures"],
)
def test_a_text_out_of_bounds_is_shown_plain_and_at_once(browser, text):
    began = time.monotonic()
    browser.show_text(text, pictures={})
    browser.document().size()
    assert time.monotonic() - began < 5
    assert not browser.is_formatted
    assert browser.toPlainText()[:5] == text[:5]


def test_the_excerpt_ends_and_its_lines_do():
    shown = plain_excerpt("x" * 1_000_000)
    assert max(map(len, shown.split("\n"))) == LONGEST_LINE
    assert shown.count("x") == MOST_PLAIN
    assert plain_excerpt("a\n\nb") == "a\n\nb"
    assert can_be_formatted(ORDERS)
    assert not can_be_formatted("|x|y|\n" * 1_500), "a small text, but a large table"


def test_pictures_are_decoded_by_what_they_are_and_never_when_huge():
    assert decode(picture(width=40)).width() == 40
    assert decode(picture(width=3000)).width() == 1200
    assert decode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").isNull()
    assert decode(b"root:x:0:0").isNull()
    assert decode(b"").isNull()
    header = b"P6\n30000 30000\n255\n"
    assert decode(header + b"x" * 100).isNull()


def test_the_text_follows_light_and_dark_and_keeps_its_place(browser):
    browser.show_text(ORDERS + "\n```\ncode\n```\n", pictures={}, heading="Exit code 1")
    place = browser.verticalScrollBar().value()
    dark = QPalette(QColor("#33373D"), QColor("#26292E"))
    browser.setPalette(dark)
    assert browser.verticalScrollBar().value() == place
    assert browser.marked == "Exit code 1"
