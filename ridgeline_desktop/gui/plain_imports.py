"""Loading this takes Qt for Python's own import away again.

It reads the source of every module that is loaded after it, to see whether that wants names in snake_case.
None of ours does, and the reading takes a tenth of each start and seven megabytes.
"""

import builtins

import PySide6.QtCore  # noqa: F401 (puts the import in place that is taken away below)

builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
