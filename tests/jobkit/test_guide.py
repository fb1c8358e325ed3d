"""The example in the job author's guide, run as it is printed there."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "for-job-authors.md"


def printed(language):
    return re.search(rf"```{language}\n(.*?)```", GUIDE.read_text(), re.DOTALL).group(1)


@pytest.fixture
def order_sync(tmp_path, server):
    script = tmp_path / "order_sync.py"
    script.write_text(printed("python"))
    server.body = json.dumps([{"id": 5048}, {"id": 5046}, {"id": 5050}]).encode()
    run = {
        "RIDGELINE_JOB": "order-sync",
        "RIDGELINE_CHECKPOINT": str(tmp_path / "checkpoint.json"),
        "SHOP_API": f"http://127.0.0.1:{server.port}",
    }

    def start():
        return subprocess.run(
            [sys.executable, script], env=os.environ | run, capture_output=True, text=True, timeout=60
        )

    (tmp_path / "checkpoint.json").write_text("5047")
    return start


def test_the_example_books_each_new_order_once_over_two_runs(order_sync, server, tmp_path):
    assert order_sync().stdout == "2 orders booked\n"
    assert order_sync().stdout == "0 orders booked\n"
    assert [headers["Idempotency-Key"] for method, _, headers in server.asked if method == "POST"] == [
        "order-sync/shipment/5048",
        "order-sync/shipment/5050",
    ]
    assert [json.loads(body) for body in server.bodies if body] == [{"order": 5048}, {"order": 5050}]
    assert (tmp_path / "checkpoint.json").read_text() == "5050"


def test_the_example_goes_on_after_the_last_order_it_finished(order_sync, server, tmp_path):
    server.answers = [200, 200, 404]
    assert order_sync().returncode == 1
    assert (tmp_path / "checkpoint.json").read_text() == "5048"
    assert order_sync().stdout == "1 orders booked\n"


def test_the_example_s_job_file_is_toml_and_starts_the_example():
    job = tomllib.loads(printed("toml"))
    assert job["command"][-1] == "order_sync.py"
    assert job["run"]["retry"] == {"attempts": 3}
