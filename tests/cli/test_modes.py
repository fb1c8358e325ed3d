"""Whatever the umask: below the state folder nothing is for anybody but its owner."""

import stat
import subprocess

import pytest

CRONTAB = """#!/bin/sh
case "$1" in
    -l) cat {table} 2>/dev/null || {{ echo "no crontab for sam" >&2; exit 1; }} ;;
    -*) exit 1 ;;
    *) cat "$1" > {table}; chmod 600 {table} ;;
esac
"""
JOB = 'command = ["/bin/sh", "-c", "echo words"]\nsafe_to_rerun = "yes"\n[schedule]\nevery = "1 hour"\n'


@pytest.fixture
def with_umask(home, tmp_path_factory):
    """Runs the command under a umask, with a crontab of the test's own on the PATH."""
    programs = tmp_path_factory.mktemp("programs")
    crontab = programs / "crontab"
    crontab.write_text(CRONTAB.format(table=programs / "table"))
    crontab.chmod(0o755)
    environment = home.environment()
    environment["PATH"] = f"{programs}:{environment['PATH']}"

    def run(umask: int, *arguments: str) -> int:
        done = subprocess.run(
            home.argv(*arguments), env=environment, umask=umask, capture_output=True, timeout=60, check=False
        )
        assert b"Traceback" not in done.stderr
        return done.returncode

    return run


def open_to_others(root) -> dict[str, str]:
    return {
        str(path.relative_to(root)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in (root, *sorted(root.rglob("*")))
        if stat.S_IMODE(path.stat().st_mode) != (0o700 if path.is_dir() else 0o600)
    }


@pytest.mark.parametrize("umask", [0, 0o777])
def test_state_is_its_owners_alone_whatever_the_umask(home, with_umask, umask):
    home.job("hello", JOB)
    assert with_umask(umask, "run", "hello") == 0
    assert with_umask(umask, "register", "hello") == 0
    (home.jobs / "hello.toml").write_text(JOB.replace("1 hour", "2 hours"))
    assert with_umask(umask, "register", "hello") == 0
    assert with_umask(umask, "check") in (0, 1)
    assert with_umask(umask, "unregister", "hello") == 0
    state = home.root / "state"
    assert open_to_others(state) == {}
    assert open_to_others(home.root / "config") == {}
    there = {path.name for path in state.rglob("*")}
    assert {"logs", "spool", "locks", "crontab", "crontab.lock", "ridgeline.sqlite3", "state-id"} <= there
    assert any(name.startswith("ridgeline-20") for name in there), "the day's backup is among them"


@pytest.mark.parametrize("umask", [0, 0o777])
def test_what_lies_there_while_a_job_runs_is_its_owners_alone_too(home, with_umask, umask):
    state = home.root / "state"
    look = f"find {state} -type d ! -perm 700 -o -type f ! -perm 600"
    home.job("looking", f'shell = "echo now; {look}"\n')
    assert with_umask(umask, "run", "looking") == 0
    assert home.run("log", "looking").out == "now\n"
