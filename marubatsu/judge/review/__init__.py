"""Reviews of recorded games: the formats of logs, and how well each player played."""
