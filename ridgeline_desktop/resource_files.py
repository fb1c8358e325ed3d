"""Where the files shipped with the program lie: inside the package when installed, else beside it."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name` of the resources, such as "demo/jobs"."""
    return _root() / name


def read_text(name: str) -> str:
    """The text of the resource `name`, such as "demo/jobs/order-sync.toml"."""
    return (_root() / name).read_text(encoding="utf-8")


def _root() -> Path:
    inside = _PACKAGE / "resources"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"
