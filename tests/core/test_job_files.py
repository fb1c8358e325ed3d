"""Job files: every key with its default, and every mistake named with file, line and what is allowed."""

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline_desktop.core.job_files import JobFile, broken_file, read_job_file
from ridgeline_desktop.core.jobs import (
    WINDOWS_DEVICES,
    AlertRules,
    Grace,
    Job,
    LockFileFormat,
    LockFileRule,
    OverlapPolicy,
    RunRules,
    SafeToRerun,
    SuccessRules,
    is_job_id,
    not_yet_obeyed,
)
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.core.schedules import (
    BackendName,
    ByHand,
    Daily,
    Every,
    MisfirePolicy,
    Schedule,
    Weekday,
)

TORONTO = "America/Toronto"
EXAMPLE = """\
# jobs/order-sync.toml
title = "Order sync"
about = "Copies new web orders to the till."
looked_after_by = "Jordan"
command = ["/srv/ridgeline/bin/run", "order-sync"]   # argv; or  shell = "one | line"
folder = "/srv/ridgeline"
runbook = "docs/runbooks/order-sync.md"
safe_to_rerun = "yes"                       # yes | ask | never
environment = { LANG = "C.UTF-8" }
secrets = { SHOP_API_KEY = "shop-api" }     # variable = secret's name
tags = ["orders"]

[schedule]
every = "15 minutes"
between = "08:00-18:00"
days = ["mon", "tue"]
zone = "Europe/Berlin"
if_missed = "skip"
starts = 2026-01-01
ends = 2027-01-01
backend = "cron"

[run]
grace = "10 minutes"
deadline = "12 minutes"
overlap = "queue"
queue_for = "5 minutes"
success = { exit_codes = [0, 3], must_print = "ok", must_not_print = "Error", fresh_file = "/srv/out.csv" }
retry = { attempts = 3, base = "2 seconds", cap = "40 seconds", exit_codes = [75, 1] }
needs_network = true
leave_children = true

[alerts]
people = ["theo-mail", "shop-chat"]
ping = "order-sync-ping"

[[lock_file]]
path = "/srv/ridgeline/order-sync.lock"
format = "json"
"""


def read(text: str, name: str = "order-sync.toml") -> JobFile:
    return read_job_file(name, text, shop_zone=TORONTO)


def job(text: str) -> Job:
    found = read(text)
    assert found.job is not None, found.sentences()
    assert found.problems == ()
    return found.job


def test_every_key_of_the_example_is_read():
    found = job(EXAMPLE)
    assert found == Job(
        job_id="order-sync",
        title="Order sync",
        command=("/srv/ridgeline/bin/run", "order-sync"),
        about="Copies new web orders to the till.",
        looked_after_by="Jordan",
        folder="/srv/ridgeline",
        runbook="docs/runbooks/order-sync.md",
        safe_to_rerun=SafeToRerun.YES,
        environment=(("LANG", "C.UTF-8"),),
        secrets=(("SHOP_API_KEY", "shop-api"),),
        tags=("orders",),
        schedule=Schedule(
            rule=Every(
                interval=timedelta(minutes=15),
                between=(time(8), time(18)),
                days=(Weekday.MON, Weekday.TUE),
            ),
            zone="Europe/Berlin",
            if_missed=MisfirePolicy.SKIP,
            starts=date(2026, 1, 1),
            ends=date(2027, 1, 1),
            backend=BackendName.CRON,
        ),
        run=RunRules(
            grace=Grace(fixed=timedelta(minutes=10)),
            deadline=timedelta(minutes=12),
            overlap=OverlapPolicy.QUEUE,
            queue_for=timedelta(minutes=5),
            success=SuccessRules(
                exit_codes=(0, 3), must_print="ok", must_not_print="Error", fresh_file="/srv/out.csv"
            ),
            retry=RetryPolicy(
                attempts=3, base=timedelta(seconds=2), cap=timedelta(seconds=40), exit_codes=(75, 1)
            ),
            needs_network=True,
            leave_children=True,
        ),
        alerts=AlertRules(people=("theo-mail", "shop-chat"), ping="order-sync-ping"),
        lock_files=(LockFileRule(path="/srv/ridgeline/order-sync.lock", format=LockFileFormat.JSON),),
        definition=found.definition,
        schedule_text=found.schedule_text,
    )


