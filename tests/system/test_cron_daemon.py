"""Registered jobs and the real Debian daemon on a moved clock."""

import time
from datetime import datetime, timedelta

import pytest
from shop_entries import TORONTO, entry

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.core.schedules import Every
from ridgeline_desktop.host.clock import SystemClock

pytestmark = pytest.mark.system

FIVE_MINUTES = Every(interval=timedelta(minutes=5))


def at(text: str) -> datetime:
    """An instant of 15 January 2026 by the shop's clock."""
    return datetime.fromisoformat(f"2026-01-15 {text}").replace(tzinfo=TORONTO)


class Shop:
    """Jobs that append the minute to a file of their own, and a foreign line that does so every minute."""

    def __init__(self, lab, folder):
        self._folder = folder
        self._date = lab.on_moved_clock("/bin/date")
        lab.install(f"* * * * * {self._job('foreign')}\n".encode())

    def _job(self, name):
        script = self._folder / f"{name}.sh"
        script.write_text(f"#!/bin/sh\n{self._date} +%H:%M >> {self._folder}/{name}.txt\n", encoding="utf-8")
        script.chmod(0o755)
        return str(script)

    def entry(self, name, rule=FIVE_MINUTES):
        return entry(name, rule, argv=(self._job(name),))

    def lines(self, name):
        path = self._folder / f"{name}.txt"
        return path.read_text(encoding="ascii").split() if path.exists() else []


@pytest.fixture
def shop(lab, tmp_path):
    return Shop(lab, tmp_path)


@pytest.fixture
def backend(lab, tmp_path):
    return CronBackend(
        crontab=lab.crontab,
        lock_path=tmp_path / "crontab.lock",
        backup_folder=tmp_path / "backups",
        clock=SystemClock(),
        system_zone=TORONTO,
        pause=time.sleep,
    )


def test_a_registered_job_runs_at_each_fire_time_and_after_its_removal_no_more(lab, shop, backend):
    with lab.daemon(at("08:58:50")) as daemon:
        assert backend.service_state().running is True
        backend.apply([shop.entry("order-sync")])
        for count, fire in enumerate(("09:00", "09:05", "09:10"), start=1):
            lab.set_clock(at(f"{fire}:02"))
            lab.wait_for(lambda count=count: len(shop.lines("order-sync")) == count)
        backend.remove(["order-sync"])
        assert backend.read_back() == ()
        assert b"order-sync" not in lab.listed()
        for later in ("09:15", "09:20", "09:21"):
            lab.set_clock(at(f"{later}:02"))
            lab.wait_for(lambda later=later: later in shop.lines("foreign"))
        assert shop.lines("order-sync") == ["09:00", "09:05", "09:10"]
        assert daemon > 0


def test_of_two_registrations_in_a_row_the_daemon_knows_both(lab, shop, backend):
    with lab.daemon(at("08:58:50")):
        backend.apply([shop.entry("order-sync")])
        backend.apply([shop.entry("weekly-report")])
        lab.set_clock(at("09:00:02"))
        lab.wait_for(lambda: shop.lines("order-sync") == shop.lines("weekly-report") == ["09:00"])


def test_the_daemon_is_seen_while_it_lives(lab, backend):
    with lab.daemon(at("08:58:50")) as daemon:
        state = backend.service_state()
        assert state.running is True
        assert "is running (process" in state.sentence
    assert f"(process {daemon})" not in backend.service_state().sentence
