"""Searches: one recursion with options; all return the same kind of result."""
