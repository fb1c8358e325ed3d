"""Stages run real processes: all of them, each within its limit, and say how it went."""

import os
import select
import shutil
import sys

import pytest
from commands import stages_of_test
from stages import Stage, run_stage, run_stages


def python(program):
    return (sys.executable, "-c", program)


def stage(*commands, name="one", limit=60, judged=True):
    return Stage(name=name, commands=commands, limit=limit, judged=judged)


def test_a_failing_stage_fails_the_run_and_stops_no_other(tmp_path, capfd):
    stages = [
        stage(python("raise SystemExit(3)"), python("print('second command')"), name="first"),
        stage(python("print('second stage')"), name="second"),
    ]
    assert run_stages(stages, tmp_path) == 1
    shown = capfd.readouterr().out
    assert "second command" in shown
    assert "second stage" in shown
    first, second = shown.splitlines()[-2:]
    assert first.startswith("first    FAILED")
    assert "exit code 3" in first
    assert second.startswith("second   passed")


def test_a_stage_that_is_only_shown_fails_nothing(tmp_path, capfd):
    assert run_stages([stage(python("raise SystemExit(1)"), judged=False)], tmp_path) == 0
    assert "one      noted" in capfd.readouterr().out


def test_a_program_that_is_not_there_is_a_failure_and_no_traceback(tmp_path):
    assert "exit code 127" in run_stage(stage((str(tmp_path / "nothing"),)), tmp_path).problem


@pytest.mark.skipif(sys.platform == "win32", reason="not on this platform: no process groups")
def test_a_stage_out_of_time_is_named_and_takes_its_children_along(tmp_path):
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    child = "['sh', '-c', 'printf up >alive; exec sleep 60 >alive']"
    slow = python(f"import subprocess, time; child = subprocess.Popen({child}); time.sleep(300)")
    outcome = run_stage(stage(slow, python("print('not reached')"), name="slow", limit=2), tmp_path)
    assert os.read(reader, 100) == b"up"
    # The pipe ends, and only then reads as ready again, when the last process that holds it is gone.
    assert select.select([reader], [], [], 20)[0]
    os.close(reader)
    assert outcome.problem.startswith("ran out of its 2 s in: python")
    assert "FAILED" in outcome.line()


def names(root, **chosen):
    return [
        stage.name
        for stage in stages_of_test(root, **{"everything": False, "pytest_arguments": [], **chosen})
    ]


def test_the_plain_test_run_leaves_the_labs_out(tmp_path):
    assert names(tmp_path) == ["core", "suite"]


def test_the_whole_test_run_lints_first_and_measures_last(tmp_path):
    whole = names(tmp_path, everything=True)
    assert whole[0] == "lint"
    assert whole[-1] == "bench"


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="not on this platform: no apt-get")
def test_the_desktop_lab_alone_has_a_screen_a_bus_and_qts_platform_for_it(tmp_path):
    whole = stages_of_test(tmp_path, everything=True, pytest_arguments=[])
    stages = {stage.name: " ".join(stage.commands[0]) for stage in whole if stage.commands}
    words = stages.pop("desktop")
    assert words.startswith(
        "xvfb-run -a -s -screen 0 1280x800x24 dbus-run-session -- env QT_QPA_PLATFORM=xcb "
    )
    assert words.endswith("-m pytest -m desktop --ignore=tests/core")
    assert list(stages)[-1] == "system"
    assert not any("QT_QPA_PLATFORM" in others for others in stages.values())


def test_the_whole_test_run_stays_within_25_minutes(tmp_path):
    stages = stages_of_test(tmp_path, everything=True, pytest_arguments=[])
    assert sum(stage.limit for stage in stages) <= 25 * 60


def test_arguments_go_to_one_pytest(tmp_path):
    (only,) = stages_of_test(tmp_path, everything=False, pytest_arguments=["-k", "locks"])
    assert only.commands[0][-4:] == ("-m", "not system and not desktop", "-k", "locks")


def test_with_everything_the_arguments_choose_alone(tmp_path):
    (only,) = stages_of_test(tmp_path, everything=True, pytest_arguments=["tests/desktop"])
    assert only.commands[0][-3:] == ("-m", "pytest", "tests/desktop")
