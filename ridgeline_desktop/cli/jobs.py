"""list, show, runbook, doctor."""

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.context import desk_of
from ridgeline_desktop.core.errors import UnknownJob
from ridgeline_desktop.core.jobs import cautions, not_yet_obeyed


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
@click.pass_context
def list_jobs(ctx: click.Context, as_json: bool) -> None:
    """List all jobs with their health, worst first."""
    desk = desk_of(ctx)
    snapshot = desk.monitoring.snapshot()
    if as_json:
        output.print_json([output.row_json(row) for row in snapshot.rows])
        return
    output.print_jobs(snapshot, desk.jobs.zone(desk.jobs.settings()))


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.pass_context
def show(ctx: click.Context, job: str, as_json: bool) -> None:
    """Show one job: why its light is as it is, its schedule, its last and next run."""
    desk = desk_of(ctx)
    snapshot = desk.monitoring.snapshot()
    row = next((row for row in snapshot.rows if row.job_id == job), None)
    if row is None:
        known = ", ".join(sorted(row.job_id for row in snapshot.rows)) or "none yet"
        raise UnknownJob(f'there is no job "{job}"; there are: {known}')
    if as_json:
        output.print_json(output.row_json(row))
        return
    output.print_job(row, desk.jobs.zone(desk.jobs.settings()), snapshot.taken_at)
    for sentence in (*cautions(row.job), *not_yet_obeyed(row.job)) if row.job else ():
        click.echo(f"Note: {sentence}.")


@click.command()
@click.argument("job")
@click.pass_context
def runbook(ctx: click.Context, job: str) -> None:
    """Print a job's runbook."""
    desk = desk_of(ctx)
    click.echo(desk.jobs.runbook(desk.jobs.job(job)), nl=False)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say how this installation stands: folders, records, schedulers, clock."""
    facts = desk_of(ctx).facts()
    if as_json:
        output.print_json(dict(facts))
        return
    output.print_facts(facts)


COMMANDS = (list_jobs, show, runbook, doctor)
