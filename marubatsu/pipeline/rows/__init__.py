"""Rows of answers: their formats, as tables for people, as text or columns for programs."""
