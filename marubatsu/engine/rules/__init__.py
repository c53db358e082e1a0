"""Games and positions: scalar rules, rules on arrays, and estimates of a game's size."""
