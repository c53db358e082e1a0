"""Pure game logic: no files, no printing, no clock, no global random state."""
