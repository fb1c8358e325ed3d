"""What a wanted job, what was found and what is known of the scheduler add up to."""

from datetime import UTC, datetime

import pytest

from ridgeline_desktop.core.registrations import (
    DRIFT,
    Finding,
    Found,
    Registration,
    RegistrationState,
    ServiceState,
    compare,
)
from ridgeline_desktop.core.schedules import BackendName

RUNNING = ServiceState(running=True, sentence="cron is running (process 412)")
STOPPED = ServiceState(running=False, sentence="cron is not running")
UNSURE = ServiceState(running=None, sentence="cannot tell whether cron is running")
WANTED = "*/15 * * * * '/opt/python' -I -m ridgeline_desktop run order-sync"


def found(native: str = WANTED, *, copies: int = 1, enabled: bool = True) -> Found:
    return Found(name="order-sync", native=native, program="/opt/python", copies=copies, enabled=enabled)


def finding(
    there: Found | None,
    *,
    registered: bool = True,
    service: ServiceState = RUNNING,
    exists: bool = True,
    objections: tuple[str, ...] = (),
) -> Finding:
    return compare(
        job_id="order-sync",
        backend=BackendName.CRON,
        wanted=WANTED,
        found=there,
        registered=registered,
        service=service,
        program_exists=exists,
        objections=objections,
    )


@pytest.mark.parametrize(
    ("there", "facts", "state", "sentence"),
    [
        (found(), {}, "registered", "registered, and read back as wanted"),
        (found(), {"registered": False}, "registered", "registered, and read back as wanted"),
        (None, {}, "missing", "its entry is gone from this computer's schedule"),
        (None, {"registered": False}, "never-registered", "it is not registered on this computer"),
        (None, {"registered": False, "objections": ("cron has no zones", "it has a %")}, "never-registered",
         "it cannot be registered: cron has no zones; it has a %"),
        (found(), {"objections": ("no zones",)}, "next-run-differs",
         "it does not start as its file says: no zones"),
        (found("@daily x"), {}, "changed", "its entry is not the one its job file asks for"),
        (found(copies=3), {}, "duplicate", "it stands 3 times in this computer's schedule"),
        (found(enabled=False), {}, "disabled", "its entry is switched off"),
        (found(), {"exists": False}, "program-gone",
         "its entry starts a program that no longer exists: /opt/python"),
        (found(), {"service": STOPPED}, "scheduler-stopped", "cron is not running"),
        (found(), {"service": UNSURE}, "unverifiable", "cannot tell whether cron is running"),
    ],
)  # fmt: skip
def test_each_difference_has_its_state_and_its_sentence(there, facts, state, sentence):
    assert finding(there, **facts) == Finding(
        job_id="order-sync",
        state=RegistrationState(state),
        sentence=sentence,
        backend=BackendName.CRON,
        wanted=WANTED,
        found=there.native if there else "",
    )


def test_of_several_differences_the_one_that_alone_keeps_the_job_from_running_is_named():
    worst = found("@daily x", copies=2, enabled=False)
    assert finding(worst, exists=False, service=STOPPED).state is RegistrationState.PROGRAM_GONE
    assert finding(worst, service=STOPPED).state is RegistrationState.DISABLED
    assert finding(found("@daily x", copies=2), service=STOPPED).state is RegistrationState.SCHEDULER_STOPPED
    assert finding(found("@daily x", copies=2), objections=("no",)).state is RegistrationState.DUPLICATE
    assert finding(found("@daily x"), objections=("no",)).state is RegistrationState.CHANGED
    assert finding(None, service=STOPPED).state is RegistrationState.MISSING


def test_drift_is_what_changed_behind_our_back_not_what_was_never_there_or_cannot_be_seen():
    no_drift = {"registered", "not-wanted", "never-registered", "unverifiable"}
    assert {state.value for state in RegistrationState} - {state.value for state in DRIFT} == no_drift


def test_a_registration_remembers_the_text_and_the_definition_it_was_made_from():
    made = Registration(
        job_id="order-sync",
        backend=BackendName.CRON,
        native=WANTED,
        definition="1b5fc31538d27980",
        registered_at=datetime(2026, 3, 4, tzinfo=UTC),
    )
    assert (made.native, made.definition) == (WANTED, "1b5fc31538d27980")
