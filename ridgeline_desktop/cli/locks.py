"""lock show, lock clear."""

from dataclasses import asdict

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.context import desk_of


@click.group()
def lock() -> None:
    """Show or clear the lock of a job."""


@lock.command("show")
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print verdict, sentence and evidence.")
@click.pass_context
def show(ctx: click.Context, job: str, as_json: bool) -> None:
    """Say whether the job's lock is held, dead or unclear, and by what proof."""
    evidence, verdict = desk_of(ctx).locks.show(job)
    if as_json:
        output.print_json(
            {
                "verdict": verdict.kind.value,
                "sentence": verdict.sentence,
                "line": verdict.line,
                "evidence": asdict(evidence),
            }
        )
        return
    click.echo(f"{verdict.kind.value}: {verdict.sentence}")
    if evidence.run_id:
        click.echo(f"  run {evidence.run_id}, started {evidence.started_at} by {evidence.trigger}")
    for name, finding in (("runner", evidence.runner), ("job", evidence.child)):
        if finding is not None:
            click.echo(f"  {name}: process {finding.pid}: {finding.liveness.value}: {finding.proof}")


@lock.command("clear")
@click.argument("job")
@click.option(
    "--force", "run_id", metavar="RUN_ID", help="Clear this run's lock though its death is not proven."
)
@click.pass_context
def clear(ctx: click.Context, job: str, run_id: str | None) -> None:
    """Clear a lock whose owner is proven dead."""
    locks = desk_of(ctx).locks
    evidence, _ = locks.show(job)
    click.echo(locks.clear(job, run_id=evidence.run_id, force_run_id=run_id))


COMMANDS = (lock,)
