"""Changing job files from forms: what is there, what a draft would mean, saving, reading back, undoing."""

from contextlib import suppress
from datetime import datetime

from ridgeline_desktop.core.draft_tables import checked, checked_details, details_of, draft_of
from ridgeline_desktop.core.drafts import DraftProblem, JobDraft, ScheduleDraft
from ridgeline_desktop.core.errors import RidgelineError, StoreUnreadable, UnknownJob
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.fire_times import next_fire
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job
from ridgeline_desktop.core.ports import Clock, ShopFolder, StoreDoor
from ridgeline_desktop.core.registrations import DRIFT, RegistrationState
from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.schedules import Arrives, BackendName, ByHand
from ridgeline_desktop.core.texts import clock_text
from ridgeline_desktop.core.toml_tables import Problem
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.core.values import replace as changed
from ridgeline_desktop.services.job_checks import disk_problems, program_place
from ridgeline_desktop.services.jobs import Jobs, Shop
from ridgeline_desktop.services.previews import SchedulePreview, Surroundings, preview
from ridgeline_desktop.services.scheduling import Scheduling
from ridgeline_desktop.services.surveying import is_wanted

_UNCHANGED = "Nothing was changed, so nothing was written."
_NOT_SAVED = "Nothing was saved: the form is not in order yet."


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSource:
    """A job file as a form begins with it. `text` is the file exactly as on disk."""

    job_id: str
    file_name: str
    text: str
    job: Job
    schedule: ScheduleDraft
    details: JobDraft
    around: Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """What takes a change back: the file's text before (None = there was none) and after.

    `was_registered` says whether this computer started the job then; None where the change left that alone.
    """

    before: str | None
    after: str
    was_registered: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a change. `sentence` is fit for a person, such as "Saved. Next run: tomorrow 06:30."

    `written` says whether the file was changed; `done` whether this computer now does what the file says.
    With `problems` nothing was written. `difference` is what should stand in the schedule and what was found
    there. `undo` goes back to `Editing.undo`; None where there is nothing to take back.
    """

    job_id: str
    sentence: str
    written: bool
    done: bool = True
    next_run: datetime | None = None
    problems: tuple[DraftProblem, ...] = ()
    difference: tuple[str, str] | None = None
    undo: Undo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Editing:
    """Every method but `preview` reads or writes disks and may take a second: never on the GUI's thread.

    `actor` is who asks.
    """

    jobs: Jobs
    scheduling: Scheduling
    stores: StoreDoor
    clock: Clock
    actor: Actor

    def source(self, job_id: str) -> JobSource:
        """The job file to begin a form with; UnknownJob, ShopUnreadable, NotTrusted or SettingsBroken."""
        shop = self.jobs.readable()
        text = self._text(job_id, shop)
        file = read_job_file(f"{job_id}.toml", text, shop_zone=shop.zone.key)
        if file.job is None:
            raise UnknownJob("the job file is not in order:\n" + "\n".join(file.sentences()))
        return JobSource(
            job_id=job_id,
            file_name=file.file_name,
            text=text,
            job=file.job,
            schedule=draft_of(file.job),
            details=details_of(file.job),
            around=self._around(job_id, shop),
        )

    def source_text(self, job_id: str) -> str:
        """The job file exactly as on disk, in order or not; errors as for `source`."""
        return self._text(job_id, self.jobs.readable())

    def problems_of(self, job_id: str, text: str) -> tuple[Problem, ...]:
        """All that would be wrong with the job file if it held `text`; reads no disk."""
        zone = self.jobs.system_zone.key  # whatever it is, it makes no mistake and mends none
        return read_job_file(f"{job_id}.toml", text, shop_zone=zone).problems

    def blank(self) -> JobDraft:
        """The form of a job that is not there yet."""
        return JobDraft()

    def preview(self, source: JobSource, draft: ScheduleDraft) -> SchedulePreview:
        """What `draft` would mean; quick enough for every key that is typed."""
        return preview(draft, job=source.job, around=source.around, now=self.clock.now())

    def save_schedule(self, source: JobSource, draft: ScheduleDraft) -> Saved:
        """Write the draft into the job file, register it where it is wanted, and read it back.

        A draft that changes nothing writes nothing; it registers the job only if that has failed before.
        JobFileMoved where the file is no longer `source.text`; NotWritten where the disk refuses.
        """
        problems = checked(draft).problems
        if problems:
            return _refused(source.job_id, problems)
        text = _edited(source.text, source.schedule, draft)
        if text == source.text:
            if self._stands(source):
                return Saved(job_id=source.job_id, sentence=_UNCHANGED, written=False)
            return self._settled(source.job_id, "Tried again")
        self._folder().write_job(source.job_id, text, replacing=source.text)
        self._note("edit", source.job_id, "schedule")
        undo = Undo(before=source.text, after=text, was_registered=_is_held(source))
        return changed(self._settled(source.job_id, "Saved"), written=True, undo=undo)

    def check_job(self, draft: JobDraft, *, is_new: bool) -> tuple[DraftProblem, ...]:
        """All that is wrong with a job form, by what the disks say too (those problems do not block)."""
        problems = self._form_problems(draft, is_new=is_new)
        settings = self.jobs.settings()
        folder, programs = self.jobs.open_shop(settings), self.scheduling.surveying.programs
        wrong = {problem.field for problem in problems}
        found = disk_problems(draft, programs=programs, folder=folder, path=settings.path)
        return (*problems, *(problem for problem in found if problem.field not in wrong))

    def where_is_program(self, draft: JobDraft) -> str:
        """The full path of the program that the form names, "" where there is none to be executed."""
        programs = self.scheduling.surveying.programs
        return program_place(draft, programs=programs, path=self.jobs.settings().path)[0]

    def save_job(self, source: JobSource | None, draft: JobDraft) -> Saved:
        """Write the job's details; without `source` add a job file, which is started by hand only.

        JobFileMoved where the file is no longer `source.text`, or a new one is there already.
        """
        if source is None:
            return self._added(draft)
        problems = self._form_problems(draft, is_new=False)
        if draft.job_id != source.job_id:
            text = "The id stays: the job's runs are recorded under it."
            problems = (DraftProblem(field="job_id", message=text), *problems)
        if problems:
            return _refused(source.job_id, problems)
        text = _edited(source.text, source.details, draft)
        if text == source.text:
            return Saved(job_id=source.job_id, sentence=_UNCHANGED, written=False)
        self._folder().write_job(source.job_id, text, replacing=source.text)
        self._note("edit", source.job_id, "details")
        undo = Undo(before=source.text, after=text)
        return Saved(job_id=source.job_id, sentence="Saved.", written=True, undo=undo)

    def write_text(self, job_id: str, text: str, *, replacing: str | None) -> Saved:
        """Write a whole job file that still holds `replacing` (None = there is none), in order or not.

        JobFileMoved where it holds something else by now; NotWritten where the disk refuses.
        """
        if text == replacing:
            return Saved(job_id=job_id, sentence=_UNCHANGED, written=False)
        self._folder().write_job(job_id, text, replacing=replacing)
        self._note("edit", job_id, "text")
        if self.problems_of(job_id, text):
            sentence = "Saved. The job file is not in order yet, so nothing can start the job."
        else:
            sentence = "Saved. The job file is in order."
        undo = Undo(before=replacing, after=text) if replacing is not None else None
        return Saved(job_id=job_id, sentence=sentence, written=True, undo=undo)

    def undo(self, saved: Saved) -> Saved:
        """Take a change back: the file's old text, and registered again as it was.

        JobFileMoved where somebody changed the file since.
        """
        undo, job_id = saved.undo, saved.job_id
        if undo is None:
            raise RidgelineError("there is nothing to take back")
        if undo.before is None:
            return self._removed(job_id, undo.after)
        self._folder().write_job(job_id, undo.before, replacing=undo.after)
        self._note("undo", job_id, "")
        if undo.was_registered is None:
            return Saved(job_id=job_id, sentence="Undone.", written=True)
        return changed(self._settled(job_id, "Undone", want=undo.was_registered), written=True)

    def _added(self, draft: JobDraft) -> Saved:
        problems = self._form_problems(draft, is_new=True)
        if problems:
            return _refused(draft.job_id, problems)
        from ridgeline_desktop.core.job_texts import new_job_text

        text = new_job_text(draft)
        self._folder().write_job(draft.job_id, text, replacing=None)
        self._note("add", draft.job_id, "")
        sentence = "Added. It is started by hand until you say when it runs."
        return Saved(job_id=draft.job_id, sentence=sentence, written=True, undo=Undo(before=None, after=text))

    def _removed(self, job_id: str, text: str) -> Saved:
        self._folder().delete_job(job_id, replacing=text)
        self._note("undo", job_id, "")
        with suppress(StoreUnreadable), self.stores.writing() as store:
            store.forget_job(job_id)
        return Saved(job_id=job_id, sentence="Undone. The job is gone again.", written=True)

    def _settled(self, job_id: str, said: str, *, want: bool = True) -> Saved:
        """Have this computer do what the job file says by now; trouble is told, for the file stands."""
        shop, job = self.jobs.readable(), self.jobs.job(job_id)
        found: tuple[str, tuple[str, str] | None] = ("", None)
        try:
            if want and is_wanted(job, shop):
                found = self._registered(job_id)
            elif job_id not in shop.settings.runs_elsewhere and self.scheduling.holds(job_id):
                self.scheduling.unregister([job_id], runs_elsewhere=False)
        except RidgelineError as error:
            found = (f"it could not be told this computer's schedule: {error}", None)
        trouble, difference = found
        is_left_alone = not want and is_wanted(job, shop)
        next_run = None if is_left_alone else self._next_run(job, shop)
        if trouble:
            return Saved(
                job_id=job_id,
                sentence=f"{said}, but {trouble.rstrip('.')}.",
                written=False,
                done=False,
                next_run=next_run,
                difference=difference,
            )
        if is_left_alone:
            outlook = "As before, this computer does not start it by itself yet."
        else:
            outlook = self._outlook(job, shop, next_run)
        sentence = f"{said}. {outlook}"
        return Saved(job_id=job_id, sentence=sentence, written=False, next_run=next_run)

    def _registered(self, job_id: str) -> tuple[str, tuple[str, str] | None]:
        """What keeps the computer from doing what the file says, and both texts; ("", None) = nothing."""
        [result] = self.scheduling.register([job_id])
        finding = self.scheduling.finding(job_id)
        if result.done and finding.state not in DRIFT:
            return "", None
        if finding.state is RegistrationState.SCHEDULER_STOPPED and result.done:
            return f"it does not start by itself now: {finding.sentence}", None
        why = finding.sentence if result.done else result.sentence
        difference = (finding.wanted, finding.found) if finding.wanted != finding.found else None
        if finding.found:
            return f"this computer still starts it as before: {why}", difference
        return f"this computer's schedule does not start it yet: {why}", difference

    def _outlook(self, job: Job, shop: Shop, next_run: datetime | None) -> str:
        if isinstance(job.schedule.rule, ByHand):
            return "It is started by hand only."
        if job.job_id in shop.settings.runs_elsewhere:
            return "It runs on another computer, so nothing changes here."
        if next_run is None:
            arrives = isinstance(job.schedule.rule, Arrives)
            return "It waits for a file." if arrives else "No run is left: its dates are over."
        if job.schedule.backend is BackendName.NONE:
            return "Something else starts it; Ridgeline only watches."
        zone, now = zone_of(job.schedule, shop.zone), self.clock.now()
        return f"Next run: {clock_text(next_run, zone=zone, now=now)}."

    def _next_run(self, job: Job, shop: Shop) -> datetime | None:
        return next_fire(job.schedule, zone=zone_of(job.schedule, shop.zone), after=self.clock.now())

    def _around(self, job_id: str, shop: Shop) -> Surroundings:
        known = None
        with suppress(StoreUnreadable), self.stores.reading() as store:
            known = next((row for row in store.registrations() if row.job_id == job_id), None)
        surveying = self.scheduling.surveying
        return Surroundings(shop=shop, surveying=surveying, readings=surveying.read(), known=known)

    def _stands(self, source: JobSource) -> bool:
        """Whether the computer did what the file says when the form was opened."""
        around = source.around
        rows = (around.known,) if around.known else ()
        found = around.surveying.findings(around.shop, rows, around.readings)[source.job_id]
        return found.state not in DRIFT | {RegistrationState.NEVER_REGISTERED}

    def _form_problems(self, draft: JobDraft, *, is_new: bool) -> tuple[DraftProblem, ...]:
        problems = checked_details(draft)
        if (
            is_new
            and not any(problem.field == "job_id" for problem in problems)
            and self._is_taken(draft.job_id)
        ):
            text = "There is a job of this id already; choose another."
            return (DraftProblem(field="job_id", message=text), *problems)
        return problems

    def _text(self, job_id: str, shop: Shop) -> str:
        text = self._folder(shop).read_source(job_id)
        if text is None:
            known = ", ".join(file.job_id for file in shop.files) or "none yet"
            raise UnknownJob(f'there is no job "{job_id}" in the shop folder; there are: {known}')
        return text

    def _is_taken(self, job_id: str) -> bool:
        shop = self.jobs.look()
        return any(file.job_id == job_id for file in shop.files)

    def _folder(self, shop: Shop | None = None) -> ShopFolder:
        return self.jobs.open_shop(shop.settings if shop else self.jobs.settings())

    def _note(self, action: str, job_id: str, detail: str) -> None:
        """A line in the journal; a change that is on disk does not fail for want of one."""
        now = self.clock.now()
        with suppress(StoreUnreadable), self.stores.writing() as store:
            store.journal(at=now, actor=self.actor, action=action, job_id=job_id, run_id="", detail=detail)


def _refused(job_id: str, problems: tuple[DraftProblem, ...]) -> Saved:
    return Saved(job_id=job_id, sentence=_NOT_SAVED, written=False, done=False, problems=problems)


def _is_held(source: JobSource) -> bool:
    around = source.around
    return around.known is not None or any(source.job_id in reading.entries for reading in around.readings)


def _edited(text: str, old: ScheduleDraft | JobDraft, new: ScheduleDraft | JobDraft) -> str:
    from ridgeline_desktop.core.job_texts import edited  # needed by few sessions; it would slow every start

    return edited(text, old, new)
