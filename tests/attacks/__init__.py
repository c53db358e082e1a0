"""Attacks by family: each is a line in a list, and must fail or be refused."""
