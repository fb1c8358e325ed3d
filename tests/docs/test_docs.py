"""The documents, held against the program they describe."""

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest

from ridgeline_desktop.cli import main, output
from ridgeline_desktop.cli.demo import make_demo
from ridgeline_desktop.cli.gui import make_gui
from ridgeline_desktop.cli.in_app import Wait, make_in_app
from ridgeline_desktop.core.health import Attention, Health
from ridgeline_desktop.core.job_files import read_job_file
from ridgeline_desktop.core.jobs import not_yet_obeyed
from ridgeline_desktop.core.locks import GuardState, LockEvidence, ProcessFinding
from ridgeline_desktop.core.registrations import Finding, RegistrationState
from ridgeline_desktop.core.runs import Actor, RunRecord, RunStatus, Trigger
from ridgeline_desktop.core.settings import Settings, read_settings
from ridgeline_desktop.core.snapshots import JobRow, ReasonLine
from ridgeline_desktop.services.desk import SampleShop
from ridgeline_desktop.wiring.run_arguments import read_arguments

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
JOB_FILES, COMMANDS = DOCS / "job-files.md", DOCS / "commands.md"
PAGES = [*sorted(DOCS.rglob("*.md")), ROOT / "README.md"]
ZONE = "America/Toronto"
NOW = datetime(2026, 3, 4, 14, tzinfo=UTC)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE)


