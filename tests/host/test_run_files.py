"""Output on disk: read while a runner writes it, after it ended, and after it was killed."""

import os
import stat

import pytest

from ridgeline_desktop.host.run_files import DiskRunLogs, DiskStopRequests
from ridgeline_desktop.runner.output import RunLog

HEAD, SEGMENT = 100, 20


@pytest.fixture
def logs(tmp_path):
    return DiskRunLogs(str(tmp_path))


def begin(logs, run_id, size):
    log = RunLog(logs.path("sync", run_id), head=HEAD, segment=SEGMENT)
    for at in range(0, size, 7):
        log.write(bytes(65 + n % 26 for n in range(at, min(size, at + 7))))
    return log


def leave(logs, run_id, size):
    """The output of a runner that was killed."""
    pid = os.fork()
    if pid == 0:
        begin(logs, run_id, size)
        os._exit(0)
    os.waitpid(pid, 0)


def all_of(logs, run_id, *, step=None):
    found = b""
    while piece := logs.read("sync", run_id, offset=len(found)):
        found += piece[:step]
    return found


@pytest.mark.parametrize("step", [None, 1, 9])
@pytest.mark.parametrize("size", [50, 100, 101, 120, 121, 140, 141, 160, 161, 999])
def test_what_a_killed_runner_left_reads_as_if_it_had_ended(logs, size, step):
    begin(logs, "a", size).close()
    leave(logs, "b", size)
    assert all_of(logs, "b", step=step) == all_of(logs, "a")
    assert logs.tail("sync", "b", size=5) == all_of(logs, "a")[-5:]


def test_while_a_runner_writes_only_what_stays_as_it_is_is_read(logs):
    log = begin(logs, "a", 500)
    begun = all_of(logs, "a")
    assert len(begun) == HEAD
    log.write(b"the end")
    assert logs.read("sync", "a", offset=HEAD) == b""
    log.close()
    whole = begun
    while piece := logs.read("sync", "a", offset=len(whole)):
        whole += piece
    assert whole == all_of(logs, "a")
    assert whole.endswith(b"the end")


def test_what_a_killed_runner_left_goes_with_its_log_and_no_others(logs, tmp_path):
    leave(logs, "a", 500)
    leave(logs, "b", 500)
    assert len(os.listdir(tmp_path / "sync")) == 6
    logs.delete("sync", ["a"])
    assert {name.partition(".")[0] for name in os.listdir(tmp_path / "sync")} == {"b"}
    logs.delete("sync", ["b"])
    assert os.listdir(tmp_path / "sync") == []
    logs.delete("never-ran", ["a"])


@pytest.mark.parametrize("umask", [0, 0o777])
def test_a_stop_request_is_its_owners_alone(tmp_path, umask):
    stops = DiskStopRequests(str(tmp_path / "state" / "stops"))
    before = os.umask(umask)
    try:
        stops.ask("a", by="Theo")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "state" / "stops" / "a").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stops.asked("a") == "Theo"
