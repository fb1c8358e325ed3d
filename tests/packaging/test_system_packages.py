"""Who may install system packages, and what a person types who may not."""

from system_packages import Need, apt_plan

MISSING = ["tzdata", "cron"]


def plan(*, is_root=False, can_sudo=False, has_sudo=False):
    return apt_plan(is_root=is_root, can_sudo=can_sudo, has_sudo=has_sudo, missing=MISSING)


def test_root_installs_directly():
    assert plan(is_root=True, has_sudo=True).prefix == ()


def test_a_user_whose_sudo_asks_nothing_installs_through_it():
    assert plan(can_sudo=True, has_sudo=True).prefix == ("sudo", "-n")


def test_a_user_whose_sudo_asks_for_a_password_gets_the_line_to_type():
    refused = plan(has_sudo=True)
    assert refused.prefix is None
    assert refused.line == "sudo apt-get update && sudo apt-get install -y tzdata cron"


def test_a_user_without_sudo_gets_a_line_for_roots_password():
    refused = plan()
    assert refused.prefix is None
    assert refused.line == "su -c 'apt-get update && apt-get install -y tzdata cron'"


def test_a_need_is_met_by_a_program_or_a_file_that_is_there():
    assert Need(package="python3", program="python3").is_met()
    assert not Need(package="none", program="no-such-program-here").is_met()
    assert not Need(package="none", pattern="no-such-folder-here/*").is_met()
