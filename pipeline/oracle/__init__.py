"""The facts about a position: from the tables of its game, or from its solution."""
