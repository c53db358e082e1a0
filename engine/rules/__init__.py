"""Games and positions: the rules one position at a time and on arrays, and how large a game is."""
