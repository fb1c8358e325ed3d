"""The command line: reads arguments, asks the services, prints tables or JSON."""
