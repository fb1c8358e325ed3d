"""The forms of schedules and jobs: filled from a job, and judged as its file would be."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ridgeline_desktop.core.draft_tables import (
    checked,
    checked_details,
    details_of,
    details_values,
    draft_of,
    length_text,
    suggested_id,
)
from ridgeline_desktop.core.drafts import (
    OFFERED_BACKENDS,
    OFFERED_OVERLAPS,
    OFFERED_REPEATS,
    JobDraft,
    Repeat,
    ScheduleDraft,
)
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import Job, OverlapPolicy, SafeToRerun, not_yet_obeyed
from ridgeline_desktop.core.schedules import BackendName, MisfirePolicy, Weekday, parse_duration


def job(text: str) -> Job:
    file = read_job_file("report.toml", text, shop_zone="America/Toronto")
    assert file.job is not None, file.sentences()
    return file.job


def shown(schedule: str, run: str = "") -> ScheduleDraft:
    return draft_of(job(f'command = ["x"]\n[schedule]\n{schedule}\n[run]\n{run}\n'))


MON, TUE = Weekday.MON, Weekday.TUE


@pytest.mark.parametrize(
    ("schedule", "draft"),
    [
        ("", ScheduleDraft()),
        (
            'every = "15 minutes"\nbetween = "08:00-18:00"\ndays = ["mon"]',
            ScheduleDraft(repeat=Repeat.EVERY, every="15 minutes", between=("08:00", "18:00"), days=(MON,)),
        ),
        ('every = "60 minutes"', ScheduleDraft(repeat=Repeat.EVERY, every="1 hour")),
        ('every = "1 day"', ScheduleDraft(repeat=Repeat.EVERY, every="24 hours")),
        ('daily = ["18:00", "06:30"]', ScheduleDraft(repeat=Repeat.DAILY, times=("06:30", "18:00"))),
        (
            'weekly = { days = ["tue", "mon"], at = ["06:30"] }',
            ScheduleDraft(repeat=Repeat.WEEKLY, days=(MON, TUE), times=("06:30",)),
        ),
        (
            'monthly = { day = 31, at = ["06:30"] }',
            ScheduleDraft(repeat=Repeat.MONTHLY_DAY, month_day="31", times=("06:30",)),
        ),
        (
            'monthly = { day = "last", at = ["06:30"] }',
            ScheduleDraft(repeat=Repeat.MONTHLY_DAY, month_day="last", times=("06:30",)),
        ),
        (
            'monthly = { nth = 2, weekday = "tue", at = ["06:30"] }',
            ScheduleDraft(repeat=Repeat.MONTHLY_NTH, nth="2", weekday=TUE, times=("06:30",)),
        ),
        (
            'monthly = { nth = "last", weekday = "tue", at = ["06:30"] }',
            ScheduleDraft(repeat=Repeat.MONTHLY_NTH, nth="last", weekday=TUE, times=("06:30",)),
        ),
        ('cron = "@daily"', ScheduleDraft(repeat=Repeat.CUSTOM, cron="@daily")),
        (
            'arrives = "/a/*.csv"\nexpect = "7 days"',
            ScheduleDraft(repeat=Repeat.ARRIVES, arrives="/a/*.csv", expect="1 week"),
        ),
    ],
)
def test_the_form_shows_every_kind_of_schedule(schedule, draft):
    assert shown(schedule) == draft
    assert checked(draft).problems == ()


def test_the_form_shows_every_option():
    options = (
        'zone = "UTC"\nif_missed = "skip"\nstarts = 2026-03-01\nends = 2026-04-01\nexpect = "3 days"\n'
        'backend = "in-app"'
    )
    limits = 'grace = "90 seconds"\ndeadline = "185 minutes"\noverlap = "queue"\nqueue_for = "1 hour"'
    assert shown(options, limits) == ScheduleDraft(
        zone="UTC",
        if_missed=MisfirePolicy.SKIP,
        starts="2026-03-01",
        ends="2026-04-01",
        expect="3 days",
        backend=BackendName.IN_APP,
        grace="90 seconds",
        deadline="185 minutes",
        overlap=OverlapPolicy.QUEUE,
        queue_for="1 hour",
    )


@pytest.mark.parametrize("percent", [1, 7, 29, 57, 58, 100])
def test_a_share_is_shown_as_it_was_written(percent):
    draft = shown("", f'grace = "{percent} %"\ndeadline = "none"')
    assert (draft.grace, draft.deadline) == (f"{percent} %", "none")


@pytest.mark.parametrize("seconds", [1, 60, 61, 3600, 5400, 86_400, 90_000, 604_800, 11_100, 10_000_000])
def test_a_length_of_time_is_written_so_that_it_is_read_exactly(seconds):
    length = timedelta(seconds=seconds)
    assert parse_duration(length_text(length)) == length


def test_a_form_offers_only_what_is_obeyed():
    assert set(Repeat) - set(OFFERED_REPEATS) == {Repeat.ARRIVES}
    for backend in OFFERED_BACKENDS:
        for overlap in OFFERED_OVERLAPS:
            text = f'command = ["x"]\n[schedule]\nbackend = "{backend}"\n[run]\noverlap = "{overlap}"\n'
            assert not_yet_obeyed(job(text)) == ()


def said(draft: ScheduleDraft) -> dict[str, str]:
    answer = checked(draft)
    assert (answer.schedule is None) == bool(answer.problems)
    return {problem.field: problem.message for problem in answer.problems}


def test_all_problems_are_told_at_once_each_at_its_field():
    draft = ScheduleDraft(
        repeat=Repeat.EVERY,
        every="soon",
        between=("08:00", ""),
        zone="Mars/Base",
        starts="1 March",
        ends="2026-02-30",
        grace="0 %",
        deadline="long",
        queue_for="x",
    )
    assert list(said(draft)) == [
        "every", "between", "zone", "starts", "ends", "deadline", "grace", "queue_for",
    ]  # fmt: skip


EVERY = ScheduleDraft(repeat=Repeat.EVERY)
DAILY = ScheduleDraft(repeat=Repeat.DAILY)
DAY = ScheduleDraft(repeat=Repeat.MONTHLY_DAY)
NTH = ScheduleDraft(repeat=Repeat.MONTHLY_NTH)
WEEKLY = ScheduleDraft(repeat=Repeat.WEEKLY, days=(MON,))
CUSTOM = ScheduleDraft(repeat=Repeat.CUSTOM)
ARRIVES = ScheduleDraft(repeat=Repeat.ARRIVES)


@pytest.mark.parametrize(
    ("draft", "field", "words"),
    [
        (replace(EVERY, every=""), "every", 'such as "15 minutes"'),
        (replace(EVERY, every="7 minutes"), "every", "must divide the hour or the day"),
        (replace(EVERY, between=("18:00", "08:00")), "between", "second time must be after the first"),
        (replace(EVERY, between=("", "08:00")), "between", "Write both times"),
        (replace(EVERY, every="24 hours", between=("08:00", "09:00")), "between", "No run falls between"),
        (replace(DAILY, times=()), "times", "at least one time"),
        (replace(DAILY, times=("06:30", "6:3")), "times", '"6:3" is not a time'),
        (replace(DAILY, times=("06:30", "6:30")), "times", "twice"),
        (replace(DAY, times=()), "times", "at least one time"),
        (replace(DAY, month_day="32"), "month_day", "1 to 31"),
        (replace(DAY, month_day="first"), "month_day", "1 to 31"),
        (replace(NTH, nth="5"), "nth", "first to the fourth"),
        (replace(NTH, times=("x",)), "times", '"x" is not a time'),
        (replace(WEEKLY, days=()), "days", "at least one day"),
        (replace(WEEKLY, times=("24:00",)), "times", '"24:00" is not a time'),
        (CUSTOM, "cron", "The expression is empty"),
        (replace(CUSTOM, cron="61 * * * *"), "cron", "Minute: 61 is out of range"),
        (ARRIVES, "arrives", "full path"),
        (replace(DAILY, zone="Mars/Base"), "zone", '"Mars/Base" is not a time zone'),
        (replace(DAILY, starts="2026-3-1"), "starts", "year-month-day"),
        (replace(DAILY, starts="20260301"), "starts", "year-month-day"),
        (replace(DAILY, starts="0001-03-01"), "starts", "1970 to 2999"),
        (replace(DAILY, ends="3001-03-01"), "ends", "1970 to 2999"),
        (replace(DAILY, starts="2026-03-02", ends="2026-03-01"), "ends", "before the first"),
        (ScheduleDraft(expect="x"), "expect", 'such as "7 days"'),
        (replace(DAILY, grace="101 %"), "grace", "a share"),
        (replace(DAILY, deadline="4000 days"), "deadline", "at most 3650 days"),
        (replace(DAILY, queue_for="-1 day"), "queue_for", "a whole number"),
    ],
)
def test_each_problem_says_what_to_write_instead(draft, field, words):
    problems = said(draft)
    assert list(problems) == [field]
    assert words in problems[field]


def test_what_belongs_to_another_kind_of_schedule_does_not_matter():
    left = ScheduleDraft(
        every="x", between=("x", ""), times=("x",), month_day="x", nth="x", cron="x", arrives="x"
    )
    assert said(left) == {}
    assert said(replace(DAILY, expect="x")) == {}


def test_a_time_may_be_typed_with_one_digit_and_blanks_around_it():
    answer = checked(
        replace(DAILY, times=(" 6:30 ",), starts=" 2026-03-01 ", grace=" 5 minutes ", deadline=" none ")
    )
    expected = shown('daily = ["06:30"]\nstarts = 2026-03-01', 'grace = "5 minutes"\ndeadline = "none"')
    assert (answer.schedule, answer.run) == (checked(expected).schedule, checked(expected).run)


ALL = """\
title = "Report"
about = \"""
two
lines\"""
looked_after_by = "Jordan"
command = ["/bin/x", "a"]
folder = "~/x"
environment = { B = "2", A = "1" }
runbook = "runbooks/report.md"
safe_to_rerun = "yes"
tags = ["orders"]
"""