def test_everything_but_the_command_has_a_default():
    found = job('command = ["true"]\n')
    assert found == Job(
        job_id="order-sync",
        title="order-sync",
        command=("true",),
        schedule=Schedule(rule=ByHand()),
        definition=found.definition,
        schedule_text=found.schedule_text,
    )
    assert (found.folder, found.runbook, found.about, found.tags) == ("", "", "", ())
    assert found.safe_to_rerun is SafeToRerun.ASK
    assert (found.schedule.zone, found.schedule.if_missed) == (None, MisfirePolicy.RUN_ONCE)
    assert found.schedule.backend is BackendName.AUTO
    rules = found.run
    assert (rules.grace, rules.deadline, rules.no_deadline) == (None, None, False)
    assert (rules.overlap, rules.queue_for) == (OverlapPolicy.SKIP, timedelta(minutes=10))
    assert rules.success == SuccessRules(exit_codes=(0,), must_print="", must_not_print="", fresh_file="")
    second = timedelta(seconds=1)
    assert rules.retry == RetryPolicy(attempts=1, base=second, cap=30 * second, exit_codes=(75,))
    assert (rules.needs_network, rules.leave_children) == (False, False)
    assert (found.alerts, found.lock_files) == (AlertRules(people=(), ping=""), ())


def test_dotted_keys_headers_and_inline_tables_are_one_and_the_same():
    ways = (
        'schedule.every = "15 minutes"\nrun.retry.attempts = 3\nlock_file = [{ path = "/l" }]\n',
        'schedule = { every = "15 minutes" }\nrun = { retry = { attempts = 3 } }\n'
        'lock_file = [{ path = "/l" }]\n',
        '[schedule]\nevery = "15 minutes"\n[run.retry]\nattempts = 3\n[[lock_file]]\npath = "/l"\n',
    )
    assert len({job(f'command = ["true"]\n{text}') for text in ways}) == 1


def test_the_definition_is_of_the_values_alone():
    assert (
        job("# a\ntitle = 'x'\ncommand = ['true']").definition
        == job('command = [\n "true"]\ntitle = "x" # b').definition
    )
    assert job('command = ["true"]').definition != job('command = ["false"]').definition


def test_the_schedule_text_has_the_shops_zone_filled_in():
    assert job('command = ["true"]\n[schedule]\ndaily = ["06:30"]\n').schedule_text == (
        '{"daily": ["06:30"], "zone": "America/Toronto"}'
    )
    assert job('command = ["true"]\n').schedule_text == '{"zone": "America/Toronto"}'
    assert job(EXAMPLE).schedule_text.endswith('"starts": "2026-01-01", "zone": "Europe/Berlin"}')


START = 'set either command = ["/path/to/program", "argument"] or shell = "one | line"'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, START),
        ("# nothing\n", None, START),
        ("\ufeff", None, START),
        ("\ncommand = []\n", 2, START),
        ('\nshell = ""\n', 2, START),
        ('shell = "  "\n', 1, START),
        ('shell = "a | b"\ncommand = ["a"]\n', 1, START),
        ('command = ["", "x"]\n', 1, "the first item of command must name a program"),
        ('command = "true"\n', 1, 'command must be a list of texts such as ["one", "two"], not "true"'),
        ("command = [1]\n", 1, "every item of command must be a text in quotes"),
        ('command = ["a\\nb"]\n', 1, "command must not contain line breaks or control characters"),
        ("shell = true\n", 1, "shell must be a text in quotes, not true"),
        ('shell = """a\nb"""\n', 1, "shell must not contain line breaks or control characters"),
    ],
)
def test_a_job_starts_a_command_or_a_shell_line(text, line, message):
    found = read(text)
    assert [(problem.line, problem.message) for problem in found.problems] == [(line, message)]
    where = f":{line}" if line else ""
    assert found.sentences() == (f"order-sync.toml{where}: {message}",)


def test_a_shell_line_is_enough():
    assert job('shell = "one | line"\n').shell == "one | line"


def test_windows_line_ends_move_no_line():
    text = 'command = ["true"]\r\ntitle = "x"\r\n\r\n[run]\r\ngrace = 5\r\n'
    assert [problem.line for problem in read(text).problems] == [5]
    assert read(text.replace("grace = 5", 'grace = "5 %"')).job is not None


def test_all_problems_come_at_once_in_the_order_of_the_file():
    text = (
        EXAMPLE.replace('"yes"', '"perhaps"')
        .replace('"15 minutes"', '"45 minutes"')
        .replace('"json"', '"xml"')
    )
    text = text.replace('"queue"', '"wait"').replace('title = "', 'titel = "').replace("[0, 3]", "[999]")
    found = read(text)
    assert found.job is None
    assert [problem.line for problem in found.problems] == [2, 8, 14, 26, 28, 39]
    assert [sentence.split(": ")[0] for sentence in found.sentences()] == [
        f"order-sync.toml:{line}" for line in (2, 8, 14, 26, 28, 39)
    ]


