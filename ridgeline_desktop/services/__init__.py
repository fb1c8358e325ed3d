"""Use cases: what a front end can ask for. Nothing here knows how it is shown, or where it is kept."""
