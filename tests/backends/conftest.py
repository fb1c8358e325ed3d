"""Makes what the tests of the schedulers share importable."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
