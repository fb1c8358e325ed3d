"""Runs: started by hand, watched, stopped, and looked back at."""
