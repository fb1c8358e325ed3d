"""Values and arithmetic: no I/O, no clock, no threads, no Qt."""
