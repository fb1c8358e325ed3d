"""Reads the text of one job file into a Job, or into all the problems that keep it from being one."""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from ridgeline_desktop.core.digests import hex_digest
from ridgeline_desktop.core.jobs import (
    DEFAULT_QUEUE_FOR,
    JOB_ID_RULE,
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
)
from ridgeline_desktop.core.retry import RetryPolicy
from ridgeline_desktop.core.schedule_tables import read_schedule, schedule_text
from ridgeline_desktop.core.schedules import parse_duration
from ridgeline_desktop.core.toml_tables import Problem, Table, parse_toml, printable
from ridgeline_desktop.core.values import dataclass, replace

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SECRET = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_OURS = "RIDGELINE_"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFile:
    """What one file of the jobs folder gave: the job, or None and why not (`problems`)."""

    job_id: str
    file_name: str
    job: Job | None
    problems: tuple[Problem, ...] = ()

    def sentences(self) -> tuple[str, ...]:
        """Each problem with file and line, fit to print."""
        return tuple(
            f"{self.file_name}:{p.line}: {p.message}" if p.line else f"{self.file_name}: {p.message}"
            for p in self.problems
        )


def read_job_file(file_name: str, text: str, *, shop_zone: str) -> JobFile:
    """Read the job file `file_name` (no folder). `shop_zone` is the zone of schedules that name none."""
    job_id = file_name.removesuffix(".toml")
    if not is_job_id(job_id):
        message = (
            f'"{job_id}" cannot be a job\'s id; rename the file: {JOB_ID_RULE}, and no Windows device name'
        )
        return broken_file(file_name, message)
    values, problems = parse_toml(text)
    if problems:
        return JobFile(job_id=job_id, file_name=file_name, job=None, problems=problems)
    table = Table(values, source=text)
    job = read_job(job_id, table)
    table.refuse_unknown()
    if table.problems:
        ordered = sorted(table.problems, key=lambda problem: problem.line or 0)
        return JobFile(job_id=job_id, file_name=file_name, job=None, problems=tuple(ordered))
    rule = schedule_text(values.get("schedule", {}), zone=job.schedule.zone or shop_zone)
    job = replace(job, definition=_digest(values), schedule_text=rule)
    return JobFile(job_id=job_id, file_name=file_name, job=job)


def broken_file(file_name: str, message: str) -> JobFile:
    """A job file that could not even be read, for the reason in `message`."""
    problem = Problem(line=None, key="", message=printable(message))
    shown = printable(file_name)
    return JobFile(job_id=shown.removesuffix(".toml"), file_name=shown, job=None, problems=(problem,))


def read_job(job_id: str, table: Table) -> Job:
    """The job that the table of a whole job file asks for; problems are left in `table`."""
    schedule_table = table.table("schedule")
    schedule = read_schedule(schedule_table)
    table.absorb(schedule_table)
    command, shell = _started(table)
    return Job(
        job_id=job_id,
        title=table.text("title").strip() or job_id,
        command=command,
        shell=shell,
        about=table.text("about", one_line=False),
        looked_after_by=table.text("looked_after_by"),
        folder=table.full_path("folder", "/srv/shop"),
        runbook=_runbook(table),
        safe_to_rerun=table.choice("safe_to_rerun", SafeToRerun, SafeToRerun.ASK),
        environment=_environment(table),
        secrets=_secrets(table),
        tags=table.texts("tags"),
        schedule=schedule,
        run=read_run_rules(table),
        alerts=_alerts(table),
        lock_files=_lock_files(table),
    )


def _digest(values: Mapping[str, Any]) -> str:
    canonical = json.dumps(values, sort_keys=True, default=str)
    return hex_digest(canonical)[:16]


def _started(table: Table) -> tuple[tuple[str, ...], str]:
    """What the job starts: `command`, or else `shell`."""
    command, shell = table.texts("command"), table.text("shell")
    if table.problems_at("command") or table.problems_at("shell"):
        return command, shell
    if command and not command[0].strip():
        table.complain("command", "the first item of command must name a program")
    elif bool(command) == bool(shell.strip()):
        key = next((key for key in ("shell", "command") if table.has(key)), "")
        table.complain(key, 'set either command = ["/path/to/program", "argument"] or shell = "one | line"')
    return command, shell


def _runbook(table: Table) -> str:
    runbook = table.text("runbook")
    is_link = runbook.startswith("https://")
    leaves = (
        runbook.startswith(("/", "~")) or ".." in runbook.split("/") or "://" in runbook or "\\" in runbook
    )
    if runbook and not is_link and leaves:
        table.complain(
            "runbook", "runbook must be a path inside the shop folder, or a link beginning https://"
        )
        return ""
    return runbook


