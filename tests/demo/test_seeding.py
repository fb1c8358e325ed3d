"""The seeded past: all four lights, whenever and wherever the demo is started."""

import os
import stat
from datetime import UTC, datetime, time, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ridgeline_desktop.core.expectations import expectation_of
from ridgeline_desktop.core.health import Health, assess, shown
from ridgeline_desktop.core.output_lines import telling_line
from ridgeline_desktop.core.runs import Actor, RunStatus, anchor_of, newest_success
from ridgeline_desktop.demo.seeding import BROKEN_LINE, LAST_SYNCED, past_runs, past_states, seed
from ridgeline_desktop.host.run_files import DiskRunLogs
from ridgeline_desktop.jobkit import Checkpoint
from ridgeline_desktop.store import open_store

SAM = Actor(name="Sam", host="till", via="cli")
A_LOOK = timedelta(minutes=10)
YEAR = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("America/Toronto", "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kathmandu")
ZONES = [ZoneInfo(name) for name in NAMES]
LIGHTS = {
    "order-sync": Health.OVERDUE,
    "nightly-invoices": Health.LATE,
    "arrivals-check": Health.NEVER_SUCCEEDED,
    "stock-count": Health.OK,
}


def seeded(jobs, zone, now):
    runs = past_runs(jobs, zone=zone, now=now, host_id="host", actor=SAM)
    return runs, past_states(jobs, runs)


def lights(jobs, past, zone, now):
    """Each job's health at `now`, as judged and as shown."""
    runs, states = past
    found = {}
    for job, state in zip(jobs, states, strict=True):
        success = newest_success((run.record for run in runs if run.record.job_id == job.job_id), now=now)
        anchor = anchor_of(success) if success else None
        wanted = expectation_of(job, state, anchor=anchor, resumed_at=None, zone=zone)
        ended = success.finished_at if success else None
        judged = assess(last_success=ended, due=wanted.due, grace=wanted.grace, now=now)
        visible = shown(judged, due=wanted.due, grace=wanted.grace, run=None, now=now)
        found[job.job_id] = (judged, visible)
    return found


def check_lights(jobs, zone, start):
    past = seeded(jobs, zone, start)
    for now in (start, start + A_LOOK):
        found = lights(jobs, past, zone, now)
        seen = {job_id: {each.health for each in found[job_id]} for job_id in LIGHTS}
        assert seen == {job_id: {health} for job_id, health in LIGHTS.items()}, (zone.key, start.isoformat())
        assert found["arrivals-check"][0].is_red


@given(
    zone=st.sampled_from(ZONES),
    start=st.timedeltas(timedelta(0), timedelta(days=365)).map(lambda passed: YEAR + passed),
)
@example(zone=ZONES[0], start=datetime(2026, 3, 8, 7, 0, tzinfo=UTC))  # Toronto skips 02:00
@example(zone=ZONES[0], start=datetime(2026, 11, 1, 6, 30, tzinfo=UTC))  # Toronto repeats 01:00
@example(zone=ZONES[2], start=datetime(2026, 10, 3, 15, 30, tzinfo=UTC))  # Lord Howe skips 02:00
@example(zone=ZONES[3], start=datetime(2026, 10, 25, 1, 30, tzinfo=UTC))  # Troll repeats two hours
def test_all_four_lights_are_there_at_any_moment_and_ten_minutes_later(sample_jobs, zone, start):
    check_lights(sample_jobs(zone), zone, start)


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_all_four_lights_are_there_right_around_each_fire_time(sample_jobs, zone):
    jobs = sample_jobs(zone)
    moments = [time(1, 59, 59), time(2), time(2, 2, 59), time(2, 3), time(6, 31), time(7, 11)]
    for day, moment in product(range(0, 365, 5), moments):
        local = datetime.combine(YEAR + timedelta(days=day), moment, tzinfo=zone)
        check_lights(jobs, zone, local.astimezone(UTC))


def test_the_weekly_report_is_ok_but_for_its_own_minutes_on_monday(sample_jobs):
    zone = ZONES[0]
    now = datetime(2026, 3, 4, 14, 0, tzinfo=UTC)
    jobs = sample_jobs(zone)
    assert lights(jobs, seeded(jobs, zone, now), zone, now)["weekly-report"][1].health is Health.OK


