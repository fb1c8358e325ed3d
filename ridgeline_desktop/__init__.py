"""Ridgeline Desktop: watches, runs and registers a small shop's unattended jobs."""

__version__ = "0.1.0"
