"""Helpers of tests: second ways to the same answers, defects to plant, commands, shared data."""

from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
