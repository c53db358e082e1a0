"""Audits of AIs, by tables and by solutions."""
