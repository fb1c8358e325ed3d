"""A form's change in the text of a job file: only what was meant, whatever way the file is written."""

import difflib
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ridgeline_desktop.core.draft_tables import checked, checked_details, details_of, draft_of, length_text
from ridgeline_desktop.core.drafts import JobDraft, Repeat, ScheduleDraft
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.job_texts import edited, new_job_text
from ridgeline_desktop.core.jobs import Job, OverlapPolicy, SafeToRerun
from ridgeline_desktop.core.schedules import BackendName, MisfirePolicy, Weekday

SAMPLES = Path(__file__).parents[2] / "resources" / "demo" / "jobs"
HAND_WRITTEN = {
    "bare": """\
command = ["x"]\
""",
    "shell": """\
shell = 'a | b'   # why
""",
    "mark and CRLF": "\ufeff"
    + """\
# first
command = ["x"]

[schedule] # when
daily = ["06:30"] # early
""".replace("\n", "\r\n"),
    "odd blanks": """\
command=[ "x" ]
  [ schedule ]   # when
\tevery   =  "15 minutes"# often


[run]
grace="2 hours"\
""",
    "dotted": """\
schedule.every = "1 hour"
schedule.days = ["mon"]
command = ["x"]
run.grace = "20 %"
""",
    "inline": """\
run = {}
schedule = { every = "15 minutes", between="08:00-18:00" } # x
command = ["x"]
""",
    "sub-tables": """\
command = ["x"]
[schedule]
zone = "UTC"
[schedule.weekly]
days = ["mon"] # d
at = ["06:30"]
[run]
[run.success]
must_print = "x"
[environment]
B = "2"
# c
[[lock_file]]
path = "/x"
""",
    "no table of its own": """\
command = ["x"]
# of the month
[schedule.monthly]
day = 1
at = ["06:30"]
[alerts]
people = []
""",
    "dotted in a table": """\
"title" = "T"
command = ["x"]
[schedule]
monthly.nth = 2
monthly.weekday = "tue"
monthly.at = ["06:30"]
[run] # limits
success = { exit_codes = [0, 3] }
retry = { attempts = 2 }
""",
    "several lines": """\
command = [
  "x", # the program
  # and its
  "y",
]
[schedule]
daily = [
  "06:30", # early
  # later
  "18:00"
]
[run]
needs_network = true # always
""",
    "defaults written out": """\
title = "job"
about = \"""
two
lines\"""
command = ["x"]
safe_to_rerun = "ask"
tags = []
[schedule]
backend = "auto" # ours
if_missed = "run-once"
[run]
overlap = "skip"
queue_for = "10 minutes"
""",
    "by hand": """\
command = ["x"]

# No [schedule].

# limits
[run]
deadline = "none"
""",
    "secrets first": """\
command = ["x"]
[secrets]
A = "b"
[alerts]
ping = "p"
[schedule]
cron = "@daily" # c
""",
    "arrives": """\
command = ["x"]
[schedule]
arrives = "/a/*.csv"
expect = "1 day"
""",
}
TEXTS = HAND_WRITTEN | {path.stem: path.read_text(encoding="utf-8") for path in SAMPLES.glob("*.toml")}
names = st.sampled_from(sorted(TEXTS))
every_text = pytest.mark.parametrize("name", sorted(TEXTS))
SECONDS = ("1 second", "90 seconds", "7 minutes", "2 hours", "3 days", "1 week")

clock = st.times().map(lambda moment: f"{moment:%H:%M}")
lengths = st.sampled_from(("", *SECONDS))
days = st.lists(st.sampled_from(Weekday), unique=True, min_size=1).map(tuple)
dates = st.sampled_from([("", ""), ("2026-03-01", ""), ("", "2030-01-31"), ("2026-03-01", "2026-03-01")])


@st.composite
def drafts(draw: st.DrawFn) -> ScheduleDraft:
    """Any draft without problems; what belongs to other kinds is there too, and must not matter."""
    starts, ends = draw(dates)
    return ScheduleDraft(
        repeat=draw(st.sampled_from(Repeat)),
        every=draw(st.sampled_from(["1 minute", "15 minutes", "2 hours", "24 hours", "1 day"])),
        between=draw(st.sampled_from([("", ""), ("00:00", "23:59"), ("0:00", "18:00")])),
        days=draw(days),
        times=tuple(draw(st.lists(clock, unique=True, min_size=1, max_size=4))),
        month_day=draw(st.sampled_from(["1", "28", "31", "last"])),
        nth=draw(st.sampled_from(["1", "4", "last"])),
        weekday=draw(st.sampled_from(Weekday)),
        cron=draw(st.sampled_from(["@daily", "30 6 * * 1", "*/5 8-18 1 * 5"])),
        arrives="/srv/in box/*.csv",
        zone=draw(st.sampled_from(["", "UTC", "America/Toronto"])),
        if_missed=draw(st.sampled_from(MisfirePolicy)),
        starts=starts,
        ends=ends,
        expect=draw(lengths),
        backend=draw(st.sampled_from(BackendName)),
        grace=draw(st.sampled_from(["", "20 %", "1%", "100 %", *SECONDS])),
        deadline=draw(st.sampled_from(["", "none", *SECONDS])),
        overlap=draw(st.sampled_from(OverlapPolicy)),
        queue_for=draw(lengths),
    )


