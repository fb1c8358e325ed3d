import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SLEEPY = 'command = ["/bin/sleep", "60"]\nsafe_to_rerun = "yes"\n'


def until(claim: Callable[[], bool]) -> None:
    """Wait for something that another process does; a failing test ends after a while."""
    ends = time.monotonic() + 20
    while not claim():
        assert time.monotonic() < ends, "it did not happen in time"
        time.sleep(0.02)


def started(home, process: "subprocess.Popen[bytes]", job_id: str = "sleepy") -> None:
    until(lambda: home.row(job_id)["running"] is not None or process.poll() is not None)
    assert process.poll() is None, process.communicate(timeout=5)


def finish(process: "subprocess.Popen[bytes]") -> tuple[int, str]:
    _, err = process.communicate(timeout=30)
    return process.returncode, err.decode()


def die(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait(timeout=5)
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def test_a_run_by_hand_is_recorded_with_its_output_and_who_asked(home):
    home.job("hello", 'command = ["/bin/echo", "hello there"]\n')
    assert home.run("run", "hello", "--by", "Sam").code == 0
    [run] = home.json("history", "hello")
    assert (run["status"], run["trigger"], run["by"], run["exit_code"]) == ("completed", "manual", "Sam", 0)
    assert home.run("log", "hello").out == "hello there\n"
    assert home.row("hello")["health"] == "ok"


def test_a_run_exits_with_the_jobs_own_code_and_a_75_of_its_own_becomes_1(home):
    home.job("seven", 'shell = "exit 7"\n')
    home.job("seventy-five", 'shell = "exit 75"\n')
    assert home.run("run", "seven").code == 7
    assert home.run("run", "seventy-five").code == 1
    assert home.json("history", "seventy-five")[0]["exit_code"] == 75


@pytest.mark.parametrize(
    ("rules", "shell", "said"),
    [
        ('must_not_print = "ERROR"', "echo an ERROR came up", "ERROR"),
        ('must_print = "all done"', "echo half done", "all done"),
        ('fresh_file = "{folder}/report.csv"', "true", "report.csv"),
    ],
)
def test_exit_0_is_failed_where_a_success_rule_is_not_met(home, tmp_path, rules, shell, said):
    report = tmp_path / "report.csv"
    report.write_text("old")
    os.utime(report, (1_700_000_000, 1_700_000_000))
    rules = rules.format(folder=tmp_path)
    home.job("hollow", f'shell = "{shell}"\n[run]\nsuccess = {{ {rules} }}\n')
    assert home.run("run", "hollow").code == 1
    [run] = home.json("history", "hollow")
    assert (run["status"], run["exit_code"], run["reason_code"]) == ("failed", 0, "success-rule")
    assert said in run["reason"]


def test_a_second_start_is_refused_with_the_reason_while_the_first_runs_and_stop_ends_the_tree(home):
    home.job("sleepy", 'shell = "sleep 61 & sleep 62"\nsafe_to_rerun = "yes"\n')
    first = home.start("run", "sleepy", "--by", "Sam")
    started(home, first)
    second = home.run("run", "sleepy")
    assert second.code == 75
    assert str(first.pid) in second.err
    shown = home.json("lock", "show", "sleepy")
    assert (shown["verdict"], shown["evidence"]["runner"]["pid"]) == ("held", first.pid)
    child = shown["evidence"]["child"]["pid"]
    assert home.run("stop", "sleepy").code == 0
    assert finish(first)[0] == 143
    with pytest.raises(ProcessLookupError):
        os.killpg(child, 0)
    newest, refused = home.json("history", "sleepy")[:2]
    assert {newest["status"], refused["status"]} == {"stopped", "refused"}


def test_a_runner_killed_with_9_leaves_a_job_that_blocks_and_is_settled_once_the_job_is_dead_too(home):
    home.job("sleepy", SLEEPY)
    first = home.start("run", "sleepy")
    started(home, first)
    child = home.json("lock", "show", "sleepy")["evidence"]["child"]["pid"]
    die(first)
    assert home.run("run", "sleepy").code == 75, "the surviving job still blocks"
    shown = home.run("lock", "show", "sleepy").out
    assert shown.startswith("held")
    assert f"process {child}" in shown
    cleared = home.run("lock", "clear", "sleepy")
    assert cleared.code == 1
    assert home.json("lock", "show", "sleepy")["verdict"] == "held"
    os.kill(child, signal.SIGKILL)
    until(lambda: home.json("lock", "show", "sleepy")["verdict"] == "dead")
    assert home.row("sleepy")["running"] is None, "a dead run is not shown as going on"
    assert home.json("history", "sleepy")[-1]["status"] == "running", "looking never writes"
    assert "settled as interrupted" in home.run("check").out
    assert home.json("history", "sleepy")[-1]["status"] == "interrupted"
    assert home.json("lock", "show", "sleepy")["verdict"] == "free"


def test_the_next_start_settles_a_dead_lock_by_itself(home, tmp_path):
    line = "test -e done || { touch done; exec sleep 60; }"
    home.job("once", f'shell = "{line}"\nfolder = "{tmp_path}"\nsafe_to_rerun = "yes"\n')
    first = home.start("run", "once")
    started(home, first, "once")
    child = home.json("lock", "show", "once")["evidence"]["child"]["pid"]
    die(first)
    os.kill(child, signal.SIGKILL)
    until(lambda: home.json("lock", "show", "once")["verdict"] == "dead")
    assert home.run("run", "once").code == 0
    assert [run["status"] for run in home.json("history", "once")] == ["completed", "interrupted"]


def test_lock_clear_obeys_a_dead_verdict_and_settles_the_run(home):
    home.job("sleepy", SLEEPY)
    first = home.start("run", "sleepy")
    started(home, first)
    child = home.json("lock", "show", "sleepy")["evidence"]["child"]["pid"]
    die(first)
    os.kill(child, signal.SIGKILL)
    until(lambda: home.json("lock", "show", "sleepy")["verdict"] == "dead")
    assert home.run("lock", "clear", "sleepy").code == 0
    assert home.json("history", "sleepy")[0]["status"] == "interrupted"
    assert home.run("lock", "clear", "sleepy").code == 1, "there is nothing left to clear"


def test_24_starts_in_the_same_instant_give_one_run_and_23_refusals(home):
    home.job("slow", 'command = ["/bin/sleep", "4"]\nsafe_to_rerun = "yes"\n')
    processes = [home.start("run", "slow") for _ in range(24)]
    codes = sorted(finish(process)[0] for process in processes)
    assert codes == [0] + [75] * 23
    records = home.json("history", "slow")
    assert sum(run["count"] for run in records if run["status"] == "refused") == 23
    assert [run["status"] for run in records].count("completed") == 1


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_a_signal_to_the_runner_ends_the_job_and_is_recorded_as_interrupted(home, number, code):
    home.job("sleepy", SLEEPY)
    process = home.start("run", "sleepy")
    started(home, process)
    os.kill(process.pid, number)
    assert finish(process)[0] == code
    [run] = home.json("history", "sleepy")
    assert run["status"] == "interrupted"
    assert number.name.removeprefix("SIG") in run["reason"]


def test_a_run_past_its_deadline_is_ended_with_124(home):
    home.job("sleepy", SLEEPY + '[run]\ndeadline = "1 second"\n')
    assert home.run("run", "sleepy").code == 124
    assert home.json("history", "sleepy")[0]["status"] == "timed-out"


def test_a_job_gets_its_variables_no_terminal_and_nothing_of_the_callers_environment(home, tmp_path):
    home.job("env", 'shell = "env; tty; cat"\nenvironment = { COLOUR = "blue" }\n')
    assert home.run("run", "env", SECRET_OF_THE_CALLER="x").code in (0, 1)
    lines = home.run("log", "env").out.splitlines()
    variables = dict(line.split("=", 1) for line in lines if "=" in line)
    [run] = home.json("history", "env")
    assert variables["RIDGELINE_RUN_ID"] == run["run_id"]
    assert variables["RIDGELINE_JOB"] == "env"
    assert variables["RIDGELINE_FENCE"] == "1"
    assert variables["RIDGELINE_HOME"] == str(tmp_path)
    assert variables["RIDGELINE_CHECKPOINT"].startswith(str(tmp_path))
    assert variables["RIDGELINE_DEADLINE"].endswith("+00:00")
    assert variables["COLOUR"] == "blue"
    assert "SECRET_OF_THE_CALLER" not in variables
    assert "not a tty" in lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('command = ["/nonexistent/program"]\n', "/nonexistent/program"),
        ('command = ["/etc/passwd"]\n', "/etc/passwd"),
        ('command = ["/tmp"]\n', "/tmp"),
        ('command = ["/bin/true"]\nfolder = "/nonexistent/folder"\n', "/nonexistent/folder"),
        ('command = ["/bin/true"]\nsecrets = { KEY = "shop-api" }\n', "shop-api"),
        ('command = ["no-such-program-anywhere"]\n', "no-such-program-anywhere"),
    ],
)
def test_a_job_that_cannot_start_is_refused_with_its_reason_recorded(home, text, said):
    home.job("broken", text)
    answer = home.run("run", "broken")
    assert answer.code == 75
    assert said in answer.err
    [run] = home.json("history", "broken")
    assert (run["status"], run["reason_code"]) == ("refused", "could-not-start")
    assert said in run["reason"]
    assert home.row("broken")["attention"] == "amber"