@pytest.mark.parametrize(
    ("value", "grace", "deadline", "endless"),
    [
        ("", None, None, False),
        ('grace = "20 %"\ndeadline = "none"', Grace(fraction=0.2), None, True),
        ('grace = "5%"\ndeadline = "1 second"', Grace(fraction=0.05), timedelta(seconds=1), False),
        ('grace = "100 %"', Grace(fraction=1.0), None, False),
        ('grace = "3 days"', Grace(fixed=timedelta(days=3)), None, False),
    ],
)
def test_grace_and_deadline_can_be_set_left_out_or_none(value, grace, deadline, endless):
    rules = job(f'command = ["true"]\n[run]\n{value}\n').run
    assert (rules.grace, rules.deadline, rules.no_deadline) == (grace, deadline, endless)


@pytest.mark.parametrize("runbook", ["https://wiki.example/a", "a.md", "runbooks/a.md", "a..b/c.md"])
def test_a_runbook_is_a_file_of_the_shop_folder_or_a_safe_link(runbook):
    assert job(f'command = ["true"]\nrunbook = "{runbook}"\n').runbook == runbook


def test_about_may_have_several_lines_and_a_blank_title_is_none():
    found = job('command = ["true"]\nabout = """a\nb"""\ntitle = " "\n')
    assert (found.about, found.title) == ("a\nb", "order-sync")


@pytest.mark.parametrize("name", ["a", "0", "order-sync", "a--", "con1", "a" * 48, "lpt10", "com1-a"])
def test_a_job_id_is_the_files_name(name):
    assert is_job_id(name)
    found = read('command = ["true"]\n', f"{name}.toml")
    assert (found.job_id, found.file_name) == (name, f"{name}.toml")
    assert found.job is not None
    assert found.job.job_id == name


@pytest.mark.parametrize(
    "name",
    ["", "-a", "Order-Sync", "a_b", "a b", "a.b", "a/b", "a\n", "é", "٣", "a" * 49, "a.TOML", "a;b", "%",
     *sorted(WINDOWS_DEVICES)],
)  # fmt: skip
def test_a_name_that_cannot_be_an_id_is_refused_by_the_rule(name):
    assert not is_job_id(name)
    found = read('command = ["true"]\n', f"{name}.toml")
    assert found.job is None
    assert [problem.line for problem in found.problems] == [None]
    assert (
        "rename the file: 1 to 48 of the characters a-z, 0-9 and -, not beginning with -"
        in found.sentences()[0]
    )


def test_a_file_with_a_hostile_name_is_still_fit_to_print():
    for found in (read("", "a\x1b[2J\udc80\n.toml"), broken_file("a\x1b[2J\udc80\n.toml", "why\n\x1b[0m")):
        assert found.job_id == "a\ufffd[2J\ufffd\ufffd"
        assert all(sentence.isprintable() for sentence in found.sentences())


def test_a_file_that_could_not_be_read_says_why():
    found = broken_file("order-sync.toml", "the file cannot be read: Permission denied")
    assert (found.job_id, found.job) == ("order-sync", None)
    assert found.sentences() == ("order-sync.toml: the file cannot be read: Permission denied",)


SCRAPS = st.sampled_from(
    EXAMPLE.split("\n") + EXAMPLE.split(" ") + ["'", '"""', "=", "[", "]", "nan", "\x00", "{"]
)


@given(st.lists(SCRAPS, max_size=40).map("\n".join) | st.text())
def test_no_text_at_all_makes_the_reader_raise(text):
    found = read(text)
    assert (found.job is None) == bool(found.problems)
    assert all(sentence.isprintable() for sentence in found.sentences())


@given(st.integers(0, len(EXAMPLE)), st.integers(0, 40), st.text(max_size=3))
def test_no_edit_of_the_example_makes_the_reader_raise(start, length, put):
    found = read(EXAMPLE[:start] + put + EXAMPLE[start + length :])
    assert (found.job is None) == bool(found.problems)


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("", False),
        ('daily = ["06:30"]', True),
        ('daily = ["06:30"]\nbackend = "none"', False),
        ('arrives = "/x"', True),
    ],
)
def test_a_job_is_scheduled_where_something_of_this_computer_should_start_it(schedule, expected):
    assert job(f'command = ["true"]\n[schedule]\n{schedule}\n').is_scheduled is expected


def test_what_is_read_but_not_obeyed_yet_is_said():
    assert not_yet_obeyed(job('command = ["true"]\n[schedule]\ndaily = ["06:30"]\n')) == ()
    assert isinstance(job('command = ["true"]\n[schedule]\ndaily = ["06:30"]\n').schedule.rule, Daily)
    text = (
        EXAMPLE.partition("[schedule]")[0]
        + '[schedule]\narrives = "/x"\n[run]'
        + EXAMPLE.partition("[run]")[2]
    )
    sentences = not_yet_obeyed(job(text))
    assert [sentence.split(",")[0].split(" is ")[0] for sentence in sentences] == [
        'overlap = "queue"',
        "needs_network",
        "this version cannot hand secrets to jobs yet",
        "alerts are read",
        "lock_file",
        "arrivals are read",
    ]
