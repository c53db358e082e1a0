"""Benchmarks of boards."""
