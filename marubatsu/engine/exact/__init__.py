"""The exact value of a position by search, without any table of the game."""
