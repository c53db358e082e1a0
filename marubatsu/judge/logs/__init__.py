"""Logs: the formats in which others record games, and what each of them states."""
