"""Any record survives the store and the spool, and the store's answers agree with the arithmetic."""

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ridgeline_desktop.core.runs import (
    Actor,
    Reason,
    RunRecord,
    RunStatus,
    Trigger,
    is_from_the_future,
    newest_success,
)
from ridgeline_desktop.store.rows import instant_text

NOW = datetime(2026, 3, 4, 9, tzinfo=UTC)

texts = st.text(max_size=30)
big = st.integers(-(2**63), 2**63 - 1)
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Two days from the ends of the calendar, where an offset leads out of it.
instants = st.builds(
    lambda instant, zone: instant.replace(tzinfo=zone),
    st.datetimes().filter(lambda instant: 2 <= instant.toordinal() <= date.max.toordinal() - 2),
    offsets,
)
near = st.integers(-40, 40).map(lambda minutes: NOW + timedelta(minutes=minutes))
actors = st.builds(Actor, name=texts, host=texts, via=texts)
ids = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=36).filter(
    lambda text: text.strip("-")
)
records = st.builds(
    RunRecord,
    run_id=ids,
    host_id=texts,
    job_id=texts,
    trigger=st.sampled_from(Trigger),
    status=st.sampled_from(RunStatus),
    started_at=instants,
    actor=actors,
    scheduled_for=st.none() | instants,
    finished_at=st.none() | instants,
    recorded_at=st.none() | instants,
    duration=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    exit_code=st.none() | big,
    attempt=big,
    reason_code=st.sampled_from(Reason),
    reason=texts,
    event_key=texts,
    fence=st.none() | big,
    definition=texts,
    identity=texts,
    count=big,
)
same_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@same_store
@given(record=records)
def test_any_record_survives_the_store(store, record):
    store._database.write("delete from runs where run_id <> ''")
    store.add_run(record)
    assert store.run(record.run_id) == record


@same_store
@given(record=records)
def test_any_record_survives_the_spool(spool, record):
    spool.write(record)
    assert record in spool.records()
    spool.discard(record.run_id)


@same_store
@given(
    runs=st.lists(
        st.builds(
            RunRecord,
            run_id=ids,
            host_id=st.just("h"),
            job_id=st.just("order-sync"),
            trigger=st.just(Trigger.SCHEDULE),
            status=st.sampled_from((RunStatus.COMPLETED, RunStatus.COMPLETED, RunStatus.FAILED)),
            started_at=near,
            finished_at=st.none() | near,
            scheduled_for=st.none() | near,
            actor=st.just(Actor(name="", host="", via="")),
        ),
        max_size=6,
        unique_by=(lambda run: run.run_id, lambda run: run.scheduled_for or run.run_id),
    )
)
def test_the_last_success_is_the_one_the_arithmetic_names(store, runs):
    store._database.write("delete from runs where run_id <> ''")
    for run in runs:
        store.add_run(run)
    named = newest_success(runs, now=NOW)
    found = store.last_success("order-sync", now=NOW)
    assert (found is None) == (named is None)
    if found and named:
        assert newest_success([found, named], now=NOW) == found  # equal anchors: either is right
    done = [run for run in runs if run.status is RunStatus.COMPLETED and run.finished_at is not None]
    ahead = [run for run in done if is_from_the_future(run, now=NOW)]
    assert store.has_future_success("order-sync", now=NOW) == bool(ahead)


@given(one=instants, other=instants)
def test_the_order_of_instants_as_text_is_the_order_of_time(one, other):
    assert (instant_text(one) < instant_text(other)) == (one < other)
    assert len(instant_text(one)) == len(instant_text(other))
