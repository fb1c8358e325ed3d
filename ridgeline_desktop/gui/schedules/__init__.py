"""When a job runs: shown, and edited in a form that says what will happen."""
