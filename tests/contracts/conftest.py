"""Makes the contracts importable, and of their neighbours the shop's entries and the cron lab."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("contracts", "backends", "system")]
