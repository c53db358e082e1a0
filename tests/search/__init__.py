"""Searches against plain recursions and published figures."""
