"""All AIs by name, and their games: one by one, millions at once, or exactly."""
