from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ridgeline_desktop.jobkit import RunVariableError, deadline, idempotency_key, job_id, run_id, time_left

part = st.integers() | st.text(min_size=1)


@pytest.fixture
def in_order_sync(monkeypatch):
    monkeypatch.setenv("RIDGELINE_JOB", "order-sync")


def test_a_script_started_by_hand_is_in_no_run_and_has_no_deadline():
    assert (run_id(), job_id(), deadline(), time_left()) == (None, None, None, None)


def test_a_script_knows_its_run_and_its_job(monkeypatch, in_order_sync):
    monkeypatch.setenv("RIDGELINE_RUN_ID", "0195-a")
    assert (run_id(), job_id()) == ("0195-a", "order-sync")


@pytest.mark.parametrize(
    "text", ["2026-03-04T09:12:00Z", "2026-03-04T09:12:00+00:00", "2026-03-04T04:12:00-05:00"]
)
def test_the_deadline_is_an_instant_in_utc(monkeypatch, text):
    monkeypatch.setenv("RIDGELINE_DEADLINE", text)
    assert deadline() == datetime(2026, 3, 4, 9, 12, tzinfo=UTC)
    assert deadline().tzinfo is UTC


def test_the_time_left_is_in_seconds_and_negative_once_it_is_over(monkeypatch):
    monkeypatch.setenv("RIDGELINE_DEADLINE", "2026-03-04T09:12:00Z")
    assert time_left(datetime(2026, 3, 4, 9, 11, 30, tzinfo=UTC)) == 30
    assert time_left(datetime(2026, 3, 4, 9, 12, 5, tzinfo=UTC)) == -5


def test_the_time_left_without_an_argument_is_counted_from_now(monkeypatch):
    monkeypatch.setenv("RIDGELINE_DEADLINE", "2001-01-01T00:00:00Z")
    assert time_left() < 0


@pytest.mark.parametrize("text", ["noon", "2026-03-04T09:12:00"])
def test_a_deadline_that_is_no_instant_is_an_error_that_says_how_to_write_it(monkeypatch, text):
    monkeypatch.setenv("RIDGELINE_DEADLINE", text)
    with pytest.raises(RunVariableError, match="write it like 2026"):
        deadline()


def test_the_key_is_the_job_the_purpose_and_the_thing(in_order_sync):
    assert idempotency_key("shipment", 5048) == "order-sync/shipment/5048"


def test_an_order_number_gives_one_key_as_number_and_as_text(in_order_sync):
    assert idempotency_key("shipment", 5048) == idempotency_key("shipment", "5048")


def test_another_job_has_another_key_for_the_same_order(monkeypatch, in_order_sync):
    ours = idempotency_key("shipment", 5048)
    monkeypatch.setenv("RIDGELINE_JOB", "nightly-invoices")
    assert idempotency_key("shipment", 5048) != ours


@example(one=["shipment/5048"], other=["shipment", 5048])
@example(one=["shipment%2F5048"], other=["shipment/5048"])
@given(one=st.lists(part, min_size=1), other=st.lists(part, min_size=1))
def test_different_parts_never_meet_in_one_key_and_a_key_fits_in_a_header(one, other):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RIDGELINE_JOB", "order-sync")
        same = [str(p) for p in one] == [str(p) for p in other]
        assert (idempotency_key(*one) == idempotency_key(*other)) is same
        assert idempotency_key(*one).isascii()
        assert idempotency_key(*one).isprintable()


@pytest.mark.parametrize("parts", [(), ("shipment", None), ("shipment", ""), ("shipment", 5048.0)])
def test_a_key_that_many_orders_would_share_is_refused(in_order_sync, parts):
    with pytest.raises(ValueError, match="idempotency key"):
        idempotency_key(*parts)


def test_without_the_job_s_id_there_is_no_key_since_it_would_differ_from_the_scheduled_run_s():
    with pytest.raises(RunVariableError, match="ridgeline run JOB"):
        idempotency_key("shipment", 5048)
