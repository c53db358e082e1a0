"""Attacks by family: what is tried is listed in a line each, and must fail or be refused."""
