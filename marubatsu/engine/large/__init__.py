"""Large games: classes numbered by a formula, and compiled steps over many of them at once."""
