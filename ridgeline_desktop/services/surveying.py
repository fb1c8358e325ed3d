"""What this computer's schedulers hold, read once, and how each job stands in them."""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.errors import BackendError, CannotExpress, NotAllowed
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.ports import Backend, Programs, RunLauncher
from ridgeline_desktop.core.registrations import (
    Entry,
    Finding,
    Found,
    Registration,
    RegistrationState,
    ServiceState,
    compare,
)
from ridgeline_desktop.core.schedules import BackendName
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.jobs import Shop

_NOT_READ = ServiceState(running=None, sentence="it was not asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One scheduler as it was found. `why_not` says why it is of no use here ("" = it is).

    `error` is the failure to read it; then `entries` is empty though it may hold some.
    """

    backend: Backend
    why_not: str = ""
    error: str = ""
    entries: Mapping[str, Found]
    service: ServiceState = _NOT_READ


def read_backend(backend: Backend) -> Reading:
    """Ask one scheduler for all that is ours; a failure is told, never taken for "nothing there"."""
    why_not = backend.available()
    if why_not:
        return Reading(backend=backend, why_not=why_not, entries={})
    try:
        entries = {entry.name: entry for entry in backend.read_back()}
        return Reading(backend=backend, entries=entries, service=backend.service_state())
    except NotAllowed as error:
        return Reading(backend=backend, why_not=str(error), error=str(error), entries={})
    except BackendError as error:
        return Reading(backend=backend, error=str(error), entries={})


def is_wanted(job: Job, shop: Shop) -> bool:
    """Whether this computer should start the job by itself."""
    return job.is_scheduled and job.job_id not in shop.settings.runs_elsewhere


def remembered_for(job: Job, known: Registration | None) -> BackendName | None:
    """The scheduler that took a job whose file leaves the choice open; None where there is no such memory."""
    return known.backend if known and job.schedule.backend is BackendName.AUTO else None


def chosen_for(job: Job, readings: Sequence[Reading], asked: BackendName | None) -> Reading:
    """The scheduler that is to start `job`, `asked` for if its file leaves it open; CannotExpress if none."""
    name = job.schedule.backend
    if asked is not None and name not in (BackendName.AUTO, asked):
        raise CannotExpress(f'its job file says backend = "{name}"; change it there')
    for reading in readings:
        if name is BackendName.AUTO and asked is None and not reading.why_not:
            return reading
        if reading.backend.name is (asked or name):
            if reading.why_not:
                raise CannotExpress(
                    f"{reading.backend.name} cannot start it on this computer: {reading.why_not}"
                )
            return reading
    raise CannotExpress(f"this version does not speak to the scheduler it asks for, {asked or name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveying:
    """`backends` in order of preference: the first of use here takes the jobs that say "auto"."""

    backends: tuple[Backend, ...]
    launcher: RunLauncher
    programs: Programs

    def read(self) -> tuple[Reading, ...]:
        """Every scheduler as it stands now."""
        return tuple(read_backend(backend) for backend in self.backends)

    def entry(self, job: Job, zone: ZoneInfo) -> Entry:
        """What `job` asks its scheduler for. `zone` is the shop's."""
        return Entry(
            name=job.job_id,
            argv=self.launcher.command(job.job_id),
            schedule=job.schedule,
            zone=zone_of(job.schedule, zone),
        )

    def objections(self, backend: Backend, entry: Entry) -> tuple[str, ...]:
        """What keeps `entry` from being run by this scheduler as its job file says; empty = nothing."""
        own = self.launcher.objection()
        return ((own,) if own else ()) + tuple(backend.objections(entry))

    def findings(
        self, shop: Shop, registrations: Sequence[Registration], readings: Sequence[Reading]
    ) -> Mapping[str, Finding]:
        """How each job in order stands, by job id, and the entries that no job wants (orphans).

        Where the job files cannot be seen, nothing is called an orphan.
        """
        known = {row.job_id: row for row in registrations}
        found = {job.job_id: self._finding(job, shop, known.get(job.job_id), readings) for job in shop.jobs()}
        broken = {file.job_id for file in shop.files if file.job is None}
        for reading in readings:
            for entry in reading.entries.values():
                kept = found.get(entry.name)
                if entry.name in broken:
                    continue
                if not shop.files:
                    found[entry.name] = _unseen(entry, reading.backend.name)
                elif kept is None:
                    found[entry.name] = _orphan(entry, reading.backend.name)
                elif kept.state is RegistrationState.NOT_WANTED:
                    found[entry.name] = _unwanted(kept, entry, reading.backend.name)
                elif kept.backend is not reading.backend.name:
                    found[entry.name] = _elsewhere(kept, entry, reading.backend.name)
        return found

    def _finding(
        self, job: Job, shop: Shop, known: Registration | None, readings: Sequence[Reading]
    ) -> Finding:
        if not is_wanted(job, shop):
            elsewhere = job.job_id in shop.settings.runs_elsewhere
            text = "it runs on another computer" if elsewhere else "nothing here is to start it by itself"
            return Finding(job_id=job.job_id, state=RegistrationState.NOT_WANTED, sentence=text)
        remembered = remembered_for(job, known)
        try:
            reading = chosen_for(job, readings, remembered)
        except CannotExpress as error:
            asked = remembered or job.schedule.backend
            state = RegistrationState.MISSING if known else RegistrationState.NEVER_REGISTERED
            if known and any(reading.error for reading in readings if reading.backend.name is asked):
                state = RegistrationState.UNVERIFIABLE  # it may stand where we may not look
            return Finding(job_id=job.job_id, state=state, sentence=str(error), backend=asked)
        backend = reading.backend
        if reading.error:
            text = f"this computer's schedule cannot be read: {reading.error}"
            state = RegistrationState.UNVERIFIABLE
            return Finding(job_id=job.job_id, state=state, sentence=text, backend=backend.name)
        wanted, entry = self.entry(job, shop.zone), reading.entries.get(job.job_id)
        return compare(
            job_id=job.job_id,
            backend=backend.name,
            wanted=backend.preview(wanted),
            found=entry,
            objections=self.objections(backend, wanted),
            registered=known is not None,
            service=reading.service,
            program_exists=entry is None or not entry.program or self.programs.exists(entry.program),
        )


def _unseen(entry: Found, backend: BackendName) -> Finding:
    return Finding(
        job_id=entry.name,
        state=RegistrationState.UNVERIFIABLE,
        sentence="the shop folder holds no job files, so nobody can say whether it is wanted",
        backend=backend,
        found=entry.native,
    )


def _orphan(entry: Found, backend: BackendName) -> Finding:
    text = "it stands in this computer's schedule, but no job here wants it; unregister it"
    return Finding(
        job_id=entry.name, state=RegistrationState.ORPHAN, sentence=text, backend=backend, found=entry.native
    )


def _unwanted(kept: Finding, entry: Found, backend: BackendName) -> Finding:
    """A job that this computer should not start, and does."""
    text = f"it stands in the schedule of {backend}, though {kept.sentence}; unregister it"
    return Finding(
        job_id=kept.job_id,
        state=RegistrationState.CHANGED,
        sentence=text,
        backend=backend,
        found=entry.native,
    )


def _elsewhere(kept: Finding, entry: Found, backend: BackendName) -> Finding:
    """A wanted job that stands in the schedule of another scheduler than its own."""
    if kept.found:
        state = RegistrationState.DUPLICATE
        text = f"it stands in the schedules of {kept.backend} and {backend}, so it starts twice; register it"
    else:
        state = RegistrationState.CHANGED
        text = f"it stands in the schedule of {backend} instead of that of {kept.backend}; register it"
    return Finding(
        job_id=kept.job_id,
        state=state,
        sentence=text,
        backend=backend,
        wanted=kept.wanted,
        found=entry.native,
    )
