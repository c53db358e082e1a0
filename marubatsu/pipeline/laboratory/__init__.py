"""Measurements that are kept: search techniques, proofs, answers of searches; benchmarks."""
