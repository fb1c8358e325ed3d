"""Registering jobs with the computer's schedulers, reading every entry back, and finding drift."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from ridgeline_desktop.core.errors import BackendError, CannotExpress, RidgelineError
from ridgeline_desktop.core.expectations import new_state, zone_of
from ridgeline_desktop.core.jobs import Job, cautions, not_yet_obeyed
from ridgeline_desktop.core.ports import Backend, Clock, Programs, RunLauncher, SettingsFile, Store, StoreDoor
from ridgeline_desktop.core.registrations import (
    Entry,
    Finding,
    Found,
    Registration,
    RegistrationState,
    ServiceState,
    compare,
)
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.schedules import BackendName, is_superset
from ridgeline_desktop.services.jobs import Jobs, Shop


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What became of one job: whether the scheduler now holds it as wanted, and the sentence for it."""

    job_id: str
    done: bool
    sentence: str
    native: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Scheduling:
    """`backends` in order of preference: the first that is available takes the jobs that say "auto"."""

    jobs: Jobs
    backends: tuple[Backend, ...]
    stores: StoreDoor
    settings_file: SettingsFile
    launcher: RunLauncher
    programs: Programs
    clock: Clock
    actor: Actor

    def is_wanted(self, job: Job, shop: Shop) -> bool:
        """Whether this computer should start the job by itself."""
        return job.is_scheduled and job.job_id not in shop.settings.runs_elsewhere

    def _usable(self) -> "_Usable":
        return {backend.name: (backend, backend.available()) for backend in self.backends}

    def entry(self, job: Job, zone: ZoneInfo) -> Entry:
        """What `job` asks its scheduler for."""
        return Entry(
            name=job.job_id,
            argv=self.launcher.command(job.job_id),
            schedule=job.schedule,
            zone=zone_of(job.schedule, zone),
        )

    def findings(self, shop: Shop, registrations: Sequence[Registration]) -> Mapping[str, Finding]:
        """How every job in order stands in its scheduler, by job id; entries of no wanted job are orphans."""
        known = {row.job_id: row for row in registrations}
        usable = self._usable()
        read = {name: _read(backend) for name, (backend, why_not) in usable.items() if not why_not}
        found = {job.job_id: self._finding(job, shop, known, usable, read) for job in shop.jobs()}
        for backend, reading in read.items():
            if isinstance(reading, BackendError):
                continue
            for entry in reading.entries.values():
                kept = found.get(entry.name)
                if kept is None or kept.state is RegistrationState.NOT_WANTED:
                    found[entry.name] = _orphan(entry, backend)
                elif kept.backend is not backend:
                    found[entry.name] = _doubled(entry, backend)
        return found

    def _finding(
        self,
        job: Job,
        shop: Shop,
        known: Mapping[str, Registration],
        usable: "_Usable",
        read: "Mapping[BackendName, _Reading | BackendError]",
    ) -> Finding:
        if not self.is_wanted(job, shop):
            elsewhere = job.job_id in shop.settings.runs_elsewhere
            text = (
                "it runs on another computer" if elsewhere else "nothing on this computer starts it by itself"
            )
            return Finding(job_id=job.job_id, state=RegistrationState.NOT_WANTED, sentence=text)
        try:
            backend = _chosen(job, usable, _remembered(job, known))
        except CannotExpress as error:
            return Finding(job_id=job.job_id, state=RegistrationState.UNVERIFIABLE, sentence=str(error))
        reading = read[backend.name]
        if isinstance(reading, BackendError):
            text = f"this computer's schedule cannot be read: {reading}"
            return Finding(job_id=job.job_id, state=RegistrationState.UNVERIFIABLE, sentence=text)
        wanted, entry = self.entry(job, shop.zone), reading.entries.get(job.job_id)
        return compare(
            job_id=job.job_id,
            backend=backend.name,
            wanted=backend.preview(wanted),
            found=entry,
            objections=backend.objections(wanted),
            registered=job.job_id in known,
            service=reading.service,
            program_exists=entry is None or not entry.program or self.programs.exists(entry.program),
        )

    def verify(self) -> tuple[Finding, ...]:
        """Every finding, sorted by job id, orphans among them."""
        shop = self._shop()
        with self.stores.reading() as store:
            registrations = store.registrations()
        return tuple(finding for _, finding in sorted(self.findings(shop, registrations).items()))

    def register(
        self, job_ids: Sequence[str], *, backend: BackendName | None = None, dry_run: bool = False
    ) -> tuple[Registered, ...]:
        """Register these jobs (none named = all that want it) and read each back.

        `backend` takes the jobs whose files say "auto". A job whose schedule its scheduler cannot say is
        left out, in words; the others go on. `dry_run` only gives the text that would be registered.
        """
        shop, usable = self._shop(), self._usable()
        results: dict[str, Registered] = {}
        ready: dict[BackendName, list[Job]] = {}
        for job in self._named(job_ids, shop):
            try:
                chosen = _chosen(job, usable, backend)
            except CannotExpress as error:
                results[job.job_id] = Registered(job_id=job.job_id, done=False, sentence=str(error))
                continue
            results[job.job_id] = self._previewed(job, chosen, shop)
            if results[job.job_id].done:
                ready.setdefault(chosen.name, []).append(job)
        if not dry_run:
            self._want_here([job.job_id for jobs in ready.values() for job in jobs], shop)
            for name, jobs in ready.items():
                results.update(self._apply(usable, name, jobs, shop))
        return tuple(results.values())

    def _previewed(self, job: Job, backend: Backend, shop: Shop) -> Registered:
        entry = self.entry(job, shop.zone)
        objections = backend.objections(entry)
        if objections:
            return Registered(job_id=job.job_id, done=False, sentence="; ".join(objections))
        text = f"would be registered with {backend.name}"
        return Registered(
            job_id=job.job_id,
            done=True,
            sentence=text,
            native=backend.preview(entry),
            notes=(*_supersets(entry), *cautions(job), *not_yet_obeyed(job)),
        )

    def _apply(
        self, usable: "_Usable", name: BackendName, jobs: Sequence[Job], shop: Shop
    ) -> dict[str, Registered]:
        entries = {job.job_id: self.entry(job, shop.zone) for job in jobs}
        backend = usable[name][0]
        with self.stores.writing() as store:
            backend.apply(tuple(entries.values()))
            for other, why_not in usable.values():
                if other is not backend and not why_not:
                    other.remove(tuple(entries))  # or two schedulers would start it
            there = _entries(backend.read_back())
            return {job.job_id: self._record(backend, job, entries[job.job_id], there, store) for job in jobs}

    def _record(
        self, backend: Backend, job: Job, entry: Entry, there: Mapping[str, Found], store: Store
    ) -> Registered:
        now = self.clock.now()
        wanted = backend.preview(entry)
        found = there.get(job.job_id)
        if found is None or found.native != wanted:
            text = f"{backend.name} took the entry, but it does not read back as wanted; run verify and look"
            return Registered(
                job_id=job.job_id, done=False, sentence=text, native=found.native if found else ""
            )
        if store.job_state(job.job_id) is None:
            store.save_job_state(new_state(job, now=now))
        store.save_registration(
            Registration(
                job_id=job.job_id,
                backend=backend.name,
                native=wanted,
                definition=job.definition,
                registered_at=now,
            )
        )
        store.journal(
            at=now, actor=self.actor, action="register", job_id=job.job_id, run_id="", detail=wanted
        )
        return Registered(
            job_id=job.job_id,
            done=True,
            sentence=f"registered with {backend.name} and read back",
            native=wanted,
            notes=(*_supersets(entry), *cautions(job), *not_yet_obeyed(job)),
        )

    def unregister(self, job_ids: Sequence[str]) -> tuple[Registered, ...]:
        """Take these jobs out of this computer's schedulers (none named = all), and say they run elsewhere.

        A job whose file is gone is forgotten: its row disappears, its runs stay.
        """
        shop = self._shop()
        with self.stores.writing() as store:
            known = {row.job_id for row in store.registrations()} | {s.job_id for s in store.job_states()}
            ours = {job.job_id for job in shop.jobs() if job.is_scheduled}
            there: set[str] = set()
            for backend in self.backends:
                if not backend.available():
                    there |= _entries(backend.read_back()).keys()
            files = {file.job_id for file in shop.files}
            chosen = tuple(job_ids) or tuple(sorted(ours | there))
            _refuse_unknown(chosen, known | ours | there | files)
            for backend in self.backends:
                if not backend.available():
                    backend.remove(chosen)
            elsewhere = (*shop.settings.runs_elsewhere, *(j for j in chosen if j in ours))
            self.settings_file.set_runs_elsewhere(tuple(dict.fromkeys(elsewhere)))
            return tuple(self._forget(job_id, store, has_file=job_id in files) for job_id in chosen)

    def _forget(self, job_id: str, store: Store, *, has_file: bool) -> Registered:
        store.drop_registration(job_id)
        if not has_file:
            store.forget_job(job_id)
        store.journal(
            at=self.clock.now(), actor=self.actor, action="unregister", job_id=job_id, run_id="", detail=""
        )
        text = "taken out of this computer's schedule" + (
            "" if has_file else ", and forgotten: its file is gone"
        )
        return Registered(job_id=job_id, done=True, sentence=text)

    def _want_here(self, job_ids: Sequence[str], shop: Shop) -> None:
        left = tuple(job_id for job_id in shop.settings.runs_elsewhere if job_id not in job_ids)
        if left != shop.settings.runs_elsewhere:
            self.settings_file.set_runs_elsewhere(left)

    def _named(self, job_ids: Sequence[str], shop: Shop) -> list[Job]:
        if not job_ids:
            return [job for job in shop.jobs() if self.is_wanted(job, shop)]
        chosen = [self.jobs.job(job_id) for job_id in dict.fromkeys(job_ids)]
        for job in chosen:
            if not job.is_scheduled:
                raise RidgelineError(
                    f'job "{job.job_id}" is started by hand or elsewhere, so there is nothing to register; '
                    'its file needs a [schedule] that says when, and no backend = "none"'
                )
        return chosen

    def _shop(self) -> Shop:
        shop = self.jobs.look()
        if shop.error:
            raise RidgelineError(shop.error)
        return shop


