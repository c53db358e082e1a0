"""All AIs by name, and their matches: game by game, millions at once, or exact."""
