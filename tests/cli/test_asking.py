"""The question before a repeat, asked at a real terminal, and starts that never come to a run."""

import os
import pty
import select

import pytest

ASK = 'command = ["/bin/true"]\nsafe_to_rerun = "ask"\n'


def at_a_terminal(home, *arguments, answer):
    """Exit code and all that was shown, where somebody types `answer` at the question."""
    argv = home.argv(*arguments)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(argv[0], argv, home.environment())
    shown = b""
    try:
        while select.select((terminal,), (), (), 30)[0] and (piece := os.read(terminal, 4096)):
            shown += piece
            if answer and shown.endswith(b"[y/N] "):
                os.write(terminal, answer)
                answer = b""
    except OSError:
        pass  # Linux says so where the other end is closed
    os.close(terminal)  # which hangs up on whatever still waits for an answer
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode(errors="replace")


@pytest.mark.parametrize("answer", [b"\x03", b"\x04", b"n\n", b"\n", b"\xff\n"])
def test_ctrl_c_and_ctrl_d_mean_no_like_every_answer_but_yes(home, answer):
    home.job("careful", ASK)
    assert home.run("run", "careful").code == 0
    code, shown = at_a_terminal(home, "run", "careful", answer=answer)
    assert code == 75
    assert "Traceback" not in shown
    assert "--again" in shown
    assert home.json("history", "careful")[0]["reason_code"] == "not-safe-to-rerun"


def test_yes_runs_it_again_and_a_first_run_asks_nothing(home):
    home.job("careful", ASK)
    assert at_a_terminal(home, "run", "careful", answer=b"") == (0, "")
    code, shown = at_a_terminal(home, "run", "careful", answer=b"y\n")
    assert (code, "Run it again?" in shown) == (0, True)
    assert [run["status"] for run in home.json("history", "careful")] == ["completed"] * 2


@pytest.mark.parametrize("job_id", ["nosuch", "../../etc/passwd"])
def test_a_job_that_never_was_gets_no_record(home, job_id):
    refused = home.run("run", job_id)
    assert refused.code == 75
    assert f'there is no job "{job_id}"' in refused.err
    assert home.run("history", job_id).code == 1


@pytest.mark.parametrize("change", ["vanish", "break"])
def test_a_job_whose_file_vanished_or_broke_gets_its_refusal_on_record(home, change):
    path = home.job("fine", ASK)
    if change == "vanish":
        assert home.run("run", "fine").code == 0
        path.unlink()
    else:
        path.write_text("command = 7\n")
    assert home.run("run", "fine", "--trigger", "schedule").code == 75
    newest = home.json("history", "fine")[0]
    assert (newest["status"], newest["reason_code"]) == ("refused", "could-not-start")
    assert "fine" in newest["reason"]


def test_a_refusal_that_the_records_cannot_take_waits_in_the_spool(home):
    path = home.job("fine", ASK)
    assert home.run("run", "fine").code == 0
    path.unlink()
    for part in (home.root / "state").glob("ridgeline.sqlite3*"):
        part.unlink()
    (home.root / "state" / "ridgeline.sqlite3").mkdir()
    assert home.run("run", "fine").code == 75
    assert len(list((home.root / "state" / "spool").iterdir())) == 1


def test_a_state_folder_that_is_in_the_way_is_told_in_words(home):
    home.job("fine", ASK)
    (home.root / "state").mkdir(mode=0o700)
    (home.root / "state" / "checkpoints").touch()
    refused = home.run("run", "fine")
    assert refused.code == 75
    assert "Traceback" not in refused.err
    assert "checkpoints cannot be made" in refused.err


@pytest.mark.parametrize("trigger", ["manual", "arrival", "event"])
def test_a_fire_time_is_for_runs_that_serve_one(home, trigger):
    home.job("fine", ASK)
    fire = ("--for", "2026-03-02T06:30-05:00")
    refused = home.run("run", "fine", "--trigger", trigger, *fire)
    assert refused.code == 2
    assert "--trigger schedule or catch-up" in refused.err
    assert home.run("run", "fine", "--trigger", "catch-up", *fire).code == 0


def test_a_fire_time_to_come_is_not_served(home):
    home.job("fine", ASK)
    refused = home.run("run", "fine", "--trigger", "schedule", "--for", "2999-03-02T06:30-05:00")
    assert (refused.code, "--for is in the future" in refused.err) == (2, True)
