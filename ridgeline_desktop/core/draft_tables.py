"""Drafts as the tables a job file would have: from a job, back to one, and all that is wrong on the way.

What is typed is read by the reader of job files itself, so that a form and a file are never judged apart.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from ridgeline_desktop.core.draft_words import ID_RULE, details_words, schedule_words
from ridgeline_desktop.core.drafts import DraftProblem, JobDraft, Repeat, ScheduleDraft
from ridgeline_desktop.core.job_files import read_job, read_run_rules
from ridgeline_desktop.core.jobs import (
    DEFAULT_QUEUE_FOR,
    Grace,
    Job,
    OverlapPolicy,
    RunRules,
    SafeToRerun,
    is_job_id,
)
from ridgeline_desktop.core.schedule_tables import read_schedule
from ridgeline_desktop.core.schedules import (
    Arrives,
    BackendName,
    CronRule,
    Daily,
    Every,
    MisfirePolicy,
    MonthlyDay,
    MonthlyNth,
    Rule,
    Schedule,
    Weekly,
)
from ridgeline_desktop.core.toml_tables import Problem, Table
from ridgeline_desktop.core.values import dataclass, replace

_LONGEST_ID = 48
_UNITS = ("week", "day", "hour", "minute")
_SECONDS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60}
_FIELDS = {
    "daily": "times",
    "weekly": "days",
    "weekly.days": "days",
    "weekly.at": "times",
    "monthly": "month_day",
    "monthly.day": "month_day",
    "monthly.nth": "nth",
    "monthly.at": "times",
    "command": "program",
    "": "program",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleAnswer:
    """A draft as it was read: both values and no problems, or no values and all problems.

    Of `run` only grace, deadline, overlap and queue_for are the draft's.
    """

    schedule: Schedule | None = None
    run: RunRules | None = None
    problems: tuple[DraftProblem, ...] = ()


def draft_of(job: Job) -> ScheduleDraft:
    """The form that shows the job's schedule and its rules about time."""
    schedule, run = job.schedule, job.run
    return replace(
        _rule_draft(schedule.rule),
        zone=schedule.zone or "",
        if_missed=schedule.if_missed,
        starts=schedule.starts.isoformat() if schedule.starts else "",
        ends=schedule.ends.isoformat() if schedule.ends else "",
        expect=length_text(schedule.expect),
        backend=schedule.backend,
        grace=_grace_text(run.grace),
        deadline="none" if run.no_deadline else length_text(run.deadline),
        overlap=run.overlap,
        queue_for="" if run.queue_for == DEFAULT_QUEUE_FOR else length_text(run.queue_for),
    )


def details_of(job: Job) -> JobDraft:
    """The form that shows everything of a job but its schedule and rules."""
    program, *arguments = job.command or ("",)
    return JobDraft(
        job_id=job.job_id,
        title="" if job.title == job.job_id else job.title,
        about=job.about,
        looked_after_by=job.looked_after_by,
        program=program,
        arguments=tuple(arguments),
        shell=job.shell,
        folder=job.folder,
        environment=job.environment,
        runbook=job.runbook,
        safe_to_rerun=job.safe_to_rerun,
        tags=job.tags,
    )


def checked(draft: ScheduleDraft) -> ScheduleAnswer:
    """Read a draft as a job file would be read; all its problems, each at its own field."""
    typed = _typed(draft)
    schedule_table = Table(typed["schedule"], source="")
    run_table = Table({"run": typed["run"]}, source="")
    schedule, run = read_schedule(schedule_table), read_run_rules(run_table)
    found = _by_field((*schedule_table.problems, *run_table.problems))
    if found:
        said = [
            DraftProblem(field=field, message=schedule_words(field, draft, text))
            for field, text in found.items()
        ]
        return ScheduleAnswer(problems=tuple(said))
    return ScheduleAnswer(schedule=schedule, run=run)


