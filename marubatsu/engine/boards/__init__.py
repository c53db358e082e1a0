"""Positions changed in place, move by move: every kind of board, and the laws that all keep."""
