"""Audits: an AI answers about positions in a process of its own, and SQL judges the answers."""
