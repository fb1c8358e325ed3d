"""The contract of a scheduler, kept by each of them."""

import cron_lab
import pytest
from backend_contract import BackendContract
from shop_entries import TORONTO, SteppedClock

from ridgeline_desktop.backends.cron import CronBackend
from ridgeline_desktop.backends.in_app import InAppScheduler


class TestInApp(BackendContract):
    @pytest.fixture
    def backend(self):
        return InAppScheduler(start=lambda job_id, fire_time: None)


class TestInAppWhileItRuns(BackendContract):
    @pytest.fixture
    def backend(self):
        scheduler = InAppScheduler(start=lambda job_id, fire_time: None)
        scheduler.start()
        yield scheduler
        scheduler.shutdown()


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
