"""Everything a front end may ask for, in one hand."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.core.values import dataclass
from ridgeline_desktop.services.checking import Checking
from ridgeline_desktop.services.editing import Editing
from ridgeline_desktop.services.jobs import Jobs
from ridgeline_desktop.services.locks import LockDesk
from ridgeline_desktop.services.monitoring import Monitoring
from ridgeline_desktop.services.runbooks import Runbooks
from ridgeline_desktop.services.runs import Runs
from ridgeline_desktop.services.scheduling import Scheduling
from ridgeline_desktop.services.settings import SettingsDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The use cases of one computer. `facts` gives what `doctor` prints: a question and its answer each."""

    jobs: Jobs
    scheduling: Scheduling
    monitoring: Monitoring
    runs: Runs
    locks: LockDesk
    runbooks: Runbooks
    editing: Editing
    settings: SettingsDesk
    checking: Checking
    clock: Clock
    facts: Callable[[], Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleShop:
    """The sample shop, open in `home`.

    While `start_jobs()` is entered its jobs start by themselves; what it gives waits until Ctrl+C. Its web
    shop is broken and mended by the functions named so, or on the status page.
    """

    desk: Desk
    home: str
    status_page: str
    start_jobs: Callable[[], AbstractContextManager[Callable[[], None]]]
    break_it: Callable[[], None]
    mend: Callable[[], None]
    is_broken: Callable[[], bool]
