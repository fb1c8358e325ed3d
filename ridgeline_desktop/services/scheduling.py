"""Registering jobs with the computer's schedulers and taking them out again; every write is read back."""

from collections.abc import Sequence

from ridgeline_desktop.core.errors import BackendError, CannotExpress, RidgelineError
from ridgeline_desktop.core.job_files import JobFile
from ridgeline_desktop.core.jobs import Job, cautions, not_yet_obeyed
from ridgeline_desktop.core.memories import remember, take_note
from ridgeline_desktop.core.ports import Clock, SettingsFile, Store, StoreDoor
from ridgeline_desktop.core.registrations import Entry, Finding, Found, Registration, RegistrationState
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.schedules import BackendName, is_superset
from ridgeline_desktop.core.values import dataclass, replace
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.surveying import Reading, Surveying, chosen_for, is_wanted, remembered_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What became of one job: whether all is as asked, the sentence for it, its text, and what to know."""

    job_id: str
    done: bool
    sentence: str
    native: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """`actor` is who asks."""

    jobs: Jobs
    surveying: Surveying
    stores: StoreDoor
    settings_file: SettingsFile
    clock: Clock
    actor: Actor

    def verify(self) -> tuple[Finding, ...]:
        """How every job stands in its scheduler, sorted by job id, orphans and broken files among them."""
        shop = self.jobs.readable()
        with self.stores.reading() as store:
            registrations = store.registrations()
        found = self.surveying.findings(shop, registrations, self.surveying.read())
        broken = (file for file in shop.files if file.job is None)
        findings = (*found.values(), *(_not_to_be_told(file) for file in broken))
        return tuple(sorted(findings, key=lambda finding: finding.job_id))

    def finding(self, job_id: str) -> Finding:
        """How one job in order stands in its scheduler; UnknownJob where its file is not."""
        self.jobs.job(job_id)
        [found] = [finding for finding in self.verify() if finding.job_id == job_id]
        return found

    def holds(self, job_id: str) -> bool:
        """Whether the job stands in one of this computer's schedulers, or did when we last looked."""
        with self.stores.reading() as store:
            known = any(row.job_id == job_id for row in store.registrations())
        return known or any(job_id in reading.entries for reading in self.surveying.read())

    def register(
        self, job_ids: Sequence[str], *, backend: BackendName | None = None, dry_run: bool = False
    ) -> tuple[Registered, ...]:
        """Register these jobs (none named = all that want it) and read each back.

        `backend` takes the jobs whose files say "auto". A job that cannot be registered is told in words;
        the others go on. `dry_run` only gives the text that would be registered.
        """
        shop, readings = self.jobs.readable(), self.surveying.read()
        with self.stores.reading() as store:
            known = {row.job_id: row for row in store.registrations()}
        results = {} if job_ids else _left_alone(shop)
        ready: dict[BackendName, list[Job]] = {}
        for job in self._named(job_ids, shop):
            try:
                asked = backend or remembered_for(job, known.get(job.job_id))
                chosen = chosen_for(job, readings, asked)
            except CannotExpress as error:
                results[job.job_id] = Registered(job_id=job.job_id, done=False, sentence=str(error))
                continue
            results[job.job_id] = self._previewed(job, chosen, shop)
            if results[job.job_id].done:
                ready.setdefault(chosen.backend.name, []).append(job)
        if not dry_run:
            self._want_here([job.job_id for jobs in ready.values() for job in jobs], shop)
            for reading in readings:
                if reading.backend.name in ready:
                    results |= self._applied(reading, readings, ready[reading.backend.name], shop)
        return tuple(results.values())

    def _previewed(self, job: Job, reading: Reading, shop: Shop) -> Registered:
        backend, entry = reading.backend, self.surveying.entry(job, shop.zone)
        objections = (reading.error,) if reading.error else self.surveying.objections(backend, entry)
        if objections:
            return Registered(job_id=job.job_id, done=False, sentence="; ".join(objections))
        return Registered(
            job_id=job.job_id,
            done=True,
            sentence=f"would be registered with {backend.name}",
            native=backend.preview(entry),
            notes=_notes(job, entry, backend.name),
        )

    def _applied(
        self, reading: Reading, readings: Sequence[Reading], jobs: Sequence[Job], shop: Shop
    ) -> dict[str, Registered]:
        try:
            return self._apply(reading, readings, jobs, shop)
        except BackendError as error:
            text = str(error)
            return {job.job_id: Registered(job_id=job.job_id, done=False, sentence=text) for job in jobs}

    def _apply(
        self, reading: Reading, readings: Sequence[Reading], jobs: Sequence[Job], shop: Shop
    ) -> dict[str, Registered]:
        entries = {job.job_id: self.surveying.entry(job, shop.zone) for job in jobs}
        backend = reading.backend
        with self.stores.writing() as store:
            backend.apply(tuple(entries.values()))
            kept_twice = _taken_out([other for other in readings if other is not reading], tuple(entries))
            there = {found.name: found for found in backend.read_back()}
            results = {
                job.job_id: self._record(
                    reading, job, entries[job.job_id], there.get(job.job_id), store, shop
                )
                for job in jobs
            }
        for name, trouble in kept_twice.items():
            sentence = f"{results[name].sentence}; but {trouble}"
            results[name] = replace(results[name], done=False, sentence=sentence)
        return results

    def _record(
        self, reading: Reading, job: Job, entry: Entry, found: Found | None, store: Store, shop: Shop
    ) -> Registered:
        backend, now = reading.backend, self.clock.now()
        wanted = backend.preview(entry)
        if found is None or found.native != wanted:
            text = f"{backend.name} took the entry, but it reads back otherwise; see: ridgeline verify"
            return Registered(
                job_id=job.job_id, done=False, sentence=text, native=found.native if found else ""
            )
        take_note(store, remember(store, job, zone=shop.zone, now=now))
        store.save_registration(
            Registration(
                job_id=job.job_id,
                backend=backend.name,
                native=wanted,
                definition=job.definition,
                registered_at=now,
            )
        )
        self._journal(store, "register", job.job_id, wanted)
        stopped = f"; but {reading.service.sentence}" if reading.service.running is False else ""
        return Registered(
            job_id=job.job_id,
            done=True,
            sentence=f"registered with {backend.name} and read back{stopped}",
            native=wanted,
            notes=_notes(job, entry, backend.name),
        )

    def unregister(self, job_ids: Sequence[str], *, runs_elsewhere: bool = True) -> tuple[Registered, ...]:
        """Take these jobs out of this computer's schedulers (none named = all), and say they run elsewhere.

        A job whose file is gone is forgotten: its row disappears, its runs stay. Without `runs_elsewhere`
        the settings stay as they are.
        """
        shop, readings = self.jobs.readable(), self.surveying.read()
        files = {file.job_id for file in shop.files}
        mine = {file.job_id for file in shop.files if file.job is None or file.job.is_scheduled}
        there = {name for reading in readings for name in reading.entries}
        with self.stores.writing() as store:
            known = {row.job_id for row in store.registrations()} | {s.job_id for s in store.job_states()}
            chosen = tuple(dict.fromkeys(job_ids)) or tuple(sorted(mine | there))
            _refuse_unknown(chosen, known | files | there)
            _refuse_unread(chosen, readings, store.registrations())
            for reading in readings:
                ours = [name for name in chosen if name in reading.entries]
                if ours:
                    reading.backend.remove(ours)
            if runs_elsewhere:
                self.settings_file.note_elsewhere(add=[name for name in chosen if name in mine])
            return tuple(
                self._forget(name, store, was_there=name in there, has_file=name in files) for name in chosen
            )

    def take_back(self, job_ids: Sequence[str], *, registered: Sequence[str]) -> tuple[Registered, ...]:
        """Have these jobs no longer noted as running elsewhere, and register again those that were."""
        self.settings_file.note_elsewhere(drop=tuple(job_ids))
        return self.register(tuple(registered)) if registered else ()

    def _forget(self, job_id: str, store: Store, *, was_there: bool, has_file: bool) -> Registered:
        store.drop_registration(job_id)
        if not has_file:
            store.forget_job(job_id)
        self._journal(store, "unregister", job_id, "")
        text = (
            "taken out of this computer's schedule" if was_there else "it was not in this computer's schedule"
        )
        text += "" if has_file else "; its file is gone, and so it is forgotten"
        return Registered(job_id=job_id, done=True, sentence=text)

    def _want_here(self, job_ids: Sequence[str], shop: Shop) -> None:
        back = [job_id for job_id in job_ids if job_id in shop.settings.runs_elsewhere]
        if back:
            self.settings_file.note_elsewhere(drop=back)

    def _named(self, job_ids: Sequence[str], shop: Shop) -> list[Job]:
        if not job_ids:
            return [job for job in shop.jobs() if is_wanted(job, shop)]
        chosen = [self.jobs.job(job_id) for job_id in dict.fromkeys(job_ids)]
        for job in chosen:
            if not job.is_scheduled:
                raise RidgelineError(
                    f'job "{job.job_id}" is started by hand or elsewhere, so there is nothing to register; '
                    'its file needs a [schedule] that says when, and no backend = "none"'
                )
        return chosen

    def _journal(self, store: Store, action: str, job_id: str, detail: str) -> None:
        now = self.clock.now()
        store.journal(at=now, actor=self.actor, action=action, job_id=job_id, run_id="", detail=detail)


