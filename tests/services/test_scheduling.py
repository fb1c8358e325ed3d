"""Registering with real schedulers and taking out again: every job gets its own answer."""

from dataclasses import replace

import pytest

from ridgeline_desktop.backends.in_app_book import InAppBook
from ridgeline_desktop.core.errors import BackendError, RidgelineError, UnknownJob
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.schedules import BackendName

AUTO = 'daily = ["05:30"]'
BY_CRON = f'{AUTO}\nbackend = "cron"'
IN_APP = f'{AUTO}\nbackend = "in-app"'
FOREIGN = "MAILTO=theo@ridgelinecoffee.example\n0 3 * * * /srv/backup.sh\n"


def by_job(results):
    return {result.job_id: result for result in results}


def done(results):
    return {result.job_id: result.done for result in results}


def cron_names(office):
    return sorted(entry.name for entry in office.cron.read_back())


def book_names(office):
    return sorted(entry.name for entry in office.book.read_back())


def test_registering_all_gives_every_job_its_own_answer(office):
    office.table.write_text(FOREIGN)
    office.job("by-cron", BY_CRON)
    office.job("in-app", IN_APP)
    office.job("by-hand", 'backend = "none"')
    office.job("elsewhere", BY_CRON)
    office.job("foreign-zone", f'{BY_CRON}\nzone = "Europe/London"')
    office.file("broken", "comand = 1\n")
    office.settings('runs_elsewhere = ["elsewhere"]\n')
    results = by_job(office.scheduling.register([]))
    assert done(results.values()) == {
        "by-cron": True,
        "in-app": True,
        "elsewhere": True,
        "foreign-zone": False,
        "broken": False,
    }
    assert "registered with cron and read back" in results["by-cron"].sentence
    assert "left alone: it runs on another computer" in results["elsewhere"].sentence
    assert "Europe/London" in results["foreign-zone"].sentence
    assert "broken.toml:1" in results["broken"].sentence
    assert (cron_names(office), book_names(office)) == (["by-cron"], ["in-app"])
    assert office.table.read_text().endswith(FOREIGN)
    assert {entry[:2] for entry in office.journal()} == {("register", "by-cron"), ("register", "in-app")}


def test_a_dry_run_shows_the_exact_text_and_writes_nothing(office):
    office.job("by-cron", BY_CRON)
    office.job("in-app", IN_APP)
    office.settings('runs_elsewhere = ["by-cron"]\n')
    results = by_job(office.scheduling.register(["by-cron", "in-app"], dry_run=True))
    assert done(results.values()) == {"by-cron": True, "in-app": True}
    assert results["by-cron"].native.splitlines()[1].startswith("30 5 * * * ")
    assert "would be registered with cron" in results["by-cron"].sentence
    assert not office.table.exists()
    assert not office.state.exists()
    assert office.settings_path.read_text() == 'runs_elsewhere = ["by-cron"]\n'


def test_a_crontab_that_cannot_be_written_does_not_keep_other_jobs_from_their_scheduler(office):
    office.job("by-cron", BY_CRON)
    office.job("in-app", IN_APP)
    office.full.touch()
    results = by_job(office.scheduling.register([]))
    assert done(results.values()) == {"by-cron": False, "in-app": True}
    assert "no space left" in results["by-cron"].sentence
    assert book_names(office) == ["in-app"]
    assert office.registration("by-cron") is RegistrationState.NEVER_REGISTERED


