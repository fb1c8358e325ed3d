"""What a runbook's Markdown says and where."""

from datetime import UTC, datetime, timedelta

import pytest

from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.registrations import RegistrationState
from ridgeline_desktop.core.runbooks import (
    Failure,
    failure_of,
    heading_for,
    headings,
    missing_sections,
    picture_paths,
)
from ridgeline_desktop.core.runs import Actor, Reason, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine
from ridgeline_desktop.core.word_stems import likeness, words_of
from ridgeline_desktop.resource_files import read_text

NOW = datetime(2026, 3, 7, 15, 52, tzinfo=UTC)
ORDERS = read_text("demo/runbooks/order-sync.md")
INVOICES = read_text("demo/runbooks/nightly-invoices.md")
ARRIVALS = read_text("demo/runbooks/arrivals-check.md")


def failed(*lines: str, code: int | None = 1) -> Failure:
    return Failure(codes=("failed",), exit_code=code, lines=lines)


def texts(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in headings(text)]


def test_headings_are_given_with_level_and_line_and_without_their_marks():
    text = "# The `sync` job\n\ntext\n\n## **When** it [fails](#x) ##\n\n### snake_case stays\n"
    assert texts(text) == [(1, "The sync job"), (2, "When it fails"), (3, "snake_case stays")]
    assert [heading.line for heading in headings(text)] == [1, 5, 7]


def test_underlined_headings_count_and_rules_lists_and_tables_do_not():
    text = "Title\n=====\n\nPart\n----\n\n---\n\n- item\n---\n\n#no heading\n\n#\n"
    assert texts(text) == [(1, "Title"), (2, "Part")]


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_block_of_code_holds_no_headings_and_one_that_never_ends_swallows_the_rest(fence):
    inside = f"# a\n{fence}sh\n# b\n``\n{fence}\n# c\n"
    assert texts(inside) == [(1, "a"), (1, "c")]
    assert texts(f"# a\n{fence}\n# b\n") == [(1, "a")]


def test_a_shorter_or_labelled_fence_does_not_end_a_block():
    assert texts("````\n```\n# b\n````\n# c") == [(1, "c")]
    assert texts("```\n```sh\n# b\n```\n# c") == [(1, "c")]


@pytest.mark.parametrize(
    "line",
    [
        "the shop API answered 503",
        "error: shop API answering with 503 again",
        "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: http://127.0.0.1:8080/o",
    ],
)
def test_what_the_run_said_finds_its_heading_by_numbers_and_word_stems(line):
    assert heading_for(ORDERS, failed(line)) == "The shop API answers 503"


def test_other_words_for_the_same_thing_find_it_too():
    refused = "ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=8080): Max retries exceeded"
    assert heading_for(ORDERS, failed(refused)) == "The shop API does not answer"
    torn = "CheckpointDamagedError: /home/sam/checkpoint holds no JSON"
    assert heading_for(ORDERS, failed(torn)) == "The checkpoint cannot be read"


def test_the_line_that_says_most_wins_over_the_general_one():
    found = heading_for(ORDERS, failed("The last 4 runs failed: exit code 1", "the shop API answered 503"))
    assert found == "The shop API answers 503"


def test_a_heading_that_names_other_numbers_is_about_something_else():
    assert heading_for(ORDERS, failed("the shop API answered 401")) == "Exit code 1"


def test_without_a_telling_line_the_number_it_ended_with_counts_and_then_the_whole_section():
    assert heading_for(ORDERS, failed("KeyError: 'price'")) == "Exit code 1"
    assert heading_for(ARRIVALS, failed("usage: arrivals", code=2)) == "Exit code 2"
    assert heading_for(ORDERS, failed(code=11)) == "When it fails"
    assert (
        heading_for("# Job\n\n## Any other error\n\nx\n\n## When it fails\n", failed(code=9))
        == "Any other error"
    )


@pytest.mark.parametrize(
    ("text", "code", "heading"),
    [
        (ORDERS, "timed-out", "It ran out of time"),
        (INVOICES, "interrupted", "The run was interrupted"),
        (INVOICES, "success-rule", 'It ended well but did not say "invoices sent"'),
        (ARRIVALS, "never-succeeded", "It has never succeeded"),
        (INVOICES, "overdue", "The light is red"),
        (ORDERS, "overdue", "When it fails"),
        ("## It could not start\n", "could-not-start", "It could not start"),
        ("## Does not start\n", "could-not-start", "Does not start"),
        ("## Its lock is taken\n", "lock-dead", "Its lock is taken"),
        ("## It is still running\n", "lock-held", "It is still running"),
        ("## Somebody stopped it\n", "stopped", "Somebody stopped it"),
        ("# Timeout\n", "timed-out", "Timeout"),
        ("## What it does\n", "timed-out", ""),
        ("", "failed", ""),
    ],
)  # fmt: skip
def test_how_a_run_ended_or_what_keeps_it_finds_a_heading(text, code, heading):
    assert heading_for(text, Failure(codes=(code,))) == heading


