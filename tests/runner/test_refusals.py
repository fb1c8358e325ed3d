"""Starts that are refused, and the words they are refused with."""

import os
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from ridgeline_desktop.core.expectations import Pause
from ridgeline_desktop.core.jobs import SafeToRerun
from ridgeline_desktop.core.runs import Actor, Reason, RunStatus, Trigger
from ridgeline_desktop.core.schedules import Daily, MisfirePolicy, Schedule
from ridgeline_desktop.core.settings import DeadLock, Settings
from ridgeline_desktop.host.locks import FileLocks
from ridgeline_desktop.runner import refusals

FIVE = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)  # 05:00 in Toronto
CANNOT = "the program cannot be run: "


def daily(**changes):
    return Schedule(rule=Daily(times=(time(5, 0),)), **changes)


def refused(outcome, code):
    assert outcome.record.status is RunStatus.REFUSED
    assert outcome.record.reason_code is code
    assert outcome.exit_code == 75
    assert outcome.sentence.startswith("sync did not start: ")
    return outcome.record.reason


def pause(bench, **changes):
    words = {
        "job_id": "sync",
        "begun_at": FIVE - timedelta(days=1),
        "until": None,
        "reason": "stocktaking",
        "actor": Actor(name="Jordan", host="till", via="cli"),
        **changes,
    }
    with bench.store() as store:
        store.save_pause(Pause(**words))


def test_a_refused_start_is_on_record_and_leaves_no_log_and_no_lock(bench):
    outcome = bench.run(bench.job("/no/such/program"))
    with bench.store() as store:
        assert store.run(outcome.record.run_id) == outcome.record
    assert not (bench.folder / "logs").exists()
    assert not (bench.folder / "locks").exists()


def test_a_start_that_is_no_fire_time_ends_without_a_record(bench):
    schedule = replace(daily(), starts=FIVE.date() + timedelta(days=1))
    outcome = bench.run(bench.job("true", schedule=schedule), started_at=FIVE)
    assert (outcome.record, outcome.exit_code, outcome.sentence) == (None, 0, "")
    assert not (bench.folder / "state").exists()


@pytest.mark.parametrize(
    ("late", "is_refused"), [(timedelta(minutes=5), False), (timedelta(seconds=301), True)]
)
def test_a_late_start_is_missed_only_where_missed_fire_times_are_skipped(bench, late, is_refused):
    skip = bench.job("true", schedule=daily(if_missed=MisfirePolicy.SKIP))
    outcome = bench.run(skip, started_at=FIVE + late)
    if is_refused:
        refused(outcome, Reason.MISSED)
    else:
        assert outcome.record.status is RunStatus.COMPLETED
    catching_up = bench.job("true", schedule=daily())
    assert bench.run(catching_up, started_at=FIVE + timedelta(days=1) + late).exit_code == 0


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (FIVE + timedelta(hours=1), "paused until 2026-03-02 06:00 by Jordan: stocktaking"),
        (None, "paused until it is resumed by Jordan: stocktaking"),
    ],
)
def test_a_pause_stops_scheduled_starts(bench, until, words):
    pause(bench, until=until)
    outcome = bench.run(bench.job("true", schedule=daily()), started_at=FIVE)
    assert refused(outcome, Reason.PAUSED) == words


def test_a_pause_that_is_over_stops_nothing(bench):
    pause(bench, until=FIVE)
    assert bench.run(bench.job("true", schedule=daily()), started_at=FIVE).exit_code == 0


def test_a_pause_does_not_stop_a_run_by_hand(bench):
    pause(bench)
    assert bench.run(bench.job("true"), started_at=FIVE, trigger=Trigger.MANUAL).exit_code == 0


@pytest.mark.parametrize("wish", SafeToRerun)
def test_a_first_run_by_hand_is_free(bench, wish):
    assert bench.run(bench.job("true", safe_to_rerun=wish), trigger=Trigger.MANUAL).exit_code == 0


@pytest.mark.parametrize("wish", SafeToRerun)
def test_earlier_refusals_are_no_runs(bench, wish):
    bench.run(bench.job("/no/such/program"))
    assert bench.run(bench.job("true", safe_to_rerun=wish), trigger=Trigger.MANUAL).exit_code == 0


