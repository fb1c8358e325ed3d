"""This machine: clock, processes, locks, folders, logs. Nothing here decides anything."""
