"""Job files changed from forms: saved, registered, read back, and taken back."""

import time
from dataclasses import replace

import pytest

from ridgeline_desktop.core.drafts import JobDraft, Repeat, ScheduleDraft
from ridgeline_desktop.core.errors import JobFileMoved, RidgelineError, UnknownJob
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.schedules import BackendName, Weekday
from ridgeline_desktop.services.previews import NextRun

DAILY = 'daily = ["06:30"] # early'


@pytest.fixture
def sync(office):
    return office.job("order-sync", DAILY)


def save(office, **changes):
    source = office.editing.source("order-sync")
    return office.editing.save_schedule(source, replace(source.schedule, **changes))


def preview(office, **changes):
    source = office.editing.source("order-sync")
    return office.editing.preview(source, replace(source.schedule, **changes))


def crontab(office):
    """The lines of ours that start something."""
    lines = office.table.read_text().splitlines() if office.table.exists() else []
    return [line.partition(" /")[0] for line in lines if line and not line.startswith("#")]


def test_a_source_is_the_file_with_its_forms_filled_in(office, sync):
    source = office.editing.source("order-sync")
    assert (source.file_name, source.text) == ("order-sync.toml", sync.read_text())
    assert source.schedule == ScheduleDraft(repeat=Repeat.DAILY, times=("06:30",))
    assert source.details == JobDraft(job_id="order-sync", program="/bin/true")
    assert office.editing.blank() == JobDraft()


def test_a_job_that_is_not_there_or_not_in_order_has_no_source(office, sync):
    office.file("broken", "comand = 1\n")
    with pytest.raises(UnknownJob, match="there are: broken, order-sync"):
        office.editing.source("other")
    with pytest.raises(UnknownJob, match=r"broken\.toml:1"):
        office.editing.source("broken")


def test_a_preview_says_it_in_words_with_the_next_five_runs_and_the_text_to_be_registered(office, sync):
    office.job("report", 'daily = ["07:00"]')
    shown = preview(office, times=("02:30", "07:00"))
    assert shown.problems == ()
    assert shown.sentence == "Every day at 02:30 and 07:00"
    assert shown.next_runs[:2] == (
        NextRun(at=office.moment("2026-03-01T02:30")),
        NextRun(at=office.moment("2026-03-01T07:00")),
    )
    assert len(shown.next_runs) == 5
    assert shown.cautions == (
        "In March the clocks go forward and 02:30 does not exist; it runs at 03:00 instead "
        "(Sun 8 Mar 2026, Sun 14 Mar 2027)",
        "Another job starts at 07:00: report",
    )
    assert shown.native.splitlines()[1].startswith("30 2 * * * /")
    assert (shown.backend, shown.zone.key) == (BackendName.CRON, "America/Toronto")


def test_a_run_near_a_clock_change_has_a_note(office, sync):
    office.at("2026-03-07T12:00")
    assert preview(office, times=("02:30",)).next_runs[0].note == "instead of 02:30, which does not exist"


def test_a_preview_with_problems_shows_nothing_else(office, sync):
    shown = preview(office, times=("25:00",), grace="x")
    assert [problem.field for problem in shown.problems] == ["times", "grace"]
    assert (shown.sentence, shown.next_runs, shown.native) == ("", (), "")


@pytest.mark.parametrize(
    ("changes", "backend", "words"),
    [
        ({"repeat": Repeat.BY_HAND}, "none", None),
        ({"backend": BackendName.NONE}, "none", None),
        ({"backend": BackendName.IN_APP}, "in-app", "It runs only while Ridgeline is open"),
        ({"backend": BackendName.SYSTEMD}, "none", "This version does not speak to the scheduler"),
        ({"zone": "Europe/Paris"}, "cron", "Cron reads this computer's clock only"),
    ],
)
def test_a_preview_says_who_would_start_it_and_what_that_one_cannot_do(office, sync, changes, backend, words):
    shown = preview(office, **changes)
    assert shown.backend == backend
    assert (shown.cautions[0].startswith(words) if words else shown.cautions == ()) is True
    assert bool(shown.native) == (backend == "in-app")


def test_a_preview_tells_of_a_scheduler_that_stands_still_or_cannot_be_read(office, sync):
    office.cron.alive = False
    assert preview(office).cautions == ("No cron program is running",)
    office.trouble.write_text("crontab: database is sick\n")
    assert "database is sick" in preview(office).cautions[0]