@pytest.mark.parametrize(
    ("wish", "again", "is_free"),
    [
        (SafeToRerun.YES, False, True),
        (SafeToRerun.ASK, False, False),
        (SafeToRerun.ASK, True, True),
        (SafeToRerun.NEVER, False, False),
        (SafeToRerun.NEVER, True, False),
    ],
)
def test_a_rerun_by_hand_obeys_safe_to_rerun_even_after_a_failure(bench, wish, again, is_free):
    bench.run(bench.shell("exit 1"))
    job = bench.job("true", safe_to_rerun=wish)
    outcome = bench.run(job, trigger=Trigger.MANUAL, again=again)
    if is_free:
        assert outcome.exit_code == 0
    else:
        assert ("--again" in refused(outcome, Reason.NOT_SAFE)) is (wish is SafeToRerun.ASK)
    assert bench.run(job).exit_code == 0  # the schedule is always free


def test_a_run_behind_hundreds_of_refusals_still_counts_as_one(bench):
    first = bench.run(bench.job("true")).record
    with bench.store() as store:
        for number in range(201):
            again = replace(first, run_id=f"r{number}", status=RunStatus.REFUSED, reason=str(number))
            store.add_run(replace(again, started_at=first.started_at + timedelta(seconds=1)))
    job = bench.job("true", safe_to_rerun=SafeToRerun.ASK)
    assert "it ran before" in refused(bench.run(job, trigger=Trigger.MANUAL), Reason.NOT_SAFE)


def test_a_job_that_names_a_secret_is_refused(bench):
    job = bench.job("true", secrets=(("SHOP_API_KEY", "shop-api"),))
    words = refused(bench.run(job), Reason.COULD_NOT_START)
    assert words == "this version cannot hand secrets to jobs yet; it asks for shop-api"


def test_on_a_full_disk_nothing_is_started(bench):
    outcome = bench.run(bench.shell("echo x > ran"), runner=bench.runner(free_bytes=lambda: (1 << 20) - 1))
    assert refused(outcome, Reason.COULD_NOT_START).startswith("the disk is full")
    assert not (bench.folder / "ran").exists()


@pytest.mark.parametrize(
    ("command", "folder", "words"),
    [
        (("{0}/missing",), "", "the program {0}/missing does not exist"),
        (("{0}/plain/inside",), "", "the program {0}/plain/inside does not exist"),
        (("{0}/plain",), "", "the program {0}/plain is not executable"),
        (("./plain",), "", "the program {0}/./plain is not executable"),
        (("{0}",), "", "the program {0} is a folder"),
        (("no-such-tool",), "", "there is no program no-such-tool on the PATH of jobs (/usr/bin:/bin)"),
        (("true",), "{0}/gone", "the folder {0}/gone does not exist"),
        (("true",), "~/gone", "the folder {0}/gone does not exist"),
        (("true",), "{0}/plain", "{0}/plain is not a folder"),
        (("{0}/headless",), "", CANNOT + "it is neither a binary nor a script that begins with #!"),
        (("{0}/lost",), "", CANNOT + "the interpreter named in its first line does not exist"),
    ],
)  # fmt: skip
def test_what_keeps_a_program_from_starting_is_said_in_its_own_words(bench, command, folder, words):
    home = str(bench.folder)
    (bench.folder / "plain").write_text("")
    for name, text in (("headless", "echo\n"), ("lost", "#!/no/such/interpreter\n")):
        (bench.folder / name).write_text(text)
        (bench.folder / name).chmod(0o755)
    job = bench.job(*(word.format(home) for word in command), folder=folder.format(home))
    outcome = bench.run(job, settings=Settings(path="/usr/bin:/bin"))
    assert refused(outcome, Reason.COULD_NOT_START) == words.format(home)


def test_a_bare_program_is_looked_for_on_the_path_the_job_will_have(bench):
    tool = bench.folder / "tool"
    tool.write_text("#!/bin/sh\necho found")
    tool.chmod(0o755)
    job = bench.job("tool", environment=(("PATH", f"{bench.folder}:/bin"),))
    assert bench.log(bench.run(job)) == b"found\n"


