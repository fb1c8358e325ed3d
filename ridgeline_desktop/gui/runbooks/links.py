"""What a click on a link of a runbook may do: nothing is opened unseen, and most things not at all."""

from enum import StrEnum

from PySide6.QtCore import QCoreApplication, QUrl

from ridgeline_desktop.core.values import dataclass

COPY_SCHEME = "ridgeline-copy"
_OWN_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})


class Deed(StrEnum):
    """What is to be done with a link."""

    SCROLL = "scroll"
    COPY = "copy"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """The deed, and its object: a heading's slug, a block's number, an address, or why not, in words."""

    deed: Deed
    text: str
    host: str = ""


def click_on(url: QUrl) -> Click:
    """What a click on this link does. Addresses are given as computers read them, without look-alikes."""
    scheme, host = url.scheme().lower(), url.host().lower()
    address = bytes(url.toEncoded().data()).decode("ascii", "replace")
    if not scheme and not host and not url.path() and url.hasFragment():
        return Click(deed=Deed.SCROLL, text=url.fragment(QUrl.ComponentFormattingOption.FullyDecoded))
    if scheme == COPY_SCHEME:
        return Click(deed=Deed.COPY, text=url.path())
    if url.userInfo():
        say = QCoreApplication.translate(
            "RunbookLinks", "This link hides where it leads, so it stays closed: {link}"
        )
        return Click(deed=Deed.REFUSE, text=say.format(link=address))
    if scheme in ("http", "https") and host in _OWN_MACHINE:
        here = QCoreApplication.translate("RunbookLinks", "this computer")
        return Click(deed=Deed.ASK, text=address, host=here)
    if scheme == "https" and host:
        encoded = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
        return Click(deed=Deed.ASK, text=address, host=encoded)
    if scheme == "mailto" and url.path() and not url.hasQuery():
        return Click(deed=Deed.ASK, text=address, host=url.path())
    return Click(deed=Deed.REFUSE, text=_why_not(scheme, address))


def slug(heading: str) -> str:
    """How a link names a heading: in small letters, with "-" for spaces and without punctuation."""
    kept = "".join(char for char in heading.lower() if char.isalnum() or char in " -_")
    return kept.strip().replace(" ", "-")


def _why_not(scheme: str, address: str) -> str:
    say = QCoreApplication.translate
    if scheme == "http":
        text = say(
            "RunbookLinks", "This link is not encrypted, so it stays closed. Write it with https: {link}"
        )
    elif scheme == "mailto":
        text = say("RunbookLinks", "This link would fill in a message by itself, so it stays closed: {link}")
    elif not scheme:
        text = say(
            "RunbookLinks", "This link leads to another file. Ridgeline shows the runbook only: {link}"
        )
    else:
        text = say(
            "RunbookLinks",
            "This link stays closed. Only web addresses, mail addresses and headings can be opened: {link}",
        )
    return text.format(link=address if len(address) <= 200 else f"{address[:199]}…")
