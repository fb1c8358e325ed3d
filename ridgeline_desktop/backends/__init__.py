"""The computer's schedulers: for each a pure text and the tool that reads and writes it."""
