"""The lock of a job: its evidence, and what can be done about it."""
