"""demo."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.in_app import end_like_ctrl_c
from ridgeline_desktop.services.desk import SampleShop


def make_demo(
    open_sample_shop: Callable[[], AbstractContextManager[SampleShop]],
    *,
    show: Callable[[SampleShop], int] | None,
    draw: Callable[[SampleShop, str], None],
) -> click.Command:
    """The command `demo`.

    `show` opens the window and gives the exit code once it is closed, None = there is no screen. `draw` draws
    the same window into a picture.
    """

    @click.command()
    @click.option("--once", is_flag=True, help="Print the table and leave at once.")
    @click.option(
        "--picture", metavar="FILE", help="Draw the window into a PNG file, print the table, leave."
    )
    def demo(once: bool, picture: str | None) -> int:
        """Open a sample shop in a throwaway folder, with jobs in every state to look at."""
        with open_sample_shop() as shop:
            if picture is not None:
                draw(shop, picture)
                _in_terminal(shop, once=True)
                click.echo(f"\nThe window, as it would look on a screen: {picture}")
                return 0
            if show is not None and not once:
                return show(shop)
            return _in_terminal(shop, once=once)

    return demo


def _in_terminal(shop: SampleShop, *, once: bool) -> int:
    with shop.start_jobs() as wait:
        if once:
            _print_shop(shop)
            return 0
        end_like_ctrl_c()
        try:
            _print_shop(shop)
            _print_hints(shop)
            wait()
        except KeyboardInterrupt:
            click.echo("\nThe sample shop is closed and its folder removed.")
    return 0


def _print_shop(shop: SampleShop) -> None:
    desk = shop.desk
    click.echo("The sample shop: five jobs, showing four lights.\n")
    output.print_jobs(desk.monitoring.snapshot(), desk.jobs.zone(desk.jobs.settings()))


def _print_hints(shop: SampleShop) -> None:
    click.echo(f"\nThe shop's API is broken, which is why order-sync fails. Mend it at {shop.status_page}")
    click.echo("Meanwhile, in another terminal:\n")
    for command in ("show order-sync", "runbook order-sync", "run order-sync --by Sam", "list"):
        click.echo(f"    ridgeline --home {shop.home} {command}")
    click.echo("\nPress Ctrl+C to close the shop.")
