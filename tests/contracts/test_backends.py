"""The contract of a scheduler, kept by each of them."""

import cron_lab
import pytest
from backend_contract import BackendContract
from shop_entries import TORONTO, SteppedClock

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.in_app_book import InAppBook


class TestInAppBook(BackendContract):
    @pytest.fixture
    def backend(self, tmp_path):
        return InAppBook(str(tmp_path / "state" / "in-app.json"))


@pytest.mark.system
class TestCronWithItsRealClient(BackendContract):
    @pytest.fixture
    def backend(self, tmp_path):
        if reason := cron_lab.problem():
            pytest.skip(reason)
        clock = SteppedClock()
        with cron_lab.cron_lab(tmp_path) as lab:
            yield CronBackend(
                crontab=lab.crontab,
                lock_path=tmp_path / "crontab.lock",
                backup_folder=tmp_path / "backups",
                clock=clock,
                system_zone=TORONTO,
                pause=clock.pause,
            )
