"""check, pause, resume."""

from datetime import datetime, timedelta

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.context import desk_of
from ridgeline_desktop.core.schedules import parse_duration
from ridgeline_desktop.core.texts import pause_text


@click.command(short_help="Judge all jobs; exit 0 ok, 1 amber, 2 red, 3 cannot tell.")
@click.argument("job_ids", metavar="[JOB]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects, as list does.")
@click.pass_context
def check(ctx: click.Context, job_ids: tuple[str, ...], as_json: bool) -> int:
    """Bring the records in order and judge: a line per job; exit 0 ok, 1 amber, 2 red, 3 cannot tell."""
    report = desk_of(ctx).checking.check(job_ids)
    if as_json:
        output.print_json([output.row_json(row) for row in report.snapshot.rows])
        return report.exit_code
    for row in report.snapshot.rows:
        why = "".join(f". {text}" for text in output.causes(row))
        running = " (running now)" if row.running else ""
        click.echo(f"{row.job_id}: {row.summary}{running}{why}")
    if not report.snapshot.rows:
        click.echo("no jobs: can't tell")
    for line in (*(banner.with_commands() for banner in report.snapshot.banners), *report.notes):
        click.echo(line)
    return report.exit_code


FIRST_YEAR, LAST_YEAR = 1970, 2999


class Length(click.ParamType[timedelta]):
    """A length of time such as "3 days"."""

    name = "length"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """The length, or a usage error that says what is allowed."""
        if isinstance(value, timedelta):
            return value
        try:
            return parse_duration(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Instant(click.ParamType[datetime]):
    """An instant such as 2026-12-24T08:00; without an offset it is the shop's clock (a naive datetime)."""

    name = "instant"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The instant, or a usage error that says what is allowed."""
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            moment = None
        if moment is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
            self.fail(
                f'"{value}" is not an instant between 1970 and 2999, such as 2026-12-24T08:00', param, ctx
            )
        return moment


@click.command()
@click.argument("job")
@click.option("--for", "lasting", type=Length(), help='How long, such as "3 days".')
@click.option("--until", type=Instant(), help="Until when, such as 2026-12-24T08:00 (the shop's clock).")
@click.option("--reason", default="", help="Why, for those who wonder later.")
@click.pass_context
def pause(
    ctx: click.Context, job: str, lasting: timedelta | None, until: datetime | None, reason: str
) -> None:
    """Refuse the job's scheduled starts until a time, or until resumed; a run by hand still works."""
    if lasting and until:
        raise click.UsageError("give --for or --until, not both")
    desk = desk_of(ctx)
    zone = desk.jobs.zone(desk.jobs.settings())
    if until is not None and until.tzinfo is None:
        until = until.replace(tzinfo=zone)
    if lasting is not None:
        until = desk.clock.now() + lasting
    made = desk.runs.pause(job, until=until, reason=" ".join(reason.split()))
    click.echo(f"{job} is {pause_text(made, zone=zone, now=desk.clock.now())}.")


@click.command()
@click.argument("job")
@click.pass_context
def resume(ctx: click.Context, job: str) -> None:
    """End the job's pause."""
    desk_of(ctx).runs.resume(job)
    click.echo(f"{job} is no longer paused.")


COMMANDS = (check, pause, resume)