def test_retries_happen_inside_one_run_and_the_record_counts_attempts(home, tmp_path):
    home.job(
        "flaky",
        f'shell = "echo x >> {tmp_path}/tries; test $(wc -l < {tmp_path}/tries) -ge 3 || exit 75"\n'
        '[run]\nretry = { attempts = 3, base = "1 second", cap = "1 second" }\n',
    )
    assert home.run("run", "flaky").code == 0
    [run] = home.json("history", "flaky")
    assert (run["status"], run["attempt"]) == ("completed", 3)


def test_a_paused_job_refuses_scheduled_starts_in_words_and_runs_by_hand(home):
    home.job(
        "hello",
        'command = ["/bin/true"]\nsafe_to_rerun = "yes"\n[schedule]\nbackend = "none"\nevery = "1 hour"\n',
    )
    assert home.run("pause", "hello", "--for", "3 days", "--reason", "stocktaking").code == 0
    scheduled = home.run("run", "hello", "--trigger", "schedule")
    assert scheduled.code == 75
    assert "stocktaking" in scheduled.err
    assert home.run("run", "hello").code == 0
    assert home.row("hello")["health"] == "paused"
    assert home.run("resume", "hello").code == 0
    assert home.row("hello")["health"] == "ok"
    assert home.run("resume", "hello").code == 1


