"""How a job stands in this computer's schedulers, by what they really hold."""

from zoneinfo import ZoneInfo

import pytest

from ridgeline_desktop.core.registrations import Entry, RegistrationState

AUTO = 'daily = ["05:30"]'
BY_CRON = f'{AUTO}\nbackend = "cron"'
IN_APP = f'{AUTO}\nbackend = "in-app"'
DENIED = "You (theo) are not allowed to use this program (crontab)\n"
UNREADABLE = "crontabs/theo/: fopen: Permission denied\n"
State = RegistrationState


@pytest.fixture
def registered(office):
    """Writes the job file of order-sync and registers it."""

    def make(schedule=BY_CRON):
        office.job("order-sync", schedule)
        [result] = office.scheduling.register(["order-sync"])
        assert result.done, result.sentence

    return make


def finding(office):
    [found] = office.scheduling.verify()
    return found


def in_the_book(office):
    """The job's entry, put into the in-app book by hand."""
    office.book.apply([office.surveying.entry(office.jobs.job("order-sync"), ZoneInfo("America/Toronto"))])


def test_an_entry_that_reads_back_as_wanted_is_registered(office, registered):
    registered()
    assert finding(office).state is State.REGISTERED
    assert finding(office).found == finding(office).wanted


def test_an_entry_that_somebody_removed_is_missing(office, registered):
    registered()
    office.table.write_text("")
    assert finding(office).state is State.MISSING


@pytest.mark.parametrize("change", ["crontab", "job file"])
def test_an_entry_that_is_not_what_the_file_asks_for_is_changed_and_both_texts_are_shown(
    office, registered, change
):
    registered()
    if change == "crontab":
        office.table.write_text(office.table.read_text().replace("30 5", "30 6"))
    else:
        office.job("order-sync", BY_CRON.replace("05:30", "06:30"))
    found = finding(office)
    assert found.state is State.CHANGED
    assert ("30 5" in found.wanted, "30 6" in found.found) == ((change == "crontab",) * 2)


def test_an_entry_without_a_job_is_an_orphan(office, registered):
    registered()
    office.job("report", AUTO)
    (office.shop / "jobs" / "order-sync.toml").unlink()
    assert office.registration("order-sync") is State.ORPHAN


@pytest.mark.parametrize("why", ["elsewhere", "none"])
def test_an_entry_of_a_job_that_is_not_to_be_started_here_is_drift(office, registered, why):
    registered()
    if why == "elsewhere":
        office.settings('runs_elsewhere = ["order-sync"]\n')
    else:
        office.job("order-sync", f'{AUTO}\nbackend = "none"')
    assert office.registration("order-sync") is State.CHANGED
    assert office.row("order-sync").attention == "amber"
    office.scheduling.unregister(["order-sync"])
    assert office.registration("order-sync") is State.NOT_WANTED


def test_a_job_in_two_schedulers_is_doubled_until_it_is_registered_again(office, registered):
    registered()
    in_the_book(office)
    found = finding(office)
    assert found.state is State.DUPLICATE
    assert "the schedules of cron and in-app, so it starts twice" in found.sentence
    registered()
    assert finding(office).state is State.REGISTERED
    assert office.book.read_back() == ()


def test_a_job_that_stands_twice_in_one_crontab_is_doubled(office, registered):
    registered()
    begin, *entry, end = office.table.read_text().splitlines()
    office.table.write_text("\n".join([begin, *entry, *entry, end, ""]))
    assert finding(office).state is State.DUPLICATE


@pytest.mark.parametrize(("before", "after"), [(BY_CRON, IN_APP), (IN_APP, BY_CRON)])
def test_a_file_that_asks_for_another_scheduler_without_registering_is_changed(
    office, registered, before, after
):
    registered(before)
    office.job("order-sync", after)
    found = finding(office)
    asked, stands = ("in-app", "cron") if before == BY_CRON else ("cron", "in-app")
    assert found.state is State.CHANGED
    assert f"in the schedule of {stands} instead of that of {asked}" in found.sentence
    registered(after)
    with office.book.obeyed():
        assert finding(office).state is State.REGISTERED


def test_a_foreign_zone_written_after_registering_makes_the_next_run_differ(office, registered):
    registered()
    office.job("order-sync", f'{BY_CRON}\nzone = "Europe/London"')
    found = finding(office)
    assert found.state is State.NEXT_RUN_DIFFERS
    assert "the clock of Europe/London differs" in found.sentence


def test_a_zone_whose_clock_is_the_computers_differs_in_nothing(office, registered):
    registered()
    office.job("order-sync", f'{BY_CRON}\nzone = "America/New_York"')
    assert finding(office).state is State.REGISTERED


@pytest.mark.parametrize(
    ("schedule", "words"), [(BY_CRON, "no cron program"), (IN_APP, "keep ridgeline in-app open")]
)
def test_a_scheduler_that_does_not_run_is_said_to_be_stopped(office, registered, schedule, words):
    registered(schedule)
    office.cron.alive = False
    assert finding(office).state is State.SCHEDULER_STOPPED
    assert words in finding(office).sentence
    assert office.row("order-sync").attention == "amber"


def test_a_scheduler_of_which_it_cannot_be_told_whether_it_runs_is_grey(office, registered):
    registered()
    office.cron.alive = None
    assert finding(office).state is State.UNVERIFIABLE
    assert office.row("order-sync").attention == "grey"