def _not_to_be_told(file: JobFile) -> Finding:
    return Finding(job_id=file.job_id, state=RegistrationState.UNVERIFIABLE, sentence=_not_in_order(file))


def _not_in_order(file: JobFile) -> str:
    return f"its file is not in order: {'; '.join(file.sentences())}"


def _taken_out(others: Sequence[Reading], names: Sequence[str]) -> dict[str, str]:
    """Take the jobs out of these schedulers, or two would start them; why not, for those that stay."""
    stay: dict[str, str] = {}
    for other in others:
        doubled = [name for name in names if name in other.entries]
        try:
            if doubled:
                other.backend.remove(doubled)
        except BackendError as error:
            stay |= dict.fromkeys(doubled, f"{other.backend.name} starts it too: {error}")
    return stay


def _left_alone(shop: Shop) -> dict[str, Registered]:
    """What "all" does not register: job files not in order, and jobs that run elsewhere."""
    results = {}
    for file in shop.files:
        if file.job is None:
            results[file.job_id] = Registered(job_id=file.job_id, done=False, sentence=_not_in_order(file))
        elif file.job.is_scheduled and not is_wanted(file.job, shop):
            text = "left alone: it runs on another computer; name it to have it here"
            results[file.job_id] = Registered(job_id=file.job_id, done=True, sentence=text)
    return results


def _notes(job: Job, entry: Entry, backend: BackendName) -> tuple[str, ...]:
    notes = (*cautions(job), *not_yet_obeyed(job))
    if backend is BackendName.CRON and is_superset(entry.schedule):
        return ("cron also starts it on other days; those starts end at once, without a record", *notes)
    return notes


def _refuse_unread(
    chosen: Sequence[str], readings: Sequence[Reading], registrations: Sequence[Registration]
) -> None:
    """Nothing is called taken out that may stand where it could not be looked for."""
    for reading in readings:
        mine = [row for row in registrations if row.backend is reading.backend.name and row.job_id in chosen]
        unread = reading.error or (reading.why_not if mine else "")
        if unread and (mine or not reading.why_not):
            raise BackendError(f"nothing was taken out: {unread}")


def _refuse_unknown(chosen: Sequence[str], known: set[str]) -> None:
    for job_id in chosen:
        if job_id not in known:
            raise RidgelineError(
                f'nothing is known of a job "{job_id}"; known: {", ".join(sorted(known)) or "none"}'
            )
