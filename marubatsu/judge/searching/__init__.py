"""Searches of one position: traced, and compared with the same search in other orderings."""