def test_two_scheduled_starts_of_one_fire_time_make_one_run_and_one_duplicate(home):
    home.job("hourly", 'command = ["/bin/true"]\n[schedule]\nbackend = "none"\nevery = "1 hour"\n')
    fire = "2026-03-02T06:00:00-05:00"
    first = home.run("run", "hourly", "--trigger", "schedule", "--for", fire)
    second = home.run("run", "hourly", "--trigger", "schedule", "--for", fire)
    assert (first.code, second.code) == (0, 75)
    reasons = {run["status"]: run["reason_code"] for run in home.json("history", "hourly")}
    assert reasons == {"completed": "", "refused": "duplicate"}


def test_record_tells_of_a_run_that_happened_elsewhere(home):
    home.job("cloud", 'command = ["/bin/true"]\n[schedule]\nbackend = "none"\ndaily = ["02:00"]\n')
    assert home.row("cloud")["health"] == "never-succeeded"
    assert home.run("record", "cloud", "--status", "completed").code == 0
    row = home.row("cloud")
    assert (row["health"], row["registration"], row["attention"]) == ("ok", "not-wanted", "green")


def test_odd_bytes_of_a_job_come_back_as_they_were(home, tmp_path):
    data = bytes(range(256)) * 4
    (tmp_path / "odd").write_bytes(data)
    home.job("odd", f'command = ["/bin/cat", "{tmp_path}/odd"]\n')
    assert home.run("run", "odd").code == 0
    done = subprocess.run(
        home.argv("log", "odd"), env=home.environment(), capture_output=True, timeout=60, check=True
    )
    assert done.stdout == data


def test_a_run_goes_on_and_is_kept_aside_while_the_records_are_damaged(home, tmp_path: Path):
    home.job("hello", 'command = ["/bin/echo", "hi"]\nsafe_to_rerun = "yes"\n')
    assert home.run("run", "hello").code == 0
    database = tmp_path / "state" / "ridgeline.sqlite3"
    for path in database.parent.glob("ridgeline.sqlite3*"):
        path.write_bytes(b"this is no database" * 400)
    row = home.row("hello")
    assert (row["health"], row["attention"]) == ("unknown", "grey"), (
        "never green while records are unreadable"
    )
    assert home.run("run", "hello").code == 0
    checked = home.run("check")
    assert "kept aside was added" in checked.out
    assert "damaged" in checked.out
    assert [run["status"] for run in home.json("history", "hello")] == ["completed"]
    assert home.row("hello")["health"] == "ok"
