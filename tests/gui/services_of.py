"""What the desktop's wiring hands to the windows, for an office of the tests."""

from functools import partial
from typing import Any

from office import Office

from ridgeline_desktop.wiring.desktop import watched_paths


def looking(office: Office) -> dict[str, Any]:
    """What a watcher is made with."""
    return {"look": office.monitoring.snapshot, "places": partial(watched_paths, office.folders, office.jobs)}
