"""Audits: an AI answers about positions, and an oracle judges the answers."""
