"""Reviews: games that somebody recorded, and how well each player played in them."""
