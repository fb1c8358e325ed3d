"""What every window is made of: colours, icons, words, work off the GUI thread, feedback, form rows."""
