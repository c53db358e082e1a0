"""Compiled searches: exact values of large games, the readable search in bulk, techniques."""
