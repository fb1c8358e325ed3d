"""Windows that the documents are held against are drawn where nobody sees them."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
