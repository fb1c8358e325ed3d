"""Lays the sample shop out in an empty home: settings, job files, runbooks and scripts."""

from pathlib import Path

import tomlkit

from ridgeline_desktop import resource_files
from ridgeline_desktop.host.folders import make_private

_JOBS, _RUNBOOKS, _SCRIPTS = "jobs", "runbooks", "scripts"
_PRINTED_ADDRESS = "http://127.0.0.1:8080"
_SETTINGS = """\
# Settings of this computer. Each has a default, and this file may be empty.

# shop_folder = "/srv/shop"     # where jobs/ and runbooks lie; default: data/shop beside this folder
# zone = "America/Toronto"      # the clock that schedules go by; default: this computer's
# name = "Sam"                  # who you are in the records; default: your login
# runs_elsewhere = []           # jobs of the shop that another computer runs
"""


def lay_out(home: Path, *, python: str, api_address: str) -> Path:
    """The shop folder, written into `home`, where no shop may be yet (FileExistsError).

    `python` is the full path of an interpreter that has Ridgeline, `api_address` the shop API's without a
    slash at its end. Everything is readable by this user alone, whatever the umask says.
    """
    shop = home / "data" / "shop"
    for folder in (home, home / "config", home / "data", shop, home / "state"):
        make_private(str(folder))
    _write(home / "config" / "settings.toml", _SETTINGS)
    for kind in (_JOBS, _RUNBOOKS, _SCRIPTS):
        make_private(str(shop / kind))
        shipped = resource_files.folder(f"demo/{kind}").iterdir()
        for name in sorted(path.name for path in shipped if path.is_file()):  # pip adds a __pycache__
            text = resource_files.read_text(f"demo/{kind}/{name}")
            if kind == _JOBS:
                text = _filled(text, python=python, folder=shop / _SCRIPTS, api_address=api_address)
            elif kind == _RUNBOOKS:
                text = text.replace(_PRINTED_ADDRESS, api_address)
                text = text.replace("`ridgeline run", f"`ridgeline --home {home} run")
            _write(shop / kind / name, text)
    return shop


def _filled(text: str, *, python: str, folder: Path, api_address: str) -> str:
    """The job file with this computer's paths in it; comments and order stay."""
    document = tomlkit.parse(text)
    document["command"][0] = python
    document["folder"] = str(folder)
    document["environment"]["SHOP_API"] = api_address
    return tomlkit.dumps(document)


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600, exist_ok=False)
    path.write_text(text, encoding="utf-8")