def test_a_preview_of_a_job_that_runs_elsewhere_says_so(office, sync):
    office.settings('runs_elsewhere = ["order-sync"]\n')
    shown = preview(office)
    assert shown.cautions[0] == "This job runs on another computer; here nothing starts it"
    assert (shown.backend, shown.native) == (BackendName.NONE, "")


def test_a_preview_asks_no_scheduler_and_is_quick_enough_for_every_key(office, sync):
    for number in range(15):
        office.job(f"job-{number}", 'cron = "15,45 */3 * * 1-5"')
    source = office.editing.source("order-sync")
    office.table.unlink(missing_ok=True)
    (office.edge / "crontab").unlink()
    drafts = [replace(source.schedule, times=(f"{hour:02}:30",)) for hour in range(20)]
    took = []
    for draft in drafts:
        begun = time.perf_counter()
        office.editing.preview(source, draft)
        took.append(time.perf_counter() - begun)
    assert sorted(took)[len(took) // 2] < 0.05


def test_saving_writes_the_file_registers_the_job_and_says_when_it_runs_next(office, sync):
    saved = save(office, times=("07:00",), grace="1 hour")
    assert sync.read_text() == (
        'command = ["/bin/true"]\n[schedule]\ndaily = ["07:00"] # early\n\n[run]\ngrace = "1 hour"\n'
    )
    assert saved.sentence == "Saved. Next run: tomorrow 07:00."
    assert (saved.written, saved.done, saved.difference) == (True, True, None)
    assert saved.next_run == office.moment("2026-03-01T07:00")
    assert crontab(office) == ["0 7 * * *"]
    assert office.registration("order-sync") is RegistrationState.REGISTERED
    assert [entry[:2] for entry in office.journal()] == [("edit", "order-sync"), ("register", "order-sync")]


def test_nothing_changed_writes_nothing_and_registers_nothing(office, sync):
    office.scheduling.register(["order-sync"])
    before, entries = sync.stat().st_mtime_ns, len(office.journal())
    saved = save(office, times=(" 6:30 ",))
    assert saved.sentence == "Nothing was changed, so nothing was written."
    assert (saved.written, saved.undo) == (False, None)
    assert (sync.stat().st_mtime_ns, len(office.journal())) == (before, entries)


def test_a_draft_with_problems_is_not_saved(office, sync):
    before = sync.read_text()
    saved = save(office, times=(), grace="x")
    assert [problem.field for problem in saved.problems] == ["times", "grace"]
    assert (saved.written, saved.done, sync.read_text()) == (False, False, before)


def test_a_file_changed_meanwhile_is_not_overwritten_and_nothing_is_registered(office, sync):
    source = office.editing.source("order-sync")
    sync.write_text(sync.read_text() + "# theirs\n")
    with pytest.raises(JobFileMoved) as caught:
        office.editing.save_schedule(source, replace(source.schedule, times=("07:00",)))
    assert caught.value.theirs == sync.read_text()
    assert 'daily = ["07:00"]' in caught.value.ours
    assert crontab(office) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"repeat": Repeat.BY_HAND}, "Saved. It is started by hand only."),
        ({"backend": BackendName.NONE}, "Saved. Something else starts it; Ridgeline only watches."),
    ],
)
def test_a_job_that_is_no_longer_to_be_started_is_taken_out_and_not_said_to_run_elsewhere(
    office, sync, changes, sentence
):
    office.scheduling.register(["order-sync"])
    saved = save(office, **changes)
    assert (saved.sentence, saved.done) == (sentence, True)
    assert crontab(office) == []
    assert not office.settings_path.exists()
    assert office.registration("order-sync") is RegistrationState.NOT_WANTED
    back = office.editing.undo(saved)
    assert back.sentence == "Undone. Next run: tomorrow 06:30."
    assert crontab(office) == ["30 6 * * *"]


def test_another_scheduler_takes_the_job_over(office, sync):
    office.scheduling.register(["order-sync"])
    saved = save(office, backend=BackendName.IN_APP)
    assert saved.sentence.startswith(
        "Saved, but it does not start by itself now: nothing starts its in-app jobs"
    )
    assert crontab(office) == []
    assert [found.name for found in office.book.read_back()] == ["order-sync"]


