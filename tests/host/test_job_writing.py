"""Job files written on disk: whole or not at all, and only over what was looked at."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ridgeline_desktop.core.errors import JobFileMoved, NotTrusted, NotWritten, RidgelineError, ShopUnreadable
from ridgeline_desktop.host.shop_folder import DiskShopFolder

OLD, NEW = '\ufeffcommand = ["x"] # é\r\n', 'command = ["y"]\n'


class Shop:
    def __init__(self, root: Path) -> None:
        root.chmod(0o700)
        self.root, self.jobs = root, root / "jobs"
        self.jobs.mkdir(mode=0o700)
        self.folder = DiskShopFolder(str(root), shared_allowed=False)

    def file(self, job_id: str = "sync", text: str = OLD, mode: int = 0o600) -> Path:
        path = self.jobs / f"{job_id}.toml"
        path.write_bytes(text.encode())
        path.chmod(mode)
        return path

    def names(self) -> list[str]:
        return sorted(os.listdir(self.jobs))


@pytest.fixture
def shop(tmp_path):
    return Shop(tmp_path)


def test_a_source_is_the_text_exactly_as_on_disk(shop):
    shop.file()
    assert shop.folder.read_source("sync") == OLD
    assert shop.folder.read_source("other") is None


def test_a_written_file_holds_the_text_to_the_last_byte_and_keeps_its_mode(shop):
    path = shop.file(mode=0o640)
    shop.folder.write_job("sync", OLD + NEW, replacing=OLD)
    assert path.read_bytes() == (OLD + NEW).encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert shop.names() == ["sync.toml"]


def test_a_new_file_is_its_owners_alone(shop):
    shop.folder.write_job("new", NEW, replacing=None)
    assert (shop.jobs / "new.toml").read_text() == NEW
    assert stat.S_IMODE((shop.jobs / "new.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("there", "replacing"), [("theirs", "mine before"), ("theirs", None), (None, "mine before")]
)
def test_a_file_that_changed_meanwhile_is_left_alone_and_both_texts_are_told(shop, there, replacing):
    if there is not None:
        shop.file(text=there)
    with pytest.raises(JobFileMoved) as caught:
        shop.folder.write_job("sync", NEW, replacing=replacing)
    assert (caught.value.theirs, caught.value.ours) == (there, NEW)
    assert shop.folder.read_source("sync") == there
    with pytest.raises(JobFileMoved) as caught:
        shop.folder.delete_job("sync", replacing=NEW)
    assert (caught.value.theirs, caught.value.ours) == (there, None)
    assert shop.folder.read_source("sync") == there


def test_a_file_is_removed_only_as_it_was_looked_at(shop):
    shop.file()
    shop.folder.delete_job("sync", replacing=OLD)
    assert shop.names() == []


@pytest.mark.parametrize("job_id", ["../x", "X", "", "con", "a/b", ".x"])
def test_only_ids_of_jobs_are_names_of_files(shop, job_id):
    for attempt in (
        lambda: shop.folder.read_source(job_id),
        lambda: shop.folder.write_job(job_id, NEW, replacing=None),
        lambda: shop.folder.delete_job(job_id, replacing=NEW),
    ):
        with pytest.raises(RidgelineError, match="cannot be a job's id"):
            attempt()
    assert shop.names() == []


def test_a_link_stays_and_its_target_is_written(shop):
    target = shop.root / "elsewhere.toml"
    target.write_text(NEW)
    target.chmod(0o600)
    (shop.jobs / "sync.toml").symlink_to(target)
    shop.folder.write_job("sync", OLD, replacing=NEW)
    assert (shop.jobs / "sync.toml").is_symlink()
    assert target.read_bytes() == OLD.encode()
    shop.folder.delete_job("sync", replacing=OLD)
    assert target.exists()
    assert shop.names() == []


def test_a_link_into_a_folder_that_everybody_may_write_is_refused(shop):
    open_to_all = shop.root / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    (open_to_all / "x.toml").write_text(NEW)
    (open_to_all / "x.toml").chmod(0o600)
    (shop.jobs / "sync.toml").symlink_to(open_to_all / "x.toml")
    with pytest.raises(NotTrusted, match="written by everybody"):
        shop.folder.write_job("sync", OLD, replacing=NEW)
    assert (open_to_all / "x.toml").read_text() == NEW


def test_a_link_to_nowhere_is_told_in_words(shop):
    (shop.jobs / "sync.toml").symlink_to(shop.root / "gone")
    with pytest.raises(ShopUnreadable, match="cannot be read"):
        shop.folder.write_job("sync", NEW, replacing=None)
    assert not (shop.root / "gone").exists()


def test_a_file_that_is_no_text_is_told_in_words(shop):
    (shop.jobs / "sync.toml").write_bytes(b"a\n\xff")
    with pytest.raises(RidgelineError, match="line 2 is not UTF-8"):
        shop.folder.read_source("sync")


FULL_DISK = f"""
import resource, signal, sys
from ridgeline_desktop.core.errors import NotWritten
from ridgeline_desktop.host.shop_folder import DiskShopFolder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    DiskShopFolder(sys.argv[1], shared_allowed=False).write_job("sync", "# " + "x" * 200, replacing={OLD!r})
except NotWritten as error:
    print(error)
"""


def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(shop):
    shop.file()
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(shop.root)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "sync.toml could not be written: File too large. Nothing was changed." in done.stdout
    assert shop.folder.read_source("sync") == OLD
    assert shop.names() == ["sync.toml"]


def test_a_disk_that_refuses_is_told_in_words(shop):
    shop.file()
    (shop.jobs / ".sync.toml.new").mkdir()
    with pytest.raises(
        NotWritten, match=r"sync.toml could not be written: Is a directory. Nothing was changed."
    ):
        shop.folder.write_job("sync", NEW, replacing=OLD)
    assert shop.folder.read_source("sync") == OLD


def test_the_folder_of_a_new_shop_is_made_only_where_nobody_chose_another(tmp_path):
    root = tmp_path / "data" / "shop"
    with pytest.raises(ShopUnreadable, match="there is no folder"):
        DiskShopFolder(str(root), shared_allowed=False).write_job("new", NEW, replacing=None)
    assert not root.exists()
    DiskShopFolder(str(root), shared_allowed=False, may_make=True).write_job("new", NEW, replacing=None)
    assert (root / "jobs" / "new.toml").read_text() == NEW


def test_of_many_writers_with_the_same_view_exactly_one_gets_through(shop):
    shop.file(text="0")
    outcomes: list[str] = []

    def write(text: str) -> None:
        try:
            DiskShopFolder(str(shop.root), shared_allowed=False).write_job("sync", text, replacing="0")
            outcomes.append(text)
        except JobFileMoved:
            pass

    threads = [threading.Thread(target=write, args=(str(number),)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert outcomes == [shop.folder.read_source("sync")]
    assert shop.names() == ["sync.toml"]
