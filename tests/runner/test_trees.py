"""Ending a run: its whole tree goes, whatever the tree does about it."""

import os
import sys
from datetime import timedelta

import pytest

from ridgeline_desktop.core.jobs import RunRules
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.core.runs import Reason, RunStatus

HIDING = """
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3):
            os.close(number)
        with open(sys.argv[1], "w") as told:
            told.write("up")
        time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""
TREES = {
    "plain": "sleep 60 & sleep 60 | sleep 60 & echo up > {told}; wait",
    "ignoring TERM": "trap '' TERM; sleep 60 & echo up > {told}; while :; do sleep 60; done",
    "stopped": "sleep 60 & kill -STOP $!; sh -c 'echo up > {told}; kill -STOP $$'; wait",
    "hiding": "exec {python} -I {hiding} {told}",
}


@pytest.fixture
def tree(bench):
    """A job made of several processes, by the kind of tree, and where it says that they are all up."""

    def make(kind, **changes):
        (bench.folder / "hiding.py").write_text(HIDING)
        told = bench.line()
        line = TREES[kind].format(told=told, python=sys.executable, hiding=bench.folder / "hiding.py")
        return bench.shell(line, **changes), told

    return make


@pytest.mark.parametrize("kind", TREES)
def test_a_stop_ends_the_whole_tree(bench, tree, kind):
    job, told = tree(kind)
    run = bench.begin(job)
    told.hear()
    assert len(bench.living(run.run_id)) > 1
    bench.stops.ask(run.run_id, by="Jordan")
    outcome = run.outcome()
    assert bench.living(run.run_id) == ()
    assert (outcome.record.status, outcome.record.reason_code) == (RunStatus.STOPPED, Reason.STOPPED_BY)
    assert (outcome.record.reason, outcome.record.exit_code) == ("stopped by Jordan", None)
    assert outcome.exit_code == 143
    assert bench.stops.asked(run.run_id) is None


@pytest.mark.parametrize("kind", TREES)
def test_the_deadline_ends_the_whole_tree(bench, tree, kind):
    job, told = tree(kind, run=RunRules(deadline=timedelta(minutes=90)))
    run = bench.begin(job, runner=bench.leaping())
    told.hear()
    bench.later.touch()
    outcome = run.outcome()
    assert bench.living(run.run_id) == ()
    assert (outcome.record.status, outcome.exit_code) == (RunStatus.TIMED_OUT, 124)
    assert outcome.record.reason == "not finished by its deadline"


@pytest.mark.parametrize("meanwhile", ["sleep 0.02", "kill -STOP $$"])
def test_a_job_may_end_in_order_when_it_is_stopped(bench, meanwhile):
    told = bench.line()
    line = f"trap 'echo tidied; exit 5' TERM; echo up > {told}; while :; do {meanwhile}; done"
    run = bench.begin(bench.shell(line), runner=bench.runner(limits=bench.limits(kill_grace=30.0)))
    told.hear()
    bench.stops.ask(run.run_id, by="Jordan")
    outcome = run.outcome()
    assert outcome.record.status is RunStatus.STOPPED
    assert b"tidied" in bench.log(outcome)


def test_a_stop_ends_the_wait_between_two_attempts(bench, eventually):
    told = bench.line()
    hour = timedelta(hours=1)
    rules = RunRules(retry=RetryPolicy(attempts=2, base=hour, cap=hour), no_deadline=True)
    run = bench.begin(bench.shell(f"echo up > {told}; exit 75", run=rules))
    told.hear()
    eventually(lambda: (child := bench.locks.inspect("sync").child) is not None and child.is_dead)
    bench.stops.ask(run.run_id, by="Jordan")
    outcome = run.outcome()
    assert (outcome.record.status, outcome.record.attempt) == (RunStatus.STOPPED, 1)


def test_the_deadline_counts_all_attempts_together(bench):
    quick = timedelta(milliseconds=1)
    retry = RetryPolicy(attempts=10_000, base=quick, cap=quick)
    line = "echo x >> tries; test $(wc -l < tries) = 3 && touch later; exit 75"
    job = bench.shell(line, run=RunRules(retry=retry, deadline=timedelta(hours=1)))
    outcome = bench.run(job, runner=bench.leaping())
    assert outcome.record.attempt == 3
    ends = (RunStatus.TIMED_OUT, RunStatus.FAILED)  # it is noticed in the attempt, or before the next
    assert outcome.record.status in ends
    assert "deadline" in outcome.record.reason


@pytest.mark.parametrize("line", ["sleep 60 &", "setsid sleep 60 > /dev/null 2>&1 &"])
def test_what_the_job_leaves_behind_is_ended_and_counted(bench, line):
    outcome = bench.run(bench.shell(f"{line} echo last words"))
    assert bench.living(outcome.record.run_id) == ()
    assert (outcome.record.status, outcome.exit_code) == (RunStatus.COMPLETED, 0)
    assert outcome.record.reason == "1 process it left behind was ended"
    assert bench.log(outcome) == b"last words\n"


def test_a_helper_that_ends_by_itself_just_after_the_job_is_not_called_left_behind(bench):
    outcome = bench.run(
        bench.shell("(sleep 0.1; echo late) &"), runner=bench.runner(limits=bench.limits(drain=30.0))
    )
    assert (outcome.record.reason, bench.log(outcome)) == ("", b"late\n")


def test_a_job_allowed_to_leave_children_leaves_them_and_a_free_lock(bench):
    told = bench.line()
    line = f"(echo $$ > /dev/null; exec sleep 60) & echo $! > {told}"
    run = bench.begin(bench.shell(line, run=RunRules(leave_children=True)))
    pid = int(told.hear())
    outcome = run.outcome()
    assert bench.living(run.run_id) == (pid,)
    assert outcome.record.reason == ""
    assert bench.run(bench.job("true")).exit_code == 0
    os.kill(pid, 9)


def test_one_attempts_leftovers_do_not_live_into_the_next(bench):
    quick = timedelta(milliseconds=1)
    line = "test -e pid && kill -0 $(cat pid) && exit 9; sleep 60 & echo $! > pid; exit 75"
    rules = RunRules(retry=RetryPolicy(attempts=2, base=quick, cap=quick))
    outcome = bench.run(bench.shell(line, run=rules))
    assert outcome.record.exit_code == 75


def test_a_process_that_will_not_end_keeps_the_lock_and_is_named(bench):
    """Stands in for a process in uninterruptible sleep, which no signal ends."""

    class OneStays:
        def identity(self, pid):
            return bench.processes.identity(pid)

        def tree(self, run_id, root):
            return (*bench.processes.tree(run_id, root), 2**22 + 1)

    runner = bench.runner(processes=OneStays(), limits=bench.limits(kill_for=0.1))
    outcome = bench.run(bench.shell("sleep 60 & exit 0"), runner=runner)
    assert outcome.record.reason.endswith(f"these processes could not be ended: {2**22 + 1}")
    assert bench.locks.inspect("sync").has_record
