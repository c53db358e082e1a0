"""AIs by rule, evaluation, table or function, and their matches: game by game or exact."""
