"""Searches: one readable recursion with options; every search as an AI; the list of all AIs."""