def checked_details(draft: JobDraft) -> tuple[DraftProblem, ...]:
    """What is wrong with a job form, as far as no disk need be asked."""
    table = Table(details_values(draft), source="")
    read_job(draft.job_id, table)
    found = _by_field(table.problems)
    said = [
        DraftProblem(field=field, message=details_words(field, draft, text)) for field, text in found.items()
    ]
    if not is_job_id(draft.job_id):
        said.insert(0, DraftProblem(field="job_id", message=ID_RULE))
    names = [name.strip() for name, _ in draft.environment]
    if "environment" not in found and len(set(names)) != len(names):
        text = "The same name stands there twice; keep one of them."
        said.append(DraftProblem(field="environment", message=text))
    return tuple(said)


def _by_field(problems: Iterable[Problem]) -> dict[str, str]:
    """The first message of each field of a draft."""
    found: dict[str, str] = {}
    for problem in problems:
        key = problem.key.removeprefix("run.")
        field = _FIELDS.get(key, key.partition(".")[0])
        found.setdefault(field, problem.message)
    return found


def with_limits(run: RunRules, limits: RunRules) -> RunRules:
    """`run` with those of its rules that a schedule form shows taken from `limits`."""
    return replace(
        run,
        grace=limits.grace,
        deadline=limits.deadline,
        no_deadline=limits.no_deadline,
        overlap=limits.overlap,
        queue_for=limits.queue_for,
    )


def schedule_values(schedule: Schedule, run: RunRules) -> dict[str, Any]:
    """The [schedule] and [run] tables of a job file that ask for these, without what is the default."""
    options: dict[str, Any] = {
        "zone": schedule.zone,
        "if_missed": schedule.if_missed.value if schedule.if_missed is not MisfirePolicy.RUN_ONCE else None,
        "starts": schedule.starts,
        "ends": schedule.ends,
        "expect": length_text(schedule.expect),
        "backend": schedule.backend.value if schedule.backend is not BackendName.AUTO else None,
    }
    limits: dict[str, Any] = {
        "grace": _grace_text(run.grace),
        "deadline": "none" if run.no_deadline else length_text(run.deadline),
        "overlap": run.overlap.value if run.overlap is not OverlapPolicy.SKIP else None,
        "queue_for": length_text(run.queue_for) if run.queue_for != DEFAULT_QUEUE_FOR else None,
    }
    return {"schedule": _set({**_rule_values(schedule.rule), **options}), "run": _set(limits)}


def details_values(draft: JobDraft) -> dict[str, Any]:
    """The other keys of a job file that say what the form says, in a job file's usual order."""
    command = [draft.program.strip(), *draft.arguments] if draft.program.strip() or draft.arguments else None
    return _set(
        {
            "title": _tidy(draft.title) if _tidy(draft.title) != draft.job_id else None,
            "about": _tidy(draft.about),
            "looked_after_by": _tidy(draft.looked_after_by),
            "command": command,
            "shell": _tidy(draft.shell),
            "folder": _tidy(draft.folder),
            "environment": {name.strip(): value for name, value in draft.environment},
            "runbook": _tidy(draft.runbook),
            "safe_to_rerun": draft.safe_to_rerun.value
            if draft.safe_to_rerun is not SafeToRerun.ASK
            else None,
            "tags": [tag for tag in map(_tidy, draft.tags) if tag],
        }
    )


