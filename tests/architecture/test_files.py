"""Sizes and names of files, and what a checkout may hold."""

import ast

FILE_LINES = 400
FUNCTION_LINES = 40
BANNED_NAMES = {"utils", "helpers", "misc", "common", "manager", "base", "models"}
TOP_LEVEL = {
    "pyproject.toml", "README.md", "LICENSE", "ridgeline_desktop", "resources", "tests", "packaging", "docs",
}  # fmt: skip
# In halves, so that this file does not name what it looks for.
REGISTRY_HOSTS = tuple(
    left + right
    for left, right in (
        ("python", "hosted.org"),
        ("pypi.", "org"),
        ("registry.npm", "js.org"),
        ("deb.", "debian.org"),
        ("security.", "debian.org"),
        ("proxy.", "golang.org"),
    )
)


def test_no_file_is_longer_than_400_lines(every_source):
    lengths = {source.path: len(source.text.splitlines()) for source in every_source}
    assert {path: lines for path, lines in lengths.items() if lines > FILE_LINES} == {}


def test_no_function_is_longer_than_40_lines(shipped):
    too_long = [
        f"{source.at(node)} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for source in shipped
        for node in source.nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert too_long == []


def test_no_module_or_folder_has_a_name_that_says_nothing(every_source):
    named = {
        source.path
        for source in every_source
        if BANNED_NAMES & set(source.path.removesuffix(".py").split("/"))
    }
    assert named == set()


def test_every_module_says_what_it_holds(shipped):
    assert [source.path for source in shipped if not ast.get_docstring(source.tree)] == []


def test_packaging_is_a_folder_of_scripts_and_hides_no_installed_package(root):
    assert not (root / "packaging" / "__init__.py").exists()


def test_the_top_level_of_the_checkout_holds_only_what_was_agreed(checked_in):
    top = {path.split("/")[0] for path in checked_in}
    assert {name for name in top - TOP_LEVEL if not name.startswith(".")} == set()


def test_no_file_names_a_package_registry(root, checked_in):
    naming = [
        (path, host)
        for path in checked_in
        for host in REGISTRY_HOSTS
        if host.encode() in (root / path).read_bytes().lower()
    ]
    assert naming == []


def test_every_pin_is_one_exact_version_and_nothing_else(root):
    lines = (root / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    names = [pin.partition("==")[0] for pin in pins]
    assert all(pin.partition("==")[2].replace(".", "").isalnum() for pin in pins)
    assert len(names) == len(set(names))
