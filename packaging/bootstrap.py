"""Sets Ridgeline Desktop up on a fresh machine, then runs, tests, lints or draws it; standard library only.

This one file must parse on Pythons too old for the rest: it says what to install, then hands over.
"""

import sys

USAGE = """\
usage: python3 packaging/bootstrap.py COMMAND

  run                        set up, then show the sample shop
  test [PYTEST ARGUMENT...]  set up, then run the tests that need no system lab
  test --all                 what CI runs: lint, every test with the system labs, then the bench
  lint                       ruff, mypy and import-linter
  bench                      the scripts in tests/bench
  screenshots                set up, then draw the pictures of docs/screenshots from the real windows
"""


def version_problem(major: int, minor: int) -> str:
    """What to install instead of this Python, in words; empty when it will do."""
    if (3, 11) <= (major, minor) <= (3, 13):
        return ""
    return (
        f"Ridgeline Desktop needs Python 3.11, 3.12 or 3.13; {sys.executable} is Python {major}.{minor}.\n"
        "Install one of them (Debian 12 or later: apt-get install python3; Windows, macOS: python.org's\n"
        "installer), then give its name here, for example:\n"
        "  python3.13 packaging/bootstrap.py run"
    )


def main() -> int:
    """Do what the command line asks; the exit code for the shell."""
    problem = version_problem(*sys.version_info[:2])
    if problem:
        sys.stderr.write(problem + "\n")
        return 1
    import commands

    return commands.main(sys.argv[1:], USAGE)


if __name__ == "__main__":
    sys.exit(main())