def sections(page: Path) -> dict[str, str]:
    """Each second-level heading of a page with what stands below it."""
    parts = re.split(r"^## (.+)\n", text_of(page), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def job_files() -> list[str]:
    pages = (JOB_FILES, DOCS / "for-job-authors.md", ROOT / "README.md")
    return [
        block for page in pages for block in blocks(page, "toml") if not block.startswith("# settings.toml")
    ]


def schedule_kinds() -> list[str]:
    kinds = "every|daily|weekly|monthly|cron|arrives"
    return re.findall(rf"^\| `((?:{kinds}) = .*?)` \|", text_of(JOB_FILES), re.MULTILINE)


def problems_of(text: str) -> tuple[str, ...]:
    return read_job_file("some-job.toml", text, shop_zone=ZONE).sentences()


def draw_nothing(_shop: SampleShop, _picture: str) -> None:
    raise NotImplementedError


def command_line() -> click.Group:
    def no_desk(home: str | None) -> None:
        raise AssertionError("the documents need no records")

    def no_shop() -> AbstractContextManager[SampleShop]:
        raise AssertionError("the documents need no sample shop")

    def no_jobs(home: str | None) -> AbstractContextManager[Wait]:
        raise AssertionError("the documents need no jobs started")

    return main.build(
        no_desk, (make_demo(no_shop, show=None, draw=draw_nothing), make_gui(None), make_in_app(no_jobs))
    )


def commands_of(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands_of(command, f"{before}{name} ")
        else:
            yield before + name, command


@pytest.mark.parametrize("text", job_files())
def test_every_job_file_in_the_documents_is_one(text):
    assert problems_of(text) == ()


def test_the_settings_in_the_guide_are_read_and_its_retention_is_the_default():
    text = next(text for text in blocks(JOB_FILES, "toml") if text.startswith("# settings.toml"))
    settings, problems = read_settings(text)
    assert problems == ()
    assert settings.retention == Settings().retention
    assert set(asdict(settings)) <= set(re.findall(r"^\[?(\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("kind", schedule_kinds())
def test_every_kind_of_schedule_is_written_as_the_parser_reads_it(kind):
    assert problems_of(f'command = ["true"]\n[schedule]\n{kind}\n') == ()


def test_all_seven_ways_of_writing_a_schedule_are_shown():
    assert len(schedule_kinds()) == 7


@pytest.mark.parametrize(
    "table",
    ["", "[schedule]\n", "[run]\n", "[run.success]\n", "[run.retry]\n", "[alerts]\n", "[[lock_file]]\n"],
)
def test_every_key_that_the_parser_knows_stands_in_the_guide(table):
    problems = problems_of(f'command = ["true"]\n{table}\nno_such_key = 1\n')
    said = next(problem for problem in problems if "is not a key here" in problem)
    known = said.partition("allowed: ")[2].split(", ")
    tables = {"schedule", "run", "alerts", "lock_file", "success", "retry"}
    guide = text_of(JOB_FILES)
    assert [
        key for key in known if key not in tables and f"`{key}`" not in guide and f"`{key} =" not in guide
    ] == []


def test_the_example_of_what_is_not_obeyed_yet_shows_all_of_it():
    text = blocks(JOB_FILES, "toml")[1]
    job = read_job_file("inbox.toml", text, shop_zone=ZONE).job
    assert job is not None
    listed = text_of(JOB_FILES).partition("## Read, but not obeyed yet")[2].partition("\n\nAll of")[0]
    assert len(not_yet_obeyed(job)) == len(re.findall(r"^\| `", listed, re.MULTILINE))


def test_every_command_that_a_page_names_exists():
    words = {name.split()[0] for name, _ in commands_of(command_line())}
    named = {
        (page.name, word)
        for page in PAGES
        for word in re.findall(r"(?:^|`)ridgeline ([a-z][a-z-]*)", text_of(page), re.MULTILINE)
    }
    assert named
    assert {(page, word) for page, word in named if word not in words} == set()


@pytest.mark.parametrize("name", [name for name, _ in commands_of(command_line())])
def test_every_command_and_each_of_its_options_is_described(name):
    command = dict(commands_of(command_line()))[name]
    table = text_of(COMMANDS).partition("\n## ")[0]
    lines = [line for line in table.splitlines() if re.match(rf"\| `{name}[ `]", line)]
    assert len(lines) == 1
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]
    assert [option for option in options if option not in lines[0]] == []


def test_every_option_of_a_run_is_described_and_no_other(capsys):
    with pytest.raises(SystemExit):
        read_arguments(["--help"], now=datetime(2026, 3, 2, tzinfo=UTC))
    offered = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert set(re.findall(r"^\| `(--[a-z-]+)", sections(COMMANDS)["ridgeline run"], re.MULTILINE)) == offered


@pytest.mark.parametrize(
    ("heading", "printed"),
    [
        ("list --json", lambda: [output.row_json(ROW)]),
        ("history --json", lambda: [output.run_json(RUN)]),
        ("verify --json", lambda: [output.finding_json(FINDING)]),
    ],
)
def test_a_json_shape_in_the_documents_has_exactly_the_keys_that_are_printed(heading, printed):
    section = sections(COMMANDS)[heading]
    shown = json.loads(re.findall(r"```json\n(.*?)```", section, re.DOTALL)[0])
    assert keys_of(shown) == keys_of(printed())


def test_the_lock_facts_in_the_documents_are_among_those_printed():
    section = sections(COMMANDS)["lock show --json"]
    shown = json.loads(re.findall(r"```json\n(.*?)```", section, re.DOTALL)[0])
    assert set(shown) == {"verdict", "sentence", "line", "evidence"}
    assert set(shown["evidence"]) <= set(asdict(EVIDENCE))
    assert set(shown["evidence"]["runner"]) == set(ProcessFinding.__dataclass_fields__)


def keys_of(value: object) -> object:
    if isinstance(value, list | tuple):
        return [keys_of(value[0])] if value and isinstance(value[0], dict) else []
    if isinstance(value, dict):
        return {key: keys_of(inner) for key, inner in value.items()}
    return None


def test_every_link_to_a_file_leads_somewhere():
    broken = [
        (page.name, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)\)", text_of(page))
        if not (page.parent / target).exists()
    ]
    assert broken == []


ACTOR = Actor(name="Sam", host="desk", via="cli")
RUN = RunRecord(
    run_id="r", host_id="h", job_id="order-sync", trigger=Trigger.MANUAL, status=RunStatus.COMPLETED,
    started_at=NOW, actor=ACTOR,
)  # fmt: skip
FINDING = Finding(job_id="order-sync", state=RegistrationState.REGISTERED, sentence="")
EVIDENCE = LockEvidence(job_id="order-sync", guard=GuardState.FREE)
ROW = JobRow(
    job_id="order-sync", title="", health=Health.OK, quiet=False, attention=Attention.GREEN, due=NOW,
    grace=timedelta(0), last_success=RUN, last_run=RUN, running=RUN, next_fire=NOW,
    registration=RegistrationState.REGISTERED, summary="", reasons=(ReasonLine(code="", text=""),), job=None,
)  # fmt: skip
