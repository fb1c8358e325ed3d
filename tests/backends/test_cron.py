"""Cron without its daemon and without a crontab of anybody: objections, words, and a client that fails."""

import os
import shutil
import subprocess
import sys
from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest
from shop_entries import MONDAYS, PYTHON, QUARTER_HOURS, TORONTO, TWO_LINES, SteppedClock, entry

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.cron_service import cron_among
from ridgeline_desktop.core.errors import BackendError, CannotExpress
from ridgeline_desktop.core.schedules import Arrives, ByHand, Daily, Every

FAILURES = {
    "denied": "You (theo) are not allowed to use this program (crontab)",
    "sandboxed": "crontabs/theo/: fopen: Permission denied",
    "silent": "",
    "no account": "crontab: your UID isn't in the passwd file.",
}


@pytest.fixture
def backend_with(tmp_path):
    """A backend whose crontab command is this shell text, after noting how it was called."""

    def build(text: str, *, zone: ZoneInfo = TORONTO) -> CronBackend:
        command = tmp_path / "crontab"
        command.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/calls\n{text}\n', encoding="utf-8")
        command.chmod(0o755)
        clock = SteppedClock()
        return CronBackend(
            crontab=str(command),
            lock_path=tmp_path / "locks" / "crontab.lock",
            backup_folder=tmp_path / "backups",
            clock=clock,
            system_zone=zone,
            pause=clock.pause,
        )

    return build


@pytest.mark.parametrize("words", FAILURES.values(), ids=FAILURES)
def test_a_crontab_that_cannot_be_listed_is_never_written(backend_with, tmp_path, words):
    backend = backend_with(f'echo "{words}" >&2; exit 1')
    for attempt in (
        lambda: backend.apply([entry("order-sync")]),
        lambda: backend.remove(["order-sync"]),
        backend.read_back,
    ):
        with pytest.raises(BackendError) as refused:
            attempt()
        assert (words or "ended with exit code 1") in str(refused.value)
    assert backend.available() == "", "it is here, and must not be done without for a failure"
    assert set((tmp_path / "calls").read_text(encoding="utf-8").splitlines()) == {"-l"}
    assert not (tmp_path / "backups").exists()


def test_a_listing_that_was_cut_short_is_no_empty_crontab(backend_with, tmp_path):
    backend = backend_with("echo '0 1 * * * x'; echo 'no crontab for theo' >&2; exit 1")
    with pytest.raises(BackendError, match="could not be read"):
        backend.apply([entry("order-sync")])
    assert (tmp_path / "calls").read_text(encoding="utf-8") == "-l\n"


def test_a_client_that_dies_is_not_believed(backend_with):
    with pytest.raises(BackendError, match="exit code -9"):
        backend_with("kill -9 $$").read_back()


def test_only_the_words_no_crontab_for_mean_an_empty_crontab(backend_with):
    backend = backend_with("echo 'no crontab for theo' >&2; exit 1")
    assert backend.read_back() == ()
    assert backend.available() == ""


def test_a_missing_crontab_command_is_said_in_words(tmp_path):
    backend = CronBackend(
        crontab=str(tmp_path / "nowhere"),
        lock_path=tmp_path / "lock",
        backup_folder=tmp_path,
        clock=SteppedClock(),
        system_zone=TORONTO,
    )
    assert backend.available().startswith("this computer has no crontab command; install cron")
    with pytest.raises(BackendError, match="no crontab command"):
        backend.read_back()


def test_a_client_without_a_syntax_check_is_asked_for_none(backend_with, tmp_path):
    table = tmp_path / "table"
    table.touch()
    backend = backend_with(
        f'case "$1" in -l) cat {table};; -h) echo "-n <host> set host in cluster" >&2; exit 1;; '
        f'/tmp/ridgeline-*) cat "$1" > {table};; *) exit 7;; esac'
    )
    backend.apply([entry("order-sync")])
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert [call.split("-")[0] for call in calls if not call.startswith("-")] == ["/tmp/ridgeline"]
    assert "-n" not in {call.split()[0] for call in calls}
    assert [found.name for found in backend.read_back()] == ["order-sync"]


