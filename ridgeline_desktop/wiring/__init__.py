"""The only room that picks adapters and hands them to the others."""
