"""next, register, unregister, verify."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.context import desk_of
from ridgeline_desktop.cli.watching import Instant
from ridgeline_desktop.core.clock_changes import note_for
from ridgeline_desktop.core.cron_expressions import AcceptedWithWarning, Refused, parse_cron
from ridgeline_desktop.core.expectations import zone_of
from ridgeline_desktop.core.fire_times import fire_times
from ridgeline_desktop.core.registrations import DRIFT, RegistrationState
from ridgeline_desktop.core.schedule_tables import is_zone
from ridgeline_desktop.core.schedules import BackendName, CronRule, Schedule
from ridgeline_desktop.services.scheduling import Registered

BACKENDS = (BackendName.CRON.value, BackendName.IN_APP.value)


@click.command("next")
@click.argument("job", required=False)
@click.option("--cron", "expression", help="A cron expression instead of a job.")
@click.option("--zone", "zone_name", help="The clock to read, such as America/Toronto.")
@click.option("--from", "start", type=Instant(), help="After this instant; now if left out.")
@click.option("-n", "count", default=5, show_default=True, type=click.IntRange(1, 10_000))
@click.option(
    "--backend", type=click.Choice(BACKENDS), help="Whose rules on clock changes; both have cron's."
)
@click.option("--json", "as_json", is_flag=True, help="Print an array of {at, note}.")
@click.pass_context
def next_fires(
    ctx: click.Context,
    job: str | None,
    expression: str | None,
    zone_name: str | None,
    start: datetime | None,
    count: int,
    backend: str | None,
    as_json: bool,
) -> None:
    """Print the next fire times of a job or of a cron expression, as cron will keep them."""
    desk = desk_of(ctx)
    if (job is None) == (expression is None):
        raise click.UsageError("name a job, or give --cron EXPRESSION")
    if zone_name and not is_zone(zone_name):
        raise click.UsageError(f'"{zone_name}" is not a time zone of this computer')
    shop_zone = desk.jobs.zone(desk.jobs.settings())
    schedule = desk.jobs.job(job).schedule if job is not None else _cron_schedule(expression or "")
    zone = ZoneInfo(zone_name) if zone_name else zone_of(schedule, shop_zone)
    after = start or desk.clock.now()
    after = after.replace(tzinfo=zone) if after.tzinfo is None else after
    fires = list(islice(fire_times(schedule, zone=zone, after=after.astimezone(UTC)), count))
    listed = [(fire.astimezone(zone), note_for(schedule, zone=zone, fire=fire)) for fire in fires]
    if as_json:
        output.print_json([{"at": at.isoformat(), "note": note} for at, note in listed])
        return
    for at, note in listed:
        click.echo(f"{at:%a} {at.isoformat(timespec='minutes')}" + (f"  {note}" if note else ""))
    if not listed:
        click.echo("It never starts by itself.")


def _cron_schedule(expression: str) -> Schedule:
    answer = parse_cron(expression)
    if isinstance(answer, Refused):
        raise click.UsageError(answer.message)
    if isinstance(answer, AcceptedWithWarning):
        for warning in answer.warnings:
            click.echo(f"Note: {warning}", err=True)
    return Schedule(rule=CronRule(expression=answer.expression))


@click.command()
@click.argument("job_ids", metavar="[JOB]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All jobs that should run on this computer.")
@click.option("--backend", type=click.Choice(BACKENDS), help="For jobs whose files leave it open.")
@click.option("--dry-run", is_flag=True, help="Only show the exact text that would be registered.")
@click.pass_context
def register(
    ctx: click.Context, job_ids: tuple[str, ...], everything: bool, backend: str | None, dry_run: bool
) -> int:
    """Register jobs with this computer's scheduler, and read each entry back."""
    _some(job_ids, everything)
    asked = BackendName(backend) if backend else None
    results = desk_of(ctx).scheduling.register(job_ids, backend=asked, dry_run=dry_run)
    return _print_results(results, with_text=dry_run)


@click.command()
@click.argument("job_ids", metavar="[JOB]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All jobs of this computer.")
@click.pass_context
def unregister(ctx: click.Context, job_ids: tuple[str, ...], everything: bool) -> int:
    """Take jobs out of this computer's scheduler and note that they run elsewhere."""
    _some(job_ids, everything)
    return _print_results(desk_of(ctx).scheduling.unregister(job_ids), with_text=False)


def _some(job_ids: Sequence[str], everything: bool) -> None:
    if bool(job_ids) == everything:
        raise click.UsageError("name the jobs, or say --all")


def _print_results(results: Sequence[Registered], *, with_text: bool) -> int:
    if not results:
        click.echo("There is nothing to do.")
    for result in results:
        click.echo(f"{result.job_id}: {result.sentence}", err=not result.done)
        for note in result.notes:
            click.echo(f"    Note: {note}.")
        if with_text and result.native:
            click.echo("\n".join(f"    {line}" for line in result.native.splitlines()))
    return 0 if all(result.done for result in results) else 1


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects, orphans among them.")
@click.pass_context
def verify(ctx: click.Context, as_json: bool) -> int:
    """Read every registration back and name each difference; exit 1 where there is one, 3 cannot tell."""
    findings = desk_of(ctx).scheduling.verify()
    if as_json:
        output.print_json([output.finding_json(finding) for finding in findings])
    else:
        for finding in findings:
            click.echo(f"{finding.job_id}: {finding.state.value}: {finding.sentence}")
            if finding.state is RegistrationState.CHANGED:
                click.echo(_indented("wanted", finding.wanted) + "\n" + _indented("found ", finding.found))
    states = {finding.state for finding in findings}
    if states & DRIFT or RegistrationState.NEVER_REGISTERED in states:
        return 1
    return 3 if RegistrationState.UNVERIFIABLE in states else 0


def _indented(label: str, text: str) -> str:
    return "\n".join(f"    {label}  {line}" for line in text.splitlines())


COMMANDS = (next_fires, register, unregister, verify)
