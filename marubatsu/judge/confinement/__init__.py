"""Boxes for foreign processes: what they see, use and leave behind."""
