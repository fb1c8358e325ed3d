"""The runner itself is told to end, or is killed: what becomes of the job, its record and its lock."""

import os
import signal
import sys

import pytest

from ridgeline_desktop.core.locks import VerdictKind, judge
from ridgeline_desktop.core.runs import Reason, RunStatus

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@pytest.fixture
def heard():
    """The three signals are heeded, however the tests themselves were started."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("trap", ["", "trap '' TERM HUP INT; "])
@pytest.mark.usefixtures("heard")
def test_a_signal_to_the_runner_ends_the_tree_and_is_recorded(bench, number, trap):
    told = bench.line()
    run = bench.begin(bench.shell(f"{trap}echo words; sleep 60 & echo up > {told}; while :; do wait; done"))
    told.hear()
    os.kill(run.pid, number)
    outcome = run.outcome()
    assert bench.living(run.run_id) == ()
    record = outcome.record
    assert (record.status, record.reason_code) == (RunStatus.INTERRUPTED, Reason.RUNNER_SIGNALLED)
    assert (outcome.exit_code, record.exit_code) == (128 + number, 128 + number)
    assert record.reason == f"the runner was told to end by signal {number.name.removeprefix('SIG')}"
    assert bench.log(outcome) == b"words\n"
    assert bench.locks.inspect("sync").has_record is False


def test_a_runner_started_with_nohup_does_not_end_with_the_terminal(bench):
    told, go_on = bench.line(), bench.line("go-on")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    run = bench.begin(bench.shell(f"echo up > {told}; read line < {go_on}"))
    signal.signal(signal.SIGHUP, before)
    told.hear()
    os.kill(run.pid, signal.SIGHUP)
    go_on.say("\n")
    assert run.outcome().record.status is RunStatus.COMPLETED


def test_a_job_that_survives_its_killed_runner_blocks_the_next_start(bench):
    told = bench.line()
    closing = (
        "import os, sys, time; os.close(250); print(os.getpid(), file=open(sys.argv[1], 'w')); time.sleep(60)"
    )
    run = bench.begin(bench.job(sys.executable, "-I", "-c", closing, str(told)))
    pid = int(told.hear())
    run.kill()
    verdict = judge(bench.locks.inspect("sync"))
    assert verdict.kind is VerdictKind.HELD
    assert f"its job, process {pid}, still runs" in verdict.sentence
    refused = bench.run(bench.job("true"))
    assert refused.record.reason_code is Reason.LOCK_HELD
    os.kill(pid, 9)


def test_the_next_start_settles_a_run_whose_runner_and_job_are_dead(bench, eventually):
    told = bench.line()
    run = bench.begin(bench.shell(f"echo $$ > {told}; exec sleep 60"))
    pid = int(told.hear())
    run.kill()
    os.kill(pid, 9)
    eventually(lambda: judge(bench.locks.inspect("sync")).kind is VerdictKind.DEAD)
    outcome = bench.run(bench.job("true"))
    assert outcome.record.status is RunStatus.COMPLETED
    with bench.store() as store:
        settled = store.run(run.run_id)
        assert (settled.status, settled.finished_at) == (RunStatus.INTERRUPTED, None)
        assert settled.reason.endswith("no longer exist")
        assert store.running() == ()


def test_a_runner_killed_before_it_opens_the_gate_starts_nothing(bench, eventually):
    class DiesAtTheGate:
        def __init__(self, held):
            self._held = held
            self.fence, self.guard_fd, self.cleared = held.fence, held.guard_fd, held.cleared

        def publish(self):
            self._held.publish()

        def publish_child(self, pid, command):
            (bench.folder / "child").write_text(str(pid))
            os.kill(os.getpid(), 9)

    class Locks:
        def acquire(self, job_id, **words):
            return DiesAtTheGate(bench.locks.acquire(job_id, **words))

    run = bench.begin(bench.shell("echo x > ran"), runner=bench.runner(locks=Locks()))
    os.waitpid(run.pid, 0)
    eventually(lambda: judge(bench.locks.inspect("sync")).kind is VerdictKind.DEAD)
    assert not (bench.folder / "ran").exists()


def test_a_child_that_cannot_be_put_on_record_is_never_let_through_the_gate(bench):
    class NoRoom:
        def __init__(self, held):
            self._held = held
            self.fence, self.guard_fd, self.cleared = held.fence, held.guard_fd, held.cleared

        def publish(self):
            self._held.publish()

        def publish_child(self, pid, command):
            raise OSError(28, "No space left on device")

        def release(self):
            self._held.release()

    class Locks:
        def acquire(self, job_id, **words):
            return NoRoom(bench.locks.acquire(job_id, **words))

    outcome = bench.run(bench.shell("echo x > ran"), runner=bench.runner(locks=Locks()))
    assert (outcome.record.status, outcome.record.reason_code) == (RunStatus.REFUSED, Reason.COULD_NOT_START)
    assert outcome.record.reason == "its process could not be put on record: No space left on device"
    assert not (bench.folder / "ran").exists()


def test_a_fault_of_the_runner_ends_the_job_and_is_recorded(bench):
    class Faulty:
        def asked(self, run_id):
            if (bench.folder / "up").exists():
                raise RuntimeError("a fault")

        def withdraw(self, run_id):
            pass

    run = bench.begin(bench.shell("echo > up; sleep 60"), runner=bench.runner(stops=Faulty()))
    os.waitpid(run.pid, 0)
    assert bench.living(run.run_id) == ()
    with bench.store() as store:
        record = store.run(run.run_id)
    assert (record.status, record.reason_code) == (RunStatus.INTERRUPTED, Reason.RUNNER_DIED)
    assert record.reason == "Ridgeline itself failed: RuntimeError: a fault"
