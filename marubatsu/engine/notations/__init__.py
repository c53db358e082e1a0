"""Positions as people write them: signs, layouts, lists and moves."""