def test_a_run_cut_short_is_not_judged_by_what_it_said_before():
    cut = Failure(codes=("interrupted",), lines=("the shop API answered 503",))
    assert heading_for(INVOICES, cut) == "The run was interrupted"


def test_a_job_without_trouble_opens_at_the_top():
    assert heading_for(ORDERS, Failure()) == ""


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("The disk is full", "OSError: [Errno 28] No space left on device", True),
        ("The program is missing", "sh: /srv/sync: No such file or directory", True),
        ("The password was changed", "401 Unauthorized", True),
        ("The backup disk", "the backups' disks were copied", True),
        ("The printer has no paper", "the shop API answered 503", False),
        ("", "the shop API answered 503", False),
        ("When it fails", "the run failed", False),
    ],
)
def test_texts_are_alike_by_what_they_mean(one, other, alike):
    assert (likeness(words_of(one), words_of(other)) > (0, 0.0)) is alike


def test_the_sample_runbooks_say_everything():
    for text in (ORDERS, INVOICES, ARRIVALS):
        assert missing_sections(text) == ()


def test_what_a_runbook_does_not_say_is_named():
    assert missing_sections("# Job\n\n## What it does\n\nIt copies.\n") == (
        "what the job touches",
        "whether it is safe to run again",
        "what to do when it fails",
        "who to ask",
    )
    assert len(missing_sections("")) == 5


def test_other_words_labels_and_plain_sentences_say_it_as_well():
    text = """# Purpose
It copies orders.
## Systems it changes
The till.
## Troubleshooting
Look at the log.

It is safe to re-run. **Contact:** Jordan
- Owner: Jordan
"""
    assert missing_sections(text) == ()
    assert "who to ask" not in missing_sections("Call Jordan before noon.")


def test_a_section_without_text_says_nothing_but_one_with_parts_does():
    empty = "## Who to ask\n\n## When it fails\n\n### Exit code 1\n\nRun it again.\n"
    assert "who to ask" in missing_sections(empty)
    assert "what to do when it fails" not in missing_sections(empty)


def test_code_says_nothing_about_safety():
    assert "whether it is safe to run again" in missing_sections("```\nsafe to run again\n```\n")


def test_only_relative_pictures_of_a_known_kind_are_asked_for_each_once():
    text = (
        "![a](img/a.png) ![b](<with space.JPG> 'title') ![a](img/a.png)\n\n[ref]: ../up.gif\n[web]: https://x/y.png\n"
        "![c](https://x/c.png) ![d](/etc/d.png) ![e](file:///e.png) ![f](f.svg) ![g](passwd) ![h](C:\\h.png)"
        "![i](//host/i.png) ![j](j.png?x) \n```\n![k](k.png)\n```\n"
    )
    assert picture_paths(text) == ("img/a.png", "with space.JPG", "../up.gif")
    assert len(picture_paths("".join(f"![x]({n}.png)\n" for n in range(50)))) == 20


def record(status: str, **said: object) -> RunRecord:
    values = {
        "run_id": "r1", "host_id": "h", "job_id": "order-sync", "trigger": Trigger.SCHEDULE,
        "status": RunStatus(status), "started_at": NOW, "finished_at": NOW,
        "actor": Actor(name="Sam", host="till", via="gui"),
    }  # fmt: skip
    return RunRecord(**(values | said))


def row(**said: object) -> JobRow:
    values = {
        "job_id": "order-sync", "title": "Order sync", "health": Health.OK, "quiet": False,
        "attention": Attention.GREEN, "due": None, "grace": timedelta(), "last_success": None,
        "last_run": None,
        "running": None, "next_fire": None, "registration": RegistrationState.REGISTERED, "summary": "",
        "reasons": (), "job": None,
    }  # fmt: skip
    return JobRow(**(values | said))


def test_a_job_that_is_well_has_no_failure():
    assert failure_of(row()) == Failure()
    assert failure_of(row(last_run=record("completed"))) == Failure()
    assert failure_of(row(health=Health.NEVER_SUCCEEDED, quiet=True)) == Failure()


def test_a_failure_is_put_together_from_the_reasons_the_last_run_and_the_light():
    why = ReasonLine(
        code="failed",
        text="The last run failed: exit code 1; it said: “the shop API answered 503”",
        proof=("It began at 10:00",),
    )
    last = record("failed", exit_code=1, reason="exit code 1", reason_code=Reason.EXIT_CODE)
    found = failure_of(row(health=Health.OVERDUE, last_run=last, reasons=(why,)))
    assert found.codes == ("failed", "exit-code", "failed", "overdue")
    assert found.exit_code == 1
    assert found.lines == ("the shop API answered 503", why.text, "It began at 10:00", "exit code 1")
    assert heading_for(ORDERS, found) == "The shop API answers 503"


def test_a_run_that_never_ended_by_itself_has_no_exit_code():
    found = failure_of(row(last_run=record("timed-out", exit_code=None, reason_code=Reason.DEADLINE)))
    assert found.exit_code is None
    assert heading_for(ORDERS, found) == "It ran out of time"