def test_a_job_that_runs_elsewhere_is_saved_and_not_registered(office, sync):
    office.settings('runs_elsewhere = ["order-sync"]\n')
    saved = save(office, times=("07:00",))
    assert saved.sentence == "Saved. It runs on another computer, so nothing changes here."
    assert crontab(office) == []
    assert office.settings_path.read_text() == 'runs_elsewhere = ["order-sync"]\n'


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ends": "2026-01-01"}, "Saved. No run is left: its dates are over."),
        ({"repeat": Repeat.MONTHLY_DAY, "month_day": "15"}, "Saved. Next run: Sun 15 Mar 06:30."),
        (
            {"backend": BackendName.NONE, "repeat": Repeat.ARRIVES, "arrives": "/a/*"},
            "Saved. It waits for a file.",
        ),
    ],
)
def test_the_sentence_says_what_comes_next(office, sync, changes, sentence):
    assert save(office, **changes).sentence == sentence


def test_a_schedule_that_cannot_be_registered_is_told_with_what_still_applies(office, sync):
    office.scheduling.register(["order-sync"])
    saved = save(office, times=("07:00",), zone="Europe/Paris")
    assert saved.sentence.startswith(
        "Saved, but this computer still starts it as before: cron reads this computer's clock only"
    )
    assert (saved.written, saved.done) == (True, False)
    wanted, found = saved.difference
    assert "0 7 * * *" in wanted
    assert "30 6 * * *" in found
    assert 'zone = "Europe/Paris"' in sync.read_text()
    back = office.editing.undo(saved)
    assert (back.sentence, back.done) == ("Undone. Next run: tomorrow 06:30.", True)
    assert 'daily = ["06:30"]' in sync.read_text()


def test_a_scheduler_that_refuses_is_told_and_trying_again_registers(office, sync):
    office.full.touch()
    saved = save(office, times=("07:00",))
    assert saved.sentence.startswith("Saved, but this computer's schedule does not start it yet: ")
    assert "no space left" in saved.sentence
    assert (saved.written, saved.done) == (True, False)
    office.full.unlink()
    again = save(office)
    assert (again.sentence, again.written, again.done) == (
        "Tried again. Next run: tomorrow 07:00.",
        False,
        True,
    )
    assert crontab(office) == ["0 7 * * *"]


def test_a_crontab_that_cannot_be_read_is_told_and_the_file_stays(office, sync):
    office.scheduling.register(["order-sync"])
    office.trouble.write_text("crontab: database is sick\n")
    saved = save(office, repeat=Repeat.BY_HAND)
    assert saved.sentence.startswith(
        "Saved, but it could not be told this computer's schedule: nothing was taken out"
    )
    assert not saved.done
    assert "daily" not in sync.read_text()


def test_a_scheduler_that_stands_still_is_told(office, sync):
    office.cron.alive = False
    saved = save(office, times=("07:00",))
    assert saved.sentence == "Saved, but it does not start by itself now: no cron program is running."
    assert (saved.done, saved.difference) == (False, None)


def test_undo_gives_back_the_very_file_and_leaves_a_job_unregistered_that_was(office, sync):
    before = sync.read_bytes()
    saved = save(office, repeat=Repeat.WEEKLY, days=(Weekday.MON,))
    assert crontab(office) == ["30 6 * * 1"]
    back = office.editing.undo(saved)
    assert back.sentence == "Undone. As before, this computer does not start it by itself yet."
    assert sync.read_bytes() == before
    assert crontab(office) == []
    assert office.registration("order-sync") is RegistrationState.NEVER_REGISTERED
    with pytest.raises(RidgelineError, match="nothing to take back"):
        office.editing.undo(back)


def test_undo_does_not_undo_what_somebody_else_did_since(office, sync):
    saved = save(office, times=("07:00",))
    sync.write_text(sync.read_text() + "# theirs\n")
    with pytest.raises(JobFileMoved) as caught:
        office.editing.undo(saved)
    assert caught.value.theirs == sync.read_text()
    assert 'daily = ["06:30"]' in caught.value.ours


def test_the_details_are_saved_without_touching_the_schedule(office, sync):
    office.scheduling.register(["order-sync"])
    source = office.editing.source("order-sync")
    saved = office.editing.save_job(
        source, replace(source.details, title="Order sync", looked_after_by="Jordan")
    )
    assert sync.read_text() == (
        'title = "Order sync"\nlooked_after_by = "Jordan"\ncommand = ["/bin/true"]\n[schedule]\n'
        'daily = ["06:30"] # early\n'
    )
    assert (saved.sentence, saved.written) == ("Saved.", True)
    assert office.registration("order-sync") is RegistrationState.REGISTERED
    assert office.editing.undo(saved).sentence == "Undone."
    assert sync.read_text() == source.text
    assert crontab(office) == ["30 6 * * *"]


