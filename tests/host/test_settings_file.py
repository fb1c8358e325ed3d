"""settings.toml changed on disk: key by key, and whole or not at all."""

import stat

import pytest

from ridgeline_desktop.core.errors import NotTrusted, NotWritten, SettingsBroken
from ridgeline_desktop.host.settings_file import DiskSettingsFile

TEXT = """\
# the till
name = "Sam" # who
runs_elsewhere = [
  # Theo's laptop
  "report", # on Mondays
]

[retention] # of each job
days = 30
"""


class Home:
    def __init__(self, folder):
        folder.chmod(0o700)
        self.path = folder / "settings.toml"
        self.file = DiskSettingsFile(str(self.path))

    def holds(self, text):
        self.path.write_bytes(text.encode())
        self.path.chmod(0o600)

    def text(self):
        return self.path.read_bytes().decode()


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    made.holds(TEXT)
    return made


def test_only_the_named_keys_change_and_comments_stay(home):
    home.file.write({"name": "Theo", "retention.days": 60, "retention.runs": 9, "zone": "UTC"})
    assert home.text() == TEXT.replace('"Sam" # who', '"Theo" # who').replace(
        "days = 30\n", "days = 60\nruns = 9\n"
    ).replace("]\n\n", ']\nzone = "UTC"\n\n')


def test_none_takes_a_key_out(home):
    home.file.write({"name": None, "retention.days": None, "zone": None, "retention.runs": None})
    assert home.text() == TEXT.replace('name = "Sam" # who\n', "").replace("days = 30\n", "")


def test_what_is_so_already_is_not_written_again(home):
    before = home.path.stat().st_mtime_ns, home.path.stat().st_ino
    home.file.write({"name": "Sam", "retention.days": 30, "zone": None})
    home.file.note_elsewhere(add=["report"], drop=["other"])
    assert (home.path.stat().st_mtime_ns, home.path.stat().st_ino) == before


def test_a_comment_inside_the_list_of_jobs_survives(home):
    home.file.note_elsewhere(add=["sync"])
    assert '  # Theo\'s laptop\n  "report", # on Mondays\n  "sync",\n]\n' in home.text()
    home.file.note_elsewhere(drop=["report", "sync"])
    assert home.text() == TEXT.replace('  "report", # on Mondays\n', "")
    assert home.file.read()[0].runs_elsewhere == ()


def test_a_list_without_comments_goes_with_its_last_job(home):
    home.holds('name = "Sam"\nruns_elsewhere = ["report"]\n')
    home.file.note_elsewhere(drop=["report"])
    assert home.text() == 'name = "Sam"\n'


def test_a_link_stays_a_link(home, tmp_path):
    target = tmp_path / "dotfiles" / "settings.toml"
    target.parent.mkdir(mode=0o700)
    home.path.rename(target)
    home.path.symlink_to(target)
    home.file.write({"name": "Theo"})
    home.file.note_elsewhere(add=["sync"])
    assert home.path.is_symlink()
    assert home.file.read()[0].name == "Theo"
    assert '"sync"' in target.read_text()


def test_a_link_into_a_folder_that_everybody_may_write_is_refused(home, tmp_path):
    target = tmp_path / "open" / "settings.toml"
    target.parent.mkdir()
    home.path.rename(target)
    target.parent.chmod(0o777)
    home.path.symlink_to(target)
    with pytest.raises(NotTrusted, match="by everybody"):
        home.file.write({"name": "Theo"})
    assert target.read_text() == TEXT


def test_a_file_that_is_not_in_order_stays_as_it_is(home):
    home.holds("name = 1\n")
    for change in (lambda: home.file.write({"zone": "UTC"}), lambda: home.file.note_elsewhere(add=["sync"])):
        with pytest.raises(SettingsBroken, match=r"settings.toml:1: name must be"):
            change()
    assert home.text() == "name = 1\n"


def test_a_value_that_would_be_refused_is_not_written(home):
    with pytest.raises(SettingsBroken, match="not a time zone"):
        home.file.write({"zone": "Mars/Base"})
    assert home.text() == TEXT


def test_line_ends_and_the_byte_order_mark_stay(home):
    home.holds('\ufeffname = "Sam"\r\n')
    home.file.write({"zone": "UTC", "retention.days": 9})
    assert home.text() == '\ufeffname = "Sam"\r\nzone = "UTC"\r\n\r\n[retention]\r\ndays = 9\r\n'


def test_a_first_settings_file_is_its_owners_alone(home, tmp_path):
    fresh = tmp_path / "config" / "settings.toml"
    DiskSettingsFile(str(fresh)).write({"name": "Sam"})
    assert fresh.read_text() == 'name = "Sam"\n'
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o600


def test_a_disk_that_refuses_is_told_in_words(home):
    (home.path.parent / ".settings.toml.new").mkdir()
    with pytest.raises(NotWritten, match="Is a directory"):
        home.file.write({"name": "Theo"})
    assert home.text() == TEXT
