"""Searches against two mirrored functions and published figures."""
