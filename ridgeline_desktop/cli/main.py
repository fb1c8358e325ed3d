"""The command `ridgeline` and its error handling; each noun has a file of its own."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import click

from ridgeline_desktop import __version__
from ridgeline_desktop.cli import jobs, locks, runs, schedules, watching
from ridgeline_desktop.core.errors import RidgelineError
from ridgeline_desktop.services.desk import Desk

EXIT_CANNOT_TELL = 3
JUDGING = ("check", "verify")


class Ridgeline(click.Group):
    """Remembers which of its commands was asked for; None until one was."""

    asked: str | None = None

    def invoke(self, ctx: click.Context) -> object:
        """Carry the command line out."""
        try:
            return super().invoke(ctx)
        finally:
            self.asked = ctx.invoked_subcommand


def build(
    open_desk: Callable[[str | None], Desk],
    more: Sequence[click.Command],
    without_command: Callable[[str | None], int] | None = None,
) -> Ridgeline:
    """The whole command line; `open_desk` takes the folder of --home (None = the default places).

    `without_command` is what plain `ridgeline` does with that folder; None prints the help.
    """

    @click.group(
        cls=Ridgeline,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        invoke_without_command=True,
    )
    @click.version_option(__version__, prog_name="ridgeline")
    @click.option(
        "--home", metavar="FOLDER", help="Keep everything below this folder (or set RIDGELINE_HOME)."
    )
    @click.pass_context
    def group(ctx: click.Context, home: str | None) -> int:
        """Watches, runs and registers unattended jobs, and notices when one falls silent."""
        ctx.obj = lambda: open_desk(home)
        if ctx.invoked_subcommand is None:
            if without_command is not None:
                return without_command(home)
            click.echo(ctx.get_help())
        return 0

    for command in (
        *jobs.COMMANDS,
        *runs.COMMANDS,
        *schedules.COMMANDS,
        *locks.COMMANDS,
        *watching.COMMANDS,
        *more,
    ):
        group.add_command(command)
    return group


def run_group(group: Ridgeline, argv: Sequence[str]) -> int:
    """Run the command line and give its exit code; errors are one sentence on stderr, never a traceback.

    A command that judges exits with 3 where it could not: 1 and 2 are its verdicts.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = group.main(list(argv), prog_name="ridgeline", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return _failed(group, error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
        return 130
    except SystemExit as error:  # click's way out where the reader of the output went away
        return _failed(group, error.code if isinstance(error.code, int) else 1)
    except (RidgelineError, OSError, OverflowError, ValueError) as error:
        with suppress(OSError):
            click.echo(f"ridgeline: {_in_words(error)}", err=True)
        return _failed(group, 1)
    return code if isinstance(code, int) else 0


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or error}" + (f" ({error.filename})" if error.filename else "")
    if isinstance(error, RidgelineError):
        return str(error)
    return f"a number or a date is out of all bounds: {error}"


def _failed(group: Ridgeline, otherwise: int) -> int:
    return EXIT_CANNOT_TELL if group.asked in JUDGING else otherwise