def test_details_that_are_wrong_or_unchanged_are_not_saved(office, sync):
    source = office.editing.source("order-sync")
    assert not office.editing.save_job(source, source.details).written
    renamed = office.editing.save_job(source, replace(source.details, job_id="other", folder="x"))
    assert [problem.field for problem in renamed.problems] == ["job_id", "folder"]
    assert sync.read_text() == source.text


NEW = JobDraft(job_id="stock-count", title="Stock count", program="/bin/true")


def test_an_added_job_is_started_by_hand_and_can_be_taken_back(office, sync):
    saved = office.editing.save_job(None, NEW)
    assert saved.sentence == "Added. It is started by hand until you say when it runs."
    assert office.row("stock-count").title == "Stock count"
    assert office.editing.source("stock-count").schedule == ScheduleDraft()
    office.check()
    assert office.editing.undo(saved).sentence == "Undone. The job is gone again."
    assert [row.job_id for row in office.snapshot().rows] == ["order-sync"]


def test_an_added_job_gets_its_schedule_next(office, sync):
    office.editing.save_job(None, NEW)
    source = office.editing.source("stock-count")
    saved = office.editing.save_schedule(
        source, replace(source.schedule, repeat=Repeat.DAILY, times=("06:30",))
    )
    assert saved.done
    assert office.registration("stock-count") is RegistrationState.REGISTERED


def test_an_id_that_is_taken_is_a_problem_even_where_its_file_is_broken(office, sync):
    office.file("broken", "comand = 1\n")
    for job_id in ("order-sync", "broken"):
        draft = replace(NEW, job_id=job_id)
        assert [problem.field for problem in office.editing.save_job(None, draft).problems] == ["job_id"]
        assert [problem.field for problem in office.editing.check_job(draft, is_new=True)] == ["job_id"]
    assert office.editing.check_job(replace(NEW, job_id="order-sync"), is_new=False) == ()


def disk_problems(office, **changes):
    problems = office.editing.check_job(replace(NEW, **changes), is_new=True)
    assert not any(problem.blocks for problem in problems)
    return {problem.field: problem.message for problem in problems}


def test_not_found_and_not_executable_are_different_words(office, sync):
    plain = office.root / "plain"
    plain.write_text("x")
    assert disk_problems(office) == {}
    assert "There is no program /bin/nothing" in disk_problems(office, program="/bin/nothing")["program"]
    assert "may not be executed" in disk_problems(office, program=str(plain))["program"]
    assert "is a folder" in disk_problems(office, program=str(office.root))["program"]


def test_a_bare_name_is_looked_for_where_jobs_will_look(office, sync):
    office.settings(f'path = "/nowhere:{office.edge}"\n')
    assert disk_problems(office, program="ridgeline") == {}
    assert office.editing.where_is_program(replace(NEW, program="ridgeline")) == f"{office.edge}/ridgeline"
    assert f"/nowhere:{office.edge}" in disk_problems(office, program="true")["program"]
    assert office.editing.where_is_program(replace(NEW, program="true")) == ""
    (office.edge / "notes").write_text("x")
    assert "may not be executed" in disk_problems(office, program="notes")["program"]
    assert office.editing.where_is_program(replace(NEW, program="", shell="true")) == ""


def test_a_relative_program_begins_at_the_jobs_folder(office, sync):
    assert disk_problems(office, program="./ridgeline", folder=str(office.edge)) == {}
    assert "There is no program ~/no/such" in disk_problems(office, program="no/such")["program"]


def test_folders_and_runbooks_that_are_missing_are_told(office, sync):
    (office.shop / "runbooks").mkdir()
    (office.shop / "runbooks" / "x.md").write_text("# X\n")
    assert disk_problems(office, folder="~", runbook="runbooks/x.md") == {}
    assert disk_problems(office, runbook="https://shop.example/x") == {}
    found = disk_problems(office, folder="/no/such", runbook="runbooks/y.md")
    assert found == {
        "folder": "There is no folder /no/such on this computer.",
        "runbook": "There is no file runbooks/y.md in the shop folder yet.",
    }
    assert disk_problems(office, folder="/bin/true") == {"folder": "/bin/true is not a folder."}


def test_what_is_wrong_in_itself_is_not_looked_for_on_disk(office, sync):
    problems = office.editing.check_job(replace(NEW, folder="x", program=""), is_new=True)
    assert [(problem.field, problem.blocks) for problem in problems] == [("program", True), ("folder", True)]
