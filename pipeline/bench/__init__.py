"""Benchmarks of boards, and the check of one board against the laws."""
