"""What is written when the sample shop is laid out."""

import os
import py_compile
import re
import stat
import sys
import tomllib
from pathlib import Path

import pytest

from ridgeline_desktop import resource_files
from ridgeline_desktop.core.jobs import not_yet_obeyed
from ridgeline_desktop.core.schedules import ByHand
from ridgeline_desktop.core.settings import Settings, read_settings
from ridgeline_desktop.demo.sample_shop import lay_out

IDS = {"order-sync", "weekly-report", "arrivals-check", "nightly-invoices", "stock-count"}


@pytest.fixture
def shop(open_api, shop_of):
    return shop_of(open_api())


def runbook(shop, job_id):
    return (shop.folder / shop.job(job_id).runbook).read_text()


def test_the_shop_has_five_jobs_and_nothing_in_them_is_refused_or_ignored(shop):
    assert {path.stem for path in (shop.folder / "jobs").iterdir()} == IDS
    assert [not_yet_obeyed(shop.job(job_id)) for job_id in IDS] == [()] * 5


def test_the_jobs_have_the_arguments_of_the_shop_s_crontab_and_one_runs_by_hand(shop):
    assert shop.job("weekly-report").command[-2:] == ("--email", "theo@ridgelinecoffee.example")
    assert shop.job("arrivals-check").command[-2:] == ("--notify", "chat")
    assert [job_id for job_id in IDS if isinstance(shop.job(job_id).schedule.rule, ByHand)] == ["stock-count"]


def test_each_job_says_all_that_a_job_file_can_say_about_itself(shop):
    for job_id in IDS:
        job = shop.job(job_id)
        assert all((job.title, job.about, job.looked_after_by, job.tags, job.run.deadline, job.folder))
        assert job.command[0] == sys.executable


def test_comments_survive_the_filling_in(shop):
    for job_id in IDS:
        shipped = resource_files.read_text(f"demo/jobs/{job_id}.toml")
        written = (shop.folder / "jobs" / f"{job_id}.toml").read_text()
        assert re.findall("#.*", written) == re.findall("#.*", shipped)


def test_paths_with_quotes_and_backslashes_stay_what_they_are(tmp_path):
    awkward = '/opt/a "b" \\c\'s #1/python'
    shop = lay_out(tmp_path / 'the "home"', python=awkward, api_address="http://127.0.0.1:1")
    job = tomllib.loads((shop / "jobs" / "order-sync.toml").read_text())
    assert job["command"] == [awkward, "-I", "-u", "order_sync.py"]
    assert job["folder"] == str(shop / "scripts")


def test_every_runbook_answers_the_questions_of_somebody_who_does_not_program(shop):
    questions = {
        "What it does", "When it runs", "What it touches", "Is it safe to run again?", "When it fails",
        "Who to ask",
    }  # fmt: skip
    failures = {"The shop API answers 503", "Exit code 1"}
    for job_id in IDS:
        text = runbook(shop, job_id)
        assert set(re.findall("^## (.*)", text, re.MULTILINE)) == questions
        assert failures <= set(re.findall("^### (.*)", text, re.MULTILINE))


def test_order_sync_s_runbook_links_the_status_page_of_this_very_api(open_api, shop_of):
    api = open_api()
    text = runbook(shop_of(api), "order-sync")
    links = set(re.findall(r"\]\((.*?)\)", text))
    assert links == {f"{api.address}/status"}


def test_the_settings_are_the_defaults_and_so_the_zone_is_the_computer_s(tmp_path):
    lay_out(tmp_path, python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    assert read_settings((tmp_path / "config" / "settings.toml").read_text()) == (Settings(), ())


def test_all_of_it_is_private_under_any_umask(tmp_path):
    before = os.umask(0)
    try:
        lay_out(tmp_path / "home", python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    finally:
        os.umask(before)
    found = [tmp_path / "home", *(tmp_path / "home").rglob("*")]
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in found}
    assert modes == {(True, 0o700), (False, 0o600)}
    assert (tmp_path / "home" / "state").is_dir()


def test_a_home_that_has_a_shop_is_not_written_over(tmp_path):
    lay_out(tmp_path, python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    settings = tmp_path / "config" / "settings.toml"
    settings.write_text("mine")
    with pytest.raises(FileExistsError):
        lay_out(tmp_path, python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    assert settings.read_text() == "mine"


def test_what_pip_compiled_beside_the_scripts_is_left_out(tmp_path):
    compiled = Path(py_compile.compile(str(resource_files.folder("demo/scripts") / "order_sync.py")))
    try:
        shop = lay_out(tmp_path, python="/usr/bin/python3", api_address="http://127.0.0.1:1")
    finally:
        compiled.unlink()
    assert {path.suffix for path in (shop / "scripts").iterdir()} == {".py"}