words = st.text(st.characters(exclude_categories=("C", "Z")), max_size=8)
paths = st.sampled_from(["", "/srv/shop", "~/x"])


@st.composite
def job_drafts(draw: st.DrawFn) -> JobDraft:
    is_shell = draw(st.booleans())
    return JobDraft(
        job_id="job",
        title=draw(words),
        about=draw(st.lists(words, max_size=3).map("\n".join)).strip(),
        looked_after_by=draw(words),
        program="" if is_shell else "/bin/" + draw(words),
        arguments=() if is_shell else tuple(draw(st.lists(words, max_size=3))),
        shell=("a | " + draw(words)).strip() if is_shell else "",
        folder=draw(paths),
        environment=tuple(draw(st.dictionaries(st.sampled_from(["B", "C_1", "D"]), words)).items()),
        runbook=draw(st.sampled_from(["", "runbooks/x.md", "https://shop.example/x"])),
        safe_to_rerun=draw(st.sampled_from(SafeToRerun)),
        tags=tuple(draw(st.lists(words.filter(bool), max_size=3))),
    )


def job(text: str, job_id: str = "job") -> Job:
    file = read_job_file(f"{job_id}.toml", text, shop_zone="America/Toronto")
    assert file.job is not None, file.sentences()
    return file.job


def plain(text: str) -> Job:
    """The job without what follows from its schedule and rules, so that the rest can be compared."""
    found = job(text)
    run = replace(found.run, grace=None, deadline=None, no_deadline=False)
    run = replace(run, overlap=OverlapPolicy.SKIP, queue_for=job('command = ["x"]').run.queue_for)
    schedule = job('command = ["x"]').schedule
    return replace(found, schedule=schedule, run=run, definition="", schedule_text="")


@every_text
def test_a_form_that_changes_nothing_gives_the_very_same_text(name):
    text = TEXTS[name]
    assert edited(text, draft_of(job(text)), draft_of(job(text))) == text
    assert edited(text, details_of(job(text)), details_of(job(text))) == text


@settings(max_examples=80)
@given(name=names, draft=drafts())
def test_the_changed_file_says_what_the_schedule_form_says_and_the_rest_as_before(name, draft):
    text = TEXTS[name]
    changed = edited(text, draft_of(job(text)), draft)
    answer, found = checked(draft), job(changed)
    assert answer.problems == ()
    assert found.schedule == answer.schedule
    assert replace(answer.run, success=found.run.success, retry=found.run.retry) == replace(
        found.run, needs_network=False, leave_children=False
    )
    assert plain(changed) == plain(text)
    assert edited(changed, draft_of(found), draft) == changed


@settings(max_examples=80)
@given(name=names, draft=drafts())
def test_a_change_and_its_opposite_mean_the_same_file(name, draft):
    text = TEXTS[name]
    back = edited(edited(text, draft_of(job(text)), draft), draft, draft_of(job(text)))
    assert replace(job(back), definition="", schedule_text="") == replace(
        job(text), definition="", schedule_text=""
    )


@settings(max_examples=80)
@given(name=names, draft=job_drafts())
def test_the_changed_file_says_what_the_job_form_says_and_the_schedule_as_before(name, draft):
    text = TEXTS[name]
    assert checked_details(draft) == ()
    changed = edited(text, details_of(job(text)), draft)
    found = details_of(job(changed))
    assert replace(found, environment=()) == replace(
        draft, environment=(), title="" if draft.title == "job" else draft.title
    )
    assert dict(found.environment) == dict(draft.environment)
    assert (job(changed).schedule, job(changed).run) == (job(text).schedule, job(text).run)


@settings(max_examples=80)
@given(name=names, draft=drafts())
def test_comments_on_lines_of_their_own_and_line_ends_stay(name, draft):
    text = TEXTS[name]
    changed = edited(text, draft_of(job(text)), draft)
    own = [line.strip() for line in text.splitlines() if line.strip().startswith("#")]
    of_a_list_that_goes = ["# later"]
    assert [line for line in own if line not in changed and line not in of_a_list_that_goes] == []
    assert changed.startswith("\ufeff") == text.startswith("\ufeff")
    assert changed.count("\n") == changed.count("\r\n") or "\r" not in text
    assert "\r" not in changed or "\r" in text


