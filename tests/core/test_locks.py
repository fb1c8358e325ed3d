"""The decision table on a lock, line by line: the first that applies is the answer."""

from dataclasses import replace

import pytest

from ridgeline_desktop.core.locks import (
    GuardState,
    Liveness,
    LockEvidence,
    ProcessFinding,
    VerdictKind,
    judge,
)

HELD, DEAD, CANNOT_TELL, FREE = (
    VerdictKind.HELD,
    VerdictKind.DEAD,
    VerdictKind.CANNOT_TELL,
    VerdictKind.FREE,
)


def runner(liveness, proof="python3, started 2026-03-01T02:04:05Z"):
    return ProcessFinding(pid=41, liveness=liveness, proof=proof)


def job(liveness, proof="sync, started 2026-03-01T02:04:06Z"):
    return ProcessFinding(pid=42, liveness=liveness, proof=proof)


ALL_DEAD = LockEvidence(
    job_id="order-sync",
    guard=GuardState.FREE,
    has_record=True,
    run_id="r1",
    recorded_host="till",
    started_at="2026-03-01T02:04:05+00:00",
    runner=runner(Liveness.GONE),
    child_recorded=True,
    child=job(Liveness.GONE),
)

# Every line with the least that makes it true, over a record whose processes are all dead.
TABLE = [
    (1, HELD, {"guard": GuardState.HELD}, "The operating system reports the lock held"),
    (2, CANNOT_TELL, {"guard": GuardState.UNOPENABLE, "guard_detail": "g: Input/output error"},
     "The lock cannot be examined: g: Input/output error"),
    (3, CANNOT_TELL, {"local_disk": False}, "On this network folder other computers cannot be ruled out"),
    (3, CANNOT_TELL, {"locks_work": False}, "On this network folder other computers cannot be ruled out"),
    (4, CANNOT_TELL, {"record_readable": False, "record_detail": "r1.json is torn"},
     "The lock record cannot be read: r1.json is torn"),
    (5, CANNOT_TELL, {"same_machine": False}, "Taken on computer till, not this one"),
    (5, CANNOT_TELL, {"machine_named": False, "same_machine": False},
     "Taken before a restart, and this computer has no machine id to know itself by"),
    (5, CANNOT_TELL, {"same_state_folder": False}, "Taken in another state folder than this one"),
    (6, DEAD, {"same_boot": False}, "This computer has restarted since"),
    (7, CANNOT_TELL, {"same_pid_namespace": False}, "Taken inside another container"),
    (4, CANNOT_TELL, {"runner": None}, "The lock record cannot be read"),
    (9, CANNOT_TELL, {"runner": runner(Liveness.UNREADABLE, "/proc does not show its start")},
     "Process 41 exists but may not be examined: /proc does not show its start"),
    (11, HELD, {"runner": runner(Liveness.ALIVE)},
     "Runner process 41 is running (python3, started 2026-03-01T02:04:05Z)"),
    (12, CANNOT_TELL, {"child_recorded": True, "child": None, "child_readable": False},
     "The runner is gone, but the record of its job cannot be read"),
    (12, HELD, {"child": job(Liveness.ALIVE)},
     "The runner is gone but its job, process 42, still runs (sync, started 2026-03-01T02:04:06Z)"),
    (12, CANNOT_TELL, {"child": job(Liveness.UNREADABLE, "/proc does not show its start")},
     "The job's process 42 exists but may not be examined: /proc does not show its start"),
    (13, HELD, {"survivors": (50,)}, "Still running of that run: process 50"),
    (13, HELD, {"survivors": (50, 51)}, "Still running of that run: processes 50, 51"),
    (13, CANNOT_TELL, {"survivors_readable": False},
     "This computer's process table cannot rule out processes started by that run"),
    (14, DEAD, {"child_recorded": False, "child": None},
     "Its runner is gone and the job had not been started"),
    (15, DEAD, {}, "Runner process 41 and job process 42 no longer exist"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "kind", "facts", "sentence"), TABLE)
def test_a_line_of_the_table_gives_its_verdict_in_its_words(line, kind, facts, sentence):
    verdict = judge(replace(ALL_DEAD, **facts))
    assert (verdict.line, verdict.kind) == (line, kind)
    assert verdict.sentence.startswith(sentence)


@pytest.mark.parametrize("upper", range(len(TABLE)))
def test_of_two_lines_that_apply_the_upper_one_answers(upper):
    line, _, facts, _ = TABLE[upper]
    for lower_line, _, lower_facts, _ in TABLE[upper + 1 :]:
        if lower_line >= line:
            assert judge(replace(ALL_DEAD, **(lower_facts | facts))).line == line


@pytest.mark.parametrize("liveness", [Liveness.GONE, Liveness.REUSED, Liveness.EXITED])
def test_a_runner_that_is_gone_replaced_or_a_zombie_is_equally_dead(liveness):
    assert judge(replace(ALL_DEAD, runner=runner(liveness))).line == 15
    assert judge(replace(ALL_DEAD, child=job(liveness))).line == 15


def test_without_a_record_a_free_guard_leaves_nothing_to_judge():
    verdict = judge(LockEvidence(job_id="order-sync", guard=GuardState.FREE))
    assert (verdict.kind, verdict.line) == (FREE, 0)


def test_without_a_record_a_network_folder_still_rules_nobody_out():
    verdict = judge(LockEvidence(job_id="order-sync", guard=GuardState.FREE, local_disk=False))
    assert (verdict.kind, verdict.line) == (CANNOT_TELL, 3)


def test_the_age_of_a_record_is_no_fact():
    ancient = replace(ALL_DEAD, started_at="1970-01-01T00:00:00+00:00", runner=runner(Liveness.ALIVE))
    assert judge(ancient).kind is HELD


@pytest.mark.parametrize(
    ("facts", "who"),
    [
        ({"runner": runner(Liveness.ALIVE)}, " by process 41 (python3, started 2026-03-01T02:04:05Z)"),
        ({"child": job(Liveness.ALIVE)},
         ": the runner is gone but its job, process 42, still runs (sync, started 2026-03-01T02:04:06Z)"),
        ({"survivors": (50, 51)}, " by processes 50, 51 (run started 2026-03-01T02:04:05+00:00)"),
        ({}, " (run started 2026-03-01T02:04:05+00:00)"),
        ({"runner": None, "started_at": ""}, ""),
    ],
)  # fmt: skip
def test_a_held_guard_names_its_holder_where_that_is_known(facts, who):
    held = replace(ALL_DEAD, guard=GuardState.HELD, **facts)
    assert judge(held).sentence == f"The operating system reports the lock held{who}"


@pytest.mark.parametrize("liveness", Liveness)
def test_only_a_proven_end_is_dead(liveness):
    finding = ProcessFinding(pid=5, liveness=liveness, proof="")
    assert finding.is_dead is (liveness in (Liveness.GONE, Liveness.REUSED, Liveness.EXITED))
