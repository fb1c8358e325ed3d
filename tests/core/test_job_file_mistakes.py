"""Each mistake that a job file can hold costs its job alone, and is said once, with its line."""

import pytest

from ridgeline_desktop.core.job_files import read_job_file


def mistakes(text: str) -> list[tuple[int | None, str]]:
    """The problems of a job file that has a command and these lines; the first of them is line 2."""
    found = read_job_file("order-sync.toml", f'command = ["true"]\n{text}', shop_zone="America/Toronto")
    assert found.job is None
    return [(problem.line, problem.message) for problem in found.problems]


TOP = (
    "about, alerts, command, environment, folder, lock_file, looked_after_by, run, runbook, safe_to_rerun, "
    "schedule, secrets, shell, tags, title"
)
RUN = "deadline, grace, leave_children, needs_network, overlap, queue_for, retry, success"
SUCCESS = "exit_codes, fresh_file, must_not_print, must_print"
SECRET = 'a secret is named here, not written out: 1 to 64 of a-z, 0-9 and -, such as "shop-api"'
RUNBOOK = "runbook must be a path inside the shop folder, or a link beginning https://"
CAP = "cap (the longest wait, 30 seconds by default) must not be shorter than base (the first wait)"
LENGTH = "is not a duration; write a whole number and seconds, minutes, hours, days or weeks, such as "


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\ncomand = 1", 3, f'"comand" is not a key here; allowed: {TOP}'),
        ('"" = 1', None, f'"" is not a key here; allowed: {TOP}'),
        ('"sched ule".every = 1', 2, f'"sched ule" is not a key here; allowed: {TOP}'),
        ("title = 5", 2, "title must be a text in quotes, not 5"),
        ("title = 2026-01-01", 2, "title must be a text in quotes, not 2026-01-01"),
        ("tags = [1]", 2, "every item of tags must be a text in quotes"),
        ('safe_to_rerun = "maybe"', 2, 'safe_to_rerun must be one of "yes", "ask", "never", not "maybe"'),
        ("safe_to_rerun = true", 2, 'safe_to_rerun must be one of "yes", "ask", "never", not true'),
        ('folder = "srv"', 2, 'folder must be a full path such as "/srv/shop", not "srv"'),
        ('runbook = "/etc/passwd"', 2, RUNBOOK),
        ('runbook = "~/x.md"', 2, RUNBOOK),
        ('runbook = "a/../../x.md"', 2, RUNBOOK),
        ('runbook = "http://shop.example"', 2, RUNBOOK),
        ('runbook = "a\\\\b.md"', 2, RUNBOOK),
        ('environment = "A=1"', 2, 'environment must be a table, not "A=1"'),
        ("[environment]\nA = 1", 3, "A must be a text in quotes, not 1"),
        ('[environment]\nA = "1"\n1A = "1"', 4,
         '"1A" cannot be a variable: use letters, digits and _, not a digit first'),
        ('environment = { "A=B" = "1" }', 2,
         '"A=B" cannot be a variable: use letters, digits and _, not a digit first'),
        ('[environment]\nRidgeline_Home = "x"', 3,
         "Ridgeline_Home: variables beginning RIDGELINE_ are set by Ridgeline itself"),
        ('[secrets]\nKEY = "sk_live_4242"', 3, SECRET),
        ('[secrets]\nKEY = ""', 3, SECRET),
        ('secrets = { KEY = 5 }', 2, "KEY must be a text in quotes, not 5"),
        ('environment.KEY = "x"\nsecrets.KEY = "shop-api"', 3,
         "KEY is set in environment too; keep one of them"),
        ('schedule = "daily"', 2, 'schedule must be a table, not "daily"'),
        ('schedule = ["daily"]', 2, "schedule must be a table, not a list"),
        ("[schedule]\n\nevery = 15", 4, 'every must be a length of time such as "15 minutes", not 15'),
        ('[schedule]\ncron = "5#2 * * * *"', 3, None),
        ('[schedule]\ndaily = ["06:30", "06:30"]', 3, "daily names the same time twice"),
        ('[schedule]\nweekly = { days = ["mon", "mon"], at = ["06:30"] }', 3,
         "days names the same weekday twice"),
        ("[schedule]\nstarts = 2026-01-01T00:00:00", 3,
         "starts must be a date such as 2026-01-31, without quotes and without a time"),
        ("[run]\ngrce = 1", 3, f'"grce" is not a key here; allowed: {RUN}'),
        ("[run]\ngrace = 20", 3, "grace must be a text in quotes, not 20"),
        ('[run]\ngrace = ""', 3,
         'grace must be a length of time such as "10 minutes", or 1 % to 100 %, not ""'),
        ('[run]\ngrace = "0 %"', 3,
         'grace must be a length of time such as "10 minutes", or 1 % to 100 %, not "0 %"'),
        ('[run]\ngrace = "101 %"', 3,
         'grace must be a length of time such as "10 minutes", or 1 % to 100 %, not "101 %"'),
        ('[run]\ngrace = "-5 minutes"', 3,
         'grace must be a length of time such as "10 minutes", or 1 % to 100 %, not "-5 minutes"'),
        ('[run]\ndeadline = "None"', 3, f'deadline: "None" {LENGTH}"15 minutes" (at most 3650 days)'),
        ("[run]\ndeadline = 12", 3, 'deadline must be a length of time such as "15 minutes", not 12'),
        ('[run]\noverlap = "wait"', 3, 'overlap must be one of "skip", "queue", "replace", not "wait"'),
        ("[run]\nneeds_network = 1", 3, "needs_network must be true or false, not 1"),
        ('[run]\nleave_children = "no"', 3, 'leave_children must be true or false, not "no"'),
        ("[run]\nsuccess = 0", 3, "success must be a table, not 0"),
        ("[run]\nsuccess = { must_prin = 'x' }", 3, f'"must_prin" is not a key here; allowed: {SUCCESS}'),
        ("[run.success]\nexit_codes = [256]", 3,
         "exit_codes must list whole numbers from 0 to 255, at least one"),
        ("[run.success]\nexit_codes = 0", 3, "exit_codes must be a list of whole numbers such as [0], not 0"),
        ('[run.success]\nfresh_file = "out.csv"', 3,
         'fresh_file must be a full path such as "/srv/shop/out.csv", not "out.csv"'),
        ("[run.retry]\nattempts = 0", 3, "attempts must be from 1 to 100, not 0"),
        ("[run.retry]\nattempts = true", 3, "attempts must be a whole number from 1 to 100, not true"),
        ("[run.retry]\nattempts = 2.0", 3, "attempts must be a whole number from 1 to 100, not 2.0"),
        ("[run.retry]\nattempts = inf", 3, "attempts must be a whole number from 1 to 100, not inf"),
        ("[run.retry]\nattempts = nan", 3, "attempts must be a whole number from 1 to 100, not nan"),
        ("[run.retry]\nattempts = 0x" + "f" * 5000, 3,
         "attempts must be from 1 to 100, not a number as large as that"),
        ("[run.retry]\nexit_codes = [0]", 3,
         "exit_codes must list whole numbers from 1 to 255, at least one"),
        ('[run.retry]\nbase = "1 minute"', 3, CAP),
        ('[run.retry]\nbase = "20 seconds"\ncap = "10 seconds"', 4, CAP),
        ('[run.retry]\ncap = "2 days"', 3, "cap must be at most 1 day"),
        ('[alerts]\npeople = "theo"', 3, 'people must be a list of texts such as ["one", "two"], not "theo"'),
        ('[alerts]\nping = "https://monitor.example/4242"', 3, SECRET),
        ("[alerts]\npong = 1", 3, '"pong" is not a key here; allowed: people, ping'),
        ('[lock_file]\npath = "/x"', 2, "lock_file must be written as [[lock_file]], not a table"),
        ('[[lock_file]]\npath = "/x"\n[[lock_file]]\nformat = "pid"', 4,
         'path must name the lock file, such as "/srv/shop/job.lock"'),
        ('[[lock_file]]\npath = "/x"\n[[lock_file]]\npath = "x"', 5,
         'path must be a full path such as "/srv/shop/job.lock", not "x"'),
        ('[[lock_file]]\npath = "~/x"', 3,
         'path must be a full path such as "/srv/shop/job.lock", not "~/x"'),
        ('[[lock_file]]\npath = "/x"\nformat = "xml"', 4, 'format must be one of "pid", "json", not "xml"'),
        ("[schedule]\n[schedule]", 3, '"schedule" is set twice, first in line 2; keep one of them'),
        ('command = ["true"]', 2, '"command" is set twice, first in line 1; keep one of them'),
        ("title = Order sync", 2, "this is not valid TOML: Invalid value; a text goes in quotes"),
        ('title = "\x00"', 2, "this is not valid TOML: Illegal character '\\x00'"),
        ("[[[[", 2, "this is not valid TOML: Invalid initial character for a key part"),
    ],
)  # fmt: skip
def test_each_mistake_costs_the_job_and_is_said_once_with_its_line(text, line, message):
    found = mistakes(text)
    assert len(found) == 1
    assert found[0] == (line, message or found[0][1])