def test_the_job_form_shows_everything_but_the_schedule():
    assert details_of(job(ALL)) == JobDraft(
        job_id="report",
        title="Report",
        about="two\nlines",
        looked_after_by="Jordan",
        program="/bin/x",
        arguments=("a",),
        folder="~/x",
        environment=(("B", "2"), ("A", "1")),
        runbook="runbooks/report.md",
        safe_to_rerun=SafeToRerun.YES,
        tags=("orders",),
    )
    assert checked_details(details_of(job(ALL))) == ()


def test_what_is_not_set_is_empty_in_the_job_form():
    assert details_of(job('shell = "a | b"')) == JobDraft(job_id="report", shell="a | b")


def test_blanks_around_what_is_typed_do_not_count():
    draft = JobDraft(
        job_id="x", title=" T ", program=" /x ", arguments=(" ",), tags=(" a ", " "), about="a\r\nb\n"
    )
    assert details_values(draft) == {"title": "T", "about": "a\nb", "command": ["/x", " "], "tags": ["a"]}


X = JobDraft(job_id="x", program="/x")


@pytest.mark.parametrize(
    ("draft", "field", "words"),
    [
        (replace(X, job_id="X"), "job_id", "small letters"),
        (replace(X, job_id="con"), "job_id", "taken"),
        (replace(X, program=""), "program", "Name the program"),
        (replace(X, program="", arguments=("a",)), "program", "Name the program"),
        (replace(X, arguments=("a\nb",)), "program", "on one line"),
        (replace(X, shell="a"), "shell", "not both"),
        (replace(X, program="", shell="a\nb"), "shell", "on one line"),
        (replace(X, title="a\nb"), "title", "on one line"),
        (replace(X, looked_after_by="a\nb"), "looked_after_by", "on one line"),
        (replace(X, about="\x07"), "about", "cannot be printed"),
        (replace(X, tags=("a\nb",)), "tags", "on one line"),
        (replace(X, folder="x"), "folder", "full path"),
        (replace(X, runbook="../x"), "runbook", "inside the shop folder"),
        (replace(X, environment=(("1", ""),)), "environment", '"1" cannot be a variable'),
        (replace(X, environment=(("RIDGELINE_X", ""),)), "environment", "set by Ridgeline itself"),
        (replace(X, environment=(("A", "1"), ("A ", "2"))), "environment", "twice"),
    ],
)
def test_each_problem_of_the_job_form_says_what_to_write_instead(draft, field, words):
    problems = {problem.field: problem for problem in checked_details(draft)}
    assert list(problems) == [field]
    assert words in problems[field].message
    assert problems[field].blocks


@pytest.mark.parametrize(
    ("title", "job_id"),
    [
        ("Order sync", "order-sync"),
        ("  Bestellungen für Zürich! ", "bestellungen-fur-zurich"),
        ("-1 & 2-", "1-2"),
        ("注文", ""),
        ("x" * 60, "x" * 48),
        ("x" * 47 + " y", "x" * 47),
        ("con", "con-job"),
    ],
)
def test_a_title_suggests_an_id(title, job_id):
    assert suggested_id(title) == job_id
