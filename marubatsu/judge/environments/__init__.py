"""Environments that others wrote, walked beside our rules."""