_Usable = Mapping[BackendName, tuple[Backend, str]]


def _supersets(entry: Entry) -> tuple[str, ...]:
    if not is_superset(entry.schedule):
        return ()
    return ("its line also starts it on other days; Ridgeline ends those starts at once, without a record",)


def _remembered(job: Job, known: Mapping[str, Registration]) -> BackendName | None:
    """The scheduler that took a job which leaves the choice open."""
    row = known.get(job.job_id)
    return row.backend if row is not None and job.schedule.backend is BackendName.AUTO else None


def _chosen(job: Job, usable: _Usable, asked: BackendName | None) -> Backend:
    """The scheduler that is to start `job`, `asked` for if its file leaves it open; CannotExpress if none."""
    name = job.schedule.backend
    if asked is not None and name not in (BackendName.AUTO, asked):
        raise CannotExpress(f'its job file says backend = "{name}"; change it there')
    name = asked or name
    for backend, why_not in usable.values():
        if name is BackendName.AUTO and not why_not:
            return backend
        if backend.name is name:
            if why_not:
                raise CannotExpress(f'backend = "{name}" cannot be used on this computer: {why_not}')
            return backend
    raise CannotExpress(f'backend = "{name}" cannot be used on this computer: this version does not speak it')


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    entries: Mapping[str, Found]
    service: ServiceState


def _read(backend: Backend) -> _Reading | BackendError:
    try:
        return _Reading(entries=_entries(backend.read_back()), service=backend.service_state())
    except BackendError as error:
        return error


def _entries(found: Sequence[Found]) -> dict[str, Found]:
    return {entry.name: entry for entry in found}


def _orphan(entry: Found, backend: BackendName) -> Finding:
    text = "it stands in this computer's schedule, but no job here wants it; unregister it"
    return Finding(
        job_id=entry.name, state=RegistrationState.ORPHAN, sentence=text, backend=backend, found=entry.native
    )


def _doubled(entry: Found, backend: BackendName) -> Finding:
    text = f"it also stands in the schedule of {backend}, so it would start twice; register it again"
    return Finding(
        job_id=entry.name,
        state=RegistrationState.DUPLICATE,
        sentence=text,
        backend=backend,
        found=entry.native,
    )


def _refuse_unknown(chosen: Sequence[str], known: set[str]) -> None:
    for job_id in chosen:
        if job_id not in known:
            raise RidgelineError(
                f'nothing is known of a job "{job_id}"; known: {", ".join(sorted(known)) or "none"}'
            )
