"""The snapshot: lights, banners and reasons from job files, records, locks and schedulers together."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations

import pytest

BY_HAND = 'backend = "none"'
EVERY_DAY = f'every = "1 day"\n{BY_HAND}'
GRACE = 'grace = "2 hours"'
BY_CRON = 'daily = ["05:30"]\nbackend = "cron"'
IN_APP = 'daily = ["05:30"]\nbackend = "in-app"'
RUNS = (
    ("2026-03-01T02:04", "completed"),
    ("2026-03-02T02:06", "completed"),
    ("2026-03-03T02:01", "failed"),
    ("2026-03-04T02:03", "failed"),
)


def told(snapshot):
    return [banner.with_commands() for banner in snapshot.banners]


@pytest.fixture
def seen(office):
    """Makes job files that this computer has seen on 28 February."""

    def make(schedule=EVERY_DAY, run=GRACE, *, job_ids=("order-sync",)):
        for job_id in job_ids:
            office.job(job_id, schedule, run)
        office.check()

    return make


def test_only_successes_count_and_the_line_says_how_long_ago_and_what_was_allowed(office, seen):
    seen()
    for ended, status in RUNS:
        office.run("order-sync", ended, status)
    office.at("2026-03-04T09:00")
    row = office.row("order-sync")
    assert row.summary == "overdue: last success 3294 minutes ago, allowed 1560"
    assert office.light("order-sync") == ("overdue", "red")
    assert [reason.text for reason in row.reasons] == ["The last 2 runs failed"]
    assert office.check().exit_code == 2


def test_the_order_of_records_their_offsets_and_one_from_2027_change_nothing_but_a_reason(office, seen):
    orders = list(permutations(RUNS))
    jobs = [f"order-sync-{number}" for number in range(len(orders))]
    seen(job_ids=jobs)
    for number, (job_id, order) in enumerate(zip(jobs, orders, strict=True)):
        runs = list(order)
        runs.insert(number % 5, ("2027-03-04T02:03", "completed"))
        for place, (ended, status) in enumerate(runs):
            zone = timezone(timedelta(hours=(number + place) % 24 - 11, minutes=30))
            moment = datetime.fromisoformat(f"{ended}-05:00").astimezone(zone)
            office.run(job_id, moment, status)
    office.at("2026-03-04T09:00")
    rows = office.snapshot().rows
    assert {row.summary for row in rows} == {"overdue: last success 3294 minutes ago, allowed 1560"}
    assert {(row.health.value, row.attention.value) for row in rows} == {("overdue", "red")}
    assert {tuple(reason.code for reason in row.reasons) for row in rows} == {("failed", "clock-wrong")}


def test_a_clock_that_was_wrong_does_not_turn_a_good_light_grey(office, seen):
    seen()
    office.run("order-sync", "2026-03-03T02:06")
    office.run("order-sync", "2027-03-04T02:03")
    office.at("2026-03-03T09:00")
    assert office.light("order-sync") == ("ok", "green")
    assert office.codes("order-sync") == ["clock-wrong"]


def test_where_all_successes_are_from_the_future_health_cannot_be_told(office, seen):
    seen()
    office.run("order-sync", "2027-03-04T02:03")
    assert office.light("order-sync") == ("unknown", "grey")
    assert office.row("order-sync").summary == "can't tell"


def test_many_records_from_the_future_do_not_hide_the_failures_of_today(office, seen):
    seen()
    office.run("order-sync", "2026-03-04T02:03", "failed")
    for day in range(1, 29):
        office.run("order-sync", f"2027-03-{day:02}T02:00")
    office.at("2026-03-04T09:00")
    assert "failed" in office.codes("order-sync")


@pytest.mark.parametrize("what", ["seen", "edited"])
def test_what_a_clock_running_ahead_left_behind_excuses_no_silence_once_it_is_set_right(office, seen, what):
    if what == "edited":
        seen('weekly = { days = ["mon"], at = ["06:30"] }\nbackend = "none"')
    office.at("2026-03-01T20:00")
    seen()
    office.at("2026-02-28T13:00")
    office.check()
    assert office.row("order-sync").quiet
    office.at("2026-03-02T09:00")
    assert office.light("order-sync") == ("never-succeeded", "red")
    assert office.codes("order-sync") == ["never-ran"]


def test_a_job_first_seen_long_after_its_last_run_owes_nothing_from_before(office):
    office.job("order-sync", EVERY_DAY, GRACE)
    office.run("order-sync", "2026-02-01T02:06")
    office.check()
    assert office.light("order-sync") == ("ok", "green")


def test_a_job_that_runs_elsewhere_is_not_missed(office, seen):
    seen(BY_CRON)
    office.run("order-sync", "2026-03-01T05:31")
    office.at("2026-03-20T09:00")
    assert office.light("order-sync") == ("overdue", "red")
    office.settings('runs_elsewhere = ["order-sync"]\n')
    row = office.row("order-sync")
    assert office.light("order-sync") == ("ok", "green")
    assert (row.due, row.next_fire, row.summary) == (None, None, "it runs on another computer")
    assert office.check().exit_code == 0


def test_a_job_that_runs_elsewhere_and_never_ran_here_waits_for_nothing(office, seen):
    office.settings('runs_elsewhere = ["order-sync"]\n')
    seen(BY_CRON)
    office.at("2026-03-20T09:00")
    row = office.row("order-sync")
    assert (row.health.value, row.quiet, row.attention.value) == ("never-succeeded", True, "green")


@pytest.mark.parametrize("trouble", ["broken", "unmounted", "emptied"])
@pytest.mark.parametrize("schedule", [BY_CRON, IN_APP])
def test_a_job_whose_file_cannot_be_seen_is_never_called_an_orphan(office, seen, schedule, trouble):
    seen(schedule)
    office.scheduling.register([])
    if trouble == "broken":
        office.file("order-sync", "comand = 1\n")
    else:
        office.take_shop_away(leave_empty=trouble == "emptied")
    snapshot = office.snapshot()
    assert [row.job_id for row in snapshot.rows] == ["order-sync"]
    assert snapshot.attention == ("amber" if trouble == "broken" else "grey")
    assert not any("no job here wants" in banner for banner in told(snapshot))
    assert office.check().exit_code == (1 if trouble == "broken" else 3)


def test_an_empty_shop_folder_says_how_many_jobs_were_here(office, seen):
    seen(job_ids=("order-sync", "report"))
    office.take_shop_away(leave_empty=True)
    assert "2 jobs were here before" in told(office.snapshot())[0]


def test_an_unmounted_shop_folder_says_why_in_a_banner_and_in_each_row(office, seen):
    seen()
    office.take_shop_away(leave_empty=False)
    snapshot = office.snapshot()
    assert "is its disk mounted" in told(snapshot)[0]
    assert "is its disk mounted" in snapshot.rows[0].reasons[0].text


def test_a_vanished_file_among_others_is_a_grey_row_and_its_entry_an_orphan(office, seen):
    seen(BY_CRON, job_ids=("order-sync", "report"))
    office.scheduling.register([])
    office.run("order-sync", "2026-02-28T05:31")
    (office.shop / "jobs" / "report.toml").unlink()
    snapshot = office.snapshot()
    assert office.light("report") == ("unknown", "grey")
    assert "ridgeline unregister report" in office.row("report").reasons[0].proof[0]
    [banner] = [banner for banner in told(snapshot) if "no job here wants" in banner]
    assert "unregister report" in banner
    assert snapshot.attention == "amber"
    office.scheduling.unregister(["report"])
    assert [row.job_id for row in office.snapshot().rows] == ["order-sync"]
    assert told(office.snapshot()) == []


def test_a_computer_that_never_registered_a_job_says_so_for_one_and_for_several(office, seen):
    seen(IN_APP)
    [banner] = told(office.snapshot())
    assert banner.startswith("This computer runs none of the shop's jobs: order-sync. Register them here")
    seen(IN_APP, job_ids=("report", "stock"))
    [banner] = told(office.snapshot())
    assert banner.startswith("This computer runs none of these 3 jobs: order-sync, report, stock.")
    office.scheduling.register(["report"])
    assert told(office.snapshot()) == ["This computer has never registered: order-sync, stock"]
    office.scheduling.register([])
    assert told(office.snapshot()) == []


def test_a_job_started_by_hand_raises_no_banner(office, seen):
    seen()
    assert told(office.snapshot()) == []


def test_an_unreadable_crontab_is_grey_and_says_so_while_other_jobs_keep_their_lights(office, seen):
    seen(BY_CRON)
    seen(job_ids=("by-hand",))
    office.scheduling.register([])
    for job_id in ("order-sync", "by-hand"):
        office.run(job_id, "2026-02-28T11:00")
    assert office.snapshot().attention == "green"
    office.trouble.write_text("crontabs/theo/: fopen: Permission denied\n")
    assert office.light("order-sync") == ("ok", "grey")
    assert office.codes("order-sync") == ["unverifiable"]
    assert office.light("by-hand") == ("ok", "green")
    assert office.check().exit_code == 3


def test_a_run_that_is_going_on_is_shown_and_one_that_nothing_stands_behind_is_not(office, seen):
    seen()
    record = office.run("order-sync", "2026-02-28T11:59", "running")
    held = office.take_lock("order-sync", record.run_id)
    assert office.row("order-sync").running == record
    held.release()
    assert office.row("order-sync").running is None
    assert office.status(record) == "running", "looking never writes"


def test_a_run_that_was_started_in_time_keeps_the_light_until_its_deadline(office, seen):
    seen(EVERY_DAY, 'grace = "2 minutes"\ndeadline = "1 hour"')
    office.run("order-sync", "2026-03-01T02:00")
    record = office.run("order-sync", "2026-03-02T02:00", "running")
    held = office.take_lock("order-sync", record.run_id)
    office.at("2026-03-02T02:50")
    assert office.light("order-sync") == ("ok", "green")
    assert office.snapshot().valid_until == datetime(2026, 3, 2, 8, tzinfo=UTC)
    office.at("2026-03-02T03:01")
    assert office.light("order-sync") == ("overdue", "red")
    held.release()


def test_the_snapshot_says_until_when_it_holds(office, seen):
    seen()
    office.run("order-sync", "2026-02-28T11:00")
    assert office.snapshot().valid_until == office.clock.now() + timedelta(hours=24), "as of first seen"


def test_the_worst_job_stands_first(office, seen):
    seen(job_ids=("fine", "silent", "unlucky"))
    for job_id in ("fine", "unlucky"):
        office.run(job_id, "2026-03-02T11:00")
    office.run("unlucky", "2026-03-02T11:10", "failed")
    office.file("broken", "comand = 1\n")
    office.run("silent", "2026-02-28T11:00")
    office.at("2026-03-02T12:00")
    assert [row.job_id for row in office.snapshot().rows] == ["silent", "broken", "unlucky", "fine"]


def test_looking_makes_nothing_on_disk(office):
    office.job("order-sync", BY_CRON)
    office.snapshot()
    assert not office.state.exists()
