"""How the tables of compiled searches find the place of a key."""

MULTIPLIER = 0x1E3779B97F4A7C15
"""Odd, so it permutes the integers of 64 bits; the upper bits of a product choose a table's row."""