def test_the_preview_is_the_lines_with_the_job_named_above_them(backend_with):
    backend = backend_with("exit 1")
    command = f"'{PYTHON}' -I -m ridgeline_desktop run order-sync --trigger schedule"
    assert backend.preview(entry("order-sync")) == f"# ridgeline: order-sync\n*/15 * * * * {command}"
    uneven = entry("order-sync", Daily(times=(time(6, 30), time(18, 0))))
    assert backend.preview(uneven) == (f"# ridgeline: order-sync\n30 6 * * * {command}\n0 18 * * * {command}")


@pytest.mark.parametrize("rule", [QUARTER_HOURS, MONDAYS, TWO_LINES], ids=["every", "weekly", "two lines"])
def test_cron_has_nothing_against_an_ordinary_job(backend_with, rule):
    assert backend_with("exit 1").objections(entry("order-sync", rule)) == ()


@pytest.mark.parametrize(
    "rule", [Arrives(pattern="/srv/*.csv"), ByHand(), Every(interval=timedelta(minutes=7))]
)
def test_a_job_without_fire_times_cannot_be_registered(backend_with, rule):
    backend = backend_with("exit 1")
    assert "nothing to register" in backend.objections(entry("order-sync", rule))[0]
    with pytest.raises(CannotExpress, match=r"order-sync: .*nothing to register"):
        backend.apply([entry("order-sync", rule)])


@pytest.mark.parametrize(
    ("zone", "system", "differs"),
    [
        ("America/Toronto", "America/New_York", False),
        ("America/Toronto", "America/Havana", True),
        ("America/Toronto", "America/Panama", True),
        ("Africa/Abidjan", "Etc/UTC", False),
        ("Europe/London", "Etc/UTC", True),
    ],
)
def test_a_zone_whose_clock_differs_at_any_hour_of_two_years_is_refused(backend_with, zone, system, differs):
    backend = backend_with("exit 1", zone=ZoneInfo(system))
    said = backend.objections(entry("order-sync", zone=ZoneInfo(zone)))
    assert bool(said) is differs
    if differs:
        assert f"cron reads this computer's clock only ({system})" in said[0]
        assert zone in said[0]


def test_a_command_cron_would_garble_or_cut_is_refused_in_words(backend_with):
    backend = backend_with("exit 1")
    (garbled,) = backend.objections(entry("order-sync", argv=("/srv/50%/run",)))
    assert "'/srv/50%/run' holds '%'" in garbled
    (cut,) = backend.objections(entry("order-sync", argv=("/srv/" + "x" * 1000,)))
    assert "more than the 998 bytes" in cut


@pytest.mark.parametrize(
    ("processes", "running"),
    [
        ([(1, "init", ["init"]), (7, "cron", ["/usr/sbin/cron", "-f"])], True),
        ([(7, "crond", ["crond"])], True),
        ([(7, "busybox", ["busybox", "crond", "-f"])], True),
        ([(7, "busybox", ["busybox", "sh", "crond"])], False),
        ([(7, "fcron", [])], True),
        ([(7, "bcron-sched", [])], True),
        ([(1, "init", ["init"]), (8, "crontab", ["crontab", "-e"]), (9, "", [])], False),
        ([], False),
    ],
)
def test_cron_runs_when_one_of_its_kinds_is_among_the_processes(processes, running):
    state = cron_among(processes)
    assert state.running is running
    assert ("(process 7)" if running else "jobs will not start") in state.sentence


@pytest.mark.skipif(sys.platform != "linux", reason="not on this platform: reads /proc")
def test_a_cron_that_lives_is_found_and_one_that_has_ended_is_not(backend_with, tmp_path):
    pretender = tmp_path / "bcron-sched"
    pretender.symlink_to(shutil.which("sleep"))
    before = backend_with("exit 1").service_state()
    process = subprocess.Popen([pretender, "60"])
    try:
        assert backend_with("exit 1").service_state().running
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert backend_with("exit 1").service_state() == before
    finally:
        process.kill()
        process.wait(10)


def test_the_process_table_of_this_computer_can_be_asked(backend_with):
    assert backend_with("exit 1").service_state().running in (True, False)
