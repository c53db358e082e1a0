"""Small games as a whole: all positions, their classes and scores, and the full tree."""
