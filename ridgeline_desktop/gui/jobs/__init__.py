"""The list of jobs, what is known of one, and the form that adds or changes one."""
