"""To which object of Qt's a call belongs, and whether that is still there: windows go while calls wait."""

from collections.abc import Callable

from PySide6.QtCore import QObject


def owner_of(call: Callable[..., None]) -> QObject | None:
    """The Qt object whose method this is, or a partial of it; None for any other callable."""
    owner = getattr(call, "__self__", None) or getattr(getattr(call, "func", None), "__self__", None)
    return owner if isinstance(owner, QObject) else None


def is_there(call: Callable[..., None]) -> bool:
    """Whether the Qt object whose method this is still exists; other callables always do."""
    from shiboken6 import isValid

    owner = owner_of(call)
    return owner is None or isValid(owner)