def _environment(table: Table) -> tuple[tuple[str, str], ...]:
    pairs = table.pairs("environment")
    for name, _ in pairs:
        _check_variable(table, "environment", name)
    return pairs


def _secrets(table: Table) -> tuple[tuple[str, str], ...]:
    pairs = table.pairs("secrets")
    plain = table.values.get("environment")
    for name, secret in pairs:
        _check_variable(table, "secrets", name)
        _check_secret(table, "secrets", secret, below=name)
        if isinstance(plain, dict) and name in plain:
            table.complain("secrets", f"{name} is set in environment too; keep one of them", below=name)
    return pairs


def _check_variable(table: Table, key: str, name: str) -> None:
    if _VARIABLE.fullmatch(name) is None:
        said = f'"{name}" cannot be a variable: use letters, digits and _, not a digit first'
        table.complain(key, said, below=name)
    elif name.upper().startswith(_OURS):
        table.complain(key, f"{name}: variables beginning {_OURS} are set by Ridgeline itself", below=name)


def _check_secret(table: Table, key: str, secret: str, *, below: str = "") -> None:
    """A value goes into the secret's place, never into the job file."""
    if _SECRET.fullmatch(secret) is None and not table.problems_at(f"{key}.{below}" if below else key):
        said = 'a secret is named here, not written out: 1 to 64 of a-z, 0-9 and -, such as "shop-api"'
        table.complain(key, said, below=below)


def read_run_rules(table: Table) -> RunRules:
    """The rules of the [run] table in the table of a job file; problems are left in `table`."""
    run = table.table("run")
    no_deadline = run.values.get("deadline") == "none"
    deadline = None if no_deadline else run.duration("deadline", None)
    rules = RunRules(
        grace=_grace(run),
        deadline=deadline,
        no_deadline=no_deadline,
        overlap=run.choice("overlap", OverlapPolicy, OverlapPolicy.SKIP),
        queue_for=run.duration("queue_for", DEFAULT_QUEUE_FOR) or DEFAULT_QUEUE_FOR,
        success=_success(run),
        retry=_retry(run),
        needs_network=run.flag("needs_network", False),
        leave_children=run.flag("leave_children", False),
    )
    if no_deadline:
        run.text("deadline")
    table.absorb(run)
    return rules


def _grace(run: Table) -> Grace | None:
    text = run.text("grace")
    if not run.has("grace") or run.problems_at("grace"):
        return None
    percent = re.fullmatch(r"([0-9]{1,3}) ?%", text)
    if percent and 1 <= int(percent[1]) <= 100:
        return Grace(fraction=int(percent[1]) / 100)
    try:
        return Grace(fixed=parse_duration(text))
    except ValueError:
        run.complain(
            "grace", f'grace must be a length of time such as "10 minutes", or 1 % to 100 %, not "{text}"'
        )
        return None


def _success(run: Table) -> SuccessRules:
    inner = run.table("success")
    rules = SuccessRules(
        exit_codes=inner.wholes("exit_codes", (0,), least=0, most=255),
        must_print=inner.text("must_print"),
        must_not_print=inner.text("must_not_print"),
        fresh_file=inner.full_path("fresh_file", "/srv/shop/out.csv"),
    )
    run.absorb(inner)
    return rules


def _retry(run: Table) -> RetryPolicy:
    inner = run.table("retry")
    default = RetryPolicy()
    rules = RetryPolicy(
        attempts=inner.whole("attempts", default.attempts, least=1, most=100),
        base=inner.duration("base", default.base) or default.base,
        cap=inner.duration("cap", default.cap) or default.cap,
        exit_codes=inner.wholes("exit_codes", default.exit_codes, least=1, most=255),
    )
    if rules.cap < rules.base:
        inner.complain(
            "cap" if inner.has("cap") else "base",
            "cap (the longest wait, 30 seconds by default) must not be shorter than base (the first wait)",
        )
    if rules.cap > timedelta(days=1):
        inner.complain("cap", "cap must be at most 1 day")
    run.absorb(inner)
    return rules


def _alerts(table: Table) -> AlertRules:
    inner = table.table("alerts")
    rules = AlertRules(people=inner.texts("people"), ping=inner.text("ping"))
    if inner.has("ping"):
        _check_secret(inner, "ping", rules.ping)
    table.absorb(inner)
    return rules


def _lock_files(table: Table) -> tuple[LockFileRule, ...]:
    found = []
    for inner in table.tables("lock_file"):
        path = inner.full_path("path", "/srv/shop/job.lock", from_home=False)
        if not path and not inner.problems_at("path"):
            inner.complain("path", 'path must name the lock file, such as "/srv/shop/job.lock"')
        found.append(
            LockFileRule(path=path, format=inner.choice("format", LockFileFormat, LockFileFormat.PID))
        )
        table.absorb(inner)
    return tuple(found)
