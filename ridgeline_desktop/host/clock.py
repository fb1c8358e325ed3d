"""The clocks of this computer; nothing else in Ridgeline asks what time it is."""

import time
from datetime import UTC, datetime


class SystemClock:
    """The real clocks."""

    def now(self) -> datetime:
        """The wall clock, aware UTC."""
        return datetime.now(UTC)

    def steady(self) -> float:
        """Seconds that are never set back and go on while the computer sleeps."""
        boottime = getattr(time, "CLOCK_BOOTTIME", None)
        return time.monotonic() if boottime is None else time.clock_gettime(boottime)