def as_nobody(question):
    """The answer of a process without any rights; root is told nothing by them."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            os.write(write, question().encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as answer:
        said = answer.read()
    os.waitpid(pid, 0)
    return said


@pytest.mark.skipif(os.getuid() != 0, reason="not on this platform: only root can become nobody")
def test_a_folder_or_program_without_the_right_to_it_is_said_to_be_that(bench):
    locked = bench.folder / "locked"
    locked.mkdir(mode=0o700)
    (locked / "tool").write_text("#!/bin/sh\n")
    (locked / "tool").chmod(0o700)
    for folder in (bench.folder, *bench.folder.parents[:2]):
        if folder.owner() == "root" and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)

    def words(job):
        return as_nobody(lambda: refusals.placed(job, home="/", path="/bin").sentence)

    assert words(bench.job("true", folder=str(locked))) == f"no right to enter the folder {locked}"
    assert words(bench.job(str(locked / "tool"))) == f"no right to reach the program {locked}/tool"


def test_while_a_run_holds_the_lock_the_next_start_is_refused(bench):
    told = bench.line()
    first = bench.begin(bench.shell(f"echo up > {told}; exec sleep 60"))
    told.hear()
    second = bench.run(bench.shell(f"echo up > {told}"))
    assert f"held by process {first.pid}" in refused(second, Reason.LOCK_HELD)
    bench.stops.ask(first.run_id, by="the test")
    first.outcome()


def test_of_24_starts_in_one_instant_one_runs_and_23_are_refused(bench):
    told, go_on = bench.line(), bench.line("go-on")
    starts = [bench.begin(bench.shell(f"echo $PPID > {told}; read line < {go_on}")) for _ in range(24)]
    winner = int(told.hear())
    lost = [start.outcome() for start in starts if start.pid != winner]
    go_on.say("\n")
    (won,) = [start.outcome() for start in starts if start.pid == winner]
    assert won.record.status is RunStatus.COMPLETED
    assert [outcome.record.reason_code for outcome in lost] == [Reason.LOCK_HELD] * 23
    with bench.store() as store:
        runs = store.recent_runs("sync", limit=100)
    assert sum(run.count for run in runs) == 24


def test_equal_refusals_in_a_row_are_counted_on_one_record(bench):
    outcomes = [bench.run(bench.job("/no/such/program")) for _ in range(3)]
    with bench.store() as store:
        (only,) = store.recent_runs("sync", limit=10)
    assert (only.run_id, only.count) == (outcomes[0].record.run_id, 3)


def test_a_dead_lock_waits_for_a_person_where_settings_ask_for_that(bench):
    told = bench.line()
    killed = bench.begin(bench.shell(f"echo $$ > {told}; exec sleep 60"))
    pid = int(told.hear())
    killed.kill()
    os.kill(pid, 9)
    asking = Settings(dead_lock=DeadLock.ASK)
    while (outcome := bench.run(bench.job("true"), settings=asking)).record.reason_code is Reason.LOCK_HELD:
        pass  # the kernel has yet to end the killed job
    assert "ridgeline lock clear sync" in refused(outcome, Reason.LOCK_UNCLEAR)


def test_a_lock_folder_that_cannot_be_made_refuses_the_run(bench):
    (bench.folder / "plain").write_text("in the way")
    runner = bench.runner(locks=FileLocks(bench.folder / "plain" / "locks"))
    words = refused(bench.run(bench.job("true"), runner=runner), Reason.COULD_NOT_START)
    assert words.startswith("its lock cannot be taken: ")


def test_a_run_whose_start_cannot_be_put_on_record_does_not_start(bench):
    class FullSpool:
        def reserve(self, run_id):
            raise OSError(28, "No space left on device")

        def release(self, run_id):
            pass

    outcome = bench.run(bench.shell("echo x > ran"), runner=bench.runner(spool=FullSpool()))
    words = refused(outcome, Reason.COULD_NOT_START)
    assert words == "the run could not be put on record: No space left on device"
    assert not (bench.folder / "ran").exists()
    assert bench.locks.inspect("sync").has_record is False
    with bench.store() as store:
        assert store.run(outcome.record.run_id).status is RunStatus.REFUSED
