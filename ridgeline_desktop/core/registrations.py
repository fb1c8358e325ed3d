"""What should stand in the computer's scheduler, what was found there, and the difference (drift)."""

from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.schedules import BackendName, Schedule
from ridgeline_desktop.core.values import dataclass


class RegistrationState(StrEnum):
    """How a job stands in this computer's scheduler."""

    REGISTERED = "registered"
    NEVER_REGISTERED = "never-registered"
    MISSING = "missing"
    CHANGED = "changed"
    DUPLICATE = "duplicate"
    DISABLED = "disabled"
    PROGRAM_GONE = "program-gone"
    SCHEDULER_STOPPED = "scheduler-stopped"
    NEXT_RUN_DIFFERS = "next-run-differs"
    UNVERIFIABLE = "unverifiable"
    NOT_WANTED = "not-wanted"
    ORPHAN = "orphan"


DRIFT = frozenset(RegistrationState) - {
    RegistrationState.REGISTERED,
    RegistrationState.NOT_WANTED,
    RegistrationState.NEVER_REGISTERED,
    RegistrationState.UNVERIFIABLE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What one job asks a scheduler for: its name there, the command, and when, on the clock of `zone`."""

    name: str
    argv: tuple[str, ...]
    schedule: Schedule
    zone: ZoneInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a scheduler holds under one of our names.

    `native` is its own text, fit to be compared with a preview; `program` the absolute path it starts
    ("" = cannot be made out); `copies` how often the name stands there.
    """

    name: str
    native: str
    program: str = ""
    copies: int = 1
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceState:
    """Is the scheduler itself running? None = cannot tell; the sentence is the proof."""

    running: bool | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What was registered last, by our own records."""

    job_id: str
    backend: BackendName
    native: str
    definition: str
    registered_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One job's state in the scheduler, the sentence for it, and both texts where they differ."""

    job_id: str
    state: RegistrationState
    sentence: str
    backend: BackendName = BackendName.NONE
    wanted: str = ""
    found: str = ""


def compare(
    *,
    job_id: str,
    backend: BackendName,
    wanted: str,
    found: Found | None,
    registered: bool,
    service: ServiceState,
    program_exists: bool,
    objections: tuple[str, ...] = (),
) -> Finding:
    """The state of one wanted job; of several differences, the one that keeps it from running goes first.

    `registered` says that our records remember registering it here, `objections` what keeps this
    scheduler from running it as its file says.
    """
    if found is None:
        state, sentence = _absent(registered, objections)
    else:
        state, sentence = _present(wanted, found, service, program_exists, objections)
    return Finding(
        job_id=job_id,
        state=state,
        sentence=sentence,
        backend=backend,
        wanted=wanted,
        found=found.native if found else "",
    )


def _absent(registered: bool, objections: tuple[str, ...]) -> tuple[RegistrationState, str]:
    state = RegistrationState.MISSING if registered else RegistrationState.NEVER_REGISTERED
    if objections:
        return state, f"it cannot be registered: {'; '.join(objections)}"
    if registered:
        return state, "its entry is gone from this computer's schedule"
    return state, "it is not registered on this computer"


def _present(
    wanted: str, found: Found, service: ServiceState, program_exists: bool, objections: tuple[str, ...]
) -> tuple[RegistrationState, str]:
    if not program_exists:
        text = f"its entry starts a program that no longer exists: {found.program}"
        return RegistrationState.PROGRAM_GONE, text
    if not found.enabled:
        return RegistrationState.DISABLED, "its entry is switched off"
    if service.running is False:
        return RegistrationState.SCHEDULER_STOPPED, service.sentence
    if found.copies > 1:
        return RegistrationState.DUPLICATE, f"it stands {found.copies} times in this computer's schedule"
    if found.native != wanted:
        return RegistrationState.CHANGED, "its entry is not the one its job file asks for"
    if objections:
        return (
            RegistrationState.NEXT_RUN_DIFFERS,
            f"it does not start as its file says: {'; '.join(objections)}",
        )
    if service.running is None:
        return RegistrationState.UNVERIFIABLE, service.sentence
    return RegistrationState.REGISTERED, "registered, and read back as wanted"
