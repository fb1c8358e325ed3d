"""One run of one job, from its start to its record; every part of the machine it touches is handed in."""
