"""The lab of the cron tests, set up once; every test finds it empty."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "backends"), str(TESTS / "system")]


@pytest.fixture(scope="session")
def whole_lab(tmp_path_factory):
    import cron_lab

    if reason := cron_lab.problem():
        pytest.skip(reason)
    with cron_lab.cron_lab(tmp_path_factory.mktemp("cron-lab")) as lab:
        yield lab


@pytest.fixture
def lab(whole_lab):
    whole_lab.clear()
    return whole_lab
