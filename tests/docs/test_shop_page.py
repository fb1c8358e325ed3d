"""The pages for the people at the desk, held against the windows: their words, their keys, their pictures."""

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from ridgeline_desktop.gui.window_actions import WindowActions

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SHOP_PAGE = (DOCS / "for-the-shop.md").read_text(encoding="utf-8")
PICTURES = sorted((DOCS / "screenshots").glob("*.png"))
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md"]


def words_of_the_windows() -> set[str]:
    """Every text in the windows' source, as it is read on the screen."""
    texts = set()
    for path in (ROOT / "ridgeline_desktop" / "gui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value.replace("&", ""))
    return texts


def is_said(words: str, texts: set[str]) -> bool:
    """Whether a window says exactly these words, or a text with names in it comes out as them."""
    if words in texts:
        return True
    templates = (text for text in texts if re.search(r"\w+ \{\w+\}…", text))
    return any(re.fullmatch(re.sub(r"\\\{\w+\\\}", r"\\w+", re.escape(text)), words) for text in templates)


def test_every_word_in_bold_on_the_shop_page_stands_on_the_screen():
    bold, texts = set(re.findall(r"\*\*(.+?)\*\*", SHOP_PAGE)), words_of_the_windows()
    assert len(bold) > 30
    assert {words for words in bold if not is_said(words, texts)} == set()


def test_the_keys_on_the_shop_page_are_those_of_the_window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    actions = WindowActions(window).all()
    keys: dict[str, list[str]] = {}
    for action in actions:
        keys.setdefault(action.shortcut().toString(), []).append(action.text().rstrip("…"))
    table = SHOP_PAGE.partition("\n## Keys\n")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^\| `(Ctrl\+\S|F\d+)` \| (.+?) \|", table, re.MULTILINE))
    assert told == {key: ", ".join(texts) for key, texts in keys.items() if key}


@pytest.mark.parametrize("picture", [path.name for path in PICTURES])
def test_every_picture_is_shown_on_some_page(picture):
    assert any(f"screenshots/{picture})" in page.read_text(encoding="utf-8") for page in PAGES)
