"""What is true of a position: from the tables of its game, or from its solution."""
