"""The project's own source as values: parsed modules and the paths git knows."""

import ast
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One Python file: its path inside the project with forward slashes, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    def nodes(self, *kinds: type[ast.AST]) -> list[ast.AST]:
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]

    def at(self, node: ast.AST) -> str:
        return f"{self.path}:{node.lineno}"


def _sources(*folders: str) -> tuple[Source, ...]:
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    texts = [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in paths]
    return tuple(Source(path=path, text=text, tree=ast.parse(text, path)) for path, text in texts)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shipped() -> tuple[Source, ...]:
    """What users run: the package and the set-up scripts."""
    return _sources("ridgeline_desktop", "packaging")


@pytest.fixture(scope="session")
def package() -> tuple[Source, ...]:
    return _sources("ridgeline_desktop")


@pytest.fixture(scope="session")
def every_source() -> tuple[Source, ...]:
    return _sources("ridgeline_desktop", "packaging", "tests")


@pytest.fixture(scope="session")
def checked_in() -> tuple[str, ...]:
    """Every path that is in git or would be with the next `git add`."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not on this platform: needs git and a checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    return tuple(path for path in listing.split("\0") if path and (ROOT / path).is_file())
