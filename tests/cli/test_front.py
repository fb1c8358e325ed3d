"""What must not depend on who calls: locale, closed streams, folders of the session, the order of words."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

LOCALE_SOURCE = Path("/usr/share/i18n/locales/de_DE")
GOOD = 'command = ["/bin/true"]\nsafe_to_rerun = "yes"\n[schedule]\nbackend = "none"\nevery = "1 hour"\n'


def call(home, *arguments, redirect="", **variables):
    """The command through a shell, so that its streams can be closed or filled; without -I and --home."""
    argv = " ".join(f"'{word}'" for word in (sys.executable, "-m", "ridgeline_desktop", *arguments))
    done = subprocess.run(
        ["/bin/sh", "-c", f"{argv} {redirect}"],
        env=home.environment() | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def test_home_may_stand_before_or_behind_the_command(home):
    home.job("fine", GOOD)
    for words in (
        ("--home", str(home.root), "list"),
        ("list", "--home", str(home.root)),
        ("list", f"--home={home.root}"),
    ):
        code, out, _ = call(home, *words)
        assert (code, "fine" in out) == (0, True)
    assert call(home, "run", "fine", f"--home={home.root}")[0] == 0


@pytest.mark.parametrize("odd", ["", " ", "a\nb"])
def test_an_impossible_home_is_refused_in_words(home, odd):
    code, _, err = call(home, "list", f"--home={odd}")
    assert code == 1
    assert "home" in err


@pytest.fixture
def latin1(tmp_path):
    """The variables of a session whose locale is really Latin-1, made for this test alone."""
    made = tmp_path / "locales" / "de_DE.ISO-8859-1"
    made.parent.mkdir()
    build = ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", str(made)]
    if not LOCALE_SOURCE.exists() or subprocess.run(build, timeout=60, check=False).returncode != 0:
        pytest.skip("not on this platform: needs localedef and the sources of locales")
    return {"LOCPATH": str(made.parent), "LC_ALL": made.name}


@pytest.mark.system
def test_a_job_gets_the_same_bytes_whatever_the_callers_locale(home, tmp_path, latin1):
    told = tmp_path / "told"
    line = f"printf %s fünf > {told}; echo fünf"
    home.job("umlaut", f'shell = "{line}"\n[run]\nsuccess = {{ must_print = "fünf" }}\n')
    for variables in ({}, latin1):
        told.unlink(missing_ok=True)
        assert home.run("run", "umlaut", "--again", **variables).code == 0
        assert told.read_bytes() == "fünf".encode()


@pytest.mark.parametrize("redirect", ["2>/dev/full", ">/dev/full 2>&1", "2>&-", ">&- 2>&-"])
def test_an_exit_code_survives_output_that_cannot_be_written(home, redirect):
    home.job("nine", 'shell = "exit 9"\nsafe_to_rerun = "yes"\n')
    assert call(home, "run", "nine", f"--home={home.root}", redirect=redirect)[0] == 9


def test_a_check_whose_line_cannot_be_printed_cannot_tell(home):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    assert call(home, "check", f"--home={home.root}", redirect=">/dev/full")[0] == 3


@pytest.mark.parametrize(
    "words",
    [
        ("next", "fine", "--from", "9999-12-31T23:59"),
        ("next", "fine", "--from", "0001-01-01T00:00"),
        ("pause", "fine", "--until", "9999-12-31T23:59-12:00"),
        ("run", "fine", "--trigger", "schedule", "--for", "0001-01-01T00:00+14:00"),
    ],
)
def test_instants_beyond_all_bounds_are_usage_errors(home, words):
    home.job("fine", GOOD)
    answer = home.run(*words)
    assert answer.code == 2
    assert "Traceback" not in answer.err


def test_a_run_id_that_is_on_record_is_not_used_again(home):
    home.job("fine", GOOD)
    assert home.run("run", "fine").code == 0
    [first] = home.json("history", "fine")
    again = home.run("run", "fine", "--run-id", first["run_id"])
    assert again.code == 75
    assert "on record already" in again.err
    assert home.json("history", "fine") == [first]


def test_where_the_session_moves_the_folders_register_refuses(home, tmp_path):
    config = tmp_path / "xdg"
    for name in ("config", "data", "state"):
        (config / name).mkdir(parents=True, mode=0o700)
    jobs = config / "data" / "ridgeline" / "shop" / "jobs"
    jobs.mkdir(parents=True, mode=0o700)
    for folder in (jobs, jobs.parent, jobs.parents[1]):
        folder.chmod(0o700)
    (jobs / "fine.toml").write_text(GOOD.replace('"none"', '"in-app"'))
    moved = {f"XDG_{name.upper()}_HOME": str(config / name) for name in ("config", "data", "state")}
    code, _, err = call(home, "register", "fine", **moved)
    assert code == 1
    assert "XDG" in err


def test_parallel_unregisters_lose_nothing_of_the_settings(home):
    settings = home.root / "config" / "settings.toml"
    settings.parent.mkdir(mode=0o700)
    settings.write_text('# ours\nname = "Sam"\n')
    ids = [f"job-{number}" for number in range(8)]
    for job_id in ids:
        home.job(job_id, GOOD.replace('"none"', '"in-app"'))
    started = [home.start("unregister", job_id) for job_id in ids]
    for process in started:
        process.communicate(timeout=60)
    assert [process.returncode for process in started] == [0] * len(ids)
    text = settings.read_text()
    assert text.startswith('# ours\nname = "Sam"\n')
    assert all(f'"{job_id}"' in text for job_id in ids)


def test_a_job_that_outlives_its_runner_is_amber_and_said_so(home):
    home.job("long", 'command = ["/bin/sleep", "60"]\nsafe_to_rerun = "yes"\n')
    process = home.start("run", "long")
    ends = time.monotonic() + 20
    while home.row("long")["running"] is None and time.monotonic() < ends:
        time.sleep(0.02)
    child = home.json("lock", "show", "long")["evidence"]["child"]["pid"]
    process.kill()
    process.communicate(timeout=10)
    row = home.row("long")
    assert "runner-gone" in [reason["code"] for reason in row["reasons"]]
    assert row["attention"] == "amber"
    assert home.run("stop", "long").code == 1
    os.kill(child, signal.SIGKILL)


def test_a_paused_job_starts_next_after_its_pause(home):
    home.job("fine", GOOD)
    assert home.run("pause", "fine").code == 0
    assert home.row("fine")["next_fire"] is None
    assert home.run("pause", "fine", "--until", "2999-01-01T00:30").code == 0
    assert home.row("fine")["next_fire"].startswith("2999-01-01T")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_terminal_ends_the_sample_shop_as_orderly_as_ctrl_c(home, number):
    place = home.root / "tmp"
    place.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "ridgeline_desktop", "demo"],
        env=home.environment() | {"TMPDIR": str(place)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if b"Ctrl+C" in line:
            break
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert not list(place.iterdir())