NOW = datetime(2026, 3, 4, 14, 20, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def past(sample_jobs):
    return seeded(sample_jobs(ZONES[0]), ZONES[0], NOW)


def of(past, job_id):
    return [run for run in past[0] if run.record.job_id == job_id]


def test_each_job_has_a_past_of_twenty_runs_but_the_new_one(past):
    assert {job_id: len(of(past, job_id)) for job_id in (*LIGHTS, "weekly-report")} == {
        "order-sync": 20, "nightly-invoices": 20, "arrivals-check": 2, "stock-count": 20, "weekly-report": 20,
    }  # fmt: skip


def test_order_sync_s_last_four_runs_failed_for_the_reason_their_output_tells(past):
    runs = of(past, "order-sync")
    assert [run.record.status for run in runs] == [RunStatus.COMPLETED] * 16 + [RunStatus.FAILED] * 4
    assert {(run.record.exit_code, run.record.reason) for run in runs[-4:]} == {(1, "exit code 1")}
    assert telling_line(runs[-1].output.encode()) == "the shop API answered 503"
    assert runs[15].output.endswith("the last is 5047\n")


def test_order_sync_s_past_names_each_order_once(past):
    lines = "".join(run.output for run in of(past, "order-sync")).splitlines()
    orders = [int(line[6:10]) for line in lines if line.startswith("order ")]
    assert orders == list(range(5001, 5048))


def test_nothing_in_the_past_is_in_the_future_or_before_the_job_was_first_seen(past):
    first_seen = {state.job_id: state.first_seen for state in past[1]}
    for run in past[0]:
        record = run.record
        assert record.recorded_at is not None
        assert first_seen[record.job_id] < record.started_at < record.recorded_at < NOW
        if record.finished_at:
            assert record.duration == pytest.approx((record.finished_at - record.started_at).total_seconds())


def test_no_fire_time_is_served_twice_and_ids_rise_with_time(past):
    served = [(run.record.job_id, run.record.scheduled_for) for run in past[0] if run.record.scheduled_for]
    assert len(served) == len(set(served))
    for job_id in LIGHTS:
        ids = [run.record.run_id for run in of(past, job_id)]
        assert ids == sorted(set(ids))


def test_what_completed_runs_printed_meets_their_jobs_own_rules(past, sample_jobs):
    rules = {job.job_id: job.run.success for job in sample_jobs(ZONES[0])}
    done = [run for run in past[0] if run.record.status is RunStatus.COMPLETED]
    assert len(done) == 75
    assert [run for run in done if rules[run.record.job_id].must_print not in run.output] == []


def test_runs_by_hand_name_the_person_and_the_others_the_schedule(past):
    assert {run.record.actor.via for run in of(past, "stock-count")} == {"cli"}
    assert {run.record.actor.via for run in of(past, "order-sync")} == {"schedule"}


@pytest.fixture
def seeded_store(tmp_path, sample_jobs):
    logs = DiskRunLogs(str(tmp_path / "logs"))
    before = os.umask(0)
    try:
        with open_store(str(tmp_path / "state"), now=NOW) as store:
            seed(
                store, sample_jobs(ZONES[0]), zone=ZONES[0], now=NOW, actor=SAM,
                log_path=logs.path, checkpoint=tmp_path / "checkpoints" / "order-sync",
            )  # fmt: skip
            yield store, logs
    finally:
        os.umask(before)


def test_the_past_is_in_the_store_and_each_run_s_output_in_its_log(seeded_store):
    store, logs = seeded_store
    assert {state.job_id for state in store.job_states()} == {*LIGHTS, "weekly-report"}
    records = store.recent_runs("order-sync", limit=100)
    assert [record.status for record in records] == [RunStatus.FAILED] * 4 + [RunStatus.COMPLETED] * 16
    assert {record.host_id for record in records} == {store.host_id()}
    assert logs.tail("order-sync", records[0].run_id, size=1000) == f"{BROKEN_LINE}\n".encode()
    assert store.last_success("order-sync", now=NOW) == records[4]
    assert store.running() == ()


def test_the_checkpoint_is_the_last_order_that_the_past_tells_of(seeded_store, tmp_path):
    assert Checkpoint(tmp_path / "checkpoints" / "order-sync").read() == LAST_SYNCED


def test_logs_and_checkpoint_are_private_under_any_umask(seeded_store, tmp_path):
    written = [path for folder in ("logs", "checkpoints") for path in (tmp_path / folder).rglob("*")]
    assert len(written) > 80
    assert {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in written} == {
        (True, 0o700),
        (False, 0o600),
    }
