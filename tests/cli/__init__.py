"""The commands: usage, progress, the installed wheel."""