def test_a_program_that_is_gone_is_named(office, registered):
    registered()
    office.launcher.program.unlink()
    assert finding(office).state is State.PROGRAM_GONE
    assert str(office.launcher.program) in finding(office).sentence


def test_what_keeps_a_job_from_being_registered_is_told_before_anybody_tries(office):
    office.job("order-sync", f'{BY_CRON}\nzone = "Europe/London"')
    assert finding(office).state is State.NEVER_REGISTERED
    assert "Europe/London" in finding(office).sentence


def test_a_job_for_a_scheduler_this_version_does_not_speak_to_says_so(office):
    office.job("order-sync", f'{AUTO}\nbackend = "systemd"')
    assert finding(office).state is State.NEVER_REGISTERED
    assert "does not speak to the scheduler it asks for, systemd" in finding(office).sentence
    in_the_book(office)
    assert finding(office).state is State.CHANGED
    assert "in the schedule of in-app instead of that of systemd" in finding(office).sentence


@pytest.mark.parametrize("known", [True, False])
def test_an_unreadable_crontab_makes_an_auto_job_unverifiable_and_never_in_app(office, registered, known):
    if known:
        registered(AUTO)
    office.job("order-sync", AUTO)
    office.trouble.write_text(UNREADABLE)
    assert finding(office).state is State.UNVERIFIABLE
    assert UNREADABLE.strip() in finding(office).sentence
    assert office.row("order-sync").attention == "grey"
    [result] = office.scheduling.register(["order-sync"])
    assert (result.done, "could not be read" in result.sentence) == (False, True)
    assert office.book.read_back() == ()


def test_an_unreadable_crontab_makes_nothing_an_orphan_and_is_no_missing_entry(office, registered):
    registered()
    office.job("report", BY_CRON)
    office.trouble.write_text(UNREADABLE)
    assert {found.state for found in office.scheduling.verify()} == {State.UNVERIFIABLE}


def test_what_stands_in_the_wrong_scheduler_is_told_though_the_right_one_cannot_be_read(office, registered):
    registered()
    in_the_book(office)
    office.trouble.write_text(UNREADABLE)
    assert finding(office).state is State.CHANGED
    assert "in the schedule of in-app instead of that of cron" in finding(office).sentence


def test_a_job_whose_file_is_broken_cannot_be_verified(office, registered):
    registered()
    office.job("report", BY_CRON)
    office.file("order-sync", "comand = 1\n")
    broken, never = office.scheduling.verify()
    assert (broken.state, never.state) == (State.UNVERIFIABLE, State.NEVER_REGISTERED)
    assert "order-sync.toml:1" in broken.sentence


def test_an_unreadable_book_concerns_the_jobs_in_it_alone(office, registered):
    registered()
    office.job("report", IN_APP)
    (office.state / "in-app.json").write_text("{")
    assert office.registration("order-sync") is State.REGISTERED
    assert office.registration("report") is State.UNVERIFIABLE


def test_a_user_whom_cron_does_not_serve_gets_auto_jobs_in_the_app(office, registered):
    office.trouble.write_text(DENIED)
    registered(AUTO)
    assert [entry.name for entry in office.book.read_back()] == ["order-sync"]
    with office.book.obeyed():
        assert finding(office).state is State.REGISTERED


def test_a_job_that_asks_for_cron_stays_with_cron_though_the_user_is_not_allowed(office):
    office.job("order-sync", BY_CRON)
    office.trouble.write_text(DENIED)
    assert finding(office).state is State.NEVER_REGISTERED
    assert "cron cannot start it on this computer" in finding(office).sentence
    [result] = office.scheduling.register([])
    assert (result.done, "not allowed" in result.sentence) == (False, True)
    assert office.book.read_back() == ()


def test_a_job_that_was_registered_before_its_user_was_shut_out_cannot_be_told(office, registered):
    registered(AUTO)
    office.trouble.write_text(DENIED)
    assert finding(office).state is State.UNVERIFIABLE
    assert "not allowed to use this program" in finding(office).sentence
    assert office.row("order-sync").attention == "grey"


def test_folders_that_a_scheduled_run_would_not_find_keep_a_job_from_being_registered(office):
    office.job("order-sync", BY_CRON)
    office.launcher.trouble = "HOME moves the folders"
    assert finding(office).state is State.NEVER_REGISTERED
    assert "HOME moves the folders" in finding(office).sentence
    [result] = office.scheduling.register([])
    assert (result.done, result.sentence) == (False, "HOME moves the folders")
    assert not office.table.exists()


def test_an_auto_job_stays_where_it_was_registered(office):
    office.job("order-sync", AUTO)
    office.trouble.write_text(DENIED)
    office.scheduling.register([])
    office.trouble.unlink()
    with office.book.obeyed():
        assert finding(office).state is State.REGISTERED


def test_entries_of_others_in_the_crontab_are_none_of_ours(office):
    office.job("order-sync", BY_CRON)
    office.table.write_text("0 3 * * * /srv/backup.sh\n")
    assert [found.state for found in office.scheduling.verify()] == [State.NEVER_REGISTERED]


def test_an_entry_asks_for_the_zone_of_its_schedule_else_for_the_shops(office):
    office.job("order-sync", AUTO)
    office.job("report", f'{AUTO}\nzone = "Europe/London"')
    entries: list[Entry] = [
        office.surveying.entry(job, ZoneInfo("America/Toronto")) for job in office.jobs.readable().jobs()
    ]
    assert [entry.zone.key for entry in entries] == ["America/Toronto", "Europe/London"]
