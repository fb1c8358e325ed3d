"""What is remembered beside the runs: jobs, pauses, registrations, the journal and single values."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ridgeline_desktop.core.expectations import JobState, Pause
from ridgeline_desktop.core.registrations import Registration
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.store import open_store


@pytest.fixture
def job(now):
    return JobState(
        job_id="order-sync",
        first_seen=now,
        schedule_text='every = "15 minutes"',
        changed_at=now + timedelta(hours=1),
        held_due=now + timedelta(hours=2),
        held_grace=timedelta(days=3, microseconds=1),
    )


@pytest.fixture
def pause(now, actor):
    return Pause(job_id="order-sync", begun_at=now, until=None, reason="stocktaking", actor=actor)


@pytest.fixture
def registration(now):
    return Registration(
        job_id="order-sync",
        backend=BackendName.CRON,
        native="*/15 * * * * x",
        definition="d",
        registered_at=now,
    )


def test_the_state_of_a_job_is_remembered_to_the_microsecond(store, job):
    assert store.job_state("order-sync") is None
    store.save_job_state(job)
    assert store.job_state("order-sync") == job


def test_a_newer_state_replaces_the_old_one(store, job):
    newer = replace(job, held_due=None, held_grace=timedelta(0), changed_at=None)
    store.save_job_state(job)
    store.save_job_state(newer)
    assert store.job_states() == (newer,)


def test_a_forgotten_job_loses_its_state_and_keeps_its_runs(store, job, record):
    other = replace(job, job_id="weekly-report")
    for state in (other, job):
        store.save_job_state(state)
    store.add_run(record("a"))
    assert store.job_states() == (job, other)
    store.forget_job("order-sync")
    assert store.job_states() == (other,)
    assert store.run("a") is not None


def test_the_newest_pause_replaces_the_one_before_it(store, pause, now):
    assert store.pause_of("order-sync") is None
    store.save_pause(replace(pause, until=now + timedelta(days=1)))
    ended = replace(pause, ended_at=now + timedelta(hours=1))
    store.save_pause(ended)
    assert store.pause_of("order-sync") == ended
    assert store.pause_of("weekly-report") is None


def test_a_registration_replaces_the_jobs_older_one_in_any_scheduler(store, registration):
    other = replace(registration, job_id="weekly-report")
    moved = replace(registration, backend=BackendName.SYSTEMD)
    for kept in (other, registration, moved):
        store.save_registration(kept)
    assert store.registrations() == (moved, other)


def test_a_dropped_registration_is_gone(store, registration):
    store.save_registration(registration)
    store.drop_registration("order-sync")
    store.drop_registration("order-sync")
    assert store.registrations() == ()


def test_a_registration_with_a_scheduler_of_a_newer_program_is_left_out(store, registration, change):
    store.save_registration(registration)
    change("update registrations set backend = 'launchd'")
    assert store.registrations() == ()


def test_single_values_are_remembered(store):
    assert store.meta("last-check") == ""
    store.set_meta("last-check", "09:00")
    store.set_meta("last-check", "09:05")
    assert store.meta("last-check") == "09:05"


def test_the_journal_keeps_every_line_in_order(store, actor, now, ask):
    for detail in ("first", "second"):
        store.journal(
            at=now, actor=actor, action="lock cleared", job_id="order-sync", run_id="a", detail=detail
        )
    lines = ask("select at, actor_name, actor_host, actor_via, action, job_id, run_id, detail from journal")
    kept = ("2026-03-04T09:00:00.000000+00:00", "Theo", "till", "cli", "lock cleared", "order-sync", "a")
    assert lines == [(*kept, "first"), (*kept, "second")]


def test_the_computers_id_is_made_once(state, store, now):
    with open_store(state, now=now) as another:
        assert another.host_id() == store.host_id() != ""


def test_a_name_that_is_no_text_is_kept_readable(store, actor, pause):
    # How Python holds a file name that is no UTF-8.
    store.save_pause(replace(pause, actor=replace(actor, name="caf\udce9"), reason="\udcff"))
    kept = store.pause_of("order-sync")
    assert (kept.actor.name, kept.reason) == ("caf\\udce9", "\\udcff")
