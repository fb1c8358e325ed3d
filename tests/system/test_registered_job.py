"""The whole way: the command registers a job with the real daemon, which starts real runs."""

import json
import shutil
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

pytestmark = pytest.mark.system

TORONTO = ZoneInfo("America/Toronto")


def at(text: str) -> datetime:
    """An instant of 15 January 2026 by the shop's clock."""
    return datetime.fromisoformat(f"2026-01-15 {text}").replace(tzinfo=TORONTO)


class Shop:
    """A home whose one job appends the time, and an interpreter that lives on the lab's clock."""

    def __init__(self, lab, folder: Path) -> None:
        self.lab = lab
        self.home = folder / "home"
        self.seen = folder / "seen.txt"
        jobs = self.home / "data" / "shop" / "jobs"
        jobs.mkdir(parents=True)
        for path in (self.home, self.home / "data", jobs.parent, jobs):
            path.chmod(0o700)
        date = lab.on_moved_clock("/bin/date")
        (jobs / "tick.toml").write_text(
            f'shell = "{date} +%H:%M >> {self.seen}"\n\n[schedule]\nevery = "5 minutes"\nbackend = "cron"\n'
        )
        self.python = self._interpreter(folder / "environment")

    def _interpreter(self, folder: Path) -> str:
        """A command that Python takes for itself, so that what is registered runs on the lab's clock too."""
        real = Path(sys.executable)
        (folder / "bin").mkdir(parents=True)
        (folder / "lib").symlink_to(real.parents[1] / "lib")
        shutil.copy(real.parents[1] / "pyvenv.cfg", folder)
        # Python sleeps until an instant of the steady clock: moved halfway, such a sleep is refused.
        moved = {k: v for k, v in self.lab.clock_settings().items() if k != "DONT_FAKE_MONOTONIC"}
        settings = " ".join(f"{key}={value}" for key, value in moved.items())
        python = folder / "bin" / "python"
        python.write_text(f'#!/bin/bash\nexport {settings}\nexec -a "$0" {real} "$@"\n')
        python.chmod(0o755)
        return str(python)

    def ridgeline(self, *arguments: str) -> str:
        done = self.lab.run(
            self.python, "-I", "-m", "ridgeline_desktop", "--home", str(self.home), *arguments
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout.decode()

    def lines(self) -> list[str]:
        return self.seen.read_text().split() if self.seen.exists() else []

    def completed(self) -> list[str]:
        runs = json.loads(self.ridgeline("history", "tick", "--json"))
        return sorted(run["scheduled_for"] for run in runs if run["status"] == "completed")


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="not on this platform: needs a virtual environment")
def test_a_job_registered_by_command_runs_under_cron_with_a_record_of_each_fire_time_until_unregistered(
    lab, tmp_path
):
    shop = Shop(lab, tmp_path)
    foreign = b"# by hand\n17 3 * * * /usr/local/bin/tidy --all\n"
    lab.install(foreign)
    with lab.daemon(at("08:58:50")):
        assert "registered with cron and read back" in shop.ridgeline("register", "--all")
        assert lab.listed().endswith(foreign)
        assert json.loads(shop.ridgeline("verify", "--json"))[0]["registration"] == "registered"
        for count, fire in enumerate(("09:00", "09:05", "09:10"), start=1):
            lab.set_clock(at(f"{fire}:02"))
            lab.wait_for(lambda count=count: len(shop.completed()) == count)
        assert shop.completed() == [
            "2026-01-15T14:00:00+00:00",
            "2026-01-15T14:05:00+00:00",
            "2026-01-15T14:10:00+00:00",
        ]
        row = json.loads(shop.ridgeline("list", "--json"))[0]
        assert (row["health"], row["attention"], row["last_run"]["trigger"]) == ("ok", "green", "schedule")

        shop.ridgeline("unregister", "tick")
        assert lab.listed() == foreign
        for later in ("09:15", "09:20"):
            lab.set_clock(at(f"{later}:02"))
        assert json.loads(shop.ridgeline("verify", "--json"))[0]["registration"] == "not-wanted"
    assert shop.lines() == ["09:00", "09:05", "09:10"]


def test_an_entry_removed_behind_our_back_is_missing_and_an_edited_one_is_changed(lab, tmp_path):
    shop = Shop(lab, tmp_path)
    with lab.daemon(at("08:58:50")):
        shop.ridgeline("register", "--all")
        lab.install(lab.listed().replace(b"*/5 * * * *", b"*/6 * * * *"))
        assert json.loads(shop.ridgeline("verify", "--json"))[0]["registration"] == "changed"
        lab.install(b"# all gone\n")
        assert json.loads(shop.ridgeline("verify", "--json"))[0]["registration"] == "missing"
        row = json.loads(shop.ridgeline("list", "--json"))[0]
        assert (row["attention"], row["reasons"][0]["code"]) == ("amber", "missing")
        assert "read back" in shop.ridgeline("register", "tick")
        assert lab.listed().endswith(b"# all gone\n")
        assert json.loads(shop.ridgeline("verify", "--json"))[0]["registration"] == "registered"
