"""Anybody's AI, judged: asked about positions in a process of its own, graded by SQL."""
