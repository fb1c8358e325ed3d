"""Runbooks: shown safely, opened at what has gone wrong."""
