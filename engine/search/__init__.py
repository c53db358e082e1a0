"""Searches: one recursion with options, the same result everywhere."""
