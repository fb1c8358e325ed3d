"""in-app."""

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager

import click

Wait = Callable[[], None]


def end_like_ctrl_c() -> None:
    """Let a closed terminal or a plain kill end this program as orderly as Ctrl+C does."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def make_in_app(starting: Callable[[str | None], AbstractContextManager[Wait]]) -> click.Command:
    """The command `in-app`; `starting` takes --home and gives what waits until Ctrl+C."""

    @click.command("in-app")
    @click.pass_context
    def in_app(ctx: click.Context) -> None:
        """Start the in-app jobs until Ctrl+C, where this computer has no scheduler of its own."""
        home = ctx.parent.params.get("home") if ctx.parent else None
        with starting(home) as wait:
            end_like_ctrl_c()
            try:
                click.echo("Starting in-app jobs at their times. Press Ctrl+C to stop; runs under way go on.")
                wait()
            except KeyboardInterrupt:
                click.echo("\nNo more jobs are started. Silence is still noticed by: ridgeline check")

    return in_app
