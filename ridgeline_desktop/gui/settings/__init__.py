"""Settings of this computer, in a form."""
