"""run (its help only), stop, record, history, log."""

import sys
import time

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.context import desk_of
from ridgeline_desktop.core.runs import RunStatus
from ridgeline_desktop.services.runs import REPORTABLE

FOLLOW_EVERY = 0.5


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("arguments", nargs=-1)
def run(arguments: tuple[str, ...]) -> None:
    """Run a job now, under its lock and with a record: ridgeline run JOB (see: ridgeline run --help)."""
    raise click.UsageError(f"put run first: ridgeline run {' '.join(arguments)}")


@click.command()
@click.argument("job")
@click.pass_context
def stop(ctx: click.Context, job: str) -> None:
    """Ask the job's running run to stop, with everything it started."""
    record = desk_of(ctx).runs.stop(job)
    click.echo(f"Asked run {record.run_id} of {job} to stop; it ends within a few seconds.")


@click.command()
@click.argument("job")
@click.option("--status", type=click.Choice([status.value for status in REPORTABLE]), required=True)
@click.option("--reason", default="", help="A sentence for the record.")
@click.option("--exit-code", type=click.IntRange(0, 255))
@click.pass_context
def record(ctx: click.Context, job: str, status: str, reason: str, exit_code: int | None) -> None:
    """Record the result of a run that something else started and that ended just now."""
    made = desk_of(ctx).runs.report(
        job, RunStatus(status), reason=" ".join(reason.split()), exit_code=exit_code
    )
    click.echo(f"Recorded {made.status.value} for {job} (run {made.run_id}).")


@click.command()
@click.argument("job")
@click.option("-n", "--limit", default=20, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects, newest first.")
@click.pass_context
def history(ctx: click.Context, job: str, limit: int, as_json: bool) -> None:
    """List the job's runs, newest first."""
    desk = desk_of(ctx)
    records = desk.runs.history(job, limit=limit)
    if as_json:
        output.print_json([output.run_json(made) for made in records])
    elif not records:
        click.echo("This job has not run yet.")
    else:
        output.print_history(records, desk.jobs.zone(desk.jobs.settings()), desk.clock.now())


@click.command()
@click.argument("job")
@click.option("--run-id", help="Which run; otherwise the newest with output.")
@click.option("-f", "--follow", is_flag=True, help="Go on until the run ends.")
@click.pass_context
def log(ctx: click.Context, job: str, run_id: str | None, follow: bool) -> None:
    """Print a run's output, byte for byte."""
    runs = desk_of(ctx).runs
    found = runs.find(job, run_id)
    stream = sys.stdout.buffer
    offset = 0
    while True:
        going_on = follow and runs.is_running(found)
        while piece := runs.output(found, offset=offset):
            stream.write(piece)
            offset += len(piece)
        stream.flush()
        if not going_on:
            return
        time.sleep(FOLLOW_EVERY)


COMMANDS = (run, stop, record, history, log)
