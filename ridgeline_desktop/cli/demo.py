"""demo."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import click

from ridgeline_desktop.cli import output
from ridgeline_desktop.cli.in_app import end_like_ctrl_c
from ridgeline_desktop.services.desk import SampleShop


def make_demo(open_sample_shop: Callable[[], AbstractContextManager[SampleShop]]) -> click.Command:
    """The command `demo`."""

    @click.command()
    @click.option("--once", is_flag=True, help="Print the table and leave at once.")
    def demo(once: bool) -> None:
        """Open a sample shop in a throwaway folder, with jobs in every state to look at."""
        with open_sample_shop() as shop, shop.start_jobs() as wait:
            end_like_ctrl_c()
            _print_shop(shop)
            if not once:
                _print_hints(shop)
                try:
                    wait()
                except KeyboardInterrupt:
                    click.echo("\nThe sample shop is closed and its folder removed.")

    return demo


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