def test_a_job_that_was_taken_over_but_not_taken_out_of_its_old_scheduler_is_not_said_to_be_done(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.job("order-sync", IN_APP)
    office.full.touch()
    [result] = office.scheduling.register([])
    assert (result.done, "no space left" in result.sentence) == (False, True)
    assert office.registration("order-sync") is RegistrationState.DUPLICATE


def test_a_job_that_was_named_comes_home_from_another_computer(office):
    office.job("order-sync", BY_CRON)
    office.settings('# who runs what\nruns_elsewhere = ["order-sync", "report"]  # the till\nname = "Theo"\n')
    assert done(office.scheduling.register(["order-sync"])) == {"order-sync": True}
    text = office.settings_path.read_text()
    assert 'runs_elsewhere = ["report"]' in text
    assert "# who runs what" in text
    assert "# the till" in text
    assert 'name = "Theo"' in text


def test_unregistering_keeps_comments_and_order_of_the_settings(office):
    office.job("order-sync", BY_CRON)
    office.settings('# ours\nname = "Theo"  # the owner\n\n[retention]\ndays = 30\n')
    office.scheduling.unregister(["order-sync"])
    text = office.settings_path.read_text()
    assert text.startswith('# ours\nname = "Theo"  # the owner\n')
    assert office.jobs.settings().runs_elsewhere == ("order-sync",)
    assert office.jobs.settings().retention.days == 30


@pytest.mark.parametrize("job_id", ["nobody", "broken", "by-hand"])
def test_naming_a_job_that_cannot_be_registered_is_an_error_and_nothing_happens(office, job_id):
    office.job("order-sync", BY_CRON)
    office.job("by-hand", 'backend = "none"')
    office.file("broken", "comand = 1\n")
    with pytest.raises(RidgelineError):
        office.scheduling.register(["order-sync", job_id])
    assert not office.table.exists()


def test_backend_takes_the_jobs_that_leave_it_open_and_no_others(office):
    office.job("order-sync", AUTO)
    office.job("report", BY_CRON)
    results = by_job(office.scheduling.register([], backend=BackendName.IN_APP))
    assert done(results.values()) == {"order-sync": True, "report": False}
    assert 'its job file says backend = "cron"; change it there' in results["report"].sentence
    assert (cron_names(office), book_names(office)) == ([], ["order-sync"])


def test_an_auto_job_is_registered_again_where_it_was_registered(office):
    office.job("order-sync", AUTO)
    office.scheduling.register([], backend=BackendName.IN_APP)
    assert done(office.scheduling.register([])) == {"order-sync": True}
    assert (cron_names(office), book_names(office)) == ([], ["order-sync"])
    office.scheduling.register([], backend=BackendName.CRON)
    assert (cron_names(office), book_names(office)) == (["order-sync"], [])


def test_registering_with_a_scheduler_that_is_stopped_says_so(office):
    office.job("order-sync", BY_CRON)
    office.cron.alive = False
    [result] = office.scheduling.register([])
    assert result.done
    assert "read back; but no cron program is running" in result.sentence


def test_what_reads_back_otherwise_is_not_done(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    crontab = office.edge / "crontab"
    crontab.write_text(crontab.read_text().replace('cat "$1" > table', 'sed "s/30 6/30 7/" "$1" > table'))
    office.job("order-sync", BY_CRON.replace("05:30", "06:30"))
    [result] = office.scheduling.register([])
    assert (result.done, "reads back otherwise" in result.sentence) == (False, True)
    assert office.registration("order-sync") is RegistrationState.CHANGED


def test_an_entry_that_is_gone_when_it_is_read_back_is_not_done(office):
    class Forgetful(InAppBook):
        def apply(self, entries):
            pass

    office.job("order-sync", IN_APP)
    book = Forgetful(office.folders.in_state("in-app.json"))
    surveying = replace(office.surveying, backends=(office.cron, book))
    [result] = replace(office.scheduling, surveying=surveying).register([])
    assert (result.done, "see: ridgeline verify" in result.sentence) == (False, True)
    with office.stores.reading() as store:
        assert store.registrations() == ()


def test_our_block_goes_back_to_the_top_of_the_crontab(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.table.write_text("SHELL=/bin/bash\n" + office.table.read_text())
    assert office.registration("order-sync") is RegistrationState.CHANGED
    assert done(office.scheduling.register([])) == {"order-sync": True}
    assert office.registration("order-sync") is RegistrationState.REGISTERED


def test_registering_twice_changes_nothing(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    before = office.table.read_bytes()
    assert done(office.scheduling.register([])) == {"order-sync": True}
    assert office.table.read_bytes() == before


def test_a_superset_and_what_is_not_obeyed_yet_are_noted(office):
    office.job("order-sync", f'{BY_CRON}\nstarts = 2026-03-01\n[alerts]\npeople = ["theo-mail"]')
    [result] = office.scheduling.register([])
    assert "cron also starts it on other days" in result.notes[0]
    assert any("nobody is told yet" in note for note in result.notes)


def test_unregistering_takes_the_job_out_and_says_it_runs_elsewhere(office):
    office.table.write_text(FOREIGN)
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    [result] = office.scheduling.unregister(["order-sync"])
    assert result.sentence == "taken out of this computer's schedule"
    assert office.table.read_text() == FOREIGN
    assert office.registration("order-sync") is RegistrationState.NOT_WANTED
    with office.stores.reading() as store:
        assert store.registrations() == ()
        assert store.job_state("order-sync") is not None, "its file is there"
    assert office.journal()[-1] == ("unregister", "order-sync", "")


def test_unregistering_a_job_whose_file_is_broken_remembers_that_it_runs_elsewhere(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.file("order-sync", "comand = 1\n")
    assert done(office.scheduling.unregister(["order-sync"])) == {"order-sync": True}
    assert cron_names(office) == []
    assert office.jobs.settings().runs_elsewhere == ("order-sync",)
    office.job("order-sync", BY_CRON)
    assert office.registration("order-sync") is RegistrationState.NOT_WANTED


def test_unregistering_a_job_whose_file_is_gone_forgets_it_but_not_its_runs(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    record = office.run("order-sync", "2026-02-28T11:00")
    (office.shop / "jobs" / "order-sync.toml").unlink()
    [result] = office.scheduling.unregister(["order-sync"])
    assert "its file is gone, and so it is forgotten" in result.sentence
    assert office.snapshot().rows == ()
    assert office.runs.history("order-sync", limit=5) == (record,)
    assert office.jobs.settings().runs_elsewhere == ()


def test_unregistering_all_takes_out_what_no_job_wants_too(office):
    office.job("order-sync", BY_CRON)
    office.job("report", IN_APP)
    office.job("by-hand", 'backend = "none"')
    office.scheduling.register([])
    (office.shop / "jobs" / "order-sync.toml").unlink()
    assert set(done(office.scheduling.unregister([]))) == {"order-sync", "report"}
    assert (cron_names(office), book_names(office)) == ([], [])
    assert office.jobs.settings().runs_elsewhere == ("report",)


def test_unregistering_what_nobody_knows_is_an_error_and_nothing_happens(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    with pytest.raises(RidgelineError, match='nothing is known of a job "nobody"; known: order-sync'):
        office.scheduling.unregister(["order-sync", "nobody"])
    assert cron_names(office) == ["order-sync"]


def test_an_unreadable_crontab_is_no_reason_to_say_that_a_job_was_taken_out(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.trouble.write_text("crontabs/theo/: fopen: Permission denied\n")
    with pytest.raises(RidgelineError, match="Permission denied"):
        office.scheduling.unregister(["order-sync"])
    assert office.jobs.settings().runs_elsewhere == ()


def test_a_crontab_closed_to_this_user_matters_only_for_what_was_registered_there(office):
    office.job("order-sync", AUTO)
    office.job("report", IN_APP)
    office.scheduling.register([])
    office.trouble.write_text("You (theo) are not allowed to use this program (crontab)\n")
    assert done(office.scheduling.unregister(["report"])) == {"report": True}
    with pytest.raises(BackendError, match=r"nothing was taken out: .*not allowed"):
        office.scheduling.unregister(["order-sync"])


def test_a_crontab_that_cannot_be_written_leaves_the_job_wanted_here(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.full.touch()
    with pytest.raises(BackendError, match="no space left"):
        office.scheduling.unregister(["order-sync"])
    assert office.registration("order-sync") is RegistrationState.REGISTERED


def test_registering_notices_an_edited_schedule(office):
    office.job("order-sync", BY_CRON)
    office.scheduling.register([])
    office.at("2026-03-05T04:00")
    office.job("order-sync", BY_CRON.replace("05:30", "06:30"))
    office.run("order-sync", "2026-03-05T03:00")
    office.scheduling.register([])
    with office.stores.reading() as store:
        state = store.job_state("order-sync")
    assert state is not None
    assert state.changed_at == office.clock.now()


def test_an_unknown_job_names_those_there_are(office):
    office.job("order-sync", BY_CRON)
    with pytest.raises(UnknownJob, match=r"there is no job .*there are: order-sync"):
        office.scheduling.register(["nobody"])
