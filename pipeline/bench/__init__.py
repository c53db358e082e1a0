"""Boards measured side by side, and one held against the laws."""
