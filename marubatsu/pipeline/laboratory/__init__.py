"""Measurements that are kept: techniques, answers of searches, smallest proofs; benchmarks."""
