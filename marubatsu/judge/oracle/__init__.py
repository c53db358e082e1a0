"""The facts about a position: from the tables of its game, from its solution, or from a search."""