def suggested_id(title: str) -> str:
    """An id for a new job, made of its title; "" where nothing of it can stand in one."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    job_id = "-".join(re.findall("[a-z0-9]+", plain))[:_LONGEST_ID].strip("-")
    return job_id if not job_id or is_job_id(job_id) else f"{job_id}-job"


def length_text(length: timedelta | None) -> str:
    """A length of whole seconds as `parse_duration` reads it, exactly; "" for None."""
    if length is None:
        return ""
    seconds = length // timedelta(seconds=1)
    unit = next((unit for unit in _UNITS if seconds % _SECONDS[unit] == 0), "second")
    count = seconds // _SECONDS.get(unit, 1)
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _every_text(interval: timedelta) -> str:
    """In hours where a length of time would be said in days: that is how the form offers it."""
    return "24 hours" if interval == timedelta(days=1) else length_text(interval)


def _grace_text(grace: Grace | None) -> str:
    if grace is None:
        return ""
    return length_text(grace.fixed) if grace.fixed else f"{round((grace.fraction or 0) * 100)} %"


def _rule_draft(rule: Rule) -> ScheduleDraft:
    match rule:
        case Every(interval=interval, between=between, days=days):
            ends = (f"{between[0]:%H:%M}", f"{between[1]:%H:%M}") if between else ("", "")
            return ScheduleDraft(repeat=Repeat.EVERY, every=_every_text(interval), between=ends, days=days)
        case CronRule(expression=expression):
            return ScheduleDraft(repeat=Repeat.CUSTOM, cron=expression.text)
        case Arrives(pattern=pattern):
            return ScheduleDraft(repeat=Repeat.ARRIVES, arrives=pattern)
        case Daily() | Weekly() | MonthlyDay() | MonthlyNth():
            return replace(_day_draft(rule), times=tuple(f"{moment:%H:%M}" for moment in rule.times))
    return ScheduleDraft()


def _day_draft(rule: Daily | Weekly | MonthlyDay | MonthlyNth) -> ScheduleDraft:
    match rule:
        case Weekly(days=days):
            return ScheduleDraft(repeat=Repeat.WEEKLY, days=days)
        case MonthlyDay(day=day):
            return ScheduleDraft(repeat=Repeat.MONTHLY_DAY, month_day=str(day or "last"))
        case MonthlyNth(nth=nth, weekday=weekday):
            return ScheduleDraft(repeat=Repeat.MONTHLY_NTH, nth=str(nth or "last"), weekday=weekday)
    return ScheduleDraft(repeat=Repeat.DAILY)


def _rule_values(rule: Rule) -> dict[str, Any]:
    """The rule as the keys of a [schedule] table."""
    return _rule_typed(_rule_draft(rule))


def _typed(draft: ScheduleDraft) -> dict[str, dict[str, Any]]:
    """The tables as the file would have them, right or wrong, without what belongs to another kind."""
    expects = draft.repeat in (Repeat.BY_HAND, Repeat.ARRIVES)
    schedule = {
        **_rule_typed(draft),
        "zone": draft.zone.strip(),
        "if_missed": draft.if_missed.value,
        "starts": _date_or_text(draft.starts.strip()),
        "ends": _date_or_text(draft.ends.strip()),
        "expect": draft.expect.strip() if expects else "",
        "backend": draft.backend.value,
    }
    run = {
        "grace": draft.grace.strip(),
        "deadline": draft.deadline.strip(),
        "overlap": draft.overlap.value,
        "queue_for": draft.queue_for.strip(),
    }
    needed = ("every", "daily", "weekly", "monthly", "cron", "arrives")
    kept = {key: value for key, value in schedule.items() if key in needed or value not in ("", None)}
    return {"schedule": kept, "run": _set(run)}


def _rule_typed(draft: ScheduleDraft) -> dict[str, Any]:
    times = [_clock(text) for text in draft.times]
    days = [day.value for day in draft.days]
    match draft.repeat:
        case Repeat.EVERY:
            first, last = (_clock(text) for text in draft.between)
            between = f"{first}-{last}" if first or last else None
            return _set({"every": draft.every.strip() or "-", "between": between, "days": days})
        case Repeat.DAILY:
            return {"daily": times}
        case Repeat.WEEKLY:
            return {"weekly": {"days": days, "at": times}}
        case Repeat.MONTHLY_DAY:
            return {"monthly": {"day": _number_or_text(draft.month_day), "at": times}}
        case Repeat.MONTHLY_NTH:
            nth = _number_or_text(draft.nth)
            return {"monthly": {"nth": nth, "weekday": draft.weekday.value, "at": times}}
        case Repeat.CUSTOM:
            return {"cron": draft.cron.strip()}
        case Repeat.ARRIVES:
            return {"arrives": draft.arrives.strip()}
    return {}


def _set(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, ())}


def _tidy(text: str) -> str:
    return text.strip().replace("\r\n", "\n")


def _clock(text: str) -> str:
    """A time of day with both digits of its hour."""
    typed = text.strip()
    return f"0{typed}" if re.fullmatch(r"[0-9]:[0-9]{2}", typed) else typed


def _date_or_text(text: str) -> date | str:
    try:
        return date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else text
    except ValueError:
        return text


def _number_or_text(text: str) -> int | str:
    typed = text.strip()
    return int(typed) if re.fullmatch(r"[0-9]{1,3}", typed) else typed
