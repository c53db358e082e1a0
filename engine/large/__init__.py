"""Large games: positions as integer keys, and compiled steps over many classes at once."""
