"""The solution of a large game: its files, look-ups of positions, and counts over it."""
