"""What click hands from the group to its commands."""

from collections.abc import Callable
from typing import cast

import click

from ridgeline_desktop.services.desk import Desk


def desk_of(ctx: click.Context) -> Desk:
    """The services, opened now; errors of settings and folders come out here."""
    return cast(Callable[[], Desk], ctx.obj)()
