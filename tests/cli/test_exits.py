"""What a command exits with when it fails: 3 for those that judge, whatever the arguments look like."""

import pytest


@pytest.mark.parametrize("command", ["check", "verify"])
def test_a_command_that_judges_cannot_tell_what_it_failed_to_look_at(home, command):
    assert home.run(command, "--nonsense").code == 3
    home.root.chmod(0o777)
    failed = home.run(command)
    assert (failed.code, "can be written by everybody" in failed.err) == (3, True)


def test_verify_cannot_tell_without_its_records_or_its_shop(home):
    home.job("fine", 'command = ["/bin/true"]\n')
    (home.root / "state").mkdir(mode=0o700)
    (home.root / "state" / "ridgeline.sqlite3").mkdir()
    unreadable = home.run("verify")
    assert (unreadable.code, "ridgeline.sqlite3" in unreadable.err) == (3, True)
    (home.root / "state" / "ridgeline.sqlite3").rmdir()
    home.jobs.rename(home.root / "elsewhere")
    assert home.run("verify").code == 3


@pytest.mark.parametrize("job_id", ["check", "verify"])
def test_a_job_called_like_a_command_that_judges_changes_no_exit_code(home, job_id):
    home.job(job_id, 'command = ["/bin/true"]\n')
    assert home.run("log", job_id).code == 1
    assert home.run("log", job_id, "--nonsense").code == 2