@given(draft=job_drafts())
def test_a_new_job_file_says_what_the_form_says_and_is_started_by_hand(draft):
    text = new_job_text(draft)
    assert details_of(job(text)) == replace(draft, title="" if draft.title == "job" else draft.title)
    assert draft_of(job(text)) == ScheduleDraft()
    assert text.startswith("# job.toml")


def lines_changed(name: str, **changes: object) -> list[str]:
    text = TEXTS[name]
    draft = draft_of(job(text))
    after = edited(text, draft, replace(draft, **changes))
    diff = list(difflib.ndiff(text.splitlines(keepends=True), after.splitlines(keepends=True)))
    return [line for line in diff if line[0] in "+-"]


def test_another_kind_stands_in_the_place_of_the_old_one_with_its_comment():
    assert lines_changed("mark and CRLF", repeat=Repeat.EVERY, every="1 hour") == [
        '- daily = ["06:30"] # early\r\n',
        '+ every = "1 hour" # early\r\n',
    ]


def test_a_comment_keeps_its_column_where_there_is_room():
    assert lines_changed("order-sync", every="5 minutes") == [
        '- every = "15 minutes"                        # counted from midnight: 00:00, 00:15, 00:30 …\n',
        '+ every = "5 minutes"                         # counted from midnight: 00:00, 00:15, 00:30 …\n',
    ]


def test_the_default_takes_the_key_out():
    assert lines_changed("weekly-report", backend=BackendName.AUTO, grace="") == [
        f"- {line}\n" for line in TEXTS["weekly-report"].splitlines() if line.startswith(("backend", "grace"))
    ]


def test_a_default_written_out_is_changed_where_it_stands():
    changes = lines_changed("defaults written out", backend=BackendName.CRON, queue_for="1 hour")
    assert [line for line in changes if line[0] == "+"] == [
        '+ backend = "cron" # ours\n',
        '+ queue_for = "1 hour"\n',
    ]


def test_a_first_schedule_stands_before_the_rules_and_their_comment():
    text = edited(TEXTS["by hand"], ScheduleDraft(deadline="none"), ScheduleDraft(repeat=Repeat.DAILY))
    assert text == (
        'command = ["x"]\n\n# No [schedule].\n\n[schedule]\ndaily = ["06:30"]\n\n# limits\n[run]\n'
    )


def test_a_schedule_at_the_end_of_a_file_gets_a_line_of_its_own():
    text = edited(TEXTS["bare"], ScheduleDraft(), ScheduleDraft(repeat=Repeat.DAILY, grace="1 hour"))
    assert text == 'command = ["x"]\n\n[schedule]\ndaily = ["06:30"]\n\n[run]\ngrace = "1 hour"\n'


def test_only_the_changed_part_of_an_inline_table_is_touched():
    changes = lines_changed("inline", every="20 minutes", between=("", ""), zone="UTC")
    assert changes[1] == '+ schedule = { every = "20 minutes", zone = "UTC" } # x\n'


def test_items_of_a_list_over_several_lines_keep_their_comments():
    assert lines_changed("several lines", times=("06:30", "12:00", "18:00")) == ['+   "12:00",\n']
    assert lines_changed("several lines", times=("18:00",)) == ['-   "06:30", # early\n']


def test_a_file_that_cannot_be_changed_safely_is_left_alone():
    text = 'command = ["x"]\n[schedule]\ndaily = ["06:30"]\n'
    wrong = draft_of(job('command = ["x"]\n[schedule]\nevery = "1 hour"\nzone = "UTC"\n'))
    edited(text, draft_of(job(text)), replace(wrong, zone=""))
    with pytest.raises(RidgelineError, match="in a text editor"):
        edited(text, replace(draft_of(job(text)), zone="UTC"), wrong)
    with pytest.raises(RidgelineError, match="in a text editor"):
        edited("command = 1\n", JobDraft(job_id="job"), JobDraft(job_id="job", program="/x"))


def test_a_draft_with_problems_is_never_written():
    with pytest.raises(ValueError, match="problems"):
        edited(TEXTS["bare"], ScheduleDraft(), ScheduleDraft(repeat=Repeat.DAILY, times=()))


def test_the_new_file_is_valid_for_every_program_that_reads_toml():
    odd = JobDraft(job_id="job", program='/bin/"x"', arguments=("a\\b", "é", "#", ""), shell="")
    assert tomllib.loads(new_job_text(odd))["command"] == ['/bin/"x"', "a\\b", "é", "#", ""]
    assert length_text(None) == ""
